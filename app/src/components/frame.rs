//! What stands around every page.

use crate::words::frame::FrameWords;
use leptos::prelude::*;

/// Skip link, menu, banners, and the page in its middle.
#[component]
pub fn Frame(
    /// The page.
    children: Children,
) -> impl IntoView {
    let words = FrameWords::here();
    view! {
        <a class="skip" href="#main">{words.skip()}</a>
        <main id="main" tabindex="-1">{children()}</main>
    }
}
