//! The page `revisions`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn Revisions() -> impl IntoView {
    view! { <h1>"Revisions"</h1> }
}
