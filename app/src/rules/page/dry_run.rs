//! What the rule would have done with the signals of the last days. The URL holds the number of days.

use crate::{
    rules::server_fns::dry_run,
    ui::{async_view::AsyncView, time::date_time::DateTime},
};
use domain::rule::{DryRun, DryRunItem};
use leptos::prelude::*;
use leptos_router::{
    components::Form,
    hooks::{use_location, use_query_map},
};
use texts::{number::grouped, rules::RuleTexts};

/// Parameter: the number of days.
const DAYS: &str = "days";
/// Days that the form offers.
const OFFERED_DAYS: &str = "7";
/// Maximum number of items that are listed.
const MAX_ITEMS: usize = 50;

/// The form and its result.
#[component]
pub(super) fn DryRunPanel(rule: Memo<String>) -> impl IntoView {
    let texts = RuleTexts::here();
    let query = use_query_map();
    let days =
        Memo::new(move |_| query.with(|query| query.get(DAYS)).and_then(|days| days.parse::<u32>().ok()));
    let path = use_location().pathname.get_untracked();
    let run = Resource::new(move || (rule.get(), days.get()), |(rule, days)| dry_run(rule, days));
    let value = days.get_untracked().map_or_else(|| OFFERED_DAYS.to_owned(), |days| days.to_string());
    view! {
        <details class="fold" open=move || days.get().is_some()>
            <summary><h2 id="dry-run">{texts.dry_run()}</h2></summary>
            <p class="hint">{texts.dry_run_hint()}</p>
            <Form method="GET" action=path attr:class="fields">
                <div class="field">
                    <label for="days">{texts.days()}</label>
                    <input id="days" name=DAYS type="number" min="1" max="30" required value=value />
                </div>
                <button class="button" type="submit">{texts.run()}</button>
            </Form>
            <AsyncView from=run children=move |run| move || {
                run.get().zip(days.get()).map(|(run, days)| view! { <Outcome run=run days=days /> })
            } />
        </details>
    }
}

#[component]
fn Outcome(run: DryRun, days: u32) -> impl IntoView {
    let texts = RuleTexts::here();
    let listed = run.items.len().min(MAX_ITEMS);
    let more = (run.would_send > listed as u64).then(|| texts.first_items(grouped(listed as u64)));
    let failed = (run.would_fail > 0).then(|| texts.would_have_failed(grouped(run.would_fail)));
    let item = |item: DryRunItem| {
        let key = (!item.key.is_empty()).then(|| format!(" · {}", item.key));
        view! { <li><DateTime at=item.at />" "<bdi>{item.subject}{key}</bdi></li> }
    };
    view! {
        <p><strong>{texts.would_send(days, grouped(run.would_send))}</strong></p>
        {failed.map(|failed| view! { <p class="notice warn">{failed}</p> })}
        <p class="muted">
            {texts.would_rest(grouped(run.signals), grouped(run.would_close), grouped(run.would_wait))}
        </p>
        {more.map(|more| view! { <p class="muted">{more}</p> })}
        <ul class="plain-list">{run.items.into_iter().take(MAX_ITEMS).map(item).collect_view()}</ul>
    }
}
