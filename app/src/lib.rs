//! The face: Leptos, compiled twice: for the server (`ssr`) and for the browser (`hydrate`). Knows `domain` only.
//!
//! Here are the app, its table of routes and its entry in the browser. A page is a file of [`pages`].

#![recursion_limit = "512"]

pub mod calls;
pub mod components;
#[cfg(feature = "ssr")]
pub mod document;
pub mod form;
pub mod html;
pub mod live;
pub mod pages;
pub mod shell;
pub mod visitor;
pub mod words;

use components::frame::Frame;
use leptos::prelude::*;
use leptos_router::{
    SsrMode,
    components::{FlatRoutes, Route, Router},
    path,
};

/// The whole face: frame and pages. Needs a [`visitor::Visitor`] in the context on the server.
#[component]
pub fn App() -> impl IntoView {
    #[cfg(feature = "ssr")]
    leptos_meta::provide_meta_context();
    visitor::provide();
    form::provide();
    live::provide();
    components::toast::provide();
    view! {
        <Router>
            <Frame>
                <FlatRoutes fallback=pages::not_found::NotFound>
                    <Route path=path!("/") view=pages::desk::Desk ssr=SsrMode::Async />
                    <Route path=path!("/articles") view=pages::articles::Articles ssr=SsrMode::Async />
                    <Route path=path!("/articles/new") view=pages::article_new::ArticleNew ssr=SsrMode::Async />
                    <Route path=path!("/articles/:id") view=pages::article::Article ssr=SsrMode::Async />
                    <Route path=path!("/articles/:id/revisions") view=pages::revisions::Revisions ssr=SsrMode::Async />
                    <Route path=path!("/attention") view=pages::attention::Attention ssr=SsrMode::Async />
                    <Route path=path!("/tasks") view=pages::tasks::Tasks ssr=SsrMode::Async />
                    <Route path=path!("/tasks/:id") view=pages::task::TaskPage ssr=SsrMode::Async />
                    <Route path=path!("/engine") view=pages::engine::Engine ssr=SsrMode::Async />
                    <Route path=path!("/settings/profile") view=pages::profile::Profile ssr=SsrMode::Async />
                    <Route path=path!("/settings/desk") view=pages::settings::Settings ssr=SsrMode::Async />
                    <Route path=path!("/settings/people") view=pages::people::People ssr=SsrMode::Async />
                    <Route path=path!("/settings/tokens") view=pages::tokens::Tokens ssr=SsrMode::Async />
                    <Route path=path!("/settings/channels") view=pages::channels::Channels ssr=SsrMode::Async />
                    <Route path=path!("/settings/channels/:id") view=pages::channels::ChannelPage ssr=SsrMode::Async />
                    <Route path=path!("/login") view=pages::login::Login ssr=SsrMode::Async />
                    <Route path=path!("/setup") view=pages::setup::SetUp ssr=SsrMode::Async />
                    <Route path=path!("/invite") view=pages::invite::Invite ssr=SsrMode::Async />
                </FlatRoutes>
            </Frame>
        </Router>
    }
}

/// The entry in the browser: takes over the page the server rendered.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    shell::own_address();
    leptos::mount::hydrate_body(App);
    shell::mark_hydrated();
}
