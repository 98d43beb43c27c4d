//! Flash message after an action, from the URL parameter `done`.

use crate::ui::{form, result::ResultNote};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

/// Shows the message for `?done=…`, unless the page shows a refused form.
#[component]
pub fn Flash(
    /// Values of `done`, and their messages.
    messages: Vec<(&'static str, &'static str)>,
) -> impl IntoView {
    let query = use_query_map();
    let is_refused = form::is_form_result();
    move || {
        if is_refused {
            return None;
        }
        let verb = query.read().get("done")?;
        let sentence = messages.iter().find(|(known, _)| *known == verb).map(|(_, sentence)| *sentence)?;
        Some(view! { <ResultNote class="notice good">{sentence}</ResultNote> })
    }
}
