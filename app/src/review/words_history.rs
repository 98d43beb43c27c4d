//! The history of a word list: who changed which terms when, and how an earlier state is restored.

use crate::{
    review::{state::action_text, word_fns::RestoreWordList},
    ui::{
        form::{Alert, FromField, refusal_of},
        time::date_time::DateTime,
    },
};
use domain::{
    WordListId,
    review::{ListChange, WordListRevision},
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::review::words::WordTexts;

/// The states of a list, newest first. Nothing while it has none to restore.
#[component]
pub fn History(
    /// The list.
    id: WordListId,
    /// Its current version.
    seen: i32,
    /// Its states.
    history: Vec<WordListRevision>,
) -> impl IntoView {
    let texts = WordTexts::here();
    if history.is_empty() {
        return ().into_any();
    }
    let rows = history.into_iter().map(|revision| view! { <Row id=id seen=seen revision=revision /> });
    view! {
        <section class="panel" aria-labelledby="history">
            <header><h2 id="history">{texts.history()}</h2></header>
            <Alert refusal=Signal::stored(refusal_of(RestoreWordList::PATH)) />
            <ol class="word-history">{rows.collect_view()}</ol>
        </section>
    }
    .into_any()
}

#[component]
fn Row(id: WordListId, seen: i32, revision: WordListRevision) -> impl IntoView {
    let texts = WordTexts::here();
    let version = revision.version.0;
    let change = match revision.change {
        ListChange::Create => texts.was_created(),
        ListChange::Settings => texts.was_changed(),
        ListChange::Terms => texts.terms_changed(),
        ListChange::Restore => texts.was_restored(),
        ListChange::Earlier => texts.was_earlier(),
    };
    let count = if revision.terms == 1 { texts.count_one().to_owned() } else { texts.count(revision.terms) };
    let changes = revision.changes;
    let label = format!("{} {version}", texts.restore());
    view! {
        <li>
            <p>
                <DateTime at=revision.at />
                {revision.by.map(|name| view! { " · " <bdi>{name}</bdi> })} " · " {change}
            </p>
            <p class="muted">
                <bdi>{revision.settings.name}</bdi> " · " {action_text(revision.settings.action)} " · " {count}
            </p>
            <Terms label=texts.terms_added() terms=changes.added count=changes.added_count />
            <Terms label=texts.terms_removed() terms=changes.removed count=changes.removed_count />
            {(version != seen).then(|| view! {
                <form method="post" action=RestoreWordList::PATH class="inline">
                    <FromField />
                    <input type="hidden" name="id" value=id.to_string() />
                    <input type="hidden" name="seen" value=seen />
                    <input type="hidden" name="version" value=version />
                    <button class="button small" type="submit" aria-label=label>{texts.restore()}</button>
                </form>
            })}
        </li>
    }
}

/// The terms that a change added or removed: the first ones, and how many more.
#[component]
fn Terms(label: &'static str, terms: Vec<String>, count: u64) -> impl IntoView {
    let texts = WordTexts::here();
    let named = u64::try_from(terms.len()).unwrap_or(u64::MAX);
    let more = count.saturating_sub(named);
    let terms = terms.into_iter().map(|term| view! { <code dir="auto">{term}</code> " " }).collect_view();
    (count > 0).then(|| {
        view! { <p>{label} " " {terms} {(more > 0).then(|| texts.and_more(more))}</p> }
    })
}
