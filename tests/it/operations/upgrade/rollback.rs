//! The older program goes back to the backup that the newer one wrote before its upgrade.

use super::{create_old_sqlite, is_success, step_of};
use crate::{http_client::HttpClient, program::Program};
use sqlx::{Connection as _, SqliteConnection};
use std::{
    fs,
    path::{Path, PathBuf},
};

const NEWER_STEP: &str =
    "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
     values (99990101, 'tomorrow', true, '', 0)";
const NEWER_TABLE: &str = "create table tomorrow (words text)";
const PASSWORD: &str = "a good long word\n";

/// Writes the backup that a newer release would write before its upgrade, then adds an account.
pub(super) async fn back_up_before_upgrade(program: &Program, storage: &[&str]) -> String {
    let token = program.admin(storage).await;
    let folder = program.data().join("backups");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("before-9.9.9-20260101T000000000Z.backup");
    is_success(&program.run(&[&["backup", file.to_str().unwrap()][..], storage].concat()).await);
    // A newer file, but not of this schema; and one that is no backup.
    let older = program.folder().join("older");
    create_old_sqlite(&older).await;
    fs::copy(older.join("presstime.db"), folder.join("before-0.0.1-20270101T000000000Z.backup")).unwrap();
    fs::write(folder.join("before-0.0.2-20270101T000000000Z.backup"), "words").unwrap();
    let add = ["user", "add", "--email", "bob@desk.test", "--name", "Bob", "--role", "admin"];
    let add = [&add[..], &["--password-stdin"], storage].concat();
    is_success(&program.run_with(&add, &[], PASSWORD).await);
    token
}

/// Turns an SQLite file into that of a newer release.
pub(super) async fn make_newer(file: &Path) {
    let mut open = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    for sql in [NEWER_STEP, NEWER_TABLE] {
        sqlx::raw_sql(sql).execute(&mut open).await.unwrap();
    }
    open.close().await.unwrap();
}

/// Asserts that nothing happens without a confirmation, and that the loss is shown.
async fn is_asked(program: &Program, rollback: &[&str]) {
    let asked = program.run(rollback).await;
    assert!(asked.code == 1 && asked.err.contains("--yes"), "{asked:?}");
    assert!(asked.out.contains("account: 2 rows now, 1 in the backup"), "{}", asked.out);
    assert!(asked.out.contains("before-9.9.9-20260101T000000000Z.backup"), "{}", asked.out);
    asked.is_plain();
}

#[tokio::test]
async fn an_older_program_goes_back_to_the_sqlite_backup_before_the_upgrade() {
    let program = Program::new();
    let token = back_up_before_upgrade(&program, &[]).await;
    let none = program.run(&["rollback", "--yes"]).await;
    assert!(none.code == 1 && none.err.contains("nothing to go back from"), "{none:?}");
    let file = program.data().join("presstime.db");
    make_newer(&file).await;
    let refused = program.run(&["migrate"]).await;
    assert!(refused.code == 1 && refused.err.contains("presstime rollback"), "{refused:?}");
    is_asked(&program, &["rollback"]).await;
    assert_eq!(step_of(&file).await, 99_990_101);

    let back = program.run(&["rollback", "--yes"]).await;
    is_success(&back);
    assert!(back.out.contains("1 accounts"), "{}", back.out);
    let files = fs::read_dir(program.data()).unwrap().map(|entry| entry.unwrap().path());
    let kept: Vec<PathBuf> =
        files.filter(|file| file.to_string_lossy().contains("presstime.db.newer-")).collect();
    let [kept] = &kept[..] else { panic!("{kept:?}") };
    assert_eq!(step_of(kept).await, 99_990_101);
    assert!(!program.data().join("presstime.db.rollback").exists());
    let list = program.run(&["user", "list"]).await;
    assert!(list.out.contains("ann@desk.test") && !list.out.contains("bob@desk.test"), "{}", list.out);
    let serving = program.serve(&[]).await;
    let caller = HttpClient { token: Some(token), ..serving.client() };
    assert!(caller.get("/api/v1/stats").await.expect(200)["held_since"].is_string());
    assert_eq!(serving.end().await, 0);
}

#[tokio::test]
async fn the_key_of_a_backup_from_before_a_rotation_is_found() {
    let (program, other) = (Program::new(), Program::new());
    // The first start makes the key.
    assert_eq!(program.serve(&[]).await.end().await, 0);
    back_up_before_upgrade(&program, &[]).await;
    let [key, former, newer] =
        ["secret.key", "secret.key.former-1", "secret.key.former-2"].map(|name| program.data().join(name));
    let first = fs::read_to_string(&key).unwrap();
    is_success(&program.run(&["secrets", "rotate"]).await);
    let second = fs::read_to_string(&key).unwrap();
    fs::create_dir_all(other.data()).unwrap();
    for file in [&key, &former] {
        fs::copy(file, other.data().join(file.file_name().unwrap())).unwrap();
    }

    make_newer(&program.data().join("presstime.db")).await;
    let back = program.run(&["rollback", "--yes"]).await;
    is_success(&back);
    assert!(back.out.contains("secret.key.former-1"), "{}", back.out);
    assert_eq!(program.serve(&[]).await.end().await, 0);
    let texts = [&key, &former, &newer].map(|file| fs::read_to_string(file).unwrap());
    assert_eq!(texts, [first.clone(), first.clone(), second]);

    let backup = program.data().join("backups/before-9.9.9-20260101T000000000Z.backup");
    let restored = other.run(&["restore", backup.to_str().unwrap()]).await;
    is_success(&restored);
    assert!(restored.out.contains("secret.key.former-1"), "{}", restored.out);
    assert_eq!(other.serve(&[]).await.end().await, 0);
    assert_eq!(fs::read_to_string(other.data().join("secret.key")).unwrap(), first);
}

#[tokio::test]
async fn a_table_that_the_newer_release_removed_does_not_prevent_a_rollback() {
    let program = Program::new();
    back_up_before_upgrade(&program, &[]).await;
    let file = program.data().join("presstime.db");
    make_newer(&file).await;
    let mut open = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    sqlx::raw_sql("drop table saved_view").execute(&mut open).await.unwrap();
    open.close().await.unwrap();
    let back = program.run(&["rollback", "--yes"]).await;
    is_success(&back);
    assert!(back.out.contains("cannot be compared") && back.out.contains("1 accounts"), "{}", back.out);
}

#[tokio::test]
async fn a_rollback_that_cannot_keep_the_newer_database_changes_nothing() {
    let program = Program::new();
    // With the ending of the newer one it is longer than a name may be.
    let file = program.folder().join(format!("{}.db", "d".repeat(232)));
    let url = format!("sqlite:{}", file.display());
    let storage = ["--database-url", url.as_str()];
    back_up_before_upgrade(&program, &storage).await;
    make_newer(&file).await;
    let failed = program.run(&[&["rollback", "--yes"][..], &storage].concat()).await;
    assert!(failed.code == 1 && failed.err.contains("cannot be replaced"), "{failed:?}");
    failed.is_plain();
    assert_eq!(step_of(&file).await, 99_990_101);
    let names = fs::read_dir(program.folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    assert!(!left.iter().any(|name| name.contains(".rollback") || name.contains(".newer")), "{left:?}");
}

#[tokio::test]
async fn a_rollback_on_postgresql_restores_into_another_database() {
    let (program, postgres) = (Program::new(), test_support::postgres().await);
    let (newer, empty) = (postgres.create_database(), postgres.create_database());
    let storage = ["--database-url", newer.as_str()];
    back_up_before_upgrade(&program, &storage).await;
    let name = newer.rsplit('/').next().unwrap();
    for sql in [NEWER_STEP, NEWER_TABLE] {
        postgres.sql(name, sql);
    }
    let nowhere = program.run(&[&["rollback", "--yes"][..], &storage].concat()).await;
    assert!(nowhere.code == 2 && nowhere.err.contains("--into"), "{nowhere:?}");
    let rollback = [&["rollback", "--into", empty.as_str()][..], &storage].concat();
    is_asked(&program, &rollback).await;
    is_success(&program.run(&[&rollback[..], &["--yes"]].concat()).await);
    let list = program.run(&["user", "list", "--database-url", &empty]).await;
    assert!(list.out.contains("ann@desk.test") && !list.out.contains("bob@desk.test"), "{}", list.out);
    let again = program.run(&[&rollback[..], &["--yes"]].concat()).await;
    assert!(again.code == 1 && again.err.contains("not empty"), "{again:?}");
    let unchanged = program.run(&[&["migrate"][..], &storage].concat()).await;
    assert!(unchanged.code == 1 && unchanged.err.contains("presstime rollback"), "{unchanged:?}");
}

#[tokio::test]
async fn a_rollback_is_refused_without_a_backup_and_while_a_node_runs() {
    let program = Program::new();
    let serving = program.serve(&[]).await;
    // A ready server has sent its heartbeat.
    serving.client().get("/readyz").await.expect(200);
    let file = program.data().join("presstime.db");
    make_newer(&file).await;
    let running = program.run(&["rollback", "--yes"]).await;
    assert!(running.code == 1 && running.err.contains("is running on this database"), "{running:?}");
    assert_eq!(serving.end().await, 0);
    let missing = program.run(&["rollback", "--yes"]).await;
    assert!(missing.code == 1 && missing.err.contains("there is no backup of schema step"), "{missing:?}");
    let into = program.run(&["rollback", "--into", "postgres://127.0.0.1:1/new"]).await;
    assert!(into.code == 2 && into.err.contains("--into"), "{into:?}");
    for answer in [running, missing, into] {
        answer.is_plain();
    }
    assert_eq!(step_of(&file).await, 99_990_101);
}
