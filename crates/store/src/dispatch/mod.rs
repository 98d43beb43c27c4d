//! Dispatching: claims with a fence and a lease, and what became of each attempt.

mod claim;
pub mod recipients;
mod record;
mod stuck;

pub use claim::{Claimed, Lost, Terms, claim, lost};
pub use record::{Ended, record};
pub use stuck::{Stuck, stuck};

use crate::{Conn, StoreError, row::row, takeover::timeline_id};
use std::collections::BTreeSet;
use uuid::Uuid;

row! {
    /// An active channel and what waits for it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Lane {
        /// Which channel.
        pub id: Uuid,
        /// Where it leads, as JSON.
        pub route: String,
        /// Its retry ladder.
        pub ladder: String,
        /// `retry` or `hold`.
        pub on_ambiguous: String,
        /// At most so many on their way at once, on all nodes together.
        pub concurrency: i32,
        /// Sealed.
        pub secret: Option<String>,
        /// Sealed; signs too until [`Lane::former_until`].
        pub former_secret: Option<String>,
        /// Milliseconds.
        pub former_until: Option<i64>,
        /// Attempts that failed in a row.
        pub failures: i32,
        /// No attempt before this moment, milliseconds.
        pub rests_until: Option<i64>,
        /// When the first of what waits is to be tried, milliseconds.
        pub next_at: Option<i64>,
        /// How many are on their way: of a node that has fallen silent none is counted, so that its death keeps no others from leaving.
        pub sending: i64,
    }
}

macro_rules! lanes {
    ($owner:literal, $and:expr) => {
        concat!(
            "select c.id, c.route, c.ladder, c.on_ambiguous, c.concurrency, c.secret, c.former_secret, c.former_until,
                c.failures, c.rests_until,
                (select min(d.not_before) from delivery d where d.channel_id = c.id and d.state = 'pending') as next_at,
                (select count(*)
                   from delivery d
                  where d.channel_id = c.id and d.state = 'sending'
                    and not exists (select 1 from node n where n.state = 'lost' and d.owner = ",
            $owner,
            ")) as sending
           from channel c
          where c.state = 'active'
            and not exists (select 1 from setting where name = 'restore.held')",
            $and,
            " order by c.id"
        )
    };
}

/// As long as a node that lives has not compared what it was told with what a server that took over has.
const COMPARED: &str = lanes!(
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

/// The active channels; none while messages are held: this is a restored backup, a copy, or a server that took over and lacks something,
/// or may.
pub async fn lanes(conn: Conn<'_>) -> Result<Vec<Lane>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => sqlx::query_as(lanes!("lower(hex(n.id))", "")).fetch_all(c).await?,
        Conn::Postgres(c) => sqlx::query_as(COMPARED).fetch_all(c).await?,
    })
}

/// The class of the advisory locks of which each is the turn at a channel.
const TURN: i32 = 0x7475_726e;

/// Of these channels those at which it is this transaction's turn, until it ends: what is on its way to them is counted, and more of it
/// claimed, by one node at a time. Nobody waits for a turn. SQLite has one writer, whose turn it always is.
pub async fn turns(conn: Conn<'_>, channels: &BTreeSet<Uuid>) -> Result<BTreeSet<Uuid>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(_) => channels.clone(),
        // Two channels whose numbers fall together share a turn, and lose nothing by it. A node that stands still, or cannot be reached,
        // gives its turn back soon.
        Conn::Postgres(c) => {
            let free: Vec<Uuid> = sqlx::query_scalar(
                "select id, set_config('idle_in_transaction_session_timeout', '3s', true)
                   from unnest($1::uuid[]) as wanted (id) where pg_try_advisory_xact_lock($2, hashtext(id::text))",
            )
            .bind(channels.iter().copied().collect::<Vec<_>>())
            .bind(TURN)
            .fetch_all(c)
            .await?;
            free.into_iter().collect()
        }
    })
}
