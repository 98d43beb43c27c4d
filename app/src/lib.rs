//! The frontend: Leptos, compiled for the server (`ssr`) and for the browser (`hydrate`). Depends
//! on `domain` and `texts` only.
//!
//! This file holds the app, its routes and the browser entry point. A page is a file of the folder of its feature.

#![cfg_attr(test, allow(clippy::string_slice, reason = "a test fails by a panic"))]
#![recursion_limit = "512"]

pub mod accounts;
pub mod articles;
pub mod attention;
pub mod calendar;
pub mod dashboard;
pub mod deliveries;
pub mod engine;
pub mod help;
pub mod imports;
pub mod live;
pub mod media;
pub mod meetings;
pub mod messages;
pub mod presence;
pub mod releases;
pub mod reminders;
pub mod review;
pub mod rules;
pub mod saved_views;
pub mod server_fns;
pub mod session;
pub mod settings;
pub mod shell;
pub mod tasks;
pub mod ui;

use leptos::prelude::*;
use leptos_router::{
    SsrMode,
    any_nested_route::IntoAnyNestedRoute as _,
    components::{FlatRoutes, Route, Router},
    path,
};
use shell::frame::Layout;
use shell::wasm_parts::{
    ArticlePages, CalendarPages, EnginePages, HelpPages, LibraryPages, MeetingPages, MessagePages,
    ReviewPages, SettingsPages, TaskPages, TodayPages,
};

/// The app: layout and pages. On the server it needs a [`session::Visitor`] in the context.
#[component]
pub fn App() -> impl IntoView {
    provide();
    view! {
        <Router>
            <Layout>
                <FlatRoutes fallback=shell::not_found::NotFound>
                    <Route path=path!("/") view=TodayPages::Today ssr=SsrMode::Async />
                    <Route path=path!("/quick") view=CalendarPages::Quick ssr=SsrMode::Async />
                    <Route path=path!("/articles") view=LibraryPages::Articles ssr=SsrMode::Async />
                    <Route path=path!("/articles/new") view=ArticlePages::New ssr=SsrMode::Async />
                    <Route path=path!("/articles/import") view=LibraryPages::Plan ssr=SsrMode::Async />
                    <Route path=path!("/articles/:id") view=ArticlePages::Edit ssr=SsrMode::Async />
                    <Route path=path!("/articles/:id/revisions") view=ReviewPages::Revisions ssr=SsrMode::Async />
                    <Route path=path!("/articles/:id/posts/:channel_id") view=ReviewPages::TextThere ssr=SsrMode::Async />
                    <Route path=path!("/articles/:id/links") view=ReviewPages::Links ssr=SsrMode::Async />
                    <Route path=path!("/releases") view=LibraryPages::Releases ssr=SsrMode::Async />
                    <Route path=path!("/releases/new") view=LibraryPages::NewRelease ssr=SsrMode::Async />
                    <Route path=path!("/releases/:id") view=LibraryPages::Release ssr=SsrMode::Async />
                    <Route path=path!("/tasks") view=TaskPages::List ssr=SsrMode::Async />
                    <Route path=path!("/tasks/:id") view=TaskPages::Task ssr=SsrMode::Async />
                    <Route path=path!("/bulk") view=TaskPages::Bulk ssr=SsrMode::Async />
                    <Route path=path!("/calendar") view=CalendarPages::Calendar ssr=SsrMode::Async />
                    <Route path=path!("/meetings") view=MeetingPages::List ssr=SsrMode::Async />
                    <Route path=path!("/meetings/new") view=MeetingPages::New ssr=SsrMode::Async />
                    <Route path=path!("/meetings/import") view=MeetingPages::Import ssr=SsrMode::Async />
                    <Route path=path!("/meetings/:id") view=MeetingPages::Meeting ssr=SsrMode::Async />
                    <Route path=path!("/media") view=LibraryPages::Library ssr=SsrMode::Async />
                    <Route path=path!("/media/:id") view=LibraryPages::File ssr=SsrMode::Async />
                    <Route path=path!("/activity") view=ReviewPages::Activity ssr=SsrMode::Async />
                    <Route path=path!("/reminders") view=TaskPages::Reminders ssr=SsrMode::Async />
                    <Route path=path!("/notifications") view=TaskPages::Notifications ssr=SsrMode::Async />
                    <Route path=path!("/rooms") view=MeetingPages::Rooms ssr=SsrMode::Async />
                    <Route path=path!("/rooms/:id") view=MeetingPages::Room ssr=SsrMode::Async />
                    <Route path=path!("/messages") view=MessagePages::List ssr=SsrMode::Async />
                    <Route path=path!("/messages/new") view=MessagePages::New ssr=SsrMode::Async />
                    <Route path=path!("/messages/:id") view=MessagePages::Message ssr=SsrMode::Async />
                    <Route path=path!("/rules") view=MessagePages::Rules ssr=SsrMode::Async />
                    <Route path=path!("/rules/new") view=MessagePages::NewRule ssr=SsrMode::Async />
                    <Route path=path!("/rules/:id") view=MessagePages::Rule ssr=SsrMode::Async />
                    <Route path=path!("/review") view=ReviewPages::List ssr=SsrMode::Async />
                    <Route path=path!("/review/:id") view=ReviewPages::Text ssr=SsrMode::Async />
                    <Route path=path!("/review/link/:secret") view=ReviewPages::Link ssr=SsrMode::Async />
                    <Route path=path!("/engine") view=EnginePages::Engine ssr=SsrMode::Async />
                    <Route path=path!("/help") view=HelpPages::Index ssr=SsrMode::Async />
                    <Route path=path!("/help/:topic") view=HelpPages::Topic ssr=SsrMode::Async />
                    <SettingsRoutes />
                    <Route path=path!("/login") view=SettingsPages::Login ssr=SsrMode::Async />
                    <Route path=path!("/setup") view=SettingsPages::SetUp ssr=SsrMode::Async />
                    <Route path=path!("/invite") view=SettingsPages::Invite ssr=SsrMode::Async />
                </FlatRoutes>
            </Layout>
        </Router>
    }
}

/// The pages of the settings.
#[component(transparent)]
fn SettingsRoutes() -> impl leptos_router::MatchNestedRoutes + Clone {
    view! {
        <Route path=path!("/settings/profile") view=SettingsPages::Profile ssr=SsrMode::Async />
        <Route path=path!("/settings/notifications") view=SettingsPages::NotificationChoices ssr=SsrMode::Async />
        <Route path=path!("/settings/desk") view=SettingsPages::Desk ssr=SsrMode::Async />
        <Route path=path!("/settings/site") view=SettingsPages::Site ssr=SsrMode::Async />
        <Route path=path!("/settings/tags") view=SettingsPages::Tags ssr=SsrMode::Async />
        <Route path=path!("/settings/import") view=LibraryPages::Import ssr=SsrMode::Async />
        <Route path=path!("/settings/people") view=SettingsPages::People ssr=SsrMode::Async />
        <Route path=path!("/settings/groups") view=SettingsPages::Groups ssr=SsrMode::Async />
        <Route path=path!("/settings/sign-in") view=SettingsPages::SignIn ssr=SsrMode::Async />
        <Route path=path!("/settings/tokens") view=SettingsPages::Tokens ssr=SsrMode::Async />
        <Route path=path!("/settings/rooms") view=SettingsPages::Rooms ssr=SsrMode::Async />
        <Route path=path!("/settings/slots") view=CalendarPages::Slots ssr=SsrMode::Async />
        <Route path=path!("/settings/feeds") view=SettingsPages::Feeds ssr=SsrMode::Async />
        <Route path=path!("/settings/outside-mail") view=SettingsPages::OutsideMail ssr=SsrMode::Async />
        <Route path=path!("/settings/queue") view=EnginePages::Queue ssr=SsrMode::Async />
        <Route path=path!("/settings/mail") view=EnginePages::MailServer ssr=SsrMode::Async />
        <Route path=path!("/settings/review") view=ReviewPages::Settings ssr=SsrMode::Async />
        <Route path=path!("/settings/words") view=ReviewPages::WordLists ssr=SsrMode::Async />
        <Route path=path!("/settings/words/:id") view=ReviewPages::WordList ssr=SsrMode::Async />
        <Route path=path!("/settings/channels") view=EnginePages::Channels ssr=SsrMode::Async />
        <Route path=path!("/settings/channels/:id") view=EnginePages::Channel ssr=SsrMode::Async />
    }
    .into_inner()
    .into_any_nested_route()
}

/// The visitor reads the texts of a page.
struct PageReader;

impl texts::Reader for PageReader {
    fn language(&self) -> domain::account::Language {
        session::visitor().language()
    }

    fn zone(&self) -> String {
        session::visitor().zone().to_owned()
    }

    fn now(&self) -> domain::Timestamp {
        live::live().now().get_untracked()
    }
}

/// Lets texts ask for the visitor. Called before anything is rendered; more calls do nothing.
pub fn read_texts() {
    texts::set_reader(&PageReader);
}

/// Provides what pages find in the context.
fn provide() {
    read_texts();
    #[cfg(feature = "ssr")]
    leptos_meta::provide_meta_context();
    session::provide();
    ui::form::provide();
    live::provide();
    ui::result::provide();
    shell::result_bar::provide();
}

/// Entry point in the browser: hydrates the page that the server rendered.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub async fn hydrate() {
    console_error_panic_hook::set_once();
    shell::restore_page_url();
    shell::wasm_parts::hydrate_with_part(|| {
        leptos::mount::hydrate_body(App);
        shell::mark_hydrated();
    })
    .await;
}
