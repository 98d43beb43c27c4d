//! Mutants: known-bad variants of the protocol. A test of the engine that detects none of them
//! proves nothing.
//!
//! They exist only with the feature `mutants` and debug assertions, so a release cannot contain
//! them. One is chosen by the environment when the process starts
//! (`PRESSTIME_MUTANT=effect-then-mark`), or by a test for its own thread.

use crate::{Conn, StoreError};
use domain::TaskId;

/// A known-bad variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutant {
    /// The sweeper does not run: tasks without a hint are never found.
    NoSweeper,
    /// Whether a task may run is checked first and not again when it is marked.
    CheckThenAct,
    /// The effect is committed before the mark.
    EffectThenMark,
    /// The mark is committed before the effect.
    MarkThenEffect,
    /// A promoted hint is taken as due without checking the due time in SQL.
    TrustHintTime,
    /// A popped hint is taken as permission without checking the task's state.
    PoppedMeansAllowed,
    /// The compare-and-set does not check whether the text is approved.
    NoApproval,
    /// A user may reschedule a task that has ended.
    RescheduleUnguarded,
    /// A sender records its attempt although another node has taken over the delivery.
    RecordWithoutEpoch,
    /// A delivery is cancelled although it is in flight.
    HardCancelAlways,
}

impl Mutant {
    /// All mutants.
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

    /// Returns its name in the environment variable.
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

/// Whether this mutant is chosen. Always false in a release.
#[must_use]
pub fn is_active(mutant: Mutant) -> bool {
    #[cfg(all(feature = "mutants", debug_assertions))]
    let chosen = choice::chosen();
    #[cfg(not(all(feature = "mutants", debug_assertions)))]
    let chosen: Option<Mutant> = None;
    chosen == Some(mutant)
}

/// [`Mutant::RescheduleUnguarded`]: sets the task to scheduled again, in any state, without a new
/// version. No-op in a release.
pub async fn reopen(conn: Conn<'_>, id: TaskId) -> Result<(), StoreError> {
    #[cfg(all(feature = "mutants", debug_assertions))]
    crate::db::with_conn!(conn, c => sqlx::query("update task set state = 'scheduled', executed_at = null where id = $1")
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

    /// Returns the mutant of this thread.
    #[must_use]
    pub fn chosen() -> Option<Mutant> {
        CHOSEN.get()
    }

    /// Sets the mutant of this thread.
    pub fn choose(mutant: Option<Mutant>) {
        CHOSEN.set(mutant);
    }

    /// Suspends once, so that a test can run other code here or end the process. A test that polls
    /// this future by hand sees [`was_gap`].
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

    /// Whether the future just polled on this thread is suspended in [`gap`]. Resets the flag.
    #[must_use]
    pub fn was_gap() -> bool {
        GAP.replace(false)
    }
}
