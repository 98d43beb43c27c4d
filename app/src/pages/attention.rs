//! The page `attention`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn Attention() -> impl IntoView {
    view! { <h1>"Attention"</h1> }
}
