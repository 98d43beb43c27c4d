//! The page `desk`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn Desk() -> impl IntoView {
    view! { <h1>"Desk"</h1> }
}
