//! Dispatches deliveries: claims with a fencing token and a lease, and the result of each attempt.

mod attempt_result;
mod claim;
pub mod post;
pub mod recipients;
mod record;
mod stuck;
pub mod unfinished;

pub use attempt_result::AttemptResult;
pub use claim::{
    ClaimedDelivery, ExpiredLease, LeaseTerms, PutBack, claim, claim_changes, claim_one, expired_leases,
    next_probe, put_back, refuse,
};
pub use record::record;
pub use stuck::{Stuck, stuck};

use crate::{Conn, StoreError, db::with_conn, pg::timeline_id, row::row};
use domain::{channel::MAIL_SERVER, rate::Rate};
use std::collections::BTreeSet;
use uuid::Uuid;

row! {
    /// An active channel and its pending deliveries.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ChannelQueue {
        /// Id of the channel.
        pub id: Uuid,
        /// Name of the channel.
        pub name: String,
        /// Address and options of the transport, as JSON.
        pub endpoint: String,
        /// Retry schedule.
        pub retry_schedule: String,
        /// `retry` or `hold`.
        pub on_unknown_outcome: String,
        /// Maximum number of deliveries sent at the same time, over all nodes.
        pub concurrency: i32,
        /// Maximum number of attempts in a period, over all nodes; `None`: no limit.
        pub rate: Option<i32>,
        /// That period: `second` or `minute`.
        pub rate_per: String,
        /// With a limit, no attempt before this moment, milliseconds; `None`: none was made.
        pub rate_ready_at: Option<i64>,
        /// Encrypted.
        pub secret: Option<String>,
        /// Encrypted; signs too until [`ChannelQueue::previous_valid_until`].
        pub previous_secret: Option<String>,
        /// Milliseconds.
        pub previous_valid_until: Option<i64>,
        /// Attempts that failed in a row.
        pub failures: i32,
        /// No attempt before this moment, milliseconds; `None`: the circuit breaker is closed.
        pub breaker_open_until: Option<i64>,
        /// When the first pending delivery is due, milliseconds.
        pub next_at: Option<i64>,
        /// Number of deliveries being sent. Those of lost nodes are not counted, so that they do
        /// not block others.
        pub sending: i64,
    }
}

impl ChannelQueue {
    /// Returns its rate; `None`: it has no limit.
    #[must_use]
    pub fn sending_rate(&self) -> Option<Rate> {
        Some(Rate::stored(self.rate?, &self.rate_per))
    }
}

macro_rules! channel_queues_sql {
    ($owner:literal, $and:expr) => {
        concat!(
            "select c.id, c.name, c.endpoint, c.retry_schedule, c.on_unknown_outcome, c.concurrency, c.rate, c.rate_per, c.rate_ready_at, c.secret,
                c.previous_secret, c.previous_valid_until, c.failures, c.breaker_open_until,
                (select min(d.not_before) from delivery d where d.channel_id = c.id and d.state = 'pending') as next_at,
                (select count(*)
                   from delivery d
                  where d.channel_id = c.id and d.state = 'sending'
                    and not exists (select 1 from node n where n.state = 'lost' and d.lease_owner = ",
            $owner,
            ")) as sending
           from channel c
          where c.state = 'active'
            and not exists (select 1 from setting where name = 'delivery_hold')",
            $and,
            " order by case c.priority when 'high' then 0 when 'normal' then 1 else 2 end, c.id"
        )
    };
}

/// The query for PostgreSQL: returns nothing while a living node has not compared its acknowledged
/// writes with the database after a failover.
const QUEUES_POSTGRES: &str = channel_queues_sql!(
    "replace(n.id::text, '-', '')",
    concat!(
        " and not exists (select 1
                        from node
                       where state = 'alive'
                         and case when timeline_id is null then false else timeline_id <> ",
        timeline_id!(),
        " end)"
    )
);

/// Returns the active channels, those of high priority first. Returns none while deliveries are held: after a restored backup, on
/// a copy, or after a failover that lost writes or may have.
pub async fn channel_queues(conn: Conn<'_>) -> Result<Vec<ChannelQueue>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => sqlx::query_as(channel_queues_sql!("lower(hex(n.id))", "")).fetch_all(c).await?,
        Conn::Postgres(c) => sqlx::query_as(QUEUES_POSTGRES).fetch_all(c).await?,
    })
}

row! {
    /// The mail server of the desk, which sends for mail channels without a server of their own.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DeskMailServer {
        /// Server and sender, as JSON.
        pub endpoint: String,
        /// Encrypted.
        pub secret: Option<String>,
        /// `active` or `paused`.
        pub state: String,
    }
}

/// Returns the mail server of the desk; `None`: it has none.
pub async fn desk_mail_server(conn: Conn<'_>) -> Result<Option<DeskMailServer>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select endpoint, secret, state from channel where id = $1 and unfinished is distinct from 'delete'")
        .bind(MAIL_SERVER.0).fetch_optional(c).await)?)
}

/// Class of the advisory locks; each lock is the turn at one channel.
const LOCK_CLASS: i32 = 0x7475_726e;

/// Locks these channels until the transaction ends, and returns those that it got: one node at a
/// time counts what is being sent to a channel and claims more. No node waits for a lock. On SQLite
/// the only writer gets all.
pub async fn lock_channels(conn: Conn<'_>, channels: &BTreeSet<Uuid>) -> Result<BTreeSet<Uuid>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(_) => channels.clone(),
        // Channels with the same hash share a lock, which is harmless. The timeout frees the locks
        // of a node that hangs or cannot be reached.
        Conn::Postgres(c) => {
            let free: Vec<Uuid> = sqlx::query_scalar(
                "select id, set_config('idle_in_transaction_session_timeout', '3s', true)
                   from unnest($1::uuid[]) as wanted (id) where pg_try_advisory_xact_lock($2, hashtext(id::text))",
            )
            .bind(channels.iter().copied().collect::<Vec<_>>())
            .bind(LOCK_CLASS)
            .fetch_all(c)
            .await?;
            free.into_iter().collect()
        }
    })
}

/// Stores from when on a channel with a rate may make further attempts. The channel must be locked.
pub async fn set_rate_ready(conn: Conn<'_>, channel: Uuid, at: i64) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("update channel set rate_ready_at = $2 where id = $1")
        .bind(channel).bind(at).execute(c).await.map(drop))?;
    Ok(())
}
