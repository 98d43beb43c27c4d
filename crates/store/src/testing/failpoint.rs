//! Failpoints: places between two steps at which a test makes the process exit, fail or stall.
//! No-op in a release.
//!
//! They exist only with the feature `mutants` and debug assertions.
//! `PRESSTIME_FAILPOINT=NAME:ACTION:FILE` chooses one when the process starts. At the first hit while
//! FILE.armed exists, FILE is created and the action runs (`abort`, `panic`, `error`, `sleep`). If
//! FILE exists already, nothing happens.

use crate::StoreError;
use domain::{TaskId, task::CANARY_ID};

/// All failpoints, in the order in which a task passes them. Those of execution are hit only with
/// tasks of users.
pub const ALL: [&str; 38] = [
    "desk.begun",
    "desk.written",
    "desk.committed",
    "desk.notified",
    "group_commit.read",
    "group_commit.written",
    "group_commit.committed",
    "hints.given",
    "feeder.read",
    "feeder.added",
    "feeder.marked",
    "mover.promoted",
    "consumer.popped",
    "consumer.done",
    "sweeper.read",
    "sweeper.done",
    "execute.in_flight_written",
    "execute.begun",
    "execute.admitted",
    "execute.locked",
    "execute.claimed",
    "execute.settled",
    "execute.explained",
    "execute.enqueued",
    "execute.recorded",
    "execute.committed",
    "execute.notified",
    "dispatch.read",
    "dispatch.begun",
    "dispatch.recorded",
    "dispatch.written",
    "dispatch.ended",
    "dispatch.claimed",
    "dispatch.sending",
    "dispatch.sent",
    "maintenance.checked",
    "heartbeat.written",
    "event_tailer.read",
];

/// Hits a failpoint. Fails only if a test has chosen that.
#[cfg(all(feature = "mutants", debug_assertions))]
pub async fn hit(name: &'static str) -> Result<(), StoreError> {
    choice::hit(name).await
}

/// Hits a failpoint. Fails only if a test has chosen that.
#[cfg(not(all(feature = "mutants", debug_assertions)))]
#[expect(clippy::unused_async, reason = "in builds for tests it may wait")]
pub async fn hit(_name: &'static str) -> Result<(), StoreError> {
    Ok(())
}

/// A point between two transactions, where no lock is held. A test that polls this future by hand
/// runs other code here or ends the process. Otherwise a no-op.
#[cfg_attr(
    not(all(feature = "mutants", debug_assertions)),
    expect(clippy::unused_async, reason = "in builds for tests it waits")
)]
pub async fn yield_point() {
    #[cfg(all(feature = "mutants", debug_assertions))]
    crate::mutant::gap().await;
}

/// A value that belongs to one task, such as a claim.
pub trait OfTask {
    /// Id of the task.
    fn task_id(&self) -> TaskId;
}

/// Hits a failpoint, unless the only claim is the canary.
pub async fn hit_for<T: OfTask>(claims: &[T], name: &'static str) -> Result<(), StoreError> {
    if claims.iter().all(|claim| claim.task_id() == CANARY_ID) { Ok(()) } else { hit(name).await }
}

#[cfg(all(feature = "mutants", debug_assertions))]
mod choice {
    use crate::StoreError;
    use std::{fs::File, io::ErrorKind, path::Path, sync::LazyLock, time::Duration};

    /// Longer than the time after which a node counts as dead, and than the timeout of a delivery
    /// attempt.
    const STALL: Duration = Duration::from_secs(40);

    static CHOSEN: LazyLock<Option<[String; 3]>> = LazyLock::new(from_environment);

    #[expect(clippy::disallowed_methods, reason = "no setting of the product: only builds for tests look")]
    fn from_environment() -> Option<[String; 3]> {
        let text = std::env::var("PRESSTIME_FAILPOINT").ok()?;
        let parts: Vec<String> = text.splitn(3, ':').map(str::to_owned).collect();
        let parts: Option<[String; 3]> = parts.try_into().ok();
        assert!(
            parts.as_ref().is_some_and(|[name, ..]| super::ALL.contains(&name.as_str())),
            "unknown failpoint: {text:?}"
        );
        parts
    }

    pub(super) async fn hit(name: &'static str) -> Result<(), StoreError> {
        let Some([chosen, action, file]) = CHOSEN.as_ref() else { return Ok(()) };
        if chosen != name || !Path::new(&format!("{file}.armed")).exists() {
            return Ok(());
        }
        match File::create_new(file) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
            Err(error) => panic!("{file}: {error}"),
        }
        match action.as_str() {
            "abort" => std::process::abort(),
            "panic" => panic!("chosen by a test"),
            "error" => Err(StoreError::Sql(sqlx::Error::WorkerCrashed)),
            "sleep" => {
                tokio::time::sleep(STALL).await;
                Ok(())
            }
            action => panic!("there is no action {action:?}"),
        }
    }
}
