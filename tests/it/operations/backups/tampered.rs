//! Tampered backups: nothing of them is restored, and nothing else happens.

use crate::program::Program;
use sqlx::{Connection as _, SqliteConnection};
use std::{fs, path::Path, time::Duration};

/// Changes a backup with SQL.
async fn change(file: &Path, statements: &[&str]) {
    let mut open = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    for sql in statements {
        let sql = sqlx::AssertSqlSafe((*sql).to_owned());
        sqlx::raw_sql(sql).execute(&mut open).await.unwrap_or_else(|why| panic!("{why}"));
    }
    open.close().await.unwrap();
}

/// A program with a tampered backup.
async fn tampered_backup(statements: &[&str]) -> Program {
    let program = Program::new();
    program.admin(&[]).await;
    let backup = program.run(&["backup", "desk.backup"]).await;
    assert_eq!(backup.code, 0, "{}", backup.err);
    change(&program.folder().join("desk.backup"), statements).await;
    program
}

/// Asserts that restoring it, into SQLite and into PostgreSQL, is refused with a message that
/// contains `word`.
async fn is_refused(statements: &[&str], word: &str) {
    let program = tampered_backup(statements).await;
    let postgres = test_support::postgres().await;
    let url = postgres.create_database();
    for storage in [["--data", "new"], ["--database-url", &url]] {
        let restore = [&["restore", "desk.backup"][..], &storage].concat();
        let restoring = program.run(&restore);
        let answer = tokio::time::timeout(Duration::from_secs(60), restoring).await.expect("it ends soon");
        assert_eq!(answer.code, 1, "{statements:?}: {}", answer.out);
        assert!(answer.err.contains(word), "{statements:?}: {}", answer.err);
        answer.is_plain();
        let list = program.run(&[&["user", "list"][..], &storage].concat()).await;
        assert_eq!((list.code, list.out.as_str()), (0, ""), "nothing was restored: {}", list.err);
    }
    assert!(!program.folder().join("elsewhere.db").exists(), "a file was written elsewhere");
}

#[tokio::test]
async fn column_names_are_not_run_as_sql() {
    let column =
        r#"create table kind_limit ("1) from kind_limit; vacuum into 'elsewhere.db'; --" text, kind text)"#;
    let row = "insert into kind_limit values ('a', 'b')";
    is_refused(&["drop table kind_limit", column, row], "kind_limit").await;
}

#[tokio::test]
async fn a_view_with_endless_rows_is_refused() {
    let view = "create view audit_summary as with recursive n (i) as (select 1 union all select i + 1 from n)
                select i as id, i as since, i as audited_until, null as audited_at, 0 as audited_seq,
                       0 as clock_rewind_until, 0 as clock_rewind_seq, 0 as audited, 0 as lost, 0 as early,
                       0 as duplicates, 0 as unmonitored_gaps, null as last_gap_at, 0 as longest_gap_ms from n";
    is_refused(&["drop table audit_summary", view], "audit_summary").await;
    let steps = "create view _sqlx_migrations as with recursive n (version) as (select 1 union all select version from n)
                 select version from n";
    is_refused(&["drop table _sqlx_migrations", steps], "not a backup").await;
}

#[tokio::test]
async fn a_backup_of_a_newer_release_is_refused() {
    let step = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
                values (99990101, 'tomorrow', true, x'', 0)";
    is_refused(&[step], "the backup is newer than this program").await;
    is_refused(&[step, "create table tomorrow (words text)"], "use the newer program").await;
}

#[tokio::test]
async fn a_database_of_another_program_is_refused() {
    let program = Program::new();
    let file = program.folder().join("other.backup");
    let url = format!("sqlite:{}?mode=rwc", file.display());
    SqliteConnection::connect(&url).await.unwrap().close().await.unwrap();
    let steps =
        "create table _sqlx_migrations (version bigint primary key); insert into _sqlx_migrations values (1)";
    for (statement, word) in [("create table post (title text)", "not a backup"), (steps, "\"post\"")] {
        change(&file, &[statement]).await;
        let answer = program.run(&["restore", "other.backup"]).await;
        assert!(answer.code == 1 && answer.err.contains(word), "{answer:?}");
        answer.is_plain();
    }
    let list = program.run(&["user", "list"]).await;
    assert_eq!((list.code, list.out.as_str()), (0, ""), "{}", list.err);
}

#[tokio::test]
async fn unknown_schema_objects_are_refused_by_name() {
    for (statement, word) in [
        ("create table extra (a text)", "extra"),
        ("create index extra on task (hex(zeroblob(due_at)))", "extra"),
        ("create trigger extra after insert on setting begin delete from account; end", "extra"),
        ("create virtual table extra using fts5 (a)", "extra"),
        ("alter table article add column extra text", "article"),
        ("alter table article add column extra text as (upper(title)) virtual", "article"),
        ("alter table article rename column title to headline", "article"),
        ("drop table token", "token"),
    ] {
        is_refused(&[statement], word).await;
    }
    let other = "create trigger event_append_only before update on event begin select hex(randomblob(1000000000)); end";
    is_refused(&["drop trigger event_append_only", other], "event_append_only").await;
    let virtual_one = "create virtual table kind_limit using fts5 (kind, max_concurrency, version)";
    is_refused(&["drop table kind_limit", virtual_one], "kind_limit").await;
}

#[tokio::test]
async fn junk_in_the_schema_is_refused() {
    let junk = "insert into sqlite_schema (type, name, tbl_name, rootpage, sql) values ('table', 'junk', 'junk', 0, 'junk')";
    is_refused(&["pragma writable_schema = on", junk], "not a backup").await;
}

#[tokio::test]
async fn values_of_wrong_size_or_type_are_refused() {
    let large = "insert into setting values ('large', hex(zeroblob(3000000)))";
    is_refused(&[large], "setting").await;
    let event = "insert into event (at, actor, entity, entity_id, verb) values (1, 'x', 'article', zeroblob(50000000), 'x')";
    is_refused(&[event], "event").await;
    let lax = "update sqlite_schema set sql = replace(sql, ') strict', ')       ') where name = 'setting'";
    let strict = "update sqlite_schema set sql = replace(sql, ')       ', ') strict') where name = 'setting'";
    let reset = "pragma schema_version = 10001";
    let blob = "insert into setting values ('blob', x'c3')";
    is_refused(
        &[
            "pragma writable_schema = on",
            lax,
            reset,
            "pragma writable_schema = reset",
            blob,
            "pragma writable_schema = on",
            strict,
            "pragma schema_version = 10002",
        ],
        "setting",
    )
    .await;
}

#[tokio::test]
async fn rows_with_missing_references_are_refused() {
    let program = tampered_backup(&["pragma foreign_keys = off", "delete from account"]).await;
    let answer = program.run(&["restore", "desk.backup", "--data", "new"]).await;
    assert_eq!(answer.code, 1, "{}", answer.out);
    assert!(answer.err.contains("missing"), "{}", answer.err);
    answer.is_plain();
}

#[tokio::test]
async fn a_truncated_or_overwritten_file_is_refused() {
    let program = tampered_backup(&[]).await;
    let file = program.folder().join("desk.backup");
    let whole = fs::read(&file).unwrap();
    let mut overwritten = whole.clone();
    let middle = whole.len() / 2;
    overwritten[middle..].fill(0xa5);
    for bytes in [&whole[..middle], &overwritten] {
        fs::write(&file, bytes).unwrap();
        let answer = program.run(&["restore", "desk.backup", "--data", "new"]).await;
        assert_eq!(answer.code, 1, "{}", answer.out);
        answer.is_plain();
    }
    fs::write(&file, whole).unwrap();
    assert_eq!(program.run(&["restore", "desk.backup", "--data", "new"]).await.code, 0);
}

#[tokio::test]
async fn the_tables_of_litestream_are_left_out() {
    let tables = [
        "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
        "CREATE TABLE _litestream_lock (id INTEGER)",
        "insert into _litestream_seq values (1, 7)",
    ];
    let program = tampered_backup(&tables).await;
    let restored = program.run(&["restore", "desk.backup", "--data", "new"]).await;
    assert!(restored.code == 0 && restored.out.contains("1 accounts"), "{restored:?}");
    let again = program.run(&["backup", "again.backup", "--data", "new"]).await;
    assert_eq!(again.code, 0, "{}", again.err);
    is_refused(&["CREATE TABLE _litestream_lock (id TEXT)"], "_litestream_lock").await;
    is_refused(&["create view _litestream_seq as select 1 as id"], "_litestream_seq").await;
}
