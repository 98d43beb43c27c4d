//! The mutants: known-bad variants of the protocol. A test of the engine that notices none of them proves nothing.
//!
//! They exist only with the feature `mutants` in a build with debug assertions: a release cannot carry them. One is chosen by
//! the environment when the process starts (`PRESSTIME_MUTANT=effect-then-mark`), or by a test for its own thread.

use crate::{Conn, StoreError};
use domain::TaskId;

/// A known-bad variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutant {
    /// Nobody looks for what no hint brought.
    NoSweeper,
    /// Whether a task may happen is read first and not asked again when it is marked.
    CheckThenAct,
    /// The effect is committed before the mark.
    EffectThenMark,
    /// The mark is committed before the effect.
    MarkThenEffect,
    /// A hint that came up is due, whatever SQL says of its moment.
    TrustHintTime,
    /// A popped hint is permission, whatever became of its task.
    PoppedMeansAllowed,
    /// The compare-and-set does not ask whether the text is approved.
    NoApproval,
    /// A person may move a task that has ended.
    RescheduleUnguarded,
    /// A sender records its attempt although somebody else has taken the delivery over.
    RecordWithoutEpoch,
    /// A delivery is cancelled although it is on its way.
    HardCancelAlways,
}

impl Mutant {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::NoSweeper,
        Self::CheckThenAct,
        Self::EffectThenMark,
        Self::MarkThenEffect,
        Self::TrustHintTime,
        Self::PoppedMeansAllowed,
        Self::NoApproval,
        Self::RescheduleUnguarded,
        Self::RecordWithoutEpoch,
        Self::HardCancelAlways,
    ];

    /// Its name in the environment.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoSweeper => "no-sweeper",
            Self::CheckThenAct => "check-then-act",
            Self::EffectThenMark => "effect-then-mark",
            Self::MarkThenEffect => "mark-then-effect",
            Self::TrustHintTime => "trust-hint-time",
            Self::PoppedMeansAllowed => "popped-means-allowed",
            Self::NoApproval => "no-approval",
            Self::RescheduleUnguarded => "reschedule-unguarded",
            Self::RecordWithoutEpoch => "record-without-epoch",
            Self::HardCancelAlways => "hard-cancel-always",
        }
    }
}

/// Whether this is the chosen one. Never in a release.
#[must_use]
pub fn is(mutant: Mutant) -> bool {
    #[cfg(all(feature = "mutants", debug_assertions))]
    let chosen = choice::chosen();
    #[cfg(not(all(feature = "mutants", debug_assertions)))]
    let chosen: Option<Mutant> = None;
    chosen == Some(mutant)
}

/// [`Mutant::RescheduleUnguarded`]: whatever the task has come to, it waits again, in its old version. In a release: nothing.
pub async fn reopen(conn: Conn<'_>, id: TaskId) -> Result<(), StoreError> {
    #[cfg(all(feature = "mutants", debug_assertions))]
    crate::db::on!(conn, c => sqlx::query("update task set state = 'scheduled', executed_at = null where id = $1")
        .bind(id.0).execute(c).await.map(drop))?;
    #[cfg(not(all(feature = "mutants", debug_assertions)))]
    let _ = (conn, id);
    Ok(())
}

#[cfg(all(feature = "mutants", debug_assertions))]
pub use choice::{choose, chosen, gap, was_gap};

#[cfg(all(feature = "mutants", debug_assertions))]
mod choice {
    use super::Mutant;
    use std::{cell::Cell, future::poll_fn, task::Poll};

    thread_local! {
        static CHOSEN: Cell<Option<Mutant>> = Cell::new(from_environment());
        static GAP: Cell<bool> = const { Cell::new(false) };
    }

    #[expect(clippy::disallowed_methods, reason = "no setting of the product: only builds for tests look")]
    fn from_environment() -> Option<Mutant> {
        let name = std::env::var("PRESSTIME_MUTANT").ok()?;
        let found = Mutant::ALL.into_iter().find(|one| one.as_str() == name);
        assert!(found.is_some(), "there is no mutant {name:?}");
        found
    }

    /// Which one this thread runs.
    #[must_use]
    pub fn chosen() -> Option<Mutant> {
        CHOSEN.get()
    }

    /// This thread runs this one from now on.
    pub fn choose(mutant: Option<Mutant>) {
        CHOSEN.set(mutant);
    }

    /// A moment at which others may act or the process may die. Whoever drives this future by hand sees [`was_gap`].
    pub async fn gap() {
        let mut has_waited = false;
        poll_fn(|context| {
            if std::mem::replace(&mut has_waited, true) {
                return Poll::Ready(());
            }
            GAP.set(true);
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }

    /// Whether the future that was just polled on this thread rests at a [`gap`]. Answers once.
    #[must_use]
    pub fn was_gap() -> bool {
        GAP.replace(false)
    }
}
