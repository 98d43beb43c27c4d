//! Following the log: its newest lines for the live stream, and who else writes.

use crate::{Conn, Store, StoreError, db::on, row::row};
use domain::{Timestamp, Version, event::Signal};
use sqlx::{
    Connection, SqliteConnection,
    postgres::{PgListener, PgPoolOptions},
};
use uuid::Uuid;

/// The channel on which every commit with events is told (PostgreSQL).
const CHANNEL: &str = "presstime";

row! {
    struct Row {
        seq: i64,
        at: i64,
        entity: String,
        entity_id: Uuid,
        verb: String,
        to_state: Option<String>,
        version: Option<i32>,
    }
}

impl From<Row> for Signal {
    fn from(row: Row) -> Self {
        let Row { seq, at, entity, entity_id, verb, to_state, version } = row;
        let (at, version) = (Timestamp::from_millis(at), version.map(Version));
        Self { seq, at, entity, entity_id, verb, to_state, version }
    }
}

/// What the log holds after `seq`, in its order, at most `limit`. On PostgreSQL a missing number may still turn up:
/// whoever follows the log asks for it again with [`among`].
pub async fn after(conn: Conn<'_>, seq: i64, limit: u32) -> Result<Vec<Signal>, StoreError> {
    let rows: Vec<Row> = on!(conn, c => sqlx::query_as(
        "select seq, at, entity, entity_id, verb, to_state, version
           from event
          where seq > $1
          order by seq
          limit $2")
        .bind(seq).bind(i64::from(limit)).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Signal::from).collect())
}

/// Those of the numbers that have turned up, in the order of the log.
pub async fn among(conn: Conn<'_>, seqs: &[i64]) -> Result<Vec<Signal>, StoreError> {
    let rows: Vec<Row> = match conn {
        Conn::Sqlite(c) => {
            let list = serde_json::Value::from(seqs).to_string();
            sqlx::query_as(AMONG_SQLITE).bind(list).fetch_all(c).await?
        }
        Conn::Postgres(c) => sqlx::query_as(AMONG_POSTGRES).bind(seqs).fetch_all(c).await?,
    };
    Ok(rows.into_iter().map(Signal::from).collect())
}

const AMONG_SQLITE: &str = "
    select seq, at, entity, entity_id, verb, to_state, version
      from event
     where seq in (select value from json_each($1))
     order by seq";

const AMONG_POSTGRES: &str = "
    select seq, at, entity, entity_id, verb, to_state, version
      from event
     where seq = any($1)
     order by seq";

/// Notices commits of this and other processes, over a connection of its own.
#[derive(Debug)]
pub enum Watch {
    /// Asks for a number that changes with every commit.
    Sqlite {
        /// Never used for anything else: the number belongs to the connection.
        connection: SqliteConnection,
        /// As last seen.
        version: i64,
    },
    /// Is told.
    Postgres(Box<PgListener>),
}

impl Watch {
    /// Begins to watch.
    pub async fn open(store: &Store) -> Result<Self, StoreError> {
        Ok(match store {
            Store::Sqlite { readers, .. } => {
                let mut connection = SqliteConnection::connect_with(&readers.connect_options()).await?;
                let version = data_version(&mut connection).await?;
                Self::Sqlite { connection, version }
            }
            Store::Postgres { engine, .. } => {
                let options = (*engine.connect_options()).clone();
                let pool = PgPoolOptions::new()
                    .max_connections(1)
                    .idle_timeout(None)
                    .max_lifetime(None)
                    .connect_lazy_with(options);
                let mut listener = PgListener::connect_with(&pool).await?;
                listener.ignore_pool_close_event(true);
                listener.listen(CHANNEL).await?;
                Self::Postgres(Box::new(listener))
            }
        })
    }

    /// Whether the caller must ask now and then (SQLite) or is told (PostgreSQL).
    #[must_use]
    pub fn polls(&self) -> bool {
        matches!(self, Self::Sqlite { .. })
    }

    /// SQLite: whether somebody committed since the last call. PostgreSQL: waits until somebody does, or the connection
    /// was lost and made again. A dropped wait spoils nothing but this value: open a new one.
    pub async fn changed(&mut self) -> Result<bool, StoreError> {
        match self {
            Self::Sqlite { connection, version } => {
                let now = data_version(connection).await?;
                Ok(std::mem::replace(version, now) != now)
            }
            Self::Postgres(listener) => {
                listener.try_recv().await?;
                Ok(true)
            }
        }
    }
}

async fn data_version(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar("pragma data_version").fetch_one(connection).await?)
}
