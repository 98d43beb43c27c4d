//! The page `login`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn Login() -> impl IntoView {
    view! { <h1>"Login"</h1> }
}
