//! The page `articles`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn Articles() -> impl IntoView {
    view! { <h1>"Articles"</h1> }
}
