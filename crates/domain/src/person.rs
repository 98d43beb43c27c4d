//! People, what they may do, and who is asking.

use crate::{
    PersonId, Timestamp, TokenId,
    limit::PASSWORD_GRACE_MS,
    state::{UnknownWord, words},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

words! {
    /// What a person may do. Each role may do what the ones before it may.
    Role {
        /// Sees everything, changes what is their own.
        Creator = "creator",
        /// Also approves and sends back.
        Reviewer = "reviewer",
        /// Changes everything: people, the engine, settings.
        Admin = "admin",
    }
}

words! {
    /// Language of the screen.
    Language {
        /// English.
        En = "en",
        /// Chinese.
        Zh = "zh",
    }
}

words! {
    /// Light, dark, or what the device says.
    Theme {
        /// What the device says.
        Auto = "auto",
        /// Light.
        Light = "light",
        /// Dark.
        Dark = "dark",
    }
}

words! {
    /// What an API token opens. Never more than its owner may do.
    Scope {
        /// Reads everything its owner may see.
        Read = "read",
        /// Also changes what its owner may change.
        Write = "write",
    }
}

/// Who is asking. Made only by authentication; every question to the desk carries one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// The person.
    pub person: PersonId,
    /// Their role at this moment.
    pub role: Role,
    /// Their zone, for the moments they are shown.
    pub zone: String,
    /// The language they are told things in.
    pub language: Language,
    /// The request's `Idempotency-Key`, if it has one.
    pub idempotency: Option<Idempotency>,
    /// The session they came with; `None`: an API token or the command line.
    pub session: Option<ActorSession>,
}

/// The session behind a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActorSession {
    /// Hash of its secret.
    pub hash: String,
    /// When the password was last entered in it.
    pub password_at: Timestamp,
}

impl Actor {
    /// Whether they may change everything.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.role == Role::Admin
    }

    /// Whether their session must be given the password again before it makes what outlives it.
    #[must_use]
    pub fn needs_password(&self, now: Timestamp) -> bool {
        self.session.as_ref().is_some_and(|session| now.since(session.password_at) >= PASSWORD_GRACE_MS)
    }

    /// Whether they may change what `owner` owns.
    #[must_use]
    pub fn may_change(&self, owner: PersonId) -> bool {
        self.is_admin() || self.person == owner
    }
}

/// A promise of the caller: the same key means the same request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The key, at most [`crate::limit::IDEMPOTENCY_KEY_BYTES`] bytes. Belongs to the person.
    pub key: String,
    /// Hash of method, path and body: the same key with another one is refused.
    pub fingerprint: String,
}

/// A person as the desk shows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Identity.
    pub id: PersonId,
    /// Address they log in with, lower case.
    pub email: String,
    /// What they are called.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// Whether the account is shut.
    pub is_disabled: bool,
    /// IANA zone their times are shown in.
    pub zone: String,
    /// Language of their screen.
    pub language: Language,
    /// Theme of their screen.
    pub theme: Theme,
    /// When the account was made.
    pub created_at: Timestamp,
}

/// What a person may change about themselves. `None`: stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileEdit {
    /// What they are called.
    pub name: Option<String>,
    /// IANA zone.
    pub zone: Option<String>,
    /// Language.
    pub language: Option<Language>,
    /// Theme.
    pub theme: Option<Theme>,
}

/// The first admin, or somebody who takes up an invitation.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NewPerson {
    /// Address to log in with.
    pub email: String,
    /// What they are called.
    pub name: String,
    /// Password in the clear; never stored, never logged.
    pub password: String,
}

/// An invitation or a reset that waits to be taken up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// Address it is for.
    pub email: String,
    /// Name it is for.
    pub name: String,
    /// Role it gives.
    pub role: Role,
    /// Whether it resets the password of an account that exists.
    pub is_reset: bool,
    /// When it stops working.
    pub expires_at: Timestamp,
}

/// A one-time link, shown once to the admin who made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Path and query, e.g. `/invite?token=…`; the page puts the public address before it.
    pub path: String,
    /// When it stops working.
    pub expires_at: Timestamp,
}

/// What happens to the waiting tasks of somebody whose account is shut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leftover {
    /// They become, with their articles, the admin's who shuts the account, and go out as planned.
    Keep,
    /// They are cancelled.
    Cancel,
}

/// A fresh log-in: the secret goes into the cookie and nowhere else.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionSecret(pub String);

impl fmt::Debug for SessionSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionSecret(…)")
    }
}

/// A signed mark in a browser's cookie: the account has logged in there. Its tries at the password are counted by themselves.
#[derive(Clone, PartialEq, Eq)]
pub struct BrowserMark(pub String);

impl fmt::Debug for BrowserMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BrowserMark(…)")
    }
}

/// The browser behind a request, as far as log-ins look at it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Client {
    /// Address it comes from.
    pub address: String,
    /// How it introduces itself.
    pub agent: String,
    /// The session it carries: a new one replaces it.
    pub session: Option<SessionSecret>,
    /// The marks it carries.
    pub marks: Vec<BrowserMark>,
}

/// What a log-in gives to the browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedIn {
    /// The session.
    pub session: SessionSecret,
    /// The mark of this account; another one of the same account replaces it.
    pub mark: BrowserMark,
}

/// Another password.
#[derive(Clone, PartialEq, Eq)]
pub struct NewPassword {
    /// The present one.
    pub old: String,
    /// The new one.
    pub new: String,
    /// API tokens that go on working; all others of the person end.
    pub keep: Vec<TokenId>,
}

/// A log-in of oneself, as listed on the profile page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRow {
    /// Opaque name, for ending it.
    pub name: String,
    /// Browser and system, e.g. `Firefox · Linux`; an unknown one as it introduced itself, shortened.
    pub agent: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last used.
    pub seen_at: Timestamp,
    /// Whether it is the one that asks.
    pub is_current: bool,
}

/// An API token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenRow {
    /// Identity.
    pub id: TokenId,
    /// Whose it is.
    pub owner_id: PersonId,
    /// What they are called.
    pub owner: String,
    /// What it is for, in its owner's words.
    pub name: String,
    /// What it opens.
    pub scope: Scope,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stops working.
    pub expires_at: Timestamp,
    /// When it was last used, to the minute.
    pub used_at: Option<Timestamp>,
}
