//! The page `setup`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn SetUp() -> impl IntoView {
    view! { <h1>"SetUp"</h1> }
}
