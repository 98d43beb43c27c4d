//! Backups that somebody changed: nothing of them is restored, and nothing else happens.

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

/// A desk and a backup of it, changed.
async fn crafted(statements: &[&str]) -> Program {
    let program = Program::new();
    program.admin(&[]).await;
    let backup = program.run(&["backup", "desk.backup"]).await;
    assert_eq!(backup.code, 0, "{}", backup.err);
    change(&program.folder().join("desk.backup"), statements).await;
    program
}

/// Tries to restore it, into SQLite and into PostgreSQL. It is refused with a sentence in which `word` stands.
async fn is_refused(statements: &[&str], word: &str) {
    let program = crafted(statements).await;
    let postgres = rig::postgres().await;
    let url = postgres.fresh_database();
    for place in [["--data", "new"], ["--database-url", &url]] {
        let restore = [&["restore", "desk.backup"][..], &place].concat();
        let restoring = program.run(&restore);
        let answer = tokio::time::timeout(Duration::from_secs(60), restoring).await.expect("it ends soon");
        assert_eq!(answer.code, 1, "{statements:?}: {}", answer.out);
        assert!(answer.err.contains(word), "{statements:?}: {}", answer.err);
        answer.is_plain();
        let list = program.run(&[&["user", "list"][..], &place].concat()).await;
        assert_eq!((list.code, list.out.as_str()), (0, ""), "nothing came in: {}", list.err);
    }
    assert!(!program.folder().join("elsewhere.db").exists(), "a file was written elsewhere");
}

#[tokio::test]
async fn names_of_columns_are_not_sql() {
    let column =
        r#"create table kind_limit ("1) from kind_limit; vacuum into 'elsewhere.db'; --" text, kind text)"#;
    let row = "insert into kind_limit values ('a', 'b')";
    is_refused(&["drop table kind_limit", column, row], "kind_limit").await;
}

#[tokio::test]
async fn a_view_with_endless_rows_is_no_table() {
    let view = "create view promise_sheet as with recursive n (i) as (select 1 union all select i + 1 from n)
                select i as id, i as since, i as audited_until, null as audited_at, 0 as audited_seq, 0 as turned_until,
                       0 as turned_seq, 0 as audited, 0 as lost, 0 as early, 0 as twice, 0 as blind, null as blind_at,
                       0 as longest_ms from n";
    is_refused(&["drop table promise_sheet", view], "promise_sheet").await;
    let steps = "create view _sqlx_migrations as with recursive n (version) as (select 1 union all select version from n)
                 select version from n";
    is_refused(&["drop table _sqlx_migrations", steps], "not a backup").await;
}

#[tokio::test]
async fn what_presstime_does_not_make_is_refused_by_its_name() {
    for (statement, word) in [
        ("create table extra (a text)", "extra"),
        ("create index extra on task (hex(zeroblob(due_at)))", "extra"),
        ("create trigger extra after insert on setting begin delete from person; end", "extra"),
        ("create virtual table extra using fts5 (a)", "extra"),
        ("alter table article add column extra text", "article"),
        ("alter table article add column extra text as (upper(title)) virtual", "article"),
        ("alter table article rename column title to headline", "article"),
        ("drop table token", "token"),
    ] {
        is_refused(&[statement], word).await;
    }
    let other =
        "create trigger event_is_final before update on event begin select hex(randomblob(1000000000)); end";
    is_refused(&["drop trigger event_is_final", other], "event_is_final").await;
    let virtual_one = "create virtual table kind_limit using fts5 (kind, at_once, version)";
    is_refused(&["drop table kind_limit", virtual_one], "kind_limit").await;
}

#[tokio::test]
async fn junk_in_the_schema_is_no_backup() {
    let junk = "insert into sqlite_schema (type, name, tbl_name, rootpage, sql) values ('table', 'junk', 'junk', 0, 'junk')";
    is_refused(&["pragma writable_schema = on", junk], "not a backup").await;
}

#[tokio::test]
async fn values_that_are_too_large_or_of_another_type_are_damage() {
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
async fn rows_that_name_others_which_are_missing_are_not_restored() {
    let program = crafted(&["pragma foreign_keys = off", "delete from person"]).await;
    let answer = program.run(&["restore", "desk.backup", "--data", "new"]).await;
    assert_eq!(answer.code, 1, "{}", answer.out);
    assert!(answer.err.contains("missing"), "{}", answer.err);
    answer.is_plain();
}

#[tokio::test]
async fn a_file_cut_or_overwritten_in_its_middle_is_refused() {
    let program = crafted(&[]).await;
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
