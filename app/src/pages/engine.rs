//! The page `engine`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn Engine() -> impl IntoView {
    view! { <h1>"Engine"</h1> }
}
