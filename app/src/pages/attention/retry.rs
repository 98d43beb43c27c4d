//! Trying a whole group again: asked twice, told afterwards.

use crate::{
    calls::tasks::{self, group_id},
    components::{icon::Icon, result::ResultNote},
    form::{self, Form},
    words::desk::DeskWords,
};
use domain::{
    State,
    limit::RETRY_ITEMS,
    task::{AttentionGroup, Retried},
};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

/// What became of the group that was last tried again, while the page stands.
#[derive(Clone, Copy)]
pub struct Said(pub RwSignal<Option<Retried>>);

/// Says what became of a group: as the form answered, or as the address says.
#[component]
pub fn Outcome(
    /// What the form answered.
    said: Said,
) -> impl IntoView {
    let (words, query) = (DeskWords::here(), use_query_map());
    let is_refused = form::is_answer();
    let told = move || {
        let number = |name: &str| query.with(|query| query.get(name)?.parse::<u64>().ok());
        let of_address =
            || Some(Retried { done: number("retried")?, refused: number("refused").unwrap_or_default() });
        said.0.get().or_else(of_address).filter(|_| !is_refused)
    };
    move || {
        told().map(|Retried { done, refused }| {
            let first = match (done, refused) {
                (0, 0) => words.retried_none().to_owned(),
                (done, _) => words.retried(done),
            };
            let rest = (refused > 0).then(|| words.retried_refused(refused));
            let class = if refused > 0 { "notice warn" } else { "notice good" };
            view! { <ResultNote class=class>{first}" "{rest}</ResultNote> }
        })
    }
}

/// The form of a group, behind a question; nothing where one by one is as quick.
#[component]
pub fn RetryGroup(
    /// The group.
    group: Memo<Option<AttentionGroup>>,
) -> impl IntoView {
    let wanted = Memo::new(move |_| group.with(|group| wanted(group.as_ref()?)));
    move || wanted.get().map(|(id, all)| view! { <Ask id=id all=all /> })
}

/// Name and number of what the asker may try again.
fn wanted(group: &AttentionGroup) -> Option<(String, u64)> {
    let can = matches!(group.state, State::Failed | State::Missed) && group.theirs > 1;
    can.then(|| (group_id(group.state, &group.reason), group.theirs))
}

/// Asks whether all of a group are to be tried again.
#[component]
pub fn Ask(
    /// The group's name.
    id: String,
    /// How many.
    all: u64,
) -> impl IntoView {
    let words = DeskWords::here();
    let action = ServerAction::<tasks::RetryGroup>::new();
    let said = expect_context::<Said>();
    Effect::new(move |_| {
        if let Some(Ok(retried)) = action.value().get() {
            said.0.set(Some(retried));
        }
    });
    let most = all.min(RETRY_ITEMS);
    view! {
        <details class="open-in-place retry-group">
            <summary class="button small"><Icon name="retry" />{words.retry_group(all)}</summary>
            <Form action=action about=id.clone() class="tight">
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="most" value=most />
                <p>{words.retry_group_hint(most)}{(most < all).then(|| format!(" {}", words.retry_group_most(most)))}</p>
                <button class="button main" type="submit">{words.retry_group_yes(most)}</button>
            </Form>
        </details>
    }
}
