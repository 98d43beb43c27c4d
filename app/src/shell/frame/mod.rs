//! The frame around every page: navigation, head, banners.

mod head;
pub mod nav;
pub mod sections;

use crate::{
    live::live,
    reminders::bell,
    session::visitor,
    shell::{result_bar::ResultBar, status::StatusBanner},
    ui::{
        form::{StaleRefusal, focus::follow_links},
        result::words,
    },
};
use head::Head;
use leptos::{either::Either, prelude::*};
use nav::{Nav, SectionTabs};
use texts::layout::LayoutTexts;

/// Skip link, navigation, banners and the page. Without a session, only the page.
#[component]
pub fn Layout(
    /// The page.
    children: Children,
) -> impl IntoView {
    let texts = LayoutTexts::here();
    words::provide();
    let page = if visitor().account.is_some() {
        bell::provide();
        Either::Left(view! {
            <div class="layout">
                <Nav />
                <Head />
                <main id="main" tabindex="-1" node_ref=live().main()>
                    <StatusBanner />
                    <ResultBar />
                    <StaleRefusal />
                    <div class="page"><SectionTabs />{children()}</div>
                </main>
            </div>
        })
    } else {
        Either::Right(view! {
            <div class="auth-page">
                <main id="main" tabindex="-1" node_ref=live().main()>
                    <p class="brand">{visitor().desk.title}</p>
                    {children()}
                </main>
            </div>
        })
    };
    let main = live().main();
    let title = follow_links(main);
    // The router would treat the link as a navigation and not move the focus.
    let skip = move |event: leptos::ev::MouseEvent| {
        if let Some(main) = main.get_untracked() {
            event.prevent_default();
            _ = main.focus();
        }
    };
    view! {
        <a class="skip" href="#main" on:click=skip>{texts.skip()}</a>
        <p class="visually-hidden" role="status">{title}</p>
        {page}
    }
}
