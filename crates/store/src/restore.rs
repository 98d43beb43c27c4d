//! Restoring a backup into an empty place, of either engine; and the guard that holds all messages afterwards.

use crate::{
    Conn, Newer, Store, StoreError, Tx, Who,
    backup::{self, Column, Contents, Kind},
    backup_check::{self, Checked},
    db::on,
};
use domain::Timestamp;
use futures::stream::BoxStream;
use sqlx::{Connection, SqliteConnection};
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
    /// It holds something that this program does not make.
    #[error(
        "this file is not a backup of Presstime: it holds the {0}, which Presstime does not make; nothing was restored"
    )]
    Foreign(String),
    /// Something that every backup has is not there.
    #[error("this file is not a whole backup of Presstime: the {0} is missing; nothing was restored")]
    Incomplete(String),
    /// Pages, types or sizes of its rows are not what they can be.
    #[error("the table {0} of this backup is damaged; nothing was restored: use another backup")]
    Damaged(&'static str),
    /// Rows name others that are not there.
    #[error("rows of this backup name others that are missing; nothing was restored: use another backup")]
    Dangling,
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
    let Checked { mut file, step } = backup_check::open(path).await?;
    if step == crate::step::last() {
        return Ok(file);
    }
    // The steps run on tables of our own making, with the rows of the file; never on the file.
    let mut copy = backup::fresh(scratch).await?;
    crate::step::SQLITE.run_to(step, &mut copy).await.map_err(StoreError::from)?;
    for (table, columns) in backup_check::tables(&mut copy).await? {
        let insert = backup::into_sqlite(table, &columns);
        let mut rows = rows(&mut file, table, &columns);
        while let Some(batch) = backup::next_batch(&mut rows).await.map_err(damaged(table))? {
            let insert = sqlx::AssertSqlSafe(insert.as_str());
            sqlx::query(insert).bind(batch).execute(&mut copy).await.map_err(damaged(table))?;
        }
    }
    file.close().await?;
    crate::step::SQLITE.run(&mut copy).await.map_err(StoreError::from)?;
    Ok(copy)
}

async fn fill(store: &Store, mut file: SqliteConnection, now: Timestamp) -> Result<Contents, RestoreError> {
    let tables = backup_check::tables(&mut backup_check::empty(crate::step::last()).await?).await?;
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
    for (table, columns) in tables {
        copy(&mut file, &mut tx, table, &columns).await?;
    }
    crate::search::forget_all(tx.conn()).await?;
    if let Conn::Postgres(c) = tx.conn() {
        sqlx::query(
            "select setval(pg_get_serial_sequence('event', 'seq'), coalesce(max(seq), 1), max(seq) is not null) from event",
        )
        .execute(c)
        .await?;
    }
    crate::setting::put(tx.conn(), HELD, &now.millis().to_string()).await?;
    tx.commit()
        .await
        .map_err(|error| if error.is_temporary() { error.into() } else { RestoreError::Dangling })?;
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

async fn copy(
    file: &mut SqliteConnection,
    tx: &mut Tx,
    table: &'static str,
    columns: &[Column],
) -> Result<(), RestoreError> {
    let insert = match tx.conn() {
        Conn::Sqlite(_) => backup::into_sqlite(table, columns),
        Conn::Postgres(_) => into_postgres(table, columns),
    };
    let mut rows = rows(file, table, columns);
    while let Some(batch) = backup::next_batch(&mut rows).await.map_err(damaged(table))? {
        let insert = sqlx::AssertSqlSafe(insert.as_str());
        on!(tx.conn(), c => sqlx::query(insert).bind(batch).execute(c).await.map_err(damaged(table))?.rows_affected());
    }
    Ok(())
}

/// The rows of a table of a SQLite file, a JSON array each.
fn rows<'f>(
    file: &'f mut SqliteConnection,
    table: &str,
    columns: &[Column],
) -> BoxStream<'f, Result<String, sqlx::Error>> {
    let select = format!("select {} from main.{}", as_array(columns), backup::quoted(table));
    sqlx::query_scalar(sqlx::AssertSqlSafe(select)).fetch(file)
}

/// What the database says against a row is the row's fault, unless the database itself is in trouble.
fn damaged(table: &'static str) -> impl Fn(sqlx::Error) -> RestoreError {
    move |error| {
        let error = StoreError::from(error);
        if error.is_temporary() { error.into() } else { RestoreError::Damaged(table) }
    }
}

/// A row of a SQLite file as a JSON array.
fn as_array(columns: &[Column]) -> String {
    let cells = columns.iter().map(|Column { name, kind }| {
        let name = backup::quoted(name);
        match kind {
            Kind::Identity => format!("iif({name} is null, null, lower(hex({name})))"),
            Kind::Number | Kind::Text => name,
        }
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
        "insert into {} ({}) overriding system value
         select {cells} from json_array_elements($1::json) with ordinality as e (value, place) order by e.place",
        backup::quoted(table),
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
