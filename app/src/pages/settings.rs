//! The page `settings`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn Settings() -> impl IntoView {
    view! { <h1>"Settings"</h1> }
}
