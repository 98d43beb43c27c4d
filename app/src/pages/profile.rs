//! The page `profile`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn Profile() -> impl IntoView {
    view! { <h1>"Profile"</h1> }
}
