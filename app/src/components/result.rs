//! What an action led to.

use leptos::{html, prelude::*};

/// Says what an action led to, and takes the focus: as it appears, and on a page that was loaded to say it.
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
