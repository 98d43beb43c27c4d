//! The page `task`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn TaskPage() -> impl IntoView {
    view! { <h1>"TaskPage"</h1> }
}
