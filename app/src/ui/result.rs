//! Result of an action.

use leptos::{html, prelude::*};

/// Shows the result of an action and takes the focus.
#[component]
pub fn ResultNote(
    /// Its CSS class.
    class: &'static str,
    /// The sentence.
    children: Children,
) -> impl IntoView {
    let place = NodeRef::<html::P>::new();
    place.on_load(|place: web_sys::HtmlParagraphElement| _ = place.focus());
    view! { <p class=class role="status" tabindex="-1" autofocus=true node_ref=place>{children()}</p> }
}
