//! What is claimed, and claims nobody has reported.

use crate::{Conn, StoreError, batch::pack, row::row};
use domain::{ChannelId, Timestamp};
use uuid::Uuid;

row! {
    /// An attempt that is about to be made, or was never heard of again.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Claimed {
        /// Which delivery.
        pub id: Uuid,
        /// Which way.
        pub channel_id: Uuid,
        /// The fence: number of the attempt.
        pub epoch: i32,
        /// Step on the ladder, from 1.
        pub attempts: i32,
        /// The last step.
        pub max_attempts: i32,
        /// The message.
        pub body: String,
    }
}

/// On whose behalf, and until when, deliveries are claimed.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// Which process: its identity among the nodes, without dashes.
    pub node: &'a str,
    /// When.
    pub now: Timestamp,
    /// From then on somebody else may say that the attempt was lost.
    pub lease_until: Timestamp,
}

/// Claims up to `limit` deliveries of a channel whose time has come, oldest first. Each gets an attempt before it is made.
pub async fn claim(
    mut conn: Conn<'_>,
    channel: ChannelId,
    limit: i64,
    terms: Terms<'_>,
) -> Result<Vec<Claimed>, StoreError> {
    // Materialized: PostgreSQL may ask an inner question that skips locked rows once for each row, and claim too many.
    macro_rules! claim {
        ($lock:literal) => {
            concat!(
                "with due as materialized (
                     select d.id
                       from delivery d
                      where d.channel_id = $1 and d.state = 'pending' and d.not_before <= $2
                      order by d.not_before, d.id
                      limit $3 ",
                $lock,
                ")
                 update delivery
                    set state = 'sending', epoch = epoch + 1, attempts = attempts + 1, lease_until = $4, owner = $5
                  where id in (select due.id from due) and state = 'pending'
                 returning id, channel_id, epoch, attempts, max_attempts, body"
            )
        };
    }
    let claimed: Vec<Claimed> = match conn.again() {
        Conn::Sqlite(c) => {
            let query = sqlx::query_as(claim!("")).bind(channel.0).bind(terms.now.millis()).bind(limit);
            query.bind(terms.lease_until.millis()).bind(terms.node).fetch_all(c).await?
        }
        Conn::Postgres(c) => {
            let query = sqlx::query_as(claim!("for update skip locked"));
            let query = query.bind(channel.0).bind(terms.now.millis()).bind(limit);
            query.bind(terms.lease_until.millis()).bind(terms.node).fetch_all(c).await?
        }
    };
    begin_attempts(conn, &claimed, terms.now).await?;
    Ok(claimed)
}

async fn begin_attempts(conn: Conn<'_>, claimed: &[Claimed], at: Timestamp) -> Result<(), StoreError> {
    match conn {
        _ if claimed.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into delivery_attempt (delivery_id, epoch, started_at)
                 select unhex(value ->> 0), value ->> 1, $2 from jsonb_each($1)",
            )
            .bind(pack(claimed.iter().map(|one| (one.id.simple(), one.epoch)))?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into delivery_attempt (delivery_id, epoch, started_at)
                 select id, epoch, $3 from unnest($1::uuid[], $2::integer[]) as begun (id, epoch)",
            )
            .bind(claimed.iter().map(|one| one.id).collect::<Vec<_>>())
            .bind(claimed.iter().map(|one| one.epoch).collect::<Vec<_>>())
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

row! {
    /// A claim whose lease is over, and what its channel says about that.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Lost {
        /// The claim.
        flat pub claimed: Claimed,
        /// The channel's ladder; `None`: the channel is gone.
        pub ladder: Option<String>,
        /// The channel's `retry` or `hold`.
        pub on_ambiguous: Option<String>,
    }
}

/// Attempts that nobody has reported by the end of their lease, or whose node is known to be dead: whoever made them cannot
/// say any more how they ended.
pub async fn lost(conn: Conn<'_>, now: Timestamp) -> Result<Vec<Lost>, StoreError> {
    macro_rules! lost {
        ($owner:literal) => {
            concat!(
                "select d.id, d.channel_id, d.epoch, d.attempts, d.max_attempts, d.body, c.ladder, c.on_ambiguous
                   from delivery d
                   left join channel c on c.id = d.channel_id
                  where d.state = 'sending'
                    and (d.lease_until < $1
                         or d.owner in (select ",
                $owner,
                " from node n where n.state = 'lost' and n.beat_at < $2))
                  order by d.id
                  limit 200"
            )
        };
    }
    let dead = now.millis() - crate::hands::DEAD_MS;
    Ok(match conn {
        Conn::Sqlite(c) => {
            let query = sqlx::query_as(lost!("lower(hex(n.id))")).bind(now.millis()).bind(dead);
            query.fetch_all(c).await?
        }
        Conn::Postgres(c) => {
            let query = sqlx::query_as(lost!("replace(n.id::text, '-', '')")).bind(now.millis()).bind(dead);
            query.fetch_all(c).await?
        }
    })
}
