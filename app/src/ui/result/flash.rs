//! Result of a form that loads its page, from its word `done`.

use crate::ui::{
    form,
    result::{ActionResult, Undo, last_result, view::ResultView, words::result_words},
};
use leptos::prelude::*;

/// Shows the result that the word `done` names, unless the page shows a refused form.
#[component]
pub fn Flash(
    /// Values of `done`, and their sentences.
    messages: Vec<(&'static str, &'static str)>,
    /// How to undo it.
    #[prop(optional_no_strip)]
    undo: Option<Undo>,
    /// How to undo what this value names.
    #[prop(optional_no_strip)]
    undo_of: Option<(&'static str, Undo)>,
    /// The result for these values of `done`, instead of a sentence.
    #[prop(optional_no_strip)]
    instead: Option<(&'static [&'static str], ActionResult)>,
    /// What became of the action that this value names, once that is known.
    #[prop(optional_no_strip)]
    outcome: Option<(&'static str, Signal<Option<ActionResult>>)>,
) -> impl IntoView {
    let (words, last) = (result_words(), last_result());
    let is_refused = form::is_form_result();
    move || {
        if is_refused || last.is_page_over.get() {
            return None;
        }
        let verb = words.read().get("done")?;
        if let Some((_, result)) = instead.as_ref().filter(|(verbs, _)| verbs.contains(&verb.as_str())) {
            let result = result.clone();
            return Some(view! { <div class="results" role="status"><ResultView result=result /></div> });
        }
        if let Some(result) =
            outcome.filter(|(known, _)| *known == verb).and_then(|(_, outcome)| outcome.get())
        {
            return Some(view! { <div class="results" role="status"><ResultView result=result /></div> });
        }
        let sentence = messages.iter().find(|(known, _)| *known == verb).map(|(_, sentence)| *sentence)?;
        let undo =
            undo.clone().or_else(|| undo_of.clone().filter(|(known, _)| *known == verb).map(|of| of.1));
        let result = ActionResult { undo, ..ActionResult::new(sentence) };
        Some(view! { <div class="results" role="status"><ResultView result=result /></div> })
    }
}
