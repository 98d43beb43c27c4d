//! The parts of the wasm. The browser starts with the main module: the frame. A page needs its part
//! too; the files of the other parts are loaded when the page works
//! (`xtask/src/assets/parts.js`), so that links need no connection.
//!
//! `cargo xtask` takes the parts out of the compiled wasm. On the server all pages are in one program.

use crate::{
    accounts, articles, calendar, dashboard, deliveries, engine, help, imports, media, meetings, messages,
    releases, reminders, review, rules, settings, tasks,
};
use leptos::prelude::*;
use leptos_router::{ChooseView, hooks::use_location};
use wasm_split_helpers::{SplitLoaderError, wasm_split};

/// Declares a part: an enum of its pages for the route table, a function that loads the part and shows
/// a page, and one that only loads it. The name of the function is also the part's name.
macro_rules! part {
    ($(#[$doc:meta])* $pages:ident, $show:ident, $load:ident: $($page:ident = $view:path),+ $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) enum $pages {
            $($page),+
        }

        #[wasm_split($show, fallible, preload($load))]
        fn $show(page: $pages) -> Result<AnyView, SplitLoaderError> {
            Ok(match page {
                $($pages::$page => $view().into_any(),)+
            })
        }

        impl ChooseView for $pages {
            async fn choose(self) -> AnyView {
                #[cfg(feature = "ssr")]
                announce(stringify!($show));
                $show(self).await.unwrap_or_else(|_| follow_as_plain_link())
            }

            async fn preload(&self) {
                _ = $load().await;
            }
        }
    };
}

part! {
    /// Today.
    TodayPages, today_pages, load_today_pages:
        Today = dashboard::Today,
}

part! {
    /// The editor of articles.
    ArticlePages, article_pages, load_article_pages:
        New = articles::new_page::ArticleNew,
        Edit = articles::edit_page::Article,
}

part! {
    /// Tasks, reminders and notifications.
    TaskPages, task_pages, load_task_pages:
        List = tasks::list_page::Tasks,
        Task = tasks::page::TaskPage,
        Bulk = tasks::list_page::bulk::page::BulkPage,
        Reminders = reminders::page::Reminders,
        Notifications = reminders::notifications_page::Notifications,
}

part! {
    /// Calendar, posting slots and quick add.
    CalendarPages, calendar_pages, load_calendar_pages:
        Calendar = calendar::CalendarPage,
        Quick = dashboard::quick::QuickAddPage,
        Slots = calendar::slots::SlotsPage,
}

part! {
    /// The list of articles, releases, the media library, and imports.
    LibraryPages, library_pages, load_library_pages:
        Articles = articles::list_page::Articles,
        Library = media::library_page::Library,
        File = media::file_page::FilePage,
        Import = imports::page::ImportView,
        Plan = articles::list_page::plan::PlanImport,
        Releases = releases::list_page::Releases,
        NewRelease = releases::new_page::ReleaseNew,
        Release = releases::page::ReleasePage,
}

part! {
    /// Meetings and rooms.
    MeetingPages, meeting_pages, load_meeting_pages:
        List = meetings::list_page::Meetings,
        New = meetings::new_page::MeetingNew,
        Import = meetings::list_page::import::MeetingImport,
        Meeting = meetings::page::MeetingPage,
        Rooms = meetings::rooms_page::Rooms,
        Room = meetings::rooms_page::RoomPage,
}

part! {
    /// Messages and rules.
    MessagePages, message_pages, load_message_pages:
        List = messages::list_page::Messages,
        New = messages::new_page::MessageNew,
        Message = messages::page::MessagePage,
        Rules = rules::list_page::Rules,
        NewRule = rules::new_page::RuleNew,
        Rule = rules::page::RulePage,
}

part! {
    /// Review, word lists, the revisions of an article, and the activity.
    ReviewPages, review_pages, load_review_pages:
        List = review::list_page::Reviews,
        Text = review::text_page::ReviewPage,
        Links = review::checks::links_page::LinksPage,
        Revisions = articles::revisions::page::Revisions,
        TextThere = deliveries::channels::text_there::TextTherePage,
        Link = review::link_page::LinkPage,
        Settings = review::settings::page::ReviewSettingsView,
        WordLists = review::words_page::WordLists,
        WordList = review::words_page::WordListView,
        Activity = tasks::activity::Activity,
}

part! {
    /// The engine, channels, and the mail server.
    EnginePages, engine_pages, load_engine_pages:
        Engine = engine::page::Engine,
        Queue = engine::queue::QueueSettings,
        MailServer = deliveries::mail_server::MailServer,
        Channels = deliveries::channels::Channels,
        Channel = deliveries::channels::ChannelPage,
}

part! {
    /// Help.
    HelpPages, help_pages, load_help_pages:
        Index = help::page::HelpIndex,
        Topic = help::page::HelpTopic,
}

part! {
    /// Settings, and the pages before the log-in.
    SettingsPages, settings_pages, load_settings_pages:
        Profile = accounts::profile_page::Profile,
        NotificationChoices = reminders::choices::NotificationChoicesView,
        Desk = settings::Settings,
        Site = settings::site_page::SiteSettingsView,
        Tags = settings::tags::tags_page::TagsView,
        People = accounts::people::Accounts,
        Groups = accounts::groups::page::GroupsView,
        SignIn = accounts::sign_in::page::SignInView,
        Tokens = accounts::tokens_page::Tokens,
        Feeds = settings::feeds::Feeds,
        OutsideMail = settings::outside_mail::OutsideMailView,
        Rooms = meetings::settings::RoomsSettings,
        Login = accounts::login_page::Login,
        SetUp = accounts::set_up_page::SetUp,
        Invite = accounts::invite_page::Invite,
}

/// Names the part of the page in its head.
#[cfg(feature = "ssr")]
fn announce(part: &'static str) {
    use leptos_meta::Meta;
    if crate::session::visitor().account.is_some() {
        // Pages before the log-in load no wasm.
        _ = view! { <Meta name="part" content=part /> }.to_html();
    }
}

/// The part is not there: without a connection, or because the server has a newer version. Leaves the
/// page, as a link would without script.
fn follow_as_plain_link() -> AnyView {
    let location = use_location();
    let address =
        location.pathname.get_untracked() + &location.search.get_untracked() + &location.hash.get_untracked();
    _ = window().location().set_href(&address);
    ().into_any()
}

/// Loads the part that the page needs, then calls `hydrate`. Without its part the page stays as the
/// server rendered it.
#[cfg(feature = "hydrate")]
pub(crate) async fn hydrate_with_part(hydrate: impl FnOnce()) {
    let name = document()
        .query_selector("meta[name=part]")
        .ok()
        .flatten()
        .and_then(|part| part.get_attribute("content"));
    if let Some(name) = name
        && load(&name).await.is_err()
    {
        return;
    }
    hydrate();
}

#[cfg(feature = "hydrate")]
async fn load(part: &str) -> Result<(), SplitLoaderError> {
    match part {
        "today_pages" => load_today_pages().await,
        "article_pages" => load_article_pages().await,
        "task_pages" => load_task_pages().await,
        "calendar_pages" => load_calendar_pages().await,
        "library_pages" => load_library_pages().await,
        "meeting_pages" => load_meeting_pages().await,
        "message_pages" => load_message_pages().await,
        "review_pages" => load_review_pages().await,
        "engine_pages" => load_engine_pages().await,
        "help_pages" => load_help_pages().await,
        "settings_pages" => load_settings_pages().await,
        _ => Ok(()),
    }
}
