//! Claims deliveries with a lease, and finds claims whose lease has expired.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{ChannelId, Timestamp};
use uuid::Uuid;

row! {
    /// An attempt that is about to be made, or that was never reported.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ClaimedDelivery {
        /// Id of the delivery.
        pub id: Uuid,
        /// Its channel.
        pub channel_id: Uuid,
        /// Fencing token: the number of the attempt.
        pub epoch: i32,
        /// Step of the retry schedule, from 1.
        pub attempts: i32,
        /// Last step of the retry schedule.
        pub max_attempts: i32,
        /// The message.
        pub body: String,
        /// What it does with a post; `notify`: it sends a message.
        pub purpose: String,
        /// Options of a delayed message, a JSON object; `None`: it reports an event.
        pub options: Option<String>,
    }
}

/// For which node, and until when, deliveries are claimed.
#[derive(Debug, Clone, Copy)]
pub struct LeaseTerms<'a> {
    /// Id of the node, without dashes.
    pub node: &'a str,
    /// The current moment.
    pub now: Timestamp,
    /// From then on another node may record the attempt as lost.
    pub lease_until: Timestamp,
}

/// Maximum number of deliveries with failed attempts among which the next probe is chosen.
const MAX_PROBE_CANDIDATES: i64 = 200;

/// Returns the due delivery that shows whether a failing channel works again: the oldest one without an
/// attempt, else one with the fewest. The oldest of all may be what the receiver cannot take.
pub async fn next_probe(
    conn: Conn<'_>,
    channel: ChannelId,
    now: Timestamp,
) -> Result<Option<Uuid>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select id
           from (select id, epoch, not_before
                   from (select d.id, d.epoch, d.not_before from delivery d
                          where d.channel_id = $1 and d.state = 'pending' and d.not_before <= $2 and d.epoch = 0
                          order by d.not_before, d.id
                          limit 1) as fresh
                 union all
                 select id, epoch, not_before
                   from (select d.id, d.epoch, d.not_before from delivery d
                          where d.channel_id = $1 and d.state = 'pending' and d.not_before <= $2 and d.epoch > 0
                          order by d.not_before, d.id
                          limit $3) as tried) as candidate
          order by epoch, not_before, id
          limit 1")
        .bind(channel.0).bind(now.millis()).bind(MAX_PROBE_CANDIDATES).fetch_optional(c).await)?)
}

/// Claims up to `limit` due deliveries of a channel, oldest first, and of a post only its newest, once no other one of
/// it is being sent. Writes a row for
/// each attempt before it is made.
pub async fn claim(
    conn: Conn<'_>,
    channel: ChannelId,
    limit: i64,
    terms: LeaseTerms<'_>,
) -> Result<Vec<ClaimedDelivery>, StoreError> {
    claim_rows(conn, channel, (limit, Which::All), terms).await
}

/// The same without checks of posts, which must not be before a publication.
pub async fn claim_changes(
    conn: Conn<'_>,
    channel: ChannelId,
    limit: i64,
    terms: LeaseTerms<'_>,
) -> Result<Vec<ClaimedDelivery>, StoreError> {
    claim_rows(conn, channel, (limit, Which::NoChecks), terms).await
}

/// Claims one due delivery of a channel.
pub async fn claim_one(
    conn: Conn<'_>,
    channel: ChannelId,
    delivery: Uuid,
    terms: LeaseTerms<'_>,
) -> Result<Vec<ClaimedDelivery>, StoreError> {
    claim_rows(conn, channel, (1, Which::One(delivery)), terms).await
}

/// Which due deliveries are claimed.
#[derive(Clone, Copy)]
enum Which {
    All,
    NoChecks,
    One(Uuid),
}

async fn claim_rows(
    mut conn: Conn<'_>,
    channel: ChannelId,
    (limit, which): (i64, Which),
    terms: LeaseTerms<'_>,
) -> Result<Vec<ClaimedDelivery>, StoreError> {
    // Materialized: PostgreSQL may run a subquery that skips locked rows once per row, and claim
    // too many.
    macro_rules! claim_sql {
        ($lock:literal) => {
            match which {
                Which::All => claim_sql!($lock, ""),
                Which::NoChecks => claim_sql!($lock, " and d.purpose not in ('prepare', 'look')"),
                Which::One(_) => claim_sql!($lock, " and d.id = $6"),
            }
        };
        ($lock:literal, $only:literal) => {
            concat!(
                "with due as materialized (
                     select d.id
                       from delivery d
                      where d.channel_id = $1 and d.state = 'pending' and d.not_before <= $2
                        and (d.post_id is null
                             or not exists (select 1 from post p where p.id = d.post_id and p.delivery_id <> d.id)
                                and not exists (select 1 from delivery s where s.state = 'sending' and s.post_id = d.post_id))", $only, "
                      order by d.not_before, d.id
                      limit $3 ",
                $lock,
                ")
                 update delivery
                    set state = 'sending', epoch = epoch + 1, attempts = attempts + 1, lease_until = $4, lease_owner = $5
                  where id in (select due.id from due) and state = 'pending'
                 returning id, channel_id, epoch, attempts, max_attempts,
                           coalesce((select m.body from message m where m.id = delivery.message_id), body) as body, purpose,
                           (select m.options from message m where m.id = delivery.message_id) as options"
            )
        };
    }
    let claimed: Vec<ClaimedDelivery> = match conn.reborrow() {
        Conn::Sqlite(c) => {
            let query = sqlx::query_as(claim_sql!("")).bind(channel.0).bind(terms.now.millis()).bind(limit);
            let query = query.bind(terms.lease_until.millis()).bind(terms.node);
            match which {
                Which::One(only) => query.bind(only).fetch_all(c).await?,
                Which::All | Which::NoChecks => query.fetch_all(c).await?,
            }
        }
        Conn::Postgres(c) => {
            let query = sqlx::query_as(claim_sql!("for update skip locked"))
                .bind(channel.0)
                .bind(terms.now.millis())
                .bind(limit);
            let query = query.bind(terms.lease_until.millis()).bind(terms.node);
            match which {
                Which::One(only) => query.bind(only).fetch_all(c).await?,
                Which::All | Which::NoChecks => query.fetch_all(c).await?,
            }
        }
    };
    begin_attempts(conn, &claimed, terms.now).await?;
    Ok(claimed)
}

async fn begin_attempts(
    conn: Conn<'_>,
    claimed: &[ClaimedDelivery],
    at: Timestamp,
) -> Result<(), StoreError> {
    match conn {
        _ if claimed.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into delivery_attempt (delivery_id, epoch, started_at)
                 select unhex(value ->> 0), value ->> 1, $2 from jsonb_each($1)",
            )
            .bind(encode(claimed.iter().map(|one| (one.id.simple(), one.epoch)))?)
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

/// A claimed delivery that is not sent yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PutBack {
    /// The delivery.
    pub id: Uuid,
    /// Its claim.
    pub epoch: i32,
    /// From when on it may be claimed again.
    pub until: Timestamp,
}

/// Undoes claims in their own transaction: the deliveries wait, and no attempt was made.
pub async fn put_back(mut conn: Conn<'_>, all: &[PutBack]) -> Result<(), StoreError> {
    for one in all {
        with_conn!(conn.reborrow(), c => sqlx::query(
            "update delivery
                set state = 'pending', epoch = epoch - 1, attempts = attempts - 1, not_before = $3,
                    lease_until = null, lease_owner = null
              where id = $1 and epoch = $2 and state = 'sending'")
            .bind(one.id).bind(one.epoch).bind(one.until.millis()).execute(c).await.map(drop))?;
        with_conn!(conn.reborrow(), c => sqlx::query(
            "delete from delivery_attempt where delivery_id = $1 and epoch = $2")
            .bind(one.id).bind(one.epoch).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Ends a claimed delivery that must not be sent, in the transaction of its claim. The log says why.
pub async fn refuse(
    mut conn: Conn<'_>,
    (id, epoch): (Uuid, i32),
    why: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query(
        "update delivery set state = 'cancelled', ended_at = $3, lease_until = null, lease_owner = null
          where id = $1 and epoch = $2 and state = 'sending'")
        .bind(id).bind(epoch).bind(now.millis()).execute(c).await.map(drop))?;
    with_conn!(conn, c => sqlx::query(
        "update delivery_attempt set ended_at = $3, outcome = 'blocked', response_body = $4
          where delivery_id = $1 and epoch = $2")
        .bind(id).bind(epoch).bind(now.millis()).bind(why).execute(c).await.map(drop))?;
    Ok(())
}

row! {
    /// A claim whose lease has expired, with the retry settings of its channel.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ExpiredLease {
        /// The claim.
        flat pub claimed: ClaimedDelivery,
        /// The channel's retry schedule; `None`: the channel was deleted.
        pub retry_schedule: Option<String>,
        /// `retry` or `hold`; `None`: the channel was deleted.
        pub on_unknown_outcome: Option<String>,
    }
}

/// Returns attempts that were not reported by the end of their lease, or whose node is dead: their
/// outcome is unknown. A claim is a sign of life, too: its node may have no newer heartbeat yet.
pub async fn expired_leases(conn: Conn<'_>, now: Timestamp) -> Result<Vec<ExpiredLease>, StoreError> {
    macro_rules! expired_sql {
        ($owner:literal) => {
            concat!(
                "select d.id, d.channel_id, d.epoch, d.attempts, d.max_attempts, '' as body, d.purpose, (select m.options from message m where m.id = d.message_id) as options, c.retry_schedule, c.on_unknown_outcome
                   from delivery d
                   left join channel c on c.id = d.channel_id
                  where d.state = 'sending'
                    and (d.lease_until < $1
                         or d.lease_owner in (select ",
                $owner,
                " from node n where n.state = 'lost' and n.heartbeat_at < $2)
                            and exists (select 1
                                          from delivery_attempt a
                                         where a.delivery_id = d.id and a.epoch = d.epoch and a.started_at < $2))
                  order by d.id
                  limit 200"
            )
        };
    }
    let dead_before = now.millis() - domain::node::NODE_DEAD_AFTER_MS;
    Ok(match conn {
        Conn::Sqlite(c) => {
            let query = sqlx::query_as(expired_sql!("lower(hex(n.id))")).bind(now.millis()).bind(dead_before);
            query.fetch_all(c).await?
        }
        Conn::Postgres(c) => {
            let query = sqlx::query_as(expired_sql!("replace(n.id::text, '-', '')"))
                .bind(now.millis())
                .bind(dead_before);
            query.fetch_all(c).await?
        }
    })
}
