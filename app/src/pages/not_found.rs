//! The page `not_found`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn NotFound() -> impl IntoView {
    view! { <h1>"NotFound"</h1> }
}
