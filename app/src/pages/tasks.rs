//! The page `tasks`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn Tasks() -> impl IntoView {
    view! { <h1>"Tasks"</h1> }
}
