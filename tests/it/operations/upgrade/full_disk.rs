//! The disk is full in the middle of a backup, a migration and a rollback: before = after, and the same command
//! works when there is space.

use super::{
    OLD_STEP, create_old_sqlite, is_success,
    rollback::{back_up_before_upgrade, make_newer},
    step_of,
};
use crate::program::{Answer, Program};
use std::{fs, path::Path};
use test_support::SmallDisk;

/// Size of the disk, MiB.
const DISK_MIB: u32 = 24;
/// Space that is left, bytes: the work begins, and cannot be completed.
const LEFT_BYTES: u64 = 128 << 10;

/// Mounts a small disk; `None`: only root can do that.
fn mount(folder: &Path) -> Option<SmallDisk> {
    let disk = SmallDisk::mount(folder, DISK_MIB);
    disk.inspect_err(|reason| eprintln!("NOT RUN: a full disk: {reason}")).ok()
}

/// Asserts that it failed with a sentence about the disk.
fn is_full(answer: &Answer) {
    assert_eq!(answer.code, 1, "{answer:?}");
    assert!(answer.err.contains("full") || answer.err.contains("space"), "{}", answer.err);
    answer.is_plain();
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_full_disk_in_a_backup_leaves_no_file() {
    let program = Program::new();
    program.admin(&[]).await;
    let small = program.folder().join("small");
    let Some(disk) = mount(&small) else { return };
    let file = small.join("desk.backup");
    disk.fill(LEFT_BYTES);
    let failed = program.run(&["backup", file.to_str().unwrap()]).await;
    is_full(&failed);
    assert_eq!(names(&small), ["ballast"]);
    disk.free_space();
    is_success(&program.run(&["backup", file.to_str().unwrap()]).await);
    assert_eq!(names(&small), ["desk.backup"]);
}

#[tokio::test]
async fn a_full_disk_in_a_migration_changes_nothing() {
    let program = Program::new();
    let Some(disk) = mount(&program.data()) else { return };
    create_old_sqlite(&program.data()).await;
    disk.fill(LEFT_BYTES);
    let without_backup = program.run(&["migrate"]).await;
    assert_eq!(without_backup.code, 3, "{without_backup:?}");
    assert!(without_backup.err.contains("nothing was migrated"), "{}", without_backup.err);
    is_full(&program.run(&["migrate", "--no-upgrade-backup"]).await);
    disk.free_space();
    let file = program.data().join("presstime.db");
    assert_eq!(step_of(&file).await, OLD_STEP);
    is_success(&program.run(&["migrate"]).await);
    assert!(step_of(&file).await > OLD_STEP);
    assert_eq!(program.serve(&[]).await.end().await, 0);
}

#[tokio::test]
async fn a_full_disk_in_a_rollback_changes_nothing() {
    let program = Program::new();
    let Some(disk) = mount(&program.data()) else { return };
    back_up_before_upgrade(&program, &[]).await;
    let file = program.data().join("presstime.db");
    make_newer(&file).await;
    disk.fill(LEFT_BYTES);
    is_full(&program.run(&["rollback", "--yes"]).await);
    disk.free_space();
    let left = names(&program.data());
    assert!(!left.iter().any(|name| name.contains("rollback") || name.contains("newer")), "{left:?}");
    assert_eq!(step_of(&file).await, 99_990_101);
    is_success(&program.run(&["rollback", "--yes"]).await);
    assert_eq!(program.serve(&[]).await.end().await, 0);
}
