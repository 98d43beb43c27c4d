//! What stands around every page.

use super::{pulse::Banners, rail::Rail, toast::Toast};
use crate::{form::Unclaimed, live::live, visitor::visitor, words::frame::FrameWords};
use leptos::{either::Either, prelude::*};

/// Skip link, menu, banners, and the page in its middle. Strangers get the page alone.
#[component]
pub fn Frame(
    /// The page.
    children: Children,
) -> impl IntoView {
    let words = FrameWords::here();
    let page = if visitor().person.is_some() {
        Either::Left(view! {
            <div class="frame">
                <Rail />
                <main id="main" tabindex="-1" node_ref=live().main()>
                    <Banners />
                    <Unclaimed />
                    <div class="page">{children()}</div>
                </main>
                <Toast />
            </div>
        })
    } else {
        Either::Right(view! {
            <div class="door">
                <main id="main" tabindex="-1" node_ref=live().main()>
                    <p class="brand">{visitor().desk.title}</p>
                    {children()}
                </main>
            </div>
        })
    };
    let main = live().main();
    // The router would take the way to a place of this page for a way to another page, and leave the focus behind.
    let skip = move |event: leptos::ev::MouseEvent| {
        if let Some(main) = main.get_untracked() {
            event.prevent_default();
            _ = main.focus();
        }
    };
    view! {
        <a class="skip" href="#main" on:click=skip>{words.skip()}</a>
        {page}
    }
}
