//! The status bar below the text: save state, limits and the save button.

use super::{
    draft::{Draft, SaveState},
    local_backup::Text,
    preview::WordCount,
    validation::validate,
};
use crate::{session::visitor, ui::form::LogInLink};
use domain::{DomainError, article::Preview, input_limits};
use leptos::{ev, prelude::*};
use texts::articles::editor::EditorTexts;
use texts::{
    articles::ArticleTexts,
    language,
    refusal::sentence,
    time::{clock, place, placed_clock},
};

/// Id of the heading of the schedule.
const SCHEDULE: &str = "schedule-heading";

/// Shows the save state, the length of the text and the save button.
#[component]
pub fn StatusBar(draft: Draft, preview: RwSignal<Preview>) -> impl IntoView {
    let texts = ArticleTexts::here();
    let is_near_limit = Memo::new(move |_| draft.text.with(is_near_limit));
    let state_class = move || match draft.save_state.get() {
        SaveState::Saved if draft.id.get().is_none() => "is-empty",
        SaveState::Saved => "is-saved",
        SaveState::Unsaved => "is-unsaved",
        SaveState::Saving => "is-saving",
        SaveState::Failed => "is-failed",
    };
    view! {
        <div class="save-line" id="save-line" on:mousedown=|event| event.prevent_default()>
            <p class=move || format!("save-state {}", state_class()) role="status">
                <span class="save-dot" aria-hidden="true"></span>
                {move || state_text(draft)}
            </p>
            <WordCount preview=preview />
            <button type="submit" class="button save-button">{texts.save()}</button>
            <a
                class="button main to-schedule needs-js"
                href=format!("#{SCHEDULE}")
                rel="external"
                on:click=move |event| show_schedule(&event)
            >
                {move || draft.schedule_line.get().unwrap_or_else(|| EditorTexts::here().schedule().to_owned())}
            </a>
            <p class="save-error" role="alert">
                {move || save_error(draft).map(|(state_text, refusal)| view! { {state_text} <LogInLink refusal=refusal /> })}
            </p>
            {move || is_near_limit.get().then(|| view! {
                <p class="hint save-limits">{texts.limits(input_limits::MAX_TITLE_CHARS, input_limits::MAX_BODY_BYTES / 1_000)}</p>
            })}
        </div>
    }
}

/// Moves the focus to the schedule, which is below the text on a phone.
fn show_schedule(event: &ev::MouseEvent) {
    use wasm_bindgen::JsCast;
    if let Some(heading) = document().get_element_by_id(SCHEDULE) {
        event.prevent_default();
        heading.scroll_into_view();
        _ = heading.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

/// Whether the title or the body is longer than nine tenths of its limit.
fn is_near_limit(text: &Text) -> bool {
    text.title.chars().count() * 10 > input_limits::MAX_TITLE_CHARS * 9
        || text.body.len() * 10 > input_limits::MAX_BODY_BYTES * 9
}

fn state_text(draft: Draft) -> String {
    let texts = ArticleTexts::here();
    match draft.save_state.get() {
        SaveState::Saved => match draft.saved_at.get() {
            Some(at) => {
                let place = place(language(), visitor().zone());
                texts.saved_at(placed_clock(language(), &clock(at.viewer_time()), &place))
            }
            None if draft.id.get().is_some() => texts.saved().to_owned(),
            None => texts.nothing_yet().to_owned(),
        },
        SaveState::Unsaved => texts.unsaved().to_owned(),
        SaveState::Saving => texts.saving().to_owned(),
        SaveState::Failed => texts.failed().to_owned(),
    }
}

/// Returns why the text is not saved, as a sentence, and the error.
fn save_error(draft: Draft) -> Option<(String, DomainError)> {
    let refusal = draft.refusal.get();
    // An exceeded limit is shown while typing, not only after a save.
    let refusal = refusal.or_else(|| draft.text.with(validate).filter(|refusal| !is_empty(refusal)))?;
    Some((refusal_text(draft, &refusal), refusal))
}

/// Sentence for an error of saving, including what happens to the input.
#[must_use]
pub fn refusal_text(draft: Draft, refusal: &DomainError) -> String {
    let texts = ArticleTexts::here();
    match refusal {
        DomainError::TextConflict { .. } if draft.server_version.with(Option::is_none) => {
            EditorTexts::here().merged_first().to_owned()
        }
        DomainError::TextConflict { .. } => EditorTexts::here().conflict_undecided().to_owned(),
        DomainError::LogIn => texts.log_in_again().to_owned(),
        DomainError::Unavailable | DomainError::Busy | DomainError::Internal { .. } => {
            texts.kept_on_device().to_owned()
        }
        refusal if is_empty(refusal) => texts.needs_title().to_owned(),
        refusal if refusal.field() == Some("title") => {
            let count = draft.text.with(|text| text.title.chars().count());
            texts.title_too_long(count, input_limits::MAX_TITLE_CHARS)
        }
        refusal if refusal.field() == Some("body") => {
            let kilobytes = draft.text.with(|text| text.body.len().div_ceil(1_000));
            texts.body_too_large(kilobytes, input_limits::MAX_BODY_BYTES / 1_000)
        }
        refusal => sentence(language(), refusal),
    }
}

fn is_empty(refusal: &DomainError) -> bool {
    matches!(refusal, DomainError::Invalid { problem: domain::error::ValidationError::Empty, .. })
}
