//! The page `invite`.

use leptos::prelude::*;

/// The page.
#[component]
pub fn Invite() -> impl IntoView {
    view! { <h1>"Invite"</h1> }
}
