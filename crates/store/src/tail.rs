//! Following the log: its newest lines for the live stream, and who else writes.

use crate::{Conn, Store, StoreError, Who, batch::unpack, patience::Patience};
use domain::{PersonId, Timestamp, Version, event::Signal};
use sqlx::{
    Connection, SqliteConnection,
    postgres::{PgListener, PgPoolOptions},
};
use tokio::time::timeout;
use uuid::Uuid;

/// The channel on which commits with events are told (PostgreSQL).
const CHANNEL: &str = "presstime";

type Row = (i64, i64, String, Uuid, String, Option<Uuid>, Option<String>, Option<i32>);

fn signal((seq, at, entity, entity_id, verb, actor_id, to_state, version): Row) -> Signal {
    let (at, version) = (Timestamp::from_millis(at), version.map(Version));
    let actor_id = actor_id.map(PersonId);
    Signal { seq, at, entity, entity_id, verb, actor_id, to_state, version }
}

/// What the log holds after `seq`, in its order, at most `limit`. On PostgreSQL a missing number may still turn up:
/// whoever follows the log asks for it again with [`among`].
pub async fn after(conn: Conn<'_>, seq: i64, limit: u32) -> Result<Vec<Signal>, StoreError> {
    let rows = match conn {
        // One row: each by itself would go from SQLite's thread to ours.
        Conn::Sqlite(c) => {
            let packed: String = sqlx::query_scalar(AFTER_SQLITE).bind(seq).bind(limit).fetch_one(c).await?;
            unpack(&packed)?
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

/// What was scheduled after `seq` among the next `limit` lines, and the number of their last; `None`: there is no more. For SQLite,
/// whose numbers come in the order of the commits: on PostgreSQL some might be passed over, and nothing is answered.
pub async fn scheduled(conn: Conn<'_>, seq: i64, limit: u32) -> Result<(Option<i64>, Vec<Uuid>), StoreError> {
    let Conn::Sqlite(c) = conn else { return Ok((None, Vec::new())) };
    let (last, packed): (Option<i64>, String) =
        sqlx::query_as(SCHEDULED_SQLITE).bind(seq).bind(limit).fetch_one(c).await?;
    Ok((last, unpack(&packed)?))
}

const SCHEDULED_SQLITE: &str = "
    select max(seq), json_group_array(hex(entity_id)) filter (where entity = 'task' and to_state = 'scheduled')
      from (select seq, entity, entity_id, to_state
              from event
             where seq > $1
             order by seq
             limit $2)";

/// Those of the numbers that have turned up, in the order of the log.
pub async fn among(conn: Conn<'_>, seqs: &[i64]) -> Result<Vec<Signal>, StoreError> {
    let rows: Vec<Row> = match conn {
        // Its numbers come in the order of the commits: none is ever missing.
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

/// Tells the listeners that the node has executed something: not in the transaction that did it, which nothing is to hold up. Who
/// is not told reads the log within a second. SQLite's listeners ask for themselves.
pub async fn tell(store: &Store, node: Uuid) -> Result<(), StoreError> {
    if let Conn::Postgres(c) = store.read(Who::Engine).await?.conn() {
        // No disk is waited for: what it tells of is committed.
        let tell = "with quick as (select set_config('synchronous_commit', 'off', true)) select pg_notify($1, $2) from quick";
        sqlx::query(tell).bind(CHANNEL).bind(node.to_string()).execute(c).await?;
    }
    Ok(())
}

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
    Postgres {
        /// Never used for anything else.
        listener: Box<PgListener>,
        /// What this process says itself.
        own: String,
        /// How long it may be quiet until it is asked whether it hears, and that until it is given up: half of it each.
        patience: Patience,
    },
}

impl Watch {
    /// Begins to watch, as the node `own`, which need not be told what it told.
    pub async fn open(store: &Store, own: Uuid) -> Result<Self, StoreError> {
        Ok(match store {
            Store::Sqlite { readers, .. } => {
                let mut connection = SqliteConnection::connect_with(&readers.connect_options()).await?;
                let version = data_version(&mut connection).await?;
                Self::Sqlite { connection, version }
            }
            Store::Postgres { engine, .. } => {
                let patience = engine.patience().clone();
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
                let listener = patience.within(patience.limit(), open).await?;
                Self::Postgres { listener, own: own.to_string(), patience }
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
            Self::Postgres { listener, own, patience } => {
                let half = patience.limit() / 2;
                loop {
                    if let Ok(told) = timeout(half, listener.try_recv()).await {
                        if told?.is_some_and(|told| told.payload() == own) {
                            continue;
                        }
                        return Ok(true);
                    }
                    // Nobody commits, or nobody is there to tell.
                    let asked = sqlx::raw_sql("select 1").execute(&mut **listener);
                    patience.within(half, asked).await?;
                }
            }
        }
    }
}

async fn data_version(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar("pragma data_version").fetch_one(connection).await?)
}
