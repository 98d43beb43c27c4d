//! The page `tokens`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn Tokens() -> impl IntoView {
    view! { <h1>"Tokens"</h1> }
}
