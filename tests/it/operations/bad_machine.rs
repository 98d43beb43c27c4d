//! A machine with a wrong clock, or with a data folder that cannot be written.

use crate::program::Program;
use domain::{Clock as _, clock::SystemClock};
use std::fs;
use test_support::{FakeSystemClock, SmallDisk};

/// The end of January 1970, in seconds.
const JANUARY_1970: i64 = 30 * 86_400;

#[tokio::test]
async fn a_clock_in_1970_is_reported_by_doctor_and_stops_nothing() {
    let (program, clock) = (Program::new(), FakeSystemClock::accurate());
    clock.set(JANUARY_1970 - SystemClock.now().millis() / 1_000);
    let environment = clock.environment();
    let environment: Vec<(&str, &str)> =
        environment.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let doctor = program.run_with(&["doctor", "--listen", "127.0.0.1:0"], &environment, "").await;
    let line = doctor.out.lines().find(|line| line.starts_with("fail  clock"));
    assert!(
        line.is_some_and(|line| line.contains("says 1970-01-") && line.contains("set the clock")),
        "{doctor:?}"
    );
    assert_eq!(doctor.code, 1);
    let migrated = program.run_with(&["migrate"], &environment, "").await;
    assert_eq!(migrated.code, 0, "{}", migrated.err);
    // The clock is right again.
    assert_eq!(program.serve(&[]).await.end().await, 0);
}

#[tokio::test]
async fn a_data_folder_that_is_read_only_is_named_with_advice() {
    let program = Program::new();
    let disk = match SmallDisk::mount(&program.data(), 24) {
        Ok(disk) => disk,
        Err(reason) => return eprintln!("NOT RUN: a read-only data folder: {reason}"),
    };
    assert_eq!(program.run(&["migrate"]).await.code, 0);
    let file = program.data().join("presstime.db");
    let before = fs::read(&file).unwrap();
    disk.set_read_only(true);
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["migrate"]] {
        let refused = program.run(command).await;
        assert_eq!(refused.code, 1, "{command:?}: {}{}", refused.out, refused.err);
        assert!(refused.err.contains("data folder") && refused.err.contains("--data"), "{}", refused.err);
        refused.is_plain();
    }
    let doctor = program.run(&["doctor", "--listen", "127.0.0.1:0"]).await;
    assert!(doctor.code == 1 && doctor.out.contains("fail  folder"), "{}", doctor.out);
    disk.set_read_only(false);
    assert!(fs::read(&file).unwrap() == before, "nothing was changed");
    assert_eq!(program.serve(&[]).await.end().await, 0);
}
