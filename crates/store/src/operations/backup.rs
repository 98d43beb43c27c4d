//! Backups: the whole database in one SQLite file, whether it is read from SQLite or PostgreSQL. It
//! can be restored into either.
//!
//! Taken from one snapshot while the server runs. Secrets stay encrypted.

use crate::{PgConn, Store, StoreError, pg::PgConnPool};
use futures::{TryStreamExt, stream::BoxStream};
use sqlx::{
    ConnectOptions, Connection, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use std::path::Path;

/// Tables in a backup, in an order that satisfies the foreign keys.
pub(crate) const TABLES: [&str; 77] = [
    "setting",
    "kind_limit",
    "slot_plan",
    "audit_summary",
    "account",
    "engine_pause",
    "token",
    "second_factor",
    "recovery_code",
    "passkey",
    "password_off",
    "sign_in_provider",
    "sign_in_identity",
    "saved_view",
    "account_group",
    "account_group_member",
    "idempotency",
    "article",
    "revision",
    "tag",
    "revision_tag",
    "revision_author",
    "link_card",
    "media",
    "revision_media",
    "slug_redirect",
    "deleted_name",
    "room",
    "feed",
    "door",
    "series",
    "series_skip",
    "meeting",
    "attendee",
    "meeting_invite",
    "series_invite",
    "answer_link",
    "task",
    "zone_move",
    "batch",
    "batch_task",
    "batch_article",
    "batch_item",
    "failed_publish_now",
    "execution",
    "event",
    "channel",
    "message",
    "signal",
    "rule",
    "rule_signal",
    "desk_signal",
    "wait",
    "delivery",
    "delivery_attempt",
    "delivery_recipient",
    "failing_delivery",
    "post",
    "blocked_address",
    "outside_mail",
    "held_mail",
    "word_list",
    "word_term",
    "word_list_revision",
    "reminder",
    "notification",
    "push_subscription",
    "push_message",
    "review",
    "review_asked",
    "approval",
    "review_comment",
    "import",
    "import_article",
    "article_release",
    "article_release_item",
    "imported_event",
];

/// Tables not in a backup: sessions, links that may have been used since, rate limits, processes, locks
/// and open pages; which backups exist; and what is rebuilt from other tables.
#[cfg(test)]
const EXCLUDED_TABLES: [&str; 23] = [
    "announcement_position",
    "backup_run",
    "backup_problem",
    "session",
    "pending_log_in",
    "passkey_challenge",
    "sign_in_attempt",
    "sign_in_session",
    "sign_in_pending",
    "sign_in_log_out",
    "invitation",
    "login_rate_limit",
    "node",
    "in_flight",
    "media_lock",
    "target",
    "rendered",
    "search_entry",
    "search_state",
    "review_link",
    "link_answer",
    "presence",
    "signal_rate",
];

/// Maximum number of rows copied in one statement.
const MAX_BATCH_ROWS: u64 = 500;
/// Size at which a batch of rows is written, bytes.
const MAX_BATCH_BYTES: usize = 4_000_000;

/// Number of rows in a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupContents {
    /// Articles in any state.
    pub articles: u64,
    /// Tasks in any state.
    pub tasks: u64,
    /// Accounts.
    pub people: u64,
}

/// A table and its number of rows.
pub type RowCount = (&'static str, u64);

/// A column and the type of its values.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub name: String,
    pub kind: ColumnKind,
}

/// Type of a column: UUID, integer or text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    Identity,
    Number,
    Text,
}

/// Writes a backup to a new file at `path`, from one snapshot. Other writers are not blocked.
pub async fn write(store: &Store, path: &Path) -> Result<BackupContents, StoreError> {
    match store {
        Store::Sqlite { checkpoint_pool, .. } => vacuum(checkpoint_pool, path).await?,
        Store::Postgres { web, .. } => {
            copy_postgres(web, crate::migrations::latest_version(), path).await?;
        }
    }
    let mut file = SqliteConnectOptions::new().filename(path).read_only(true).connect().await?;
    let contents = contents(&mut file).await?;
    file.close().await?;
    Ok(contents)
}

/// Copies an SQLite database, of any version, to a new file.
pub(crate) async fn vacuum(pool: &SqlitePool, path: &Path) -> Result<(), StoreError> {
    let name = path.display().to_string();
    sqlx::query("vacuum into $1").bind(name).execute(pool).await?;
    Ok(())
}

/// Copies a PostgreSQL database after migration `step` to a new file. Returns the number of rows of
/// each table.
pub(crate) async fn copy_postgres(
    pool: &PgConnPool,
    step: i64,
    path: &Path,
) -> Result<Vec<RowCount>, StoreError> {
    let mut file = create_file(path).await?;
    crate::migrations::SQLITE.run_to(step, &mut file).await?;
    let mut snapshot = pool.begin("begin isolation level repeatable read read only").await?;
    for limit in ["statement_timeout", "idle_in_transaction_session_timeout"] {
        sqlx::query(sqlx::AssertSqlSafe(format!("set local {limit} = 0"))).execute(&mut snapshot).await?;
    }
    let mut counts = Vec::new();
    for table in TABLES {
        let columns = columns(&mut file, table).await?;
        // A later migration creates this table.
        if !columns.is_empty() {
            counts.push((table, copy(&mut snapshot, &mut file, table, &columns).await?));
        }
    }
    snapshot.rollback_with("rollback").await?;
    file.close().await?;
    Ok(counts)
}

/// Creates an SQLite file for a copy of the data.
pub(crate) async fn create_file(path: &Path) -> Result<SqliteConnection, StoreError> {
    Ok(SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Memory)
        .synchronous(SqliteSynchronous::Off)
        .foreign_keys(false)
        .connect()
        .await?)
}

/// Copies a table and returns the number of rows read.
async fn copy(
    snapshot: &mut PgConn,
    file: &mut SqliteConnection,
    table: &str,
    columns: &[Column],
) -> Result<u64, StoreError> {
    let insert = into_sqlite(table, columns);
    let select =
        format!("select json_build_array({})::text from {}", column_names(columns), quote_identifier(table));
    let mut rows = sqlx::query_scalar::<_, String>(sqlx::AssertSqlSafe(select)).fetch(snapshot);
    let (mut tx, mut read) = (file.begin().await?, 0);
    while let Some(batch) = next_batch(&mut rows).await? {
        read += batch.rows;
        sqlx::query(sqlx::AssertSqlSafe(insert.as_str())).bind(batch.json).execute(&mut *tx).await?;
    }
    tx.commit().await?;
    Ok(read)
}

/// Some rows of a table.
pub(crate) struct Batch {
    /// The rows as one JSON array.
    pub json: String,
    /// Their number.
    pub rows: u64,
}

/// Returns the next rows; `None`: there are no more. Bounded in rows and in bytes.
pub(crate) async fn next_batch(
    rows: &mut BoxStream<'_, Result<String, sqlx::Error>>,
) -> Result<Option<Batch>, sqlx::Error> {
    let (mut batch, mut count) = (String::from("["), 0);
    while count < MAX_BATCH_ROWS && batch.len() < MAX_BATCH_BYTES {
        let Some(row) = rows.try_next().await? else { break };
        if count > 0 {
            batch.push(',');
        }
        batch.push_str(&row);
        count += 1;
    }
    batch.push(']');
    Ok((count > 0).then_some(Batch { json: batch, rows: count }))
}

/// Returns the columns of a table of an SQLite file that this program created.
pub(crate) async fn columns(file: &mut SqliteConnection, table: &str) -> Result<Vec<Column>, StoreError> {
    let rows: Vec<(String, String)> =
        sqlx::query_as("select name, lower(type) from pragma_table_info($1) order by cid")
            .bind(table)
            .fetch_all(file)
            .await?;
    let kind = |word: &str| match word {
        "blob" => ColumnKind::Identity,
        "integer" => ColumnKind::Number,
        _ => ColumnKind::Text,
    };
    Ok(rows.into_iter().map(|(name, word)| Column { kind: kind(&word), name }).collect())
}

/// Returns the quoted column names, separated by commas.
pub(crate) fn column_names(columns: &[Column]) -> String {
    columns.iter().map(|column| quote_identifier(&column.name)).collect::<Vec<_>>().join(", ")
}

/// Quotes an SQL identifier.
pub(crate) fn quote_identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Returns an SQLite statement that inserts rows from a JSON array of arrays.
pub(crate) fn into_sqlite(table: &str, columns: &[Column]) -> String {
    let cells = (0..).zip(columns).map(|(place, column): (usize, _)| match column.kind {
        ColumnKind::Identity => format!("unhex(replace(e.value ->> {place}, '-', ''))"),
        ColumnKind::Number | ColumnKind::Text => format!("e.value ->> {place}"),
    });
    let cells = cells.collect::<Vec<_>>().join(", ");
    let (table, names) = (quote_identifier(table), column_names(columns));
    format!("insert into {table} ({names}) select {cells} from jsonb_each($1) as e order by e.key")
}

/// Counts the rows of a backup.
pub(crate) async fn contents(file: &mut SqliteConnection) -> Result<BackupContents, StoreError> {
    let (articles, tasks, people): (i64, i64, i64) = sqlx::query_as(
        "select (select count(*) from article), (select count(*) from task where kind <> 'engine.canary'), (select count(*) from account)",
    )
    .fetch_one(file)
    .await?;
    let whole = |n: i64| u64::try_from(n).unwrap_or(0);
    Ok(BackupContents { articles: whole(articles), tasks: whole(tasks), people: whole(people) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_table_is_included_or_excluded_explicitly() {
        let mut file = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        crate::migrations::SQLITE.run(&mut file).await.unwrap();
        let mut there: Vec<String> = sqlx::query_scalar(
            "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like '\\_%' escape '\\' and name not like 'search_index%'",
        )
        .fetch_all(&mut file)
        .await
        .unwrap();
        let mut named: Vec<&str> = TABLES.into_iter().chain(EXCLUDED_TABLES).collect();
        there.sort();
        named.sort_unstable();
        assert_eq!(there, named);
    }
}
