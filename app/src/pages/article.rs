//! The page `article`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn Article() -> impl IntoView {
    view! { <h1>"Article"</h1> }
}
