//! Points between two steps of the work at which a test has the process die, err or stand still. In a release they are nothing.
//!
//! They exist only with the feature `mutants` in a build with debug assertions. `PRESSTIME_POINT=NAME:DEED:FILE` chooses one when
//! the process starts: at the first pass after FILE.armed is there FILE is written and the deed done (`abort`, `panic`, `error`,
//! `sleep`). Where FILE is there already nothing is done.

use crate::{StoreError, canary, execute::Claim};

/// All of them, in the order of a task's way. Those of execution are passed only with tasks of people.
pub const ALL: [&str; 38] = [
    "desk.begun",
    "desk.written",
    "desk.committed",
    "desk.told",
    "together.read",
    "together.written",
    "together.committed",
    "hints.given",
    "feeder.read",
    "feeder.added",
    "feeder.marked",
    "mover.promoted",
    "consumer.popped",
    "consumer.done",
    "sweeper.read",
    "sweeper.done",
    "execute.noted",
    "execute.begun",
    "execute.admitted",
    "execute.locked",
    "execute.taken",
    "execute.settled",
    "execute.explained",
    "execute.posted",
    "execute.booked",
    "execute.committed",
    "execute.told",
    "dispatch.read",
    "dispatch.begun",
    "dispatch.recorded",
    "dispatch.written",
    "dispatch.ended",
    "dispatch.claimed",
    "dispatch.sending",
    "dispatch.sent",
    "checker.checked",
    "roster.beaten",
    "tail.read",
];

/// Passes a point. An error only where a test has chosen that.
#[cfg(all(feature = "mutants", debug_assertions))]
pub async fn pass(name: &'static str) -> Result<(), StoreError> {
    choice::pass(name).await
}

/// Passes a point. An error only where a test has chosen that.
#[cfg(not(all(feature = "mutants", debug_assertions)))]
#[expect(clippy::unused_async, reason = "in builds for tests it may wait")]
pub async fn pass(_name: &'static str) -> Result<(), StoreError> {
    Ok(())
}

/// Between two transactions, where neither holds anything: a test that drives this by hand lets others act here, or has the process
/// die. Elsewhere it is nothing.
#[cfg_attr(
    not(all(feature = "mutants", debug_assertions)),
    expect(clippy::unused_async, reason = "in builds for tests it waits")
)]
pub async fn between() {
    #[cfg(all(feature = "mutants", debug_assertions))]
    crate::mutant::gap().await;
}

/// The same with these claims on their way: not passed with the engine's own task alone.
pub async fn pass_with(claims: &[Claim], name: &'static str) -> Result<(), StoreError> {
    if claims.iter().all(|claim| claim.task == canary::ID) { Ok(()) } else { pass(name).await }
}

#[cfg(all(feature = "mutants", debug_assertions))]
mod choice {
    use crate::StoreError;
    use std::{fs::File, io::ErrorKind, path::Path, sync::LazyLock, time::Duration};

    /// Longer than a lost node is waited for, and than an attempt to send may be held up.
    const STANDS_STILL: Duration = Duration::from_secs(40);

    static CHOSEN: LazyLock<Option<[String; 3]>> = LazyLock::new(from_environment);

    #[expect(clippy::disallowed_methods, reason = "no setting of the product: only builds for tests look")]
    fn from_environment() -> Option<[String; 3]> {
        let text = std::env::var("PRESSTIME_POINT").ok()?;
        let parts: Vec<String> = text.splitn(3, ':').map(str::to_owned).collect();
        let parts: Option<[String; 3]> = parts.try_into().ok();
        assert!(
            parts.as_ref().is_some_and(|[name, ..]| super::ALL.contains(&name.as_str())),
            "no point: {text:?}"
        );
        parts
    }

    pub(super) async fn pass(name: &'static str) -> Result<(), StoreError> {
        let Some([chosen, deed, file]) = CHOSEN.as_ref() else { return Ok(()) };
        if chosen != name || !Path::new(&format!("{file}.armed")).exists() {
            return Ok(());
        }
        match File::create_new(file) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
            Err(error) => panic!("{file}: {error}"),
        }
        match deed.as_str() {
            "abort" => std::process::abort(),
            "panic" => panic!("a test wants it so"),
            "error" => Err(StoreError::Sql(sqlx::Error::WorkerCrashed)),
            "sleep" => {
                tokio::time::sleep(STANDS_STILL).await;
                Ok(())
            }
            deed => panic!("there is no deed {deed:?}"),
        }
    }
}
