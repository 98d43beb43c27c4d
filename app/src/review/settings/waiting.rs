//! What becomes of articles that wait for an approval when the settings change.

use crate::ui::{form::typed, result::ActionResult};
use domain::review::workflow::{WaitingArticles, WaitingChoice};
use leptos::prelude::*;
use texts::review::WaitingTexts;

/// Begin of the value in the URL: the settings were saved. What became of the articles that waited, and
/// their number follow.
const SAVED: &str = "review_saved.";

/// How many articles wait, and what becomes of them. Nothing while none waits.
#[component]
pub fn WaitingChoiceFields(
    /// Number of articles that wait.
    count: u64,
    /// Path of the server function of the form.
    form: &'static str,
) -> impl IntoView {
    let texts = WaitingTexts::here();
    let typed = typed(form, "waiting").and_then(|word| word.parse().ok());
    let chosen = typed.unwrap_or(WaitingChoice::Keep);
    let option = move |choice: WaitingChoice, label: &'static str, hint: &'static str| {
        view! {
            <label class="choice">
                <input type="radio" name="waiting" value=choice.as_str() checked=choice == chosen />
                <span>{label}<span class="hint">{hint}</span></span>
            </label>
        }
    };
    (count > 0).then(|| {
        view! {
            <fieldset class="field review-waiting">
                <legend class="label">{texts.count(count)}</legend>
                <p class="hint">{texts.lead()} " " <a href="/review">{texts.open()}</a></p>
                {option(WaitingChoice::Keep, texts.keep(), texts.keep_hint())}
                {option(WaitingChoice::Publish, texts.publish(), texts.publish_hint())}
                {option(WaitingChoice::Draft, texts.draft(), texts.draft_hint())}
            </fieldset>
        }
    })
}

/// Value in the URL: the settings were saved, and this became of the articles that waited.
#[must_use]
pub fn saved_value(waiting: WaitingArticles) -> String {
    let (choice, count) = match waiting {
        WaitingArticles { published, .. } if published > 0 => (WaitingChoice::Publish, published),
        WaitingArticles { drafts, .. } if drafts > 0 => (WaitingChoice::Draft, drafts),
        WaitingArticles { kept, .. } if kept > 0 => (WaitingChoice::Keep, kept),
        WaitingArticles { .. } => return "save".to_owned(),
    };
    format!("{SAVED}{choice}.{count}")
}

/// Returns the result that a value of the URL names; `None`: it is about something else.
#[must_use]
pub fn result_of_value(value: &str) -> Option<ActionResult> {
    let (choice, count) = value.strip_prefix(SAVED)?.split_once('.')?;
    let (choice, count): (WaitingChoice, u64) = (choice.parse().ok()?, count.parse().ok()?);
    let texts = WaitingTexts::here();
    Some(ActionResult::new(match choice {
        WaitingChoice::Keep => texts.kept(count),
        WaitingChoice::Publish => texts.published(count),
        WaitingChoice::Draft => texts.drafts(count),
    }))
}
