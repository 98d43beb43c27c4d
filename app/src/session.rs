//! The user of a page, and data that every page needs. The web layer collects it before rendering.

use domain::{
    Timestamp,
    account::{Account, Language, Theme},
    accounts::passkey::Confirmations,
    engine::EngineStatus,
    settings::SiteSettings,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The user of a page. The web layer provides it as context to every page; it is transferred to the
/// browser with the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Visitor {
    /// The logged-in account, if any.
    pub account: Option<Account>,
    /// Settings of the desk.
    pub desk: SiteSettings,
    /// The engine status and the server's clock at rendering time.
    pub heartbeat: EngineStatus,
    /// Number of unread notifications.
    #[serde(default)]
    pub unread: u64,
    /// Base URL of the server, without trailing slash.
    pub public_url: String,
    /// Whether forms whose effect outlives the session ask for the password.
    pub asks_password: bool,
    /// With what such a form is confirmed. Neither if it asks for nothing.
    #[serde(default)]
    pub confirmations: Confirmations,
    /// Whether the connection is unencrypted.
    pub is_unencrypted: bool,
    /// Number of reviews that the user may decide; `None`: the user does not review, or nothing is
    /// reviewed.
    #[serde(default)]
    pub reviews: Option<u64>,
    /// The first supported language of the browser; `None`: it names none.
    pub browser_language: Option<Language>,
}

impl Visitor {
    /// Language of the user interface: the account's, else the browser's, else the desk's.
    #[must_use]
    pub fn language(&self) -> Language {
        let others = self.browser_language.unwrap_or(self.desk.language);
        self.account.as_ref().map_or(others, |account| account.language)
    }

    /// Theme of the user interface.
    #[must_use]
    pub fn theme(&self) -> Theme {
        self.account.as_ref().map_or(Theme::Auto, |account| account.theme)
    }

    /// Time zone in which times are shown.
    #[must_use]
    pub fn zone(&self) -> &str {
        self.account.as_ref().map_or(&self.desk.zone, |account| &account.zone)
    }

    /// Whether the user is an admin.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.account.as_ref().is_some_and(|account| account.role == domain::Role::Admin)
    }

    /// Whether the user may decide reviews.
    #[must_use]
    pub fn is_reviewer(&self) -> bool {
        self.account.as_ref().is_some_and(|account| account.role >= domain::Role::Reviewer)
    }
}

impl Default for Visitor {
    /// No session and default settings, for pages rendered without the web layer.
    fn default() -> Self {
        let epoch = Timestamp::from_millis(0);
        Self {
            account: None,
            desk: SiteSettings {
                title: "Presstime".to_owned(),
                zone: "UTC".to_owned(),
                language: Language::En,
            },
            heartbeat: EngineStatus {
                now: epoch,
                heartbeat_at: epoch,
                heartbeat_offset: 0,
                paused_since: None,
                paused_until: None,
                paused_by: None,
                failing_channels: 0,
                stopped_channels: 0,
                are_deliveries_held: false,
                is_healthy: true,
                attention: 0,
                attention_watched: 0,
                issue: None,
            },
            unread: 0,
            public_url: String::new(),
            asks_password: false,
            confirmations: Confirmations::default(),
            is_unencrypted: false,
            reviews: None,
            browser_language: None,
        }
    }
}

/// The visitor in the context of the app. Cheap to copy.
#[derive(Clone, Copy)]
struct Here(StoredValue<Visitor>);

/// Transfers the visitor from the server to the browser. Called once, by the app.
pub fn provide() {
    let visitor = SharedValue::new(|| use_context::<Visitor>().unwrap_or_default()).into_inner();
    provide_context(Here(StoredValue::new(visitor)));
}

/// Returns the user of this page.
#[must_use]
pub fn visitor() -> Visitor {
    use_context::<Here>().map(|here| here.0.get_value()).or_else(use_context::<Visitor>).unwrap_or_default()
}
