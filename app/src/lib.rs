//! The frontend: Leptos, compiled for the server (`ssr`) and for the browser (`hydrate`). Depends
//! on `domain` only.
//!
//! This file holds the app, its routes and the browser entry point. A page is a file of the folder of its feature.

#![recursion_limit = "512"]

pub mod accounts;
pub mod articles;
pub mod attention;
pub mod calendar;
pub mod dashboard;
pub mod deliveries;
pub mod engine;
pub mod live;
pub mod meetings;
pub mod messages;
pub mod reminders;
pub mod review;
pub mod rules;
pub mod server_fns;
pub mod settings;
pub mod shell;
pub mod tasks;
pub mod texts;
pub mod ui;

use leptos::prelude::*;
use leptos_router::{
    SsrMode,
    components::{FlatRoutes, Route, Router},
    path,
};
use shell::layout::Layout;

/// The app: layout and pages. On the server it needs a [`shell::session::Visitor`] in the context.
#[component]
pub fn App() -> impl IntoView {
    #[cfg(feature = "ssr")]
    leptos_meta::provide_meta_context();
    shell::session::provide();
    ui::form::provide();
    live::provide();
    ui::action_result::provide();
    view! {
        <Router>
            <Layout>
                <FlatRoutes fallback=shell::not_found::NotFound>
                    <Route path=path!("/") view=dashboard::DashboardPage ssr=SsrMode::Async />
                    <Route path=path!("/quick") view=dashboard::quick::QuickAddPage ssr=SsrMode::Async />
                    <Route path=path!("/articles") view=articles::list_page::Articles ssr=SsrMode::Async />
                    <Route path=path!("/articles/new") view=articles::new_page::ArticleNew ssr=SsrMode::Async />
                    <Route path=path!("/articles/:id") view=articles::edit_page::Article ssr=SsrMode::Async />
                    <Route path=path!("/articles/:id/revisions") view=articles::revisions_page::Revisions ssr=SsrMode::Async />
                    <Route path=path!("/attention") view=attention::Attention ssr=SsrMode::Async />
                    <Route path=path!("/tasks") view=tasks::list_page::Tasks ssr=SsrMode::Async />
                    <Route path=path!("/tasks/:id") view=tasks::page::TaskPage ssr=SsrMode::Async />
                    <Route path=path!("/bulk") view=tasks::list_page::bulk::page::BulkPage ssr=SsrMode::Async />
                    <Route path=path!("/calendar") view=calendar::CalendarPage ssr=SsrMode::Async />
                    <Route path=path!("/meetings") view=meetings::list_page::Meetings ssr=SsrMode::Async />
                    <Route path=path!("/meetings/new") view=meetings::new_page::MeetingNew ssr=SsrMode::Async />
                    <Route path=path!("/meetings/:id") view=meetings::page::MeetingPage ssr=SsrMode::Async />
                    <Route path=path!("/reminders") view=reminders::page::Reminders ssr=SsrMode::Async />
                    <Route path=path!("/notifications") view=reminders::notifications_page::Notifications ssr=SsrMode::Async />
                    <Route path=path!("/rooms") view=meetings::rooms_page::Rooms ssr=SsrMode::Async />
                    <Route path=path!("/rooms/:id") view=meetings::rooms_page::RoomPage ssr=SsrMode::Async />
                    <Route path=path!("/messages") view=messages::list_page::Messages ssr=SsrMode::Async />
                    <Route path=path!("/messages/new") view=messages::new_page::MessageNew ssr=SsrMode::Async />
                    <Route path=path!("/messages/:id") view=messages::page::MessagePage ssr=SsrMode::Async />
                    <Route path=path!("/rules") view=rules::list_page::Rules ssr=SsrMode::Async />
                    <Route path=path!("/rules/new") view=rules::new_page::RuleNew ssr=SsrMode::Async />
                    <Route path=path!("/rules/:id") view=rules::page::RulePage ssr=SsrMode::Async />
                    <Route path=path!("/review") view=review::list_page::Reviews ssr=SsrMode::Async />
                    <Route path=path!("/review/:id") view=review::text_page::ReviewPage ssr=SsrMode::Async />
                    <Route path=path!("/review/link/:secret") view=review::link_page::LinkPage ssr=SsrMode::Async />
                    <Route path=path!("/engine") view=engine::page::Engine ssr=SsrMode::Async />
                    <Route path=path!("/settings/profile") view=accounts::profile_page::Profile ssr=SsrMode::Async />
                    <Route path=path!("/settings/desk") view=settings::Settings ssr=SsrMode::Async />
                    <Route path=path!("/settings/people") view=accounts::people::Accounts ssr=SsrMode::Async />
                    <Route path=path!("/settings/tokens") view=accounts::tokens_page::Tokens ssr=SsrMode::Async />
                    <Route path=path!("/settings/rooms") view=meetings::settings::RoomsSettings ssr=SsrMode::Async />
                    <Route path=path!("/settings/slots") view=calendar::slots::SlotsPage ssr=SsrMode::Async />
                    <Route path=path!("/settings/mail") view=deliveries::mail_server::MailServer ssr=SsrMode::Async />
                    <Route path=path!("/settings/review") view=review::settings_page::ReviewSettingsView ssr=SsrMode::Async />
                    <Route path=path!("/settings/words") view=review::words_page::WordLists ssr=SsrMode::Async />
                    <Route path=path!("/settings/words/:id") view=review::words_page::WordListView ssr=SsrMode::Async />
                    <Route path=path!("/settings/channels") view=deliveries::channels::Channels ssr=SsrMode::Async />
                    <Route path=path!("/settings/channels/:id") view=deliveries::channels::ChannelPage ssr=SsrMode::Async />
                    <Route path=path!("/login") view=accounts::login_page::Login ssr=SsrMode::Async />
                    <Route path=path!("/setup") view=accounts::set_up_page::SetUp ssr=SsrMode::Async />
                    <Route path=path!("/invite") view=accounts::invite_page::Invite ssr=SsrMode::Async />
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
