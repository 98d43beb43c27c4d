//! Every way the desk can say no. Crosses the wire; shown to people as it is (the face translates by variant).

use crate::{State, Timestamp, channel::Way, task::TaskRow};
use serde::{Deserialize, Serialize};

pub use crate::problem::Problem;

/// Every way the desk can say no. A closed list: no technology, no secrets.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// Nobody is logged in (401).
    #[error("log in first")]
    LogIn,
    /// Nobody was logged in when it was sent; now somebody is, and sees what was typed (401).
    #[error("you are logged in again; nothing was sent yet, send it now")]
    SendAgain,
    /// The log-in did not work; never says which part was wrong (401).
    #[error("e-mail or password is wrong")]
    WrongLogIn,
    /// Too many tries (429).
    #[error("too many tries; wait {seconds} seconds")]
    TooMany {
        /// How long to wait.
        seconds: u32,
    },
    /// They may not do that (403).
    #[error("you may not do this; ask an admin")]
    NotAllowed,
    /// The token may read, and this would change something (403).
    #[error("this token may only read; make one that may write")]
    ReadOnly,
    /// It does not exist, or they may not know that it does (404).
    #[error("there is no such {what}")]
    NoSuch {
        /// `task`, `article`, `revision`, `person`, `page`, `link`.
        what: String,
    },
    /// One field of the input is wrong (422).
    #[error("{problem}")]
    Invalid {
        /// Name of the field as sent.
        field: String,
        /// What is wrong with it, and what would be right.
        problem: Problem,
    },
    /// A wall-clock time that happens twice (422).
    #[error("{local} happens twice in {zone}: say which one, earlier ({earlier}) or later ({later})")]
    DoubledTime {
        /// The wall-clock time.
        local: String,
        /// The zone.
        zone: String,
        /// The first of the two.
        earlier: Timestamp,
        /// The second of the two.
        later: Timestamp,
    },
    /// A wall-clock time that does not exist (422).
    #[error("{local} does not exist in {zone}: clocks jump from {before} to {after}; choose one of them")]
    SkippedTime {
        /// The wall-clock time.
        local: String,
        /// The zone.
        zone: String,
        /// Last wall-clock minute before the jump, `YYYY-MM-DDTHH:MM`.
        before: String,
        /// First wall-clock minute after it, `YYYY-MM-DDTHH:MM`.
        after: String,
    },
    /// The moment has passed (422).
    #[error("{at} has passed; choose a later time, or publish now")]
    Past {
        /// The moment asked for.
        at: Timestamp,
    },
    /// Somebody changed the task meanwhile, or it is in the wrong state for that (409).
    #[error("{}", conflict(.task))]
    TaskConflict {
        /// The task as it is now.
        task: Box<TaskRow>,
    },
    /// Somebody changed the setting meanwhile (409).
    #[error("somebody changed this meanwhile; look at it again")]
    Changed,
    /// The article has a waiting publish already (409).
    #[error("this article already waits to be published at {due_at}; move that one", due_at = .task.due.at)]
    AlreadyScheduled {
        /// The waiting task.
        task: Box<TaskRow>,
    },
    /// Somebody saved another text meanwhile (409).
    #[error("somebody saved revision {revision} meanwhile; your text is not lost: compare and save again")]
    TextConflict {
        /// The number of the current revision.
        revision: i32,
        /// Its title.
        title: String,
        /// Its text.
        body: String,
    },
    /// A newer text is public, and this would take it back (409).
    #[error(
        "a newer text of this article is public; to bring the older one back, restore its revision and publish that"
    )]
    OlderText,
    /// It stands where that cannot be done to it (409).
    #[error("this {what} is {state}; that can't be done to it")]
    WrongState {
        /// `channel`, `delivery`.
        what: String,
        /// Its state: a word of its noun.
        state: String,
    },
    /// Its way has nothing of the kind (409).
    #[error("a channel of the way {way} has no secret of ours to replace")]
    WrongWay {
        /// The way.
        way: Way,
    },
    /// What it would take back is past, or somebody did something else since (409).
    #[error("this can no longer be undone")]
    CannotUndo,
    /// It is not public, so it cannot be taken back (409).
    #[error("this article is not published")]
    NotPublished,
    /// The article cannot be deleted yet (409).
    #[error("{}", in_the_way(*.is_public, .tasks))]
    InTheWay {
        /// Whether it is public.
        is_public: bool,
        /// What waits for it, next first.
        tasks: Vec<TaskRow>,
    },
    /// The article is in the trash (409).
    #[error("this article is in the trash, nothing can be done to it there; restore it first")]
    InTrash,
    /// It exists already (409).
    #[error("{what} is taken")]
    Taken {
        /// `e-mail`, `slug`.
        what: String,
    },
    /// The person still has waiting tasks: keep or cancel them? (409)
    #[error("{count} scheduled items are theirs; say whether to keep or cancel them")]
    HasTasks {
        /// How many.
        count: u64,
    },
    /// It would leave the desk without an admin (409).
    #[error("this is the last admin")]
    LastAdmin,
    /// The one-time link was used, replaced or is too old (410).
    #[error("this link has been used or is too old; ask for a new one")]
    LinkSpent,
    /// Several items, some of them wrong; nothing was stored (422).
    #[error("{} of the items cannot be stored; nothing was", .items.len())]
    Bulk {
        /// Place in the list, from 0, and what is wrong with it; at most 100.
        items: Vec<(usize, Refusal)>,
    },
    /// The same `Idempotency-Key` with another request (422).
    #[error("this Idempotency-Key was used for another request")]
    KeyReused,
    /// Too many texts are rendered at this moment (503).
    #[error("too many texts are being rendered right now; nothing was changed, try again in a few seconds")]
    Busy,
    /// The database is away; nothing was changed (503).
    #[error("the desk cannot reach its database; nothing was changed, try again")]
    Unavailable,
    /// Something broke; the log has more under the reference (500).
    #[error("something broke on our side; reference {reference}")]
    Internal {
        /// What to look for in the log.
        reference: String,
    },
}

/// What the rendering of a text is bounded by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextLimit {
    /// Levels of quotes and lists.
    Depth,
    /// Columns of a table.
    Columns,
    /// Cells of all tables.
    Cells,
    /// Marks of footnotes.
    Notes,
    /// Runs of `~` in a paragraph.
    Strikes,
    /// Marks of Markdown.
    Marks,
    /// Elements within each other.
    Nested,
    /// Bytes of HTML.
    Bytes,
    /// Seconds.
    Time,
}

impl TextLimit {
    pub(crate) fn exceeded(self, max: u32) -> String {
        match self {
            Self::Depth => format!("has quotes or lists deeper than {max} levels; make them flatter"),
            Self::Columns => format!("has a table with more than {max} columns; split it"),
            Self::Cells => format!("has tables with more than {max} cells; split the text"),
            Self::Notes => format!("has more than {max} marks of footnotes; split the text"),
            Self::Strikes => format!("has more than {max} tildes in one paragraph; split it"),
            Self::Marks => format!("has more than {max} marks of Markdown; split the text"),
            Self::Nested => format!("has HTML elements deeper than {max} levels; close them"),
            Self::Bytes => format!("becomes more than {max} bytes of HTML; split the text"),
            Self::Time => format!("takes longer than {max} seconds to render; split the text"),
        }
    }
}

fn in_the_way(is_public: bool, tasks: &[TaskRow]) -> String {
    let cancel = match tasks {
        [] => String::new(),
        [task] => format!("cancel what is scheduled for {}", task.due.at),
        tasks => format!("cancel the {} items that are scheduled", tasks.len()),
    };
    match (is_public, cancel.is_empty()) {
        (true, true) => "this article is public; unpublish it, then delete it".to_owned(),
        (true, false) => format!("this article is public; unpublish it and {cancel}, then delete it"),
        (false, _) => format!("this article is scheduled; {cancel}, then delete it"),
    }
}

fn conflict(task: &TaskRow) -> String {
    match (task.state, task.executed) {
        (State::Executed, Some(at)) => format!("this was executed at {}; it can no longer be changed", at.at),
        (State::Scheduled, _) => "somebody changed this meanwhile; look at it again".to_owned(),
        (state, _) => format!("this is {state}; that can't be done to it"),
    }
}

impl Refusal {
    /// `Invalid` in short.
    #[must_use]
    pub fn invalid(field: &str, problem: Problem) -> Self {
        Self::Invalid { field: field.to_owned(), problem }
    }

    /// `NoSuch` in short.
    #[must_use]
    pub fn no_such(what: &str) -> Self {
        Self::NoSuch { what: what.to_owned() }
    }

    /// The code in the API's error, e.g. `past`. The name of the variant, too, where it crosses to the browser.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::LogIn => "log_in",
            Self::SendAgain => "send_again",
            Self::WrongLogIn => "wrong_log_in",
            Self::TooMany { .. } => "too_many",
            Self::NotAllowed => "not_allowed",
            Self::ReadOnly => "read_only",
            Self::NoSuch { .. } => "no_such",
            Self::Invalid { .. } => "invalid",
            Self::DoubledTime { .. } => "doubled_time",
            Self::SkippedTime { .. } => "skipped_time",
            Self::Past { .. } => "past",
            Self::TaskConflict { .. } => "task_conflict",
            Self::Changed => "changed",
            Self::AlreadyScheduled { .. } => "already_scheduled",
            Self::TextConflict { .. } => "text_conflict",
            Self::OlderText => "older_text",
            Self::WrongState { .. } => "wrong_state",
            Self::WrongWay { .. } => "wrong_way",
            Self::CannotUndo => "cannot_undo",
            Self::NotPublished => "not_published",
            Self::InTheWay { .. } => "in_the_way",
            Self::InTrash => "in_trash",
            Self::Taken { .. } => "taken",
            Self::HasTasks { .. } => "has_tasks",
            Self::LastAdmin => "last_admin",
            Self::LinkSpent => "link_spent",
            Self::Bulk { .. } => "bulk",
            Self::KeyReused => "key_reused",
            Self::Busy => "busy",
            Self::Unavailable => "unavailable",
            Self::Internal { .. } => "internal",
        }
    }

    /// The HTTP status that says the same.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::LogIn | Self::SendAgain | Self::WrongLogIn => 401,
            Self::TooMany { .. } => 429,
            Self::NotAllowed | Self::ReadOnly => 403,
            Self::NoSuch { .. } => 404,
            Self::Invalid { .. }
            | Self::DoubledTime { .. }
            | Self::SkippedTime { .. }
            | Self::Past { .. }
            | Self::Bulk { .. }
            | Self::KeyReused => 422,
            Self::TaskConflict { .. }
            | Self::Changed
            | Self::AlreadyScheduled { .. }
            | Self::TextConflict { .. }
            | Self::OlderText
            | Self::WrongState { .. }
            | Self::WrongWay { .. }
            | Self::CannotUndo
            | Self::NotPublished
            | Self::InTheWay { .. }
            | Self::InTrash
            | Self::Taken { .. }
            | Self::HasTasks { .. }
            | Self::LastAdmin => 409,
            Self::LinkSpent => 410,
            Self::Busy | Self::Unavailable => 503,
            Self::Internal { .. } => 500,
        }
    }

    /// The field it is about, if it is about one.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Invalid { field, .. } => Some(field),
            Self::DoubledTime { .. } | Self::SkippedTime { .. } => Some("local"),
            Self::Past { .. } => Some("due_at"),
            _ => None,
        }
    }
}
