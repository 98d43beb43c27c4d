//! Golden databases of earlier releases (`tests/golden`): an upgrade keeps every row, the audit agrees,
//! and the backup that the upgrade wrote is restored.

use super::{backups, is_success, migrations};
use crate::program::Program;
use domain::Timestamp;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, SqliteConnection};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use store::{
    Options, PoolRole, Store,
    audit::{self, Audit, AuditSpan},
};

/// Tables that triggers and loops fill.
const DERIVED: [&str; 6] =
    ["_sqlx_migrations", "target", "rendered", "in_flight", "search_entry", "search_state"];
/// Tables that a restore changes or leaves out.
const NOT_RESTORED: [&str; 13] = [
    "announcement_position",
    "backup_problem",
    "backup_run",
    "invitation",
    "link_answer",
    "login_rate_limit",
    "media_lock",
    "node",
    "pending_log_in",
    "presence",
    "review_link",
    "session",
    "signal_rate",
];

/// The database of a release.
struct Golden {
    /// Its newest migration.
    step: i64,
    tables: Vec<Table>,
}

/// A table with its rows, a JSON array of objects.
struct Table {
    name: String,
    columns: Vec<String>,
    rows: Value,
}

/// The rows of each table as texts, in order.
type Rows = BTreeMap<String, Vec<String>>;

fn read_all() -> Vec<Golden> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let all: Vec<Golden> = files.map(|path| read(&path)).collect();
    assert!(!all.is_empty());
    all
}

fn read(path: &Path) -> Golden {
    let step = path.file_stem().unwrap().to_str().unwrap().parse().unwrap();
    let tables: Vec<Value> = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let table = |table: Value| {
        let mut columns: Vec<String> = table["rows"][0].as_object().unwrap().keys().cloned().collect();
        columns.sort();
        Table { name: table["table"].as_str().unwrap().to_owned(), columns, rows: table["rows"].clone() }
    };
    Golden { step, tables: tables.into_iter().map(table).collect() }
}

fn quoted(columns: &[String]) -> String {
    columns.iter().map(|column| format!("\"{column}\"")).collect::<Vec<_>>().join(", ")
}

/// Returns the columns of a table of an SQLite file, with their types.
async fn types(file: &mut SqliteConnection, table: &str) -> BTreeMap<String, String> {
    let rows: Vec<(String, String)> = sqlx::query_as("select name, lower(type) from pragma_table_info($1)")
        .bind(table)
        .fetch_all(file)
        .await
        .unwrap();
    rows.into_iter().collect()
}

/// Creates the database in the data folder `data`.
async fn create_sqlite(golden: &Golden, data: &Path) {
    fs::create_dir_all(data).unwrap();
    let url = format!("sqlite:{}?mode=rwc", data.join("presstime.db").display());
    let mut file = SqliteConnection::connect(&url).await.unwrap();
    migrations("sqlite").await.run_to(golden.step, &mut file).await.unwrap();
    has_every_table(golden, &mut file).await;
    for Table { name, columns, rows } in &golden.tables {
        let types = types(&mut file, name).await;
        assert_eq!(types.keys().collect::<Vec<_>>(), columns.iter().collect::<Vec<_>>(), "{name}");
        let cell = |column: &String| match types[column].as_str() {
            "blob" => format!("unhex(replace(e.value ->> '{column}', '-', ''))"),
            _ => format!("e.value ->> '{column}'"),
        };
        let cells = columns.iter().map(cell).collect::<Vec<_>>().join(", ");
        let names = quoted(columns);
        let insert =
            format!("insert into \"{name}\" ({names}) select {cells} from json_each($1) as e order by e.key");
        let done = sqlx::query(AssertSqlSafe(insert)).bind(rows.to_string()).execute(&mut file).await;
        done.unwrap_or_else(|why| panic!("{name}: {why}"));
    }
    file.close().await.unwrap();
}

/// Asserts that the golden database has rows for each table of its schema.
async fn has_every_table(golden: &Golden, file: &mut SqliteConnection) {
    let select = "select name from sqlite_schema
                   where type = 'table' and name not like 'sqlite%' and name not like 'search_index%'";
    let mut there: Vec<String> = sqlx::query_scalar(select).fetch_all(file).await.unwrap();
    let mut expected: Vec<&str> = golden.tables.iter().map(|table| table.name.as_str()).collect();
    expected.extend(DERIVED);
    there.sort();
    expected.sort_unstable();
    assert_eq!(there, expected, "step {}", golden.step);
}

/// Creates the database in the empty database `url`.
async fn create_postgres(golden: &Golden, url: &str) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    migrations("postgres").await.run_to(golden.step, &mut connection).await.unwrap();
    for Table { name, columns, rows } in &golden.tables {
        let names = quoted(columns);
        let insert = format!(
            "insert into \"{name}\" ({names}) overriding system value
             select {names} from json_populate_recordset(null::\"{name}\", $1::json)"
        );
        let done = sqlx::query(AssertSqlSafe(insert)).bind(rows.to_string()).execute(&mut connection).await;
        done.unwrap_or_else(|why| panic!("{name}: {why}"));
    }
    connection.close().await.unwrap();
}

/// Reads the columns that the golden database has.
async fn sqlite_rows(golden: &Golden, path: &Path) -> Rows {
    let mut file = SqliteConnection::connect(&format!("sqlite:{}", path.display())).await.unwrap();
    let mut all = Rows::new();
    for Table { name, columns, .. } in &golden.tables {
        let types = types(&mut file, name).await;
        let cell = |column: &String| match types.get(column).map(String::as_str) {
            Some("blob") => format!("hex(\"{column}\")"),
            _ => format!("\"{column}\""),
        };
        let cells = columns.iter().map(cell).collect::<Vec<_>>().join(", ");
        let select = format!("select json_array({cells}) as line from \"{name}\" order by line");
        let lines = sqlx::query_scalar(AssertSqlSafe(select)).fetch_all(&mut file).await;
        all.insert(name.clone(), lines.unwrap_or_else(|why| panic!("{name}: {why}")));
    }
    file.close().await.unwrap();
    all
}

/// Reads the columns that the golden database has.
async fn postgres_rows(golden: &Golden, url: &str) -> Rows {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let mut all = Rows::new();
    for Table { name, columns, .. } in &golden.tables {
        let names = quoted(columns);
        let select = format!("select json_build_array({names})::text as line from \"{name}\" order by line");
        let lines = sqlx::query_scalar(AssertSqlSafe(select)).fetch_all(&mut connection).await;
        all.insert(name.clone(), lines.unwrap_or_else(|why| panic!("{name}: {why}")));
    }
    connection.close().await.unwrap();
    all
}

/// Asserts that the tables other than `except` have the same rows as before.
fn are_equal(golden: &Golden, before: &Rows, after: &Rows, except: &[&str]) {
    for Table { name, rows, .. } in
        golden.tables.iter().filter(|table| !except.contains(&table.name.as_str()))
    {
        assert_eq!(Some(before[name].len()), rows.as_array().map(Vec::len), "{name}");
        assert_eq!(after[name], before[name], "{name} of step {}", golden.step);
    }
}

/// Asserts that the audit finds the one execution and nothing wrong.
async fn is_audited(url: &str) {
    let store = Store::open(&Options::new(url)).await.unwrap();
    let always = AuditSpan { until: Timestamp::from_millis(i64::MAX), ..AuditSpan::default() };
    let mut lease = store.read(PoolRole::Web).await.unwrap();
    let found = audit::audit_executions(lease.conn(), &always).await.unwrap();
    drop(lease);
    store.close().await;
    assert_eq!(found, Audit { rows: 1, ..Audit::default() });
}

/// Restores the backup that the upgrade wrote into an SQLite file, and returns its path.
async fn restore_backup(program: &Program) -> PathBuf {
    let written = backups(&program.data());
    let [backup] = &written[..] else { panic!("{written:?}") };
    is_success(&program.run(&["restore", backup.to_str().unwrap(), "--data", "copy"]).await);
    program.folder().join("copy").join("presstime.db")
}

#[tokio::test]
async fn golden_sqlite_databases_keep_every_row() {
    for golden in read_all() {
        let program = Program::new();
        create_sqlite(&golden, &program.data()).await;
        let file = program.data().join("presstime.db");
        let before = sqlite_rows(&golden, &file).await;
        is_success(&program.run(&["migrate"]).await);
        are_equal(&golden, &before, &sqlite_rows(&golden, &file).await, &[]);
        is_audited(&format!("sqlite:{}", file.display())).await;

        let copy = sqlite_rows(&golden, &restore_backup(&program).await).await;
        are_equal(&golden, &before, &copy, &[&NOT_RESTORED[..], &["setting"]].concat());
        let setting = &before["setting"];
        assert!(setting.iter().all(|line| copy["setting"].contains(line)), "{:?}", copy["setting"]);
    }
}

#[tokio::test]
async fn golden_postgresql_databases_keep_every_row() {
    let postgres = test_support::postgres().await;
    for golden in read_all() {
        let (program, url) = (Program::new(), postgres.create_database());
        create_postgres(&golden, &url).await;
        let before = postgres_rows(&golden, &url).await;
        is_success(&program.run(&["migrate", "--database-url", &url]).await);
        are_equal(&golden, &before, &postgres_rows(&golden, &url).await, &[]);
        is_audited(&url).await;

        // The same rows as in an SQLite database.
        create_sqlite(&golden, &program.folder().join("plain")).await;
        let plain = sqlite_rows(&golden, &program.folder().join("plain").join("presstime.db")).await;
        let copy = sqlite_rows(&golden, &restore_backup(&program).await).await;
        are_equal(&golden, &plain, &copy, &[&NOT_RESTORED[..], &["setting"]].concat());
    }
}
