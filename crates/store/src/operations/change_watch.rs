//! Follows the event log: new events for the live stream, and notifications of commits.

use crate::{Conn, PoolRole, Store, StoreError, json_rows::decode, statement_timeout::StatementTimeout};
use domain::{AccountId, Timestamp, Version, event::Signal};
use sqlx::{
    Connection, SqliteConnection,
    postgres::{PgListener, PgPoolOptions},
};
use tokio::time::timeout;
use uuid::Uuid;

/// Notification channel for commits with events (PostgreSQL).
const CHANNEL: &str = "presstime";

type Row = (i64, i64, String, Uuid, String, Option<Uuid>, Option<String>, Option<i32>);

fn signal((seq, at, entity, entity_id, verb, actor_id, to_state, version): Row) -> Signal {
    let (at, version) = (Timestamp::from_millis(at), version.map(Version));
    let actor_id = actor_id.map(AccountId);
    Signal { seq, at, entity, entity_id, verb, actor_id, to_state, version }
}

/// Returns events after `seq`, in order, at most `limit`. On PostgreSQL a missing number may still
/// appear: the caller fetches it later with [`find_by_seq`].
pub async fn events_after(conn: Conn<'_>, seq: i64, limit: u32) -> Result<Vec<Signal>, StoreError> {
    let rows = match conn {
        // One row: each row would be sent from SQLite's thread to ours on its own.
        Conn::Sqlite(c) => {
            let packed: String = sqlx::query_scalar(AFTER_SQLITE).bind(seq).bind(limit).fetch_one(c).await?;
            decode(&packed)?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(AFTER_POSTGRES).bind(seq).bind(i64::from(limit)).fetch_all(c).await?
        }
    };
    Ok(rows.into_iter().map(signal).collect())
}

const AFTER_SQLITE: &str = "
    select json_group_array(json_array(seq, at, entity, hex(entity_id), verb, iif(actor_id is null, null, hex(actor_id)), to_state, version) order by seq)
      from (select seq, at, entity, entity_id, verb, actor_id, to_state, version
              from event
             where seq > $1
             order by seq
             limit $2)";

const AFTER_POSTGRES: &str = "
    select seq, at, entity, entity_id, verb, actor_id, to_state, version
      from event
     where seq > $1
     order by seq
     limit $2";

/// Returns the tasks scheduled in the next `limit` events after `seq`, and the last number of
/// these; `None`: there are no more. For SQLite, whose numbers follow the order of commits. On
/// PostgreSQL some could be skipped, so the result is empty.
pub async fn scheduled_after(
    conn: Conn<'_>,
    seq: i64,
    limit: u32,
) -> Result<(Option<i64>, Vec<Uuid>), StoreError> {
    let Conn::Sqlite(c) = conn else { return Ok((None, Vec::new())) };
    let (last, packed): (Option<i64>, String) =
        sqlx::query_as(SCHEDULED_SQLITE).bind(seq).bind(limit).fetch_one(c).await?;
    Ok((last, decode(&packed)?))
}

const SCHEDULED_SQLITE: &str = "
    select max(seq), json_group_array(hex(entity_id)) filter (where entity = 'task' and to_state = 'scheduled')
      from (select seq, entity, entity_id, to_state
              from event
             where seq > $1
             order by seq
             limit $2)";

/// Returns the events with these numbers that exist, in order.
pub async fn find_by_seq(conn: Conn<'_>, seqs: &[i64]) -> Result<Vec<Signal>, StoreError> {
    let rows: Vec<Row> = match conn {
        // SQLite's numbers follow the order of commits: none is ever missing.
        Conn::Sqlite(_) => Vec::new(),
        Conn::Postgres(c) => sqlx::query_as(AMONG_POSTGRES).bind(seqs).fetch_all(c).await?,
    };
    Ok(rows.into_iter().map(signal).collect())
}

const AMONG_POSTGRES: &str = "
    select seq, at, entity, entity_id, verb, actor_id, to_state, version
      from event
     where seq = any($1)
     order by seq";

/// Notifies the listeners that the node has executed tasks. Not part of the transaction of the
/// execution, which nothing may delay. A listener that misses it reads the log within a second.
/// SQLite has no notifications.
pub async fn notify(store: &Store, node: Uuid) -> Result<(), StoreError> {
    if let Conn::Postgres(c) = store.read(PoolRole::Engine).await?.conn() {
        // No need to wait for the disk: the execution is committed.
        let statement = "with quick as (select set_config('synchronous_commit', 'off', true))
                         select pg_notify($1, $2) from quick";
        sqlx::query(statement).bind(CHANNEL).bind(node.to_string()).execute(c).await?;
    }
    Ok(())
}

/// Detects commits of this and other processes, with a connection of its own.
#[derive(Debug)]
pub enum ChangeWatch {
    /// Polls a number that changes with every commit.
    Sqlite {
        /// Used for nothing else: the number belongs to the connection.
        connection: SqliteConnection,
        /// Number at the last poll.
        version: i64,
    },
    /// Receives notifications.
    Postgres {
        /// Used for nothing else.
        listener: Box<PgListener>,
        /// Payload of this process's own notifications, which are ignored.
        own: String,
        /// Half of it: quiet time before a ping; the other half: timeout of the ping.
        statement_timeout: StatementTimeout,
    },
}

impl ChangeWatch {
    /// Opens a watch for the node `own`, which ignores its own notifications.
    pub async fn open(store: &Store, own: Uuid) -> Result<Self, StoreError> {
        Ok(match store {
            Store::Sqlite { readers, .. } => {
                let mut connection = SqliteConnection::connect_with(&readers.connect_options()).await?;
                let version = data_version(&mut connection).await?;
                Self::Sqlite { connection, version }
            }
            Store::Postgres { engine, .. } => {
                let statement_timeout = engine.timeout().clone();
                let options = (*engine.pool().connect_options()).clone();
                let pool = PgPoolOptions::new()
                    .max_connections(1)
                    .idle_timeout(None)
                    .max_lifetime(None)
                    .connect_lazy_with(options);
                let open = async {
                    let mut listener = PgListener::connect_with(&pool).await?;
                    listener.ignore_pool_close_event(true);
                    listener.listen(CHANNEL).await?;
                    Ok(Box::new(listener))
                };
                let listener = statement_timeout.within(statement_timeout.limit(), open).await?;
                Self::Postgres { listener, own: own.to_string(), statement_timeout }
            }
        })
    }

    /// Whether the caller must poll (SQLite) or is notified (PostgreSQL).
    #[must_use]
    pub fn is_polling(&self) -> bool {
        matches!(self, Self::Sqlite { .. })
    }

    /// SQLite: whether there was a commit since the last call. PostgreSQL: waits for a commit or a
    /// reconnect. After a cancelled wait, open a new watch.
    pub async fn changed(&mut self) -> Result<bool, StoreError> {
        match self {
            Self::Sqlite { connection, version } => {
                let now = data_version(connection).await?;
                Ok(std::mem::replace(version, now) != now)
            }
            Self::Postgres { listener, own, statement_timeout } => {
                let half = statement_timeout.limit() / 2;
                loop {
                    if let Ok(notification) = timeout(half, listener.try_recv()).await {
                        if notification?.is_some_and(|notification| notification.payload() == own) {
                            continue;
                        }
                        return Ok(true);
                    }
                    // No commit, or no server: ping.
                    let ping = sqlx::raw_sql("select 1").execute(&mut **listener);
                    statement_timeout.within(half, ping).await?;
                }
            }
        }
    }
}

async fn data_version(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar("pragma data_version").fetch_one(connection).await?)
}
