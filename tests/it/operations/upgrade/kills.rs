//! Kills at random times of an upgrade and of a rollback: there is the old or the new state, and the same command
//! completes it.

use super::{
    OLD_STEP, backups, create_old_postgres, create_old_sqlite, is_success,
    rollback::{back_up_before_upgrade, make_newer},
    step_of,
};
use crate::{program::Program, simulation::rng::Rng};
use sqlx::{Connection as _, PgConnection};
use std::{
    process::Command,
    time::{Duration, Instant},
};

/// Number of kills of each.
const KILLS: usize = 6;
/// Schema step of the newer release of [`make_newer`].
const NEWER_STEP: i64 = 99_990_101;

/// Random times within this one.
fn times(whole: Duration, seed: u64) -> Vec<Duration> {
    let (rng, micros) = (Rng::new(seed), usize::try_from(whole.as_micros()).unwrap());
    (0..KILLS).map(|_| Duration::from_micros(u64::try_from(rng.below(micros)).unwrap())).collect()
}

#[tokio::test]
async fn a_killed_upgrade_of_sqlite_leaves_the_old_or_the_new_schema() {
    let whole = Program::new();
    create_old_sqlite(&whole.data()).await;
    let began = Instant::now();
    is_success(&whole.run(&["migrate"]).await);
    let (took, newest) = (began.elapsed(), step_of(&whole.data().join("presstime.db")).await);
    for time in times(took, 1) {
        let program = Program::new();
        create_old_sqlite(&program.data()).await;
        program.kill_after(&["migrate"], time).await;
        let file = program.data().join("presstime.db");
        let step = step_of(&file).await;
        assert!(step == OLD_STEP || step == newest, "step {step} after {time:?}");
        is_success(&program.run(&["migrate"]).await);
        assert_eq!(step_of(&file).await, newest);
        let is_complete = |file: &std::path::PathBuf| file.to_string_lossy().ends_with(".backup");
        assert!(backups(&program.data()).iter().any(is_complete), "killed after {time:?}");
    }
}

#[tokio::test]
async fn a_killed_upgrade_of_postgresql_is_completed_by_the_next_start() {
    let postgres = test_support::postgres().await;
    let whole = Program::new();
    let url = postgres.create_database();
    create_old_postgres(&url).await;
    let began = Instant::now();
    is_success(&whole.run(&["migrate", "--database-url", &url]).await);
    let (took, newest) = (began.elapsed(), step_of_postgres(&url).await);
    for time in times(took, 2) {
        let (program, url) = (Program::new(), postgres.create_database());
        create_old_postgres(&url).await;
        let migrate = ["migrate", "--database-url", url.as_str()];
        program.kill_after(&migrate, time).await;
        let step = step_of_postgres(&url).await;
        assert!((OLD_STEP..=newest).contains(&step), "step {step} after {time:?}");
        is_success(&program.run(&migrate).await);
        assert_eq!(step_of_postgres(&url).await, newest);
    }
}

async fn step_of_postgres(url: &str) -> i64 {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let newest = sqlx::query_scalar("select max(version) from _sqlx_migrations");
    let step: i64 = newest.fetch_one(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    step
}

#[tokio::test]
async fn a_killed_rollback_leaves_the_newer_or_the_restored_database() {
    let original = Program::new();
    back_up_before_upgrade(&original, &[]).await;
    make_newer(&original.data().join("presstime.db")).await;
    let copied = || {
        let program = Program::new();
        let copy = Command::new("cp").arg("-r").arg("-p").arg(original.data()).arg(program.data()).status();
        assert!(copy.unwrap().success(), "cp");
        program
    };
    let (whole, began) = (copied(), Instant::now());
    is_success(&whole.run(&["rollback", "--yes"]).await);
    let (took, restored) = (began.elapsed(), step_of(&whole.data().join("presstime.db")).await);
    for time in times(took, 3) {
        let program = copied();
        program.kill_after(&["rollback", "--yes"], time).await;
        let step = step_of(&program.data().join("presstime.db")).await;
        assert!(step == NEWER_STEP || step == restored, "step {step} after {time:?}");
        if step == NEWER_STEP {
            is_success(&program.run(&["rollback", "--yes"]).await);
        }
        let list = program.run(&["user", "list"]).await;
        assert!(list.out.contains("ann@desk.test") && !list.out.contains("bob@desk.test"), "{list:?}");
    }
}
