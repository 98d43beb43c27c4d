//! What has just been done, as the address says: `?done=…`.

use super::result::ResultNote;
use crate::form;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

/// Shows the sentence of what was done, unless the page answers a refused form.
#[component]
pub fn Said(
    /// Words in the address, and their sentences.
    said: Vec<(&'static str, &'static str)>,
) -> impl IntoView {
    let query = use_query_map();
    let is_refused = form::is_answer();
    move || {
        if is_refused {
            return None;
        }
        let verb = query.read().get("done")?;
        let sentence = said.iter().find(|(known, _)| *known == verb).map(|(_, sentence)| *sentence)?;
        Some(view! { <ResultNote class="notice good">{sentence}</ResultNote> })
    }
}
