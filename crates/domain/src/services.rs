//! All services of the server. The server implements their traits; the frontend and the API only
//! call them. Each trait is in the folder of its feature.
//!
//! Every method takes the [`Actor`](crate::Actor) and checks its permissions. An error means that
//! nothing was changed.

pub use crate::{
    accounts::{
        group::Groups,
        passkey::Passkeys,
        second_factor::SecondFactors,
        sign_in::SignIn,
        use_cases::{Accounts, Invitations, Presence, SavedViews, Sessions, Settings, Tokens},
    },
    articles::use_cases::Articles,
    attention::use_cases::Attention,
    calendar::use_cases::{Calendar, Feeds, Slots},
    deliveries::{
        push::Push,
        use_cases::{Channels, OutsideMail},
    },
    engine::use_cases::Engine,
    imports::use_cases::Imports,
    media::use_cases::Media,
    meetings::use_cases::{Doors, Meetings, Rooms},
    messages::use_cases::Messages,
    releases::use_cases::Releases,
    reminders::use_cases::{Notifications, Reminders},
    review::{Reviews, WordLists},
    rules::use_cases::Rules,
    series::use_cases::Series,
    tasks::use_cases::Tasks,
};

use std::sync::Arc;

/// All services. Cheap to clone.
#[derive(Clone)]
pub struct Services {
    /// Articles and revisions.
    pub articles: Arc<dyn Articles>,
    /// Scheduled tasks.
    pub tasks: Arc<dyn Tasks>,
    /// Accounts.
    pub accounts: Arc<dyn Accounts>,
    /// Log-in and sessions.
    pub sessions: Arc<dyn Sessions>,
    /// Second factors.
    pub second_factors: Arc<dyn SecondFactors>,
    /// Passkeys.
    pub passkeys: Arc<dyn Passkeys>,
    /// Sign-in with providers of OpenID Connect.
    pub sign_in: Arc<dyn SignIn>,
    /// Invitations and password resets.
    pub invitations: Arc<dyn Invitations>,
    /// API tokens.
    pub tokens: Arc<dyn Tokens>,
    /// Who has an article or a meeting open.
    pub presence: Arc<dyn Presence>,
    /// Saved views of lists.
    pub views: Arc<dyn SavedViews>,
    /// Groups of accounts.
    pub groups: Arc<dyn Groups>,
    /// Settings of the site.
    pub settings: Arc<dyn Settings>,
    /// Channels and deliveries.
    pub channels: Arc<dyn Channels>,
    /// Mail to persons outside the desk.
    pub outside_mail: Arc<dyn OutsideMail>,
    /// Engine status and controls.
    pub engine: Arc<dyn Engine>,
    /// Everything that needs a person.
    pub attention: Arc<dyn Attention>,
    /// Series.
    pub series: Arc<dyn Series>,
    /// Word lists.
    pub words: Arc<dyn WordLists>,
    /// The calendar.
    pub calendar: Arc<dyn Calendar>,
    /// Calendar feeds.
    pub feeds: Arc<dyn Feeds>,
    /// Posting slots.
    pub slots: Arc<dyn Slots>,
    /// Reviews of articles.
    pub reviews: Arc<dyn Reviews>,
    /// Rooms.
    pub rooms: Arc<dyn Rooms>,
    /// Door pages of rooms.
    pub doors: Arc<dyn Doors>,
    /// Meetings.
    pub meetings: Arc<dyn Meetings>,
    /// Files.
    pub media: Arc<dyn Media>,
    /// Releases of articles.
    pub releases: Arc<dyn Releases>,
    /// Imports of uploaded exports.
    pub imports: Arc<dyn Imports>,
    /// Delayed messages.
    pub messages: Arc<dyn Messages>,
    /// Signals and rules.
    pub rules: Arc<dyn Rules>,
    /// Reminders.
    pub reminders: Arc<dyn Reminders>,
    /// Notifications.
    pub notifications: Arc<dyn Notifications>,
    /// Browsers that show notifications.
    pub push: Arc<dyn Push>,
}
