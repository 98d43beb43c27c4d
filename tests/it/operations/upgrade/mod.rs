//! Upgrades: a checked backup is written before the first migration of a newer program.

mod full_disk;
mod golden;
mod kills;
mod rollback;

use crate::program::{Answer, Program};
use sqlx::{Connection as _, PgConnection, SqliteConnection, migrate::Migrator};
use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

/// Newest migration of the older release.
const OLD_STEP: i64 = 40;

async fn migrations(engine: &str) -> Migrator {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("migrations").join(engine);
    Migrator::new(folder.as_path()).await.unwrap()
}

fn account(id: &str) -> String {
    format!(
        "insert into account (id, email, name, role, time_zone, language, created_at)
         values ({id}, 'ann@desk.test', 'Ann', 'admin', 'UTC', 'en', 1)"
    )
}

/// Creates the database of an older release in the data folder `data`.
async fn create_old_sqlite(data: &Path) {
    fs::create_dir_all(data).unwrap();
    let url = format!("sqlite:{}?mode=rwc", data.join("presstime.db").display());
    let mut file = SqliteConnection::connect(&url).await.unwrap();
    migrations("sqlite").await.run_to(OLD_STEP, &mut file).await.unwrap();
    let account = account("x'00112233445566778899aabbccddeeff'");
    sqlx::raw_sql(sqlx::AssertSqlSafe(account)).execute(&mut file).await.unwrap();
    file.close().await.unwrap();
}

/// Creates the database of an older release in the empty database `url`.
async fn create_old_postgres(url: &str) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    migrations("postgres").await.run_to(OLD_STEP, &mut connection).await.unwrap();
    let account = account("'00112233-4455-6677-8899-aabbccddeeff'");
    sqlx::raw_sql(sqlx::AssertSqlSafe(account)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// The backups in a data folder.
fn backups(data: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(data.join("backups")) else { return Vec::new() };
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Newest migration of an SQLite file.
async fn step_of(file: &Path) -> i64 {
    let mut file = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    let step = sqlx::query_scalar("select max(version) from _sqlx_migrations").fetch_one(&mut file).await;
    file.close().await.unwrap();
    step.unwrap()
}

fn is_success(answer: &Answer) {
    assert_eq!(answer.code, 0, "{}{}", answer.out, answer.err);
}

/// Upgrades an old database and restores the backup that the upgrade wrote.
async fn check_upgrade(program: &Program, storage: &[&str]) {
    let upgraded = program.run(&[&["migrate"][..], storage].concat()).await;
    is_success(&upgraded);
    let written = backups(&program.data());
    let [file] = &written[..] else { panic!("{written:?}") };
    let name = file.file_name().unwrap().to_str().unwrap();
    let start = format!("before-{}-", env!("CARGO_PKG_VERSION"));
    assert!(name.starts_with(&start) && name.ends_with("Z.backup"), "{name}");
    assert!(upgraded.err.contains(name), "the log names the file: {}", upgraded.err);
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(step_of(file).await, OLD_STEP);
    // An up-to-date database needs no backup.
    is_success(&program.run(&[&["migrate"][..], storage].concat()).await);
    assert_eq!(backups(&program.data()), written);
    is_success(&program.run(&["restore", file.to_str().unwrap(), "--data", "copy"]).await);
    let list = program.run(&["user", "list", "--data", "copy"]).await;
    assert!(list.out.contains("ann@desk.test"), "{}", list.out);
}

#[tokio::test]
async fn a_newer_program_backs_up_an_sqlite_database_before_it_migrates() {
    let program = Program::new();
    create_old_sqlite(&program.data()).await;
    check_upgrade(&program, &[]).await;
}

#[tokio::test]
async fn a_newer_program_backs_up_a_postgresql_database_before_it_migrates() {
    let (program, postgres) = (Program::new(), test_support::postgres().await);
    let url = postgres.create_database();
    create_old_postgres(&url).await;
    check_upgrade(&program, &["--database-url", &url]).await;
}

/// Asks what the upgrade of an old database would do, then upgrades it.
async fn check_what_an_upgrade_would_do(program: &Program, storage: &[&str], sentence: &str) {
    let check = program.run(&[&["upgrade", "--check"][..], storage].concat()).await;
    is_success(&check);
    let first = format!("{}  imported events", OLD_STEP + 1);
    for words in ["## ", "schema step 40", &first, sentence, "account: 1 rows", "A backup of up to"] {
        assert!(check.out.contains(words), "{words}: {}", check.out);
    }
    assert!(!check.out.contains("Rehearsed"), "{}", check.out);
    let rehearse = [&["upgrade", "--check", "--rehearse"][..], storage].concat();
    let rehearsed = program.run(&rehearse).await;
    is_success(&rehearsed);
    assert!(rehearsed.out.contains("Rehearsed on a") && rehearsed.out.contains(sentence), "{rehearsed:?}");
    assert!(!program.data().join("rehearsal").exists());
    let check = program.run(&[&["upgrade", "--check"][..], storage].concat()).await;
    assert!(check.out.contains("schema step 40"), "the database is as before: {}", check.out);
    assert!(backups(&program.data()).is_empty(), "a check changes nothing");
    is_success(&program.run(&[&["upgrade"][..], storage].concat()).await);
    assert_eq!(backups(&program.data()).len(), 1);
    let check = program.run(&[&["upgrade", "--check"][..], storage].concat()).await;
    assert!(check.code == 0 && check.out.contains("nothing would be migrated"), "{check:?}");
    let rehearsed = program.run(&rehearse).await;
    assert!(rehearsed.code == 0 && !rehearsed.out.contains("Rehearsed"), "{rehearsed:?}");
}

#[tokio::test]
async fn a_rehearsal_finds_a_migration_that_would_fail() {
    let program = Program::new();
    create_old_sqlite(&program.data()).await;
    let file = program.data().join("presstime.db");
    let mut open = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    sqlx::raw_sql("create table imported_event (a text)").execute(&mut open).await.unwrap();
    open.close().await.unwrap();
    let failed = program.run(&["upgrade", "--check", "--rehearse"]).await;
    assert!(failed.code == 1 && failed.err.contains("imported_event"), "{failed:?}");
    assert!(failed.err.contains("already exists; the database was not changed"), "{failed:?}");
    failed.is_plain();
    assert!(!program.data().join("rehearsal").exists());
    assert_eq!(step_of(&file).await, OLD_STEP);
    assert_eq!(program.run(&["upgrade", "--rehearse"]).await.code, 2);
}

#[tokio::test]
async fn two_rehearsals_do_not_remove_the_copy_of_each_other() {
    let program = Program::new();
    create_old_sqlite(&program.data()).await;
    let copy = program.data().join("rehearsal");
    fs::create_dir(&copy).unwrap();
    let running = fs::File::open(program.data()).unwrap();
    running.lock().unwrap();
    let refused = program.run(&["upgrade", "--check", "--rehearse"]).await;
    assert!(refused.code == 1 && refused.err.contains("another rehearsal is running"), "{refused:?}");
    refused.is_plain();
    assert!(copy.exists());
    // Closing it would not be enough while another test starts a program, which has the file for a moment.
    running.unlock().unwrap();
    let rehearsed = program.run(&["upgrade", "--check", "--rehearse"]).await;
    assert!(rehearsed.code == 0 && rehearsed.out.contains("Rehearsed"), "{rehearsed:?}");
    assert!(!copy.exists(), "that of a process that was killed is removed");
}

#[tokio::test]
async fn a_check_names_steps_rows_and_changes_of_an_upgrade() {
    let (one, two, postgres) = (Program::new(), Program::new(), test_support::postgres().await);
    create_old_sqlite(&one.data()).await;
    check_what_an_upgrade_would_do(&one, &[], "Stop the previous program first").await;
    let url = postgres.create_database();
    create_old_postgres(&url).await;
    check_what_an_upgrade_would_do(&two, &["--database-url", &url], "can keep working meanwhile").await;
    let none = Program::new().run(&["upgrade", "--check"]).await;
    assert!(none.code == 1 && none.err.contains("there is no database at"), "{none:?}");
}

#[tokio::test]
async fn a_new_database_is_migrated_without_a_backup() {
    let program = Program::new();
    is_success(&program.run(&["migrate"]).await);
    assert!(!program.data().join("backups").exists());
}

#[tokio::test]
async fn nothing_is_migrated_without_a_backup() {
    let program = Program::new();
    create_old_sqlite(&program.data()).await;
    fs::write(program.data().join("backups"), "not a folder").unwrap();
    for command in [&["migrate"][..], &["serve", "--listen", "127.0.0.1:0"], &["user", "list"]] {
        let refused = program.run(command).await;
        assert_eq!(refused.code, 3, "{command:?}: {}{}", refused.out, refused.err);
        let sentence = "nothing was migrated";
        assert!(refused.err.contains(sentence) && refused.err.contains("--no-upgrade-backup"), "{refused:?}");
        refused.is_plain();
        assert_eq!(step_of(&program.data().join("presstime.db")).await, OLD_STEP);
    }
    is_success(&program.run(&["migrate", "--no-upgrade-backup"]).await);
    assert!(step_of(&program.data().join("presstime.db")).await > OLD_STEP);
    assert!(program.data().join("backups").is_file());
}

#[tokio::test]
async fn a_database_with_a_foreign_table_is_not_migrated() {
    let program = Program::new();
    create_old_sqlite(&program.data()).await;
    let file = program.data().join("presstime.db");
    let mut open = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    sqlx::raw_sql("create table extra (a text)").execute(&mut open).await.unwrap();
    open.close().await.unwrap();
    let refused = program.run(&["migrate"]).await;
    assert!(refused.code == 3 && refused.err.contains("extra"), "{refused:?}");
    refused.is_plain();
    assert_eq!((step_of(&file).await, backups(&program.data())), (OLD_STEP, Vec::new()));
}

#[tokio::test]
async fn a_database_with_secrets_of_another_key_is_not_migrated() {
    let program = Program::new();
    create_old_sqlite(&program.data()).await;
    let file = program.data().join("presstime.db");
    let mut open = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    let sealed = "insert into setting (name, value) values ('secret.key', 'wrapped:c2VhbGVk')";
    sqlx::raw_sql(sealed).execute(&mut open).await.unwrap();
    open.close().await.unwrap();
    for command in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["user", "list"],
        &["migrate"],
        &["upgrade"],
        &["upgrade", "--check"],
        &["buckets"],
        &["buckets", "4"],
        &["secrets", "rotate"],
    ] {
        let refused = program.run(command).await;
        assert!(refused.code == 1 && refused.err.contains("encrypted with another key"), "{refused:?}");
        refused.is_plain();
    }
    assert_eq!((step_of(&file).await, backups(&program.data())), (OLD_STEP, Vec::new()));
    assert!(!program.data().join("secret.key").exists(), "no new key was written");
}

#[tokio::test]
async fn two_servers_that_start_at_once_after_an_upgrade_both_work() {
    let (one, two, postgres) = (Program::new(), Program::new(), test_support::postgres().await);
    let url = postgres.create_database();
    create_old_postgres(&url).await;
    let storage = ["--database-url", url.as_str()];
    let (first, second) = tokio::join!(one.serve(&storage), two.serve(&storage));
    for serving in [first, second] {
        serving.client().get("/login").await.expect(200);
        assert_eq!(serving.end().await, 0);
    }
    assert_eq!(backups(&one.data()).len() + backups(&two.data()).len(), 1);

    create_old_sqlite(&two.folder().join("old")).await;
    let storage = ["--data", "old"];
    let (first, second) = tokio::join!(two.serve(&storage), two.serve(&storage));
    for serving in [first, second] {
        serving.client().get("/login").await.expect(200);
        assert_eq!(serving.end().await, 0);
    }
    assert_eq!(backups(&two.folder().join("old")).len(), 1);
}

#[tokio::test]
async fn one_of_two_programs_that_start_at_once_writes_the_backup() {
    let (program, postgres) = (Program::new(), test_support::postgres().await);
    let url = postgres.create_database();
    create_old_postgres(&url).await;
    let folders = ["one", "two"];
    let [one, two] = folders.map(|data| ["migrate", "--database-url", url.as_str(), "--data", data]);
    let (one, two) = tokio::join!(program.run(&one), program.run(&two));
    is_success(&one);
    is_success(&two);
    let written = folders.map(|data| backups(&program.folder().join(data)).len());
    assert_eq!(written.iter().sum::<usize>(), 1, "{written:?}");

    create_old_sqlite(&program.data()).await;
    let (one, two) = tokio::join!(program.run(&["migrate"]), program.run(&["migrate"]));
    is_success(&one);
    is_success(&two);
    assert_eq!(backups(&program.data()).len(), 1);
}
