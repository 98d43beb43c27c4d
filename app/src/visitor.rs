//! Who looks at the page and what every page needs to know: found by the web layer before the page is rendered.

use domain::{
    Timestamp,
    engine::Heartbeat,
    person::{Language, Person, Theme},
    settings::DeskSettings,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Who looks at the page. The web layer provides it as context to every page; it travels to the browser with the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Visitor {
    /// Who is logged in, if somebody is.
    pub person: Option<Person>,
    /// The desk they look at.
    pub desk: DeskSettings,
    /// The engine's heartbeat, with the server's clock, when the page was rendered.
    pub heartbeat: Heartbeat,
    /// Where the desk is reached, without a slash at its end.
    pub public_url: String,
    /// Whether forms for what outlives the session ask for the password again.
    pub asks_password: bool,
    /// Whether what is typed travels through a network in the clear.
    pub is_unencrypted: bool,
}

impl Visitor {
    /// The language of the screen.
    #[must_use]
    pub fn language(&self) -> Language {
        self.person.as_ref().map_or(self.desk.language, |person| person.language)
    }

    /// The theme of the screen.
    #[must_use]
    pub fn theme(&self) -> Theme {
        self.person.as_ref().map_or(Theme::Auto, |person| person.theme)
    }

    /// The zone moments are shown in.
    #[must_use]
    pub fn zone(&self) -> &str {
        self.person.as_ref().map_or(&self.desk.zone, |person| &person.zone)
    }

    /// Whether they see the engine, the people and the settings of the desk.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.person.as_ref().is_some_and(|person| person.role == domain::Role::Admin)
    }
}

impl Default for Visitor {
    /// A stranger at a desk nobody has set up: what a page shows if the web layer provided nothing.
    fn default() -> Self {
        let epoch = Timestamp::from_millis(0);
        Self {
            person: None,
            desk: DeskSettings {
                title: "Presstime".to_owned(),
                zone: "UTC".to_owned(),
                language: Language::En,
            },
            heartbeat: Heartbeat {
                now: epoch,
                beat_at: epoch,
                is_paused: false,
                is_healthy: true,
                attention: 0,
                weather: None,
            },
            public_url: String::new(),
            asks_password: false,
            is_unencrypted: false,
        }
    }
}

/// What the app keeps in the context: a handle, cheap to copy.
#[derive(Clone, Copy)]
struct Here(StoredValue<Visitor>);

/// Carries the visitor from the server to the browser. Called once, by the app.
pub fn provide() {
    let visitor = SharedValue::new(|| use_context::<Visitor>().unwrap_or_default()).into_inner();
    provide_context(Here(StoredValue::new(visitor)));
}

/// Who looks at this page.
#[must_use]
pub fn visitor() -> Visitor {
    use_context::<Here>().map(|here| here.0.get_value()).or_else(use_context::<Visitor>).unwrap_or_default()
}
