//! Retries all entries of a group, after a confirmation.

use crate::{
    dashboard::texts::DashboardTexts,
    tasks::server_fns::{self, group_id},
    texts::sentences,
    ui::{
        form::{self, Form},
        icon::Icon,
        result::ResultNote,
    },
};
use domain::{
    State,
    input_limits::MAX_RETRY_ITEMS,
    task::{AttentionGroup, BulkResult},
};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

/// Result of the last retry, while the page is open.
#[derive(Clone, Copy)]
pub struct LastRetry(pub RwSignal<Option<BulkResult>>);

/// Shows the result of a retry, from the form or from the URL.
#[component]
pub fn Outcome(
    /// Result from the form.
    last: LastRetry,
) -> impl IntoView {
    let (texts, query) = (DashboardTexts::here(), use_query_map());
    let is_refused = form::is_form_result();
    let result = move || {
        let number = |name: &str| query.with(|query| query.get(name)?.parse::<u64>().ok());
        let from_url =
            || Some(BulkResult { done: number("retried")?, refused: number("refused").unwrap_or_default() });
        last.0.get().or_else(from_url).filter(|_| !is_refused)
    };
    move || {
        result().map(|BulkResult { done, refused }| {
            let first = match (done, refused) {
                (0, 0) => texts.retried_none().to_owned(),
                (done, _) => texts.retried(done),
            };
            let text = if refused > 0 { sentences(&first, &texts.retried_refused(refused)) } else { first };
            let class = if refused > 0 { "notice warn" } else { "notice good" };
            view! { <ResultNote class=class>{text}</ResultNote> }
        })
    }
}

/// The retry form of a group, behind a confirmation. Hidden for groups with at most one entry.
#[component]
pub fn RetryGroup(
    /// The group.
    group: Memo<Option<AttentionGroup>>,
) -> impl IntoView {
    let retryable = Memo::new(move |_| group.with(|group| retryable(group.as_ref()?)));
    move || retryable.get().map(|(id, all)| view! { <RetryForm id=id all=all /> })
}

/// Returns the id of the group, and the number of tasks that the user may retry.
fn retryable(group: &AttentionGroup) -> Option<(String, u64)> {
    let can = matches!(group.state, State::Failed | State::Missed) && group.changeable > 1;
    can.then(|| (group_id(group.state, &group.reason), group.changeable))
}

/// Asks for confirmation before all entries of a group are retried.
#[component]
pub fn RetryForm(
    /// Id of the group.
    id: String,
    /// Number of entries.
    all: u64,
) -> impl IntoView {
    let texts = DashboardTexts::here();
    let action = ServerAction::<server_fns::RetryGroup>::new();
    let last = expect_context::<LastRetry>();
    Effect::new(move |_| {
        if let Some(Ok(retried)) = action.value().get() {
            last.0.set(Some(retried));
        }
    });
    let most = all.min(MAX_RETRY_ITEMS);
    view! {
        <details class="open-in-place retry-group">
            <summary class="button small"><Icon name="retry" />{texts.retry_group(all)}</summary>
            <Form action=action about=id.clone() class="inline">
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="most" value=most />
                <p>{texts.retry_group_hint(most)}{(most < all).then(|| format!(" {}", texts.retry_group_most(most)))}</p>
                <button class="button main" type="submit">{texts.retry_group_yes(most)}</button>
            </Form>
        </details>
    }
}
