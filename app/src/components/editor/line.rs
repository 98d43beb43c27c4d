//! The line below the text: whether it is saved, how long it is, and the button.

use super::draft::{Draft, Standing, wrong};
use crate::{
    form::LogInLink,
    visitor::visitor,
    words::{
        articles::ArticleWords,
        language,
        refusal::sentence,
        time::{clock, place},
    },
};
use domain::{Refusal, limit};
use leptos::prelude::*;

/// Says where the text stands, and saves it.
#[component]
pub fn SaveLine(draft: Draft) -> impl IntoView {
    let words = ArticleWords::here();
    let standing = move || match draft.standing.get() {
        Standing::Saved if draft.id.get().is_none() => "is-empty",
        Standing::Saved => "is-saved",
        Standing::Unsaved => "is-unsaved",
        Standing::Saving => "is-saving",
        Standing::Failed => "is-failed",
    };
    view! {
        <div class="save-line" id="save-line">
            <p class=move || format!("save-state {}", standing()) role="status">
                <span class="save-dot" aria-hidden="true"></span>
                {move || said(draft)}
            </p>
            <p class="save-trouble" role="alert">
                {move || trouble(draft).map(|(said, refusal)| view! { {said} <LogInLink refusal=refusal /> })}
            </p>
            <p class="hint save-limits">{words.limits(limit::TITLE_CHARS, limit::BODY_BYTES / 1_000)}</p>
            <button type="submit" class="button">{words.save()}</button>
        </div>
    }
}

fn said(draft: Draft) -> String {
    let words = ArticleWords::here();
    match draft.standing.get() {
        Standing::Saved => match draft.saved_at.get() {
            Some(at) => words.saved_at(format!("{} {}", clock(at.viewer_wall()), place(visitor().zone()))),
            None if draft.id.get().is_some() => words.saved().to_owned(),
            None => words.nothing_yet().to_owned(),
        },
        Standing::Unsaved => words.unsaved().to_owned(),
        Standing::Saving => words.saving().to_owned(),
        Standing::Failed => words.failed().to_owned(),
    }
}

/// Why it is not saved, and what happens to what was typed.
fn trouble(draft: Draft) -> Option<(String, Refusal)> {
    let refusal = draft.refusal.get();
    // A limit is named while it is typed over, not only when it is sent.
    let refusal = refusal.or_else(|| draft.text.with(wrong).filter(|refusal| !is_empty(refusal)))?;
    Some((why(draft, &refusal), refusal))
}

/// What a refusal of the text says, and what happens to what was typed.
#[must_use]
pub fn why(draft: Draft, refusal: &Refusal) -> String {
    let words = ArticleWords::here();
    match refusal {
        Refusal::TextConflict { .. } => words.conflict_hint().to_owned(),
        Refusal::LogIn => words.log_in_again().to_owned(),
        Refusal::Unavailable | Refusal::Busy | Refusal::Internal { .. } => words.kept_here().to_owned(),
        refusal if is_empty(refusal) => words.needs_title().to_owned(),
        refusal if refusal.field() == Some("title") => {
            let count = draft.text.with(|text| text.title.chars().count());
            words.title_too_long(count, limit::TITLE_CHARS)
        }
        refusal if refusal.field() == Some("body") => {
            let kilobytes = draft.text.with(|text| text.body.len().div_ceil(1_000));
            words.body_too_large(kilobytes, limit::BODY_BYTES / 1_000)
        }
        refusal => sentence(language(), refusal),
    }
}

fn is_empty(refusal: &Refusal) -> bool {
    matches!(refusal, Refusal::Invalid { problem: domain::refusal::Problem::Empty, .. })
}
