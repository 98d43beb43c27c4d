//! What is wrong with the engine or with what it stands on, and what to do: `Display` says it in plain English, pages in the
//! language of who looks.

use crate::{TaskId, Timestamp};
use chrono::SecondsFormat;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The database is away.
    #[error("the database does not answer")]
    DatabaseAway,
    /// Nothing can be written to it.
    #[error("the database lets itself be read only")]
    DatabaseReadOnly,
    /// There is no room.
    #[error("the disk of the database is full")]
    DatabaseFull,
    /// It answers, but not as it should.
    #[error("{why}")]
    DatabaseFailed {
        /// What it says, as a sentence.
        why: String,
    },
    /// It answers, but one question failed.
    #[error("a question failed; the log has more under {reference}")]
    Question {
        /// Of the line in the log.
        reference: String,
    },
    /// It failed several times a moment ago.
    #[error("Redis did not answer and is left alone for 5 s; tasks go out from SQL")]
    HintsRest,
    /// It cannot be reached.
    #[error(
        "Redis cannot be reached ({why}); tasks go out from SQL. Is it running, and is the address right?"
    )]
    HintsAway {
        /// What the system says.
        why: String,
    },
    /// It is full.
    #[error("Redis is full and refuses to write: give it more memory (maxmemory); tasks go out from SQL")]
    HintsFull,
    /// It cannot be written to.
    #[error("this Redis is a read-only replica: give the address of its master; tasks go out from SQL")]
    HintsReplica,
    /// Its snapshot failed.
    #[error(
        "Redis could not save its data and refuses to write: look at its disk and its log; tasks go out from SQL"
    )]
    HintsUnsaved,
    /// Its append-only file failed.
    #[error("Redis could not write its append-only file and refuses to write: look at its disk")]
    HintsUnwritten,
    /// It has only just started.
    #[error("Redis is still loading its data: wait a moment; tasks go out from SQL")]
    HintsLoading,
    /// It does not know what is asked of it.
    #[error("this Redis is too old: version 6.2 or later is needed")]
    HintsOld,
    /// It would lose hints without a word.
    #[error(
        "Redis throws keys away when its memory is full (maxmemory-policy is {policy}), so it is not used: \
         set maxmemory-policy to noeviction; tasks go out from SQL"
    )]
    HintsEvicted {
        /// Its `maxmemory-policy`.
        policy: String,
    },
    /// Nodes of this desk do not use the same Redis, or nodes of another desk do.
    #[error("{}", apart(names, *strangers))]
    HintsApart {
        /// Those of this desk that do not, with commas between; empty: all do.
        names: String,
        /// How many of another desk do.
        strangers: usize,
    },
    /// It has forgotten everything.
    #[error("Found empty at {}: it was wiped, or restarted without its data. The hints are loaded again", moment(*at))]
    HintsWiped {
        /// When that was found out.
        at: Timestamp,
    },
    /// A loop panicked.
    #[error("it broke off in the middle of its work and was started again")]
    BrokeOff,
    /// A task panics.
    #[error("task {task} breaks down when it is executed")]
    BreaksDown {
        /// Which.
        task: TaskId,
    },
    /// The clocks are so far apart that nothing is published.
    #[error("the clocks are {offset_ms} ms apart: nothing is published until they agree")]
    ClocksApart {
        /// The database's before this machine's, milliseconds.
        offset_ms: i64,
    },
    /// The clocks are apart.
    #[error("the database's clock is {offset_ms} ms ahead of this machine's")]
    ClockAhead {
        /// Milliseconds; negative: behind it.
        offset_ms: i64,
    },
    /// Messages may leave and do not.
    #[error("messages are due at {channels} and none leaves")]
    MessagesStuck {
        /// The channels' names, with commas between.
        channels: String,
    },
    /// Attempts were begun and not ended.
    #[error("{count} messages were taken up, and nobody says what became of them")]
    AttemptsLost {
        /// How many.
        count: i64,
    },
    /// What was executed and what is recorded disagree.
    #[error(
        "of {audited} executions audited since {}, in {lost} task and ledger disagree, {early} were early, {twice} \
         happened twice",
        moment(*since)
    )]
    Audit {
        /// Since when.
        since: Timestamp,
        /// Executions that were looked at.
        audited: i64,
        /// Without a record, or a record without them.
        lost: i64,
        /// Before their moment.
        early: i64,
        /// More than once.
        twice: i64,
    },
    /// What no page can foresee, in English.
    #[error("{0}")]
    Other(String),
}

fn apart(names: &str, strangers: usize) -> String {
    let absent = (!names.is_empty()).then(|| {
        format!(
            "Alive, but not in this Redis: {names}. Start all nodes of a desk with the same --redis-url, and see whether they \
             reach it"
        )
    });
    let others = (strangers > 0).then(|| {
        format!(
            "In this Redis, too, are nodes of another desk ({strangers}), which take hints of this one away. Give each desk a \
             Redis, or a database number of it (redis://HOST:PORT/1), of its own"
        )
    });
    absent.into_iter().chain(others).collect::<Vec<_>>().join(". ")
}

/// A moment to the second, with its zone.
#[must_use]
pub fn moment(at: Timestamp) -> String {
    at.utc().to_rfc3339_opts(SecondsFormat::Secs, true).replace('T', " ").replace('Z', " UTC")
}
