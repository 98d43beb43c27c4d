//! Backups: the whole memory in one SQLite file, whichever engine it is read from and whichever it goes back to.
//!
//! Read while the desk works, as it stood at one moment. Secrets stay sealed.

use crate::{Line, Store, StoreError};
use futures::TryStreamExt;
use sqlx::{
    ConnectOptions, Connection, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use std::path::Path;

/// What is kept, in the order in which it can be filled.
pub(crate) const TABLES: [&str; 15] = [
    "setting",
    "kind_limit",
    "promise_sheet",
    "person",
    "token",
    "idempotency",
    "article",
    "revision",
    "former_slug",
    "task",
    "execution",
    "event",
    "channel",
    "delivery",
    "delivery_attempt",
];

/// What is of its moment only: who is logged in, links that may have been used since, tries, processes.
#[cfg(test)]
const LEFT_OUT: [&str; 5] = ["session", "invitation", "log_in_limit", "node", "in_hand"];

/// Rows carried at once.
pub(crate) const ROWS: usize = 500;

/// What a backup holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// Articles, whatever their state.
    pub articles: u64,
    /// Tasks, whatever their state.
    pub tasks: u64,
    /// People with an account.
    pub people: u64,
}

/// A column: its name, and whether it holds identities or whole numbers (else text).
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub name: String,
    pub kind: Kind,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Identity,
    Number,
    Text,
}

/// Writes everything to a new file at `path`, as it stood at one moment, while others go on writing.
pub async fn write(store: &Store, path: &Path) -> Result<Contents, StoreError> {
    match store {
        Store::Sqlite { keeper, .. } => {
            let name = path.display().to_string();
            sqlx::query("vacuum into $1").bind(name).execute(keeper).await?;
        }
        Store::Postgres { people, .. } => {
            let mut file = fresh(path).await?;
            crate::step::SQLITE.run(&mut file).await?;
            let mut snapshot = people.begin("begin isolation level repeatable read read only").await?;
            for limit in ["statement_timeout", "idle_in_transaction_session_timeout"] {
                sqlx::query(sqlx::AssertSqlSafe(format!("set local {limit} = 0")))
                    .execute(&mut snapshot)
                    .await?;
            }
            for table in TABLES {
                copy(&mut snapshot, &mut file, table).await?;
            }
            snapshot.undo("rollback").await?;
            file.close().await?;
        }
    }
    let mut file = SqliteConnectOptions::new().filename(path).read_only(true).connect().await?;
    let contents = contents(&mut file).await?;
    file.close().await?;
    Ok(contents)
}

async fn fresh(path: &Path) -> Result<SqliteConnection, StoreError> {
    Ok(SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Memory)
        .synchronous(SqliteSynchronous::Off)
        .foreign_keys(false)
        .connect()
        .await?)
}

async fn copy(snapshot: &mut Line, file: &mut SqliteConnection, table: &str) -> Result<(), StoreError> {
    let columns = columns(file, table).await?;
    let insert = into_sqlite(table, &columns);
    let select =
        sqlx::AssertSqlSafe(format!("select json_build_array({})::text from {table}", names(&columns)));
    let mut batches = sqlx::query_scalar::<_, String>(select).fetch(snapshot).try_chunks(ROWS);
    let mut tx = file.begin().await?;
    while let Some(rows) = batches.try_next().await.map_err(|broken| broken.1)? {
        let batch = format!("[{}]", rows.join(","));
        sqlx::query(sqlx::AssertSqlSafe(insert.as_str())).bind(batch).execute(&mut *tx).await?;
    }
    Ok(tx.commit().await?)
}

/// The columns of a table of a SQLite file.
pub(crate) async fn columns(file: &mut SqliteConnection, table: &str) -> Result<Vec<Column>, StoreError> {
    let rows: Vec<(String, String)> =
        sqlx::query_as("select name, lower(type) from pragma_table_info($1) order by cid")
            .bind(table)
            .fetch_all(file)
            .await?;
    let kind = |word: &str| match word {
        "blob" => Kind::Identity,
        "integer" => Kind::Number,
        _ => Kind::Text,
    };
    Ok(rows.into_iter().map(|(name, word)| Column { kind: kind(&word), name }).collect())
}

/// The names, with commas between them.
pub(crate) fn names(columns: &[Column]) -> String {
    columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Inserts rows that come as a JSON array of arrays.
pub(crate) fn into_sqlite(table: &str, columns: &[Column]) -> String {
    let cells = (0..).zip(columns).map(|(place, column): (usize, _)| match column.kind {
        Kind::Identity => format!("unhex(replace(e.value ->> {place}, '-', ''))"),
        Kind::Number | Kind::Text => format!("e.value ->> {place}"),
    });
    let cells = cells.collect::<Vec<_>>().join(", ");
    format!("insert into {table} ({}) select {cells} from jsonb_each($1) as e order by e.key", names(columns))
}

/// How much a file holds.
pub(crate) async fn contents(file: &mut SqliteConnection) -> Result<Contents, StoreError> {
    let (articles, tasks, people): (i64, i64, i64) = sqlx::query_as(
        "select (select count(*) from article), (select count(*) from task where kind <> 'engine.canary'), (select count(*) from person)",
    )
    .fetch_one(file)
    .await?;
    let whole = |n: i64| u64::try_from(n).unwrap_or(0);
    Ok(Contents { articles: whole(articles), tasks: whole(tasks), people: whole(people) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_table_is_kept_or_left_out_on_purpose() {
        let mut file = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        crate::step::SQLITE.run(&mut file).await.unwrap();
        let mut there: Vec<String> = sqlx::query_scalar(
            "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like '\\_%' escape '\\'",
        )
        .fetch_all(&mut file)
        .await
        .unwrap();
        let mut named: Vec<&str> = TABLES.into_iter().chain(LEFT_OUT).collect();
        there.sort();
        named.sort_unstable();
        assert_eq!(there, named);
    }
}
