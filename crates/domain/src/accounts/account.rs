//! Accounts, their permissions, and the actor of a request.

use crate::{
    AccountId, Timestamp, TokenId,
    input_limits::PASSWORD_GRACE_MS,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

pub use crate::values::language::Language;

string_enum! {
    /// Role of an account. Each role includes the permissions of the ones before it.
    Role {
        /// Reads everything, changes their own articles.
        Creator = "creator",
        /// Also approves texts and sends them back.
        Reviewer = "reviewer",
        /// Changes everything: accounts, the engine, settings.
        Admin = "admin",
    }
}

string_enum! {
    /// Color theme.
    Theme {
        /// Follows the device.
        Auto = "auto",
        /// Light.
        Light = "light",
        /// Dark.
        Dark = "dark",
    }
}

string_enum! {
    /// Permissions of an API token. Never more than its owner has.
    Scope {
        /// Reads everything its owner may read.
        Read = "read",
        /// Also changes what its owner may change.
        Write = "write",
        /// Sends signals, and nothing else.
        Signal = "signal",
    }
}

string_enum! {
    /// How the organizer of a meeting hears of answers of attendees.
    AnswerNotices {
        /// Not at all.
        Off = "none",
        /// By a notification in the desk.
        Bell = "bell",
        /// Also by mail.
        Mail = "mail",
    }
}

/// The account that makes a request. Created only by authentication; every service call takes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// The account.
    pub account: AccountId,
    /// Its current role.
    pub role: Role,
    /// Its time zone, for displayed times.
    pub zone: String,
    /// Its language, for messages.
    pub language: Language,
    /// The `Idempotency-Key` of the request, if it has one.
    pub idempotency: Option<Idempotency>,
    /// The session of the request; `None`: an API token or the command line.
    pub session: Option<ActorSession>,
}

/// The session of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActorSession {
    /// Hash of the session secret.
    pub hash: String,
    /// When the password was last entered in this session.
    pub password_at: Timestamp,
    /// Whether it lasts [`PERSISTENT_SESSION_DAYS`], see [`Client::stays_logged_in`].
    pub is_persistent: bool,
    /// Whether the account must add a second factor before it does anything else in the browser.
    pub must_add_second_factor: bool,
}

/// Lifetime of a session whose user chose to stay logged in, days.
pub const PERSISTENT_SESSION_DAYS: u32 = 30;

impl Actor {
    /// Whether the actor may change everything.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.role == Role::Admin
    }

    /// Whether the password must be entered again before creating credentials that outlive the
    /// session.
    #[must_use]
    pub fn needs_password(&self, now: Timestamp) -> bool {
        self.session.as_ref().is_some_and(|session| now.since(session.password_at) >= PASSWORD_GRACE_MS)
    }

    /// Whether the actor may change what `owner` owns.
    #[must_use]
    pub fn may_change(&self, owner: AccountId) -> bool {
        self.is_admin() || self.account == owner
    }
}

/// Idempotency key of a request: a repeated request with the same key is executed once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The key, at most [`crate::input_limits::MAX_IDEMPOTENCY_KEY_BYTES`] bytes. Scoped to the
    /// account.
    pub key: String,
    /// Hash of method, path and body: the same key with a different request is refused.
    pub fingerprint: String,
}

/// Maximum length of what an author's page says about them, in characters.
pub const MAX_ABOUT_CHARS: usize = 600;

/// An account, as shown to users.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Id.
    pub id: AccountId,
    /// E-mail address for the login, in lower case.
    pub email: String,
    /// Display name.
    pub name: String,
    /// Role.
    pub role: Role,
    /// Whether the account is disabled.
    pub is_disabled: bool,
    /// IANA time zone for displayed times.
    pub zone: String,
    /// Language of the user interface.
    pub language: Language,
    /// Color theme.
    pub theme: Theme,
    /// Whether keys without a modifier are shortcuts.
    pub has_shortcuts: bool,
    /// How it hears of answers to its meetings.
    pub answer_notices: AnswerNotices,
    /// What its page as an author says; empty: nothing.
    #[serde(default)]
    pub about: String,
    /// Path of the picture on its page as an author; empty: none.
    #[serde(default)]
    pub picture: String,
    /// When it was created.
    pub created_at: Timestamp,
}

/// Changes to the actor's own profile. `None` leaves a field unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileEdit {
    /// Display name.
    pub name: Option<String>,
    /// IANA time zone.
    pub zone: Option<String>,
    /// Language.
    pub language: Option<Language>,
    /// Theme.
    pub theme: Option<Theme>,
    /// Whether keys without a modifier are shortcuts.
    pub has_shortcuts: Option<bool>,
    /// How it hears of answers to its meetings.
    pub answer_notices: Option<AnswerNotices>,
    /// What its page as an author says.
    pub about: Option<String>,
    /// Address of the picture on its page as an author, in the media library.
    pub picture: Option<String>,
}

/// Input for the first admin, or for an account created from an invitation.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NewAccount {
    /// E-mail address for the login.
    pub email: String,
    /// Display name.
    pub name: String,
    /// Password in clear text; never stored, never logged.
    pub password: String,
}

/// An open invitation or password reset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// E-mail address of the account.
    pub email: String,
    /// Display name of the account.
    pub name: String,
    /// Role of the account.
    pub role: Role,
    /// Whether it resets the password of an account that exists.
    pub is_reset: bool,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// An invitation that was not accepted yet, as listed for admins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvitationRow {
    /// Opaque id of its current link. A new link has a new id.
    pub id: String,
    /// E-mail address of the person.
    pub email: String,
    /// Name of the person.
    pub name: String,
    /// Role of the new account.
    pub role: Role,
    /// When the link expires, or has expired.
    pub expires_at: Timestamp,
}

/// Input of the person who accepts a one-time link. For a password reset, only the password.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct NewMember {
    /// Display name.
    pub name: String,
    /// Password in clear text; never stored, never logged.
    pub password: String,
    /// IANA time zone; `None`: the desk's.
    pub zone: Option<String>,
    /// Language; `None`: the desk's.
    pub language: Option<Language>,
}

/// A one-time link, shown once to the admin who created it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OneTimeLink {
    /// Path and query, e.g. `/invite?token=…`; the page prepends the public base URL.
    pub path: String,
    /// When it expires.
    pub expires_at: Timestamp,
    /// Whether the invitation replaces an earlier one for the same address, whose link no longer works.
    pub was_invited: bool,
}

/// What happens to the scheduled tasks of an account that is disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnDisable {
    /// The admin who disables the account becomes the owner of the tasks and their articles; the
    /// tasks stay scheduled.
    Keep,
    /// The same with another account, which must be enabled.
    HandOver(AccountId),
    /// The tasks are cancelled.
    Cancel,
}

/// The last change of an account by an admin, which that admin may still undo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountUndo {
    /// The account.
    pub account: AccountId,
    /// `change_role`, `disable` or `enable`.
    pub verb: String,
    /// Number of the change in the event log.
    pub seen: i64,
}

/// Secret of a new session; it is only put into the cookie.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionSecret(pub String);

impl fmt::Debug for SessionSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionSecret(…)")
    }
}

/// Signed cookie value that proves an earlier login of an account in this browser. Its login
/// attempts are rate-limited separately.
#[derive(Clone, PartialEq, Eq)]
pub struct KnownBrowserCookie(pub String);

impl fmt::Debug for KnownBrowserCookie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KnownBrowserCookie(…)")
    }
}

/// The browser that sent a request, as seen by the login.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Client {
    /// Remote IP address.
    pub address: String,
    /// `User-Agent` header.
    pub agent: String,
    /// The session it carries; a new session replaces it.
    pub session: Option<SessionSecret>,
    /// The known-browser cookies it carries.
    pub known_browsers: Vec<KnownBrowserCookie>,
    /// Whether its new session outlives the browser and lasts [`PERSISTENT_SESSION_DAYS`].
    pub stays_logged_in: bool,
}

/// Cookies of a successful login.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedIn {
    /// The session.
    pub session: SessionSecret,
    /// The known-browser cookie of this account; it replaces an older one of the same account.
    pub known_browser: KnownBrowserCookie,
    /// Whether the browser keeps the session cookie after it is closed.
    pub is_persistent: bool,
}

/// Input for a password change.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordChange {
    /// The current password.
    pub current: String,
    /// The new password.
    pub new: String,
    /// API tokens to keep; all others of the account are revoked.
    pub keep_tokens: Vec<TokenId>,
}

/// One of the actor's sessions, as listed on the profile page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRow {
    /// Opaque name, used to end it.
    pub name: String,
    /// Browser and operating system, e.g. `Firefox · Linux`; an unknown user agent is shown as
    /// sent, shortened.
    pub agent: String,
    /// IP address of the log-in; empty: unknown.
    pub address: String,
    /// Whether it lasts [`PERSISTENT_SESSION_DAYS`].
    pub is_persistent: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last used.
    pub seen_at: Timestamp,
    /// Whether it is the session of the request.
    pub is_current: bool,
}

/// An API token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenRow {
    /// Id.
    pub id: TokenId,
    /// Owner.
    pub owner_id: AccountId,
    /// Display name of the owner.
    pub owner: String,
    /// Name given by the owner.
    pub name: String,
    /// Permissions.
    pub scope: Scope,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was last used, to the minute.
    pub used_at: Option<Timestamp>,
}
