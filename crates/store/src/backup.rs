//! Backups: the whole memory in one SQLite file, whichever engine it is read from and whichever it goes back to.
//!
//! Read while the desk works, as it stood at one moment. Secrets stay sealed.

use crate::{Line, Store, StoreError};
use futures::{TryStreamExt, stream::BoxStream};
use sqlx::{
    ConnectOptions, Connection, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use std::path::Path;

/// What is kept, in the order in which it can be filled.
pub(crate) const TABLES: [&str; 19] = [
    "setting",
    "kind_limit",
    "promise_sheet",
    "person",
    "token",
    "idempotency",
    "article",
    "revision",
    "former_slug",
    "deleted_name",
    "task",
    "zone_move",
    "execution",
    "event",
    "channel",
    "delivery",
    "delivery_attempt",
    "delivery_recipient",
    "failing_delivery",
];

/// What is of its moment only: who is logged in, links that may have been used since, tries, processes; and what is made again
/// from the texts.
#[cfg(test)]
const LEFT_OUT: [&str; 8] =
    ["session", "invitation", "log_in_limit", "node", "in_hand", "rendered", "search_entry", "search_state"];

/// Maximum number of rows carried at once.
const ROWS: usize = 500;
/// Size from which a batch of rows is carried on, bytes.
const BATCH_BYTES: usize = 4_000_000;

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

/// A new file for rows of ours.
pub(crate) async fn fresh(path: &Path) -> Result<SqliteConnection, StoreError> {
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
    let select = format!("select json_build_array({})::text from {}", names(&columns), quoted(table));
    let mut rows = sqlx::query_scalar::<_, String>(sqlx::AssertSqlSafe(select)).fetch(snapshot);
    let mut tx = file.begin().await?;
    while let Some(batch) = next_batch(&mut rows).await? {
        sqlx::query(sqlx::AssertSqlSafe(insert.as_str())).bind(batch).execute(&mut *tx).await?;
    }
    Ok(tx.commit().await?)
}

/// The next rows as one JSON array; `None`: there are no more. Bounded in rows and in bytes.
pub(crate) async fn next_batch(
    rows: &mut BoxStream<'_, Result<String, sqlx::Error>>,
) -> Result<Option<String>, sqlx::Error> {
    let (mut batch, mut count) = (String::from("["), 0);
    while count < ROWS && batch.len() < BATCH_BYTES {
        let Some(row) = rows.try_next().await? else { break };
        if count > 0 {
            batch.push(',');
        }
        batch.push_str(&row);
        count += 1;
    }
    batch.push(']');
    Ok((count > 0).then_some(batch))
}

/// The columns of a table of a SQLite file that this program made.
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

/// The quoted names, with commas between them.
pub(crate) fn names(columns: &[Column]) -> String {
    columns.iter().map(|column| quoted(&column.name)).collect::<Vec<_>>().join(", ")
}

/// A name as SQL reads it, whatever is in it.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Inserts rows that come as a JSON array of arrays.
pub(crate) fn into_sqlite(table: &str, columns: &[Column]) -> String {
    let cells = (0..).zip(columns).map(|(place, column): (usize, _)| match column.kind {
        Kind::Identity => format!("unhex(replace(e.value ->> {place}, '-', ''))"),
        Kind::Number | Kind::Text => format!("e.value ->> {place}"),
    });
    let cells = cells.collect::<Vec<_>>().join(", ");
    let (table, names) = (quoted(table), names(columns));
    format!("insert into {table} ({names}) select {cells} from jsonb_each($1) as e order by e.key")
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
            "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like '\\_%' escape '\\' and name not like 'search_index%'",
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
