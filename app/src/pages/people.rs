//! The page `people`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn People() -> impl IntoView {
    view! { <h1>"People"</h1> }
}
