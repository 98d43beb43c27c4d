//! Restoring a backup into an empty place, of either engine; and the guard that holds all messages afterwards.

use crate::{
    Conn, Newer, Store, StoreError, Tx, Who,
    backup::{self, Column, Contents, Kind, ROWS},
    db::on,
};
use domain::Timestamp;
use futures::TryStreamExt;
use sqlx::{ConnectOptions, Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use std::path::Path;

/// A node that beat so long ago may still be there, milliseconds.
const LIVES_MS: i64 = 10_000;

/// Why nothing was restored. Nothing was touched.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// A database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// People, articles or tasks are there already.
    #[error("there is content already; a backup is restored into an empty place only")]
    HasContent,
    /// A server runs on it.
    #[error("the node {0} is running on this database; stop it first")]
    InUse(String),
    /// Not a file of ours.
    #[error("this file is not a backup of Presstime")]
    NotABackup,
    /// A newer binary wrote it.
    #[error("the backup is newer than this program (schema step {}, this program knows {}); use the newer program", .0.found, .0.known)]
    Newer(Newer),
}

impl From<sqlx::Error> for RestoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

/// Fills an empty database, whose schema is up to date, from the backup at `path`: all of it or nothing. From then on all
/// messages are held, until [`confirm`].
pub async fn read(store: &Store, path: &Path, now: Timestamp) -> Result<Contents, RestoreError> {
    let scratch =
        std::env::temp_dir().join(format!("presstime-restore-{}.db", uuid::Uuid::now_v7().simple()));
    let done = match open(path, &scratch).await {
        Ok(file) => fill(store, file, now).await,
        Err(error) => Err(error),
    };
    // Only there if the backup had to be brought up to date.
    let _ = std::fs::remove_file(&scratch);
    done
}

/// Opens the backup for reading; an older one as a copy with the present schema.
async fn open(path: &Path, scratch: &Path) -> Result<SqliteConnection, RestoreError> {
    let plain = || SqliteConnectOptions::new().filename(path).read_only(true).immutable(true);
    let mut file = plain().connect().await.map_err(|_| RestoreError::NotABackup)?;
    let steps: Result<(Option<i64>, i64), _> =
        sqlx::query_as("select max(version), (select count(*) from task) from _sqlx_migrations")
            .fetch_one(&mut file)
            .await;
    let Ok((Some(found), _)) = steps else { return Err(RestoreError::NotABackup) };
    let known = crate::step::last();
    if found > known {
        return Err(RestoreError::Newer(Newer { found, known }));
    }
    if found == known {
        return Ok(file);
    }
    file.close().await?;
    std::fs::copy(path, scratch).map_err(sqlx::Error::Io)?;
    let mut copy = SqliteConnectOptions::new().filename(scratch).connect().await?;
    crate::step::SQLITE.run(&mut copy).await.map_err(StoreError::from)?;
    Ok(copy)
}

async fn fill(store: &Store, mut file: SqliteConnection, now: Timestamp) -> Result<Contents, RestoreError> {
    let mut tx = store.begin(Who::People).await?;
    is_free(tx.conn(), now).await?;
    match tx.conn() {
        Conn::Sqlite(c) => sqlx::raw_sql("pragma defer_foreign_keys = on").execute(c).await?.rows_affected(),
        Conn::Postgres(c) => {
            let limits = "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0";
            sqlx::raw_sql(limits).execute(c).await?.rows_affected()
        }
    };
    // Of tasks there is the canary at most, and a sheet that has counted nothing.
    for table in ["invitation", "promise_sheet", "session", "setting", "task"] {
        let delete = sqlx::AssertSqlSafe(format!("delete from {table}"));
        on!(tx.conn(), c => sqlx::query(delete).execute(c).await?.rows_affected());
    }
    for table in backup::TABLES {
        copy(&mut file, &mut tx, table).await?;
    }
    if let Conn::Postgres(c) = tx.conn() {
        sqlx::query(
            "select setval(pg_get_serial_sequence('event', 'seq'), coalesce(max(seq), 1), max(seq) is not null) from event",
        )
        .execute(c)
        .await?;
    }
    crate::setting::put(tx.conn(), HELD, &now.millis().to_string()).await?;
    tx.commit().await?;
    let contents = backup::contents(&mut file).await?;
    file.close().await?;
    Ok(contents)
}

async fn is_free(mut conn: Conn<'_>, now: Timestamp) -> Result<(), RestoreError> {
    let rows: i64 = on!(conn.again(), c => sqlx::query_scalar(
        "select (select count(*) from person) + (select count(*) from article) + (select count(*) from task where kind <> 'engine.canary')")
        .fetch_one(c).await?);
    if rows > 0 {
        return Err(RestoreError::HasContent);
    }
    let node: Option<String> = on!(conn, c => sqlx::query_scalar(
        "select name from node where state = 'alive' and beat_at > $1 limit 1")
        .bind(now.millis() - LIVES_MS).fetch_optional(c).await?);
    node.map_or(Ok(()), |name| Err(RestoreError::InUse(name)))
}

async fn copy(file: &mut SqliteConnection, tx: &mut Tx, table: &str) -> Result<(), RestoreError> {
    let columns = backup::columns(file, table).await?;
    let insert = match tx.conn() {
        Conn::Sqlite(_) => backup::into_sqlite(table, &columns),
        Conn::Postgres(_) => into_postgres(table, &columns),
    };
    let select = sqlx::AssertSqlSafe(format!("select {} from {table}", as_array(&columns)));
    let mut batches = sqlx::query_scalar::<_, String>(select).fetch(file).try_chunks(ROWS);
    while let Some(rows) = batches.try_next().await.map_err(|broken| broken.1)? {
        let (batch, insert) = (format!("[{}]", rows.join(",")), sqlx::AssertSqlSafe(insert.as_str()));
        on!(tx.conn(), c => sqlx::query(insert).bind(batch).execute(c).await?.rows_affected());
    }
    Ok(())
}

/// A row of a SQLite file as a JSON array.
fn as_array(columns: &[Column]) -> String {
    let cells = columns.iter().map(|Column { name, kind }| match kind {
        Kind::Identity => format!("iif({name} is null, null, lower(hex({name})))"),
        Kind::Number | Kind::Text => name.clone(),
    });
    format!("json_array({})", cells.collect::<Vec<_>>().join(", "))
}

/// Inserts rows that come as a JSON array of arrays.
fn into_postgres(table: &str, columns: &[Column]) -> String {
    let cells = (0..).zip(columns).map(|(place, column): (usize, _)| match column.kind {
        Kind::Identity => format!("(e.value ->> {place})::uuid"),
        Kind::Number => format!("(e.value ->> {place})::bigint"),
        Kind::Text => format!("e.value ->> {place}"),
    });
    let cells = cells.collect::<Vec<_>>().join(", ");
    format!(
        "insert into {table} ({}) overriding system value
         select {cells} from json_array_elements($1::json) with ordinality as e (value, place) order by e.place",
        backup::names(columns)
    )
}

/// The setting that holds all messages: when the backup was restored, milliseconds.
pub(crate) const HELD: &str = "restore.held";

/// When a backup was restored and nobody has confirmed it yet; `None`: messages go out.
pub async fn held_since(conn: Conn<'_>) -> Result<Option<Timestamp>, StoreError> {
    let at = crate::setting::find(conn, HELD).await?;
    Ok(at.map(|at| Timestamp::from_millis(at.parse().unwrap_or(0))))
}

/// Lets messages go out again. False: nothing was held.
pub async fn confirm(conn: Conn<'_>) -> Result<bool, StoreError> {
    let gone = on!(conn, c => sqlx::query("delete from setting where name = $1")
        .bind(HELD).execute(c).await?.rows_affected());
    Ok(gone > 0)
}
