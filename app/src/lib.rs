//! The frontend: Leptos, compiled for the server (`ssr`) and for the browser (`hydrate`). Depends
//! on `domain` only.
//!
//! This file holds the app, its routes and the browser entry point. A page is a file of [`pages`].

#![recursion_limit = "512"]

pub mod codec;
pub mod components;
#[cfg(feature = "ssr")]
pub mod document;
pub mod form;
pub mod html;
pub mod live;
pub mod pages;
pub mod server_fns;
pub mod session;
pub mod shell;
pub mod texts;

use components::layout::Layout;
use leptos::prelude::*;
use leptos_router::{
    SsrMode,
    components::{FlatRoutes, Route, Router},
    path,
};

/// The app: layout and pages. On the server it needs a [`session::Visitor`] in the context.
#[component]
pub fn App() -> impl IntoView {
    #[cfg(feature = "ssr")]
    leptos_meta::provide_meta_context();
    session::provide();
    form::provide();
    live::provide();
    components::toast::provide();
    view! {
        <Router>
            <Layout>
                <FlatRoutes fallback=pages::not_found::NotFound>
                    <Route path=path!("/") view=pages::dashboard::DashboardPage ssr=SsrMode::Async />
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
                    <Route path=path!("/settings/people") view=pages::accounts::Accounts ssr=SsrMode::Async />
                    <Route path=path!("/settings/tokens") view=pages::tokens::Tokens ssr=SsrMode::Async />
                    <Route path=path!("/settings/channels") view=pages::channels::Channels ssr=SsrMode::Async />
                    <Route path=path!("/settings/channels/:id") view=pages::channels::ChannelPage ssr=SsrMode::Async />
                    <Route path=path!("/login") view=pages::login::Login ssr=SsrMode::Async />
                    <Route path=path!("/setup") view=pages::setup::SetUp ssr=SsrMode::Async />
                    <Route path=path!("/invite") view=pages::invite::Invite ssr=SsrMode::Async />
                </FlatRoutes>
            </Layout>
        </Router>
    }
}

/// Entry point in the browser: hydrates the page that the server rendered.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    shell::restore_page_url();
    leptos::mount::hydrate_body(App);
    shell::mark_hydrated();
}
