//! Errors of the services. They are sent to browsers; the API shows their text, and the frontend
//! translates by variant.

use crate::{
    ChannelId, Timestamp,
    input_limits::MAX_REPORTED_ITEMS,
    values::{channel::Transport, task_row::TaskRow},
};
use conflict::{BookingConflict, OccurrenceConflict};
use problem::{
    import::ImportProblem, mail::MailProblem, media::MediaProblem, release::ReleaseProblem,
    review::ReviewProblem, sign_in::SignInProblem,
};
use serde::{Deserialize, Serialize};
use zone_effect::ZoneEffect;

pub(crate) mod conflict;
mod field_problems;
mod from_problem;
pub(crate) mod problem;
mod sentences;
mod status;
mod validation_error;
pub(crate) mod zone_effect;

pub use field_problems::FieldProblems;
use sentences::{
    ambiguous_key, conflict, in_the_way, invalid_items, listed, occurrences_taken, passed, room_taken,
    signal_rate, text_conflict, zone_choice,
};
pub use validation_error::{TextLimit, ValidationError};

/// Why a service refused a request. A closed list without technical details and without secrets.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DomainError {
    /// No account is logged in (401).
    #[error("log in first")]
    LogIn,
    /// The request has no token (401).
    #[error("send the header Authorization: Bearer TOKEN")]
    NoToken,
    /// The token belongs to no account (401).
    #[error("this token is not valid: it is wrong, has expired or was ended")]
    WrongToken,
    /// The session had ended when the form was sent. The user is logged in again and sees the
    /// entered data (401).
    #[error("you are logged in again; nothing was sent yet, send it now")]
    SendAgain,
    /// The login failed; the error never reveals which part was wrong (401).
    #[error("e-mail or password is wrong")]
    WrongLogIn,
    /// The password was right, and the account has a second factor: the log-in is completed with a code (401).
    #[error("enter the code of the second factor")]
    CodeNeeded {
        /// Names the log-in when the code is entered.
        token: String,
    },
    /// The log-in awaited its code too long, or wrong ones were entered too often (401).
    #[error("this log-in has expired; begin again with the password")]
    LogInExpired,
    /// Too many attempts (429).
    #[error("too many tries; wait {seconds} s")]
    TooMany {
        /// Seconds to wait.
        seconds: u32,
    },
    /// An account sends more signals, or a rule opens more waits, than a minute allows (429).
    #[error("{}; nothing was stored, wait {seconds} s", signal_rate(*.max, .rule))]
    SignalRate {
        /// Maximum number in a minute.
        max: u32,
        /// Name of the rule; empty: the account.
        rule: String,
        /// Seconds to wait.
        seconds: u32,
    },
    /// A mail to a person outside the desk may not be planned.
    #[error("{problem}")]
    Mail {
        /// Why.
        problem: MailProblem,
    },
    /// A sign-in with a provider failed.
    #[error("the sign-in with this provider failed: {problem}")]
    SignIn {
        /// Why.
        problem: SignInProblem,
    },
    /// The actor lacks the permission (403).
    #[error("you may not do this; ask an admin")]
    NotAllowed,
    /// The account must have a second factor, has none, and may do nothing else in the browser (403).
    #[error("your role needs a second factor; add it in the profile")]
    SecondFactorRequired,
    /// Who uses the session was proved too long ago for this (401).
    #[error("log in again: the last log-in is too long ago for this")]
    ProofNeeded,
    /// The token is read-only, and the request would change something (403).
    #[error("this token may only read; make one that may write")]
    ReadOnly,
    /// The token may only send signals (403).
    #[error("this token may only send signals; make one that may write")]
    SignalsOnly,
    /// It does not exist, or the actor may not know that it exists (404).
    #[error("there is no such {what}")]
    NoSuch {
        /// `task`, `article`, `revision`, `account`, `page`, `link`.
        what: String,
    },
    /// One field of the input is invalid (422).
    #[error("{problem}")]
    Invalid {
        /// Name of the field in the request.
        field: String,
        /// What is wrong, and what would be right.
        problem: ValidationError,
    },
    /// Several fields of the input are invalid (422).
    #[error("{}", listed(.problems))]
    InvalidFields {
        /// Names of the fields in the request, and what is wrong; in the order of the form.
        problems: Vec<(String, ValidationError)>,
    },
    /// A local time that occurs twice (422).
    #[error("{local} happens twice in {zone}: say which one, earlier ({earlier}) or later ({later})")]
    DoubledTime {
        /// The field with the time.
        field: String,
        /// The local time.
        local: String,
        /// The time zone.
        zone: String,
        /// The first of the two.
        earlier: Timestamp,
        /// The second of the two.
        later: Timestamp,
    },
    /// A local time that does not exist (422).
    #[error("{local} does not exist in {zone}: clocks jump from {before} to {after}; choose one of them")]
    SkippedTime {
        /// The field with the time.
        field: String,
        /// The local time.
        local: String,
        /// The time zone.
        zone: String,
        /// Last local minute before the gap, `YYYY-MM-DDTHH:MM`.
        before: String,
        /// First local minute after the gap, `YYYY-MM-DDTHH:MM`.
        after: String,
    },
    /// The time has passed (422).
    #[error("{}", passed(*.at, *.can_publish_now))]
    Past {
        /// The requested time.
        at: Timestamp,
        /// The field with the time.
        field: String,
        /// Whether what was to be done then can be published now instead.
        can_publish_now: bool,
    },
    /// The task was changed concurrently, or its state does not allow the change (409).
    #[error("{}", conflict(.task, *.is_changed))]
    TaskConflict {
        /// The task as it is now.
        task: Box<TaskRow>,
        /// Whether it was changed concurrently. `false`: its state does not allow the change.
        is_changed: bool,
    },
    /// The setting was changed concurrently (409).
    #[error("this was changed in the meantime; reload it and try again")]
    Changed,
    /// The article already has a scheduled publish (409).
    #[error("this article is already scheduled to be published at {due_at}; reschedule that one", due_at = .task.due.at)]
    AlreadyScheduled {
        /// The scheduled task.
        task: Box<TaskRow>,
    },
    /// A message of the channel has this key already, and its content differs (409).
    #[error(
        "this channel has a message with the key {key}, whose content differs; change that one, or use another key"
    )]
    MessageExists {
        /// The key.
        key: String,
    },
    /// Messages of several channels have this key (409).
    #[error("{}", ambiguous_key(.key, .channels))]
    AmbiguousKey {
        /// The key.
        key: String,
        /// The first of the channels, each with its name; empty: it was deleted.
        channels: Vec<(ChannelId, String)>,
    },
    /// Another revision was saved concurrently (409).
    #[error("{}", text_conflict(*.revision, *.has_text))]
    TextConflict {
        /// The number of the current revision.
        revision: i32,
        /// Its title.
        title: String,
        /// Its text.
        body: String,
        /// Whether the request has a text, which can be compared with it.
        has_text: bool,
    },
    /// A newer text is public, and the request would replace it (409).
    #[error(
        "a newer text of this article is public; to bring the older one back, restore its revision and publish that"
    )]
    OlderText,
    /// Its state does not allow that (409).
    #[error("this {what} is {state}; that is not possible in this state")]
    WrongState {
        /// `channel`, `delivery`.
        what: String,
        /// Its state.
        state: String,
    },
    /// The room is not free: other bookings are in the way (409).
    #[error("{}", room_taken(.conflicts))]
    RoomTaken {
        /// What is in the way, by start; at most [`crate::meetings::MAX_CONFLICTS`].
        conflicts: Vec<BookingConflict>,
    },
    /// The meeting starts too late for a check-in now (409).
    #[error("check-in is possible from {minutes} minutes before the start")]
    CheckInTooEarly {
        /// How long before the start it is possible, in minutes.
        minutes: i32,
    },
    /// Occurrences of a series are not possible; nothing was booked (409).
    #[error("{}", occurrences_taken(.conflicts, *.count))]
    OccurrencesTaken {
        /// Every occurrence that is not possible, by start.
        conflicts: Vec<OccurrenceConflict>,
        /// Number of all occurrences.
        count: usize,
    },
    /// The task follows from its meeting or reminder (409).
    #[error("this follows from its meeting or reminder; change that instead")]
    FollowsMeeting,
    /// An action of a review is not possible.
    #[error("{problem}")]
    Review {
        /// Why.
        problem: ReviewProblem,
    },
    /// A file is refused.
    #[error("{problem}")]
    Media {
        /// Why.
        problem: MediaProblem,
    },
    /// An upload or an action of an import is refused.
    #[error("{problem}")]
    Import {
        /// Why.
        problem: ImportProblem,
    },
    /// A release, or an action on an article of a release, is refused.
    #[error("{problem}")]
    Release {
        /// Why.
        problem: ReleaseProblem,
    },
    /// The channel's transport does not sign messages (409).
    #[error("a channel of type {transport} has no signing secret to replace")]
    NoSigningSecret {
        /// The transport.
        transport: Transport,
    },
    /// The change to undo can no longer be undone, or there was another change since (409).
    #[error("this can no longer be undone")]
    CannotUndo,
    /// The article is not public, so it cannot be unpublished (409).
    #[error("this article is not published")]
    NotPublished,
    /// The article cannot be deleted yet (409).
    #[error("{}", in_the_way(*.is_public, .tasks))]
    InTheWay {
        /// Whether it is public.
        is_public: bool,
        /// Its scheduled tasks, next first.
        tasks: Vec<TaskRow>,
    },
    /// The article is in the trash (409).
    #[error("this article is in the trash; restore it first")]
    InTrash,
    /// The value is already in use (409).
    #[error("{what} is taken")]
    Taken {
        /// `e-mail`, `slug`.
        what: String,
    },
    /// The account still has scheduled tasks: the caller must say whether to keep or cancel them
    /// (409).
    #[error("{count} scheduled items are theirs; say whether to keep or cancel them")]
    HasTasks {
        /// Number of tasks.
        count: u64,
    },
    /// Some wait for the rule: the caller must say what becomes of them (409).
    #[error("{count} wait for this rule; say whether to keep or cancel them")]
    HasWaits {
        /// Number of waits.
        count: u64,
    },
    /// Scheduled items are planned in the desk's time zone: the caller must say what they keep (409).
    #[error("{}", zone_choice(.effect))]
    ZoneChoice {
        /// What the new zone means for them.
        effect: Box<ZoneEffect>,
    },
    /// No admin would be left (409).
    #[error("this is the last admin")]
    LastAdmin,
    /// The one-time link was used, replaced or has expired (410).
    #[error("this link has been used or is too old; ask for a new one")]
    LinkSpent,
    /// This node writes no backups, and no other one wrote it in time (409).
    #[error(
        "this node writes no backups, and none that does has begun one; start a node that runs the engine"
    )]
    NoBackupNode,
    /// Some items of a bulk request are invalid; nothing was stored (422).
    #[error("{}; nothing was stored", invalid_items(*.count))]
    Bulk {
        /// Index of the item, from 0, and its error; the first 100.
        items: Vec<(usize, DomainError)>,
        /// Number of all invalid items.
        count: usize,
    },
    /// The same `Idempotency-Key` with a different request (422).
    #[error("this Idempotency-Key was used for another request")]
    KeyReused,
    /// An `Idempotency-Key` for an operation that would ignore it (422).
    #[error("this operation takes no Idempotency-Key; leave the header out")]
    NoIdempotencyKey,
    /// The first request with the idempotency key has not ended (409).
    #[error(
        "the first request with this idempotency key has not ended; wait, or if it was interrupted, look at what \
         it changed and use another key"
    )]
    KeyUnfinished,
    /// Too many texts are being rendered (503).
    #[error("too many texts are being rendered right now; nothing was changed, try again in a few seconds")]
    Busy,
    /// The database is unavailable; nothing was changed (503).
    #[error("the database cannot be reached; nothing was changed, try again")]
    Unavailable,
    /// An internal error; the log has the details under the reference (500).
    #[error("internal error; search the log for {reference}")]
    Internal {
        /// Reference to search for in the log.
        reference: String,
    },
}

impl DomainError {
    /// Returns `Invalid`.
    #[must_use]
    pub fn invalid(field: &str, problem: ValidationError) -> Self {
        Self::Invalid { field: field.to_owned(), problem }
    }

    /// Returns `NoSuch`.
    #[must_use]
    pub fn no_such(what: &str) -> Self {
        Self::NoSuch { what: what.to_owned() }
    }

    /// Returns `Past` for the field `due_at`; see [`Self::in_field`] and [`Self::or_publish_now`].
    #[must_use]
    pub fn past(at: Timestamp) -> Self {
        Self::Past { at, field: "due_at".to_owned(), can_publish_now: false }
    }

    /// Adds to `Past` that it can be published now instead.
    #[must_use]
    pub fn or_publish_now(mut self) -> Self {
        if let Self::Past { can_publish_now, .. } = &mut self {
            *can_publish_now = true;
        }
        self
    }

    /// Returns `Bulk` for these invalid items, by index: all are counted, the first are kept.
    #[must_use]
    pub fn bulk(mut items: Vec<(usize, Self)>) -> Self {
        let count = items.len();
        items.truncate(MAX_REPORTED_ITEMS);
        Self::Bulk { items, count }
    }
}
