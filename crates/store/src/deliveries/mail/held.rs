//! Mails that a limit holds, and those that are not sent because their address is blocked.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{AccountId, Timestamp, mail_limits::HeldReason};
use uuid::Uuid;

/// A mail that is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewHeldMail<'a> {
    /// Its delivery.
    pub delivery: Uuid,
    /// Its address.
    pub address: &'a str,
    /// The account that caused it.
    pub account: Uuid,
    /// Why.
    pub reason: HeldReason,
    /// Lower ones are sent first.
    pub rank: i32,
    /// When it is tried again; `None`: it is not sent.
    pub until: Option<Timestamp>,
}

/// Stores it. One that was held before keeps since when, and that its account was notified.
pub async fn hold(conn: Conn<'_>, new: &NewHeldMail<'_>, at: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into held_mail (delivery_id, address, account_id, reason, rank, held_at, until_at)
         values ($1, $2, $3, $4, $5, $6, $7)
             on conflict (delivery_id) do update
            set reason = excluded.reason, until_at = excluded.until_at")
        .bind(new.delivery).bind(new.address).bind(new.account).bind(new.reason.as_str()).bind(new.rank)
        .bind(at.millis()).bind(new.until.map(Timestamp::millis)).execute(c).await.map(drop))?;
    Ok(())
}

row! {
    /// A held mail that is to be tried again.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DueHeldMail {
        /// Its delivery.
        pub delivery_id: Uuid,
        /// Its address.
        pub address: String,
        /// The account that caused it.
        pub account_id: Uuid,
        /// Lower ones are sent first.
        pub rank: i32,
    }
}

/// Returns the held mails of a channel that are to be tried again: cancellations first, then new times, then
/// the others, in the order in which they were written.
pub async fn due(
    conn: Conn<'_>,
    channel: Uuid,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<DueHeldMail>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select h.delivery_id, h.address, h.account_id, h.rank
           from held_mail h
           join delivery d on d.id = h.delivery_id
          where h.until_at <= $2 and d.state = 'pending' and d.channel_id = $1
          order by h.rank, d.created_at, d.id
          limit $3")
        .bind(channel).bind(now.millis()).bind(limit).fetch_all(c).await)?)
}

/// Holds a mail for longer.
pub async fn prolong(
    mut conn: Conn<'_>,
    delivery: Uuid,
    (reason, until): (HeldReason, Timestamp),
) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query(
        "update held_mail set reason = $2, until_at = $3 where delivery_id = $1")
        .bind(delivery).bind(reason.as_str()).bind(until.millis()).execute(c).await.map(drop))?;
    with_conn!(conn, c => sqlx::query(
        "update delivery set not_before = $2 where id = $1 and state = 'pending'")
        .bind(delivery).bind(until.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Makes a held mail due at `at`. It stays in the list until it is claimed.
pub async fn release(mut conn: Conn<'_>, delivery: Uuid, at: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query("delete from held_mail where delivery_id = $1")
        .bind(delivery).execute(c).await.map(drop))?;
    with_conn!(conn, c => sqlx::query(
        "update delivery set not_before = $2 where id = $1 and state = 'pending'")
        .bind(delivery).bind(at.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Returns the held mails that are the last ones about these meetings or series, each with the id and the
/// address of what it is about.
pub async fn last_about(mut conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, Uuid, String)>, StoreError> {
    let any: i64 = with_conn!(conn.reborrow(), c => sqlx::query_scalar(
        "select count(*) from (select 1 from held_mail where until_at is not null limit 1) as held")
        .fetch_one(c).await)?;
    macro_rules! last_about {
        ($ids:literal) => {
            concat!(
                "select h.delivery_id, i.meeting_id, i.email
                   from held_mail h
                   join delivery d on d.id = h.delivery_id
                   join meeting_invite i on i.message_id = d.message_id
                  where h.until_at is not null and d.state = 'pending' and i.meeting_id ",
                $ids,
                " union all
                 select h.delivery_id, i.series_id, i.email
                   from held_mail h
                   join delivery d on d.id = h.delivery_id
                   join series_invite i on i.message_id = d.message_id
                  where h.until_at is not null and d.state = 'pending' and i.series_id ",
                $ids
            )
        };
    }
    Ok(match conn {
        _ if any == 0 || ids.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(last_about!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(last_about!("= any($1)")).bind(ids).fetch_all(c).await?,
    })
}

/// Cancels held mails: newer ones say what is true now. Those that are sent or ended stay as they are.
pub async fn supersede(conn: Conn<'_>, deliveries: &[Uuid], at: Timestamp) -> Result<(), StoreError> {
    if deliveries.is_empty() {
        return Ok(());
    }
    macro_rules! cancel {
        ($ids:literal) => {
            concat!(
                "update delivery set state = 'cancelled', ended_at = $2 where state = 'pending' and id ",
                $ids
            )
        };
    }
    macro_rules! delete {
        ($ids:literal) => {
            concat!("delete from held_mail where delivery_id ", $ids)
        };
    }
    match conn {
        Conn::Sqlite(c) => {
            let ids = encode(deliveries.iter().map(Uuid::as_simple))?;
            sqlx::query(cancel!("in (select unhex(value) from jsonb_each($1))"))
                .bind(&ids)
                .bind(at.millis())
                .execute(&mut *c)
                .await?;
            sqlx::query(delete!("in (select unhex(value) from jsonb_each($1))"))
                .bind(&ids)
                .execute(c)
                .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(cancel!("= any($1)")).bind(deliveries).bind(at.millis()).execute(&mut *c).await?;
            sqlx::query(delete!("= any($1)")).bind(deliveries).execute(c).await?;
        }
    }
    Ok(())
}

/// Makes all held mails due now: the limits have changed.
pub async fn try_again(mut conn: Conn<'_>, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query(
        "update delivery set not_before = $1
          where state = 'pending' and not_before > $1
            and id in (select delivery_id from held_mail where until_at is not null)")
        .bind(now.millis()).execute(c).await.map(drop))?;
    with_conn!(conn, c => sqlx::query("update held_mail set until_at = $1 where until_at > $1")
        .bind(now.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes what is no longer held: the delivery was sent, cancelled or deleted. What was not sent at all is
/// shown for a while.
pub async fn delete_ended(conn: Conn<'_>, blocked_before: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "delete from held_mail
          where reason = 'blocked' and held_at < $1
             or reason <> 'blocked'
                and not exists (select 1 from delivery d
                                 where d.id = held_mail.delivery_id and d.state in ('pending', 'held'))")
        .bind(blocked_before.millis()).execute(c).await.map(drop))?;
    Ok(())
}

row! {
    /// A held mail as its account sees it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct HeldMailRow {
        /// Its delivery.
        pub delivery_id: Uuid,
        /// Its address.
        pub address: String,
        /// The account that caused it.
        pub account_id: Uuid,
        /// Name of that account; `None`: it was deleted.
        pub account: Option<String>,
        /// Code of the reason.
        pub reason: String,
        /// Since when, milliseconds.
        pub held_at: i64,
        /// When it is tried again; `None`: it is not sent.
        pub until_at: Option<i64>,
        /// Beginning of the text.
        pub body: String,
        /// Options of the message, as JSON.
        pub options: String,
        /// Key of the message; empty: it is gone.
        pub message_key: String,
    }
}

impl HeldMailRow {
    /// The reminder that it sends; `None`: it sends none.
    #[must_use]
    pub fn reminder(&self) -> Option<Uuid> {
        self.message_key.strip_prefix("reminder:")?.split(':').next()?.parse().ok()
    }
}

/// Selects [`HeldMailRow`]s, those that are sent next first; `$condition` chooses them.
macro_rules! held_mails {
    ($condition:expr) => {
        concat!(
            "select h.delivery_id, h.address, h.account_id, a.name as account, h.reason, h.held_at, h.until_at,
                    substr(coalesce(m.body, ''), 1, 200) as body, coalesce(m.options, '{}') as options,
                    coalesce(m.key, '') as message_key
               from held_mail h
               join delivery d on d.id = h.delivery_id
               left join message m on m.id = d.message_id
               left join account a on a.id = h.account_id
              where ",
            $condition,
            " order by case when h.until_at is null then 1 else 0 end, h.until_at, h.rank, h.held_at desc, h.delivery_id
              limit $2"
        )
    };
}

/// Returns held mails, those that are sent next first. `account`: only those that it caused.
pub async fn list(
    conn: Conn<'_>,
    account: Option<AccountId>,
    limit: i64,
) -> Result<Vec<HeldMailRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(held_mails!(
        "($1 is null or h.account_id = $1) and (h.reason = 'blocked' or d.state in ('pending', 'held'))"))
        .bind(account.map(|id| id.0)).bind(limit).fetch_all(c).await)?)
}

/// Returns the mails about a meeting or its series that a limit holds, those that are sent next first. Mails of
/// reminders are not among them.
pub async fn about_meeting(
    conn: Conn<'_>,
    meeting: Uuid,
    limit: i64,
) -> Result<Vec<HeldMailRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(held_mails!(
        "h.until_at is not null and d.state in ('pending', 'held')
         and d.message_id in (select i.message_id from meeting_invite i where i.meeting_id = $1
                              union all
                              select s.message_id
                                from meeting g
                                join series_invite s on s.series_id = g.series_id
                               where g.id = $1)"))
        .bind(meeting).bind(limit).fetch_all(c).await)?)
}

/// Returns the mails of these reminders that a limit holds, those that are sent next first. Their keys begin
/// with `reminder:` and the id of the reminder: 45 characters.
pub async fn of_reminders(
    conn: Conn<'_>,
    reminders: &[Uuid],
    limit: i64,
) -> Result<Vec<HeldMailRow>, StoreError> {
    macro_rules! of_reminders {
        ($keys:literal) => {
            held_mails!(concat!(
                "h.until_at is not null and d.state in ('pending', 'held') and substr(m.key, 1, 45) ",
                $keys
            ))
        };
    }
    let keys: Vec<String> = reminders.iter().map(|id| format!("reminder:{id}")).collect();
    Ok(match conn {
        _ if keys.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(of_reminders!("in (select value from jsonb_each($1))"))
                .bind(encode(&keys)?)
                .bind(limit)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(of_reminders!("= any($1)")).bind(keys).bind(limit).fetch_all(c).await?
        }
    })
}

row! {
    /// An account that has not been notified of its held mails.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct UnnotifiedRow {
        /// The account.
        pub account_id: Uuid,
        /// Its language.
        pub language: String,
        /// Code of the reason.
        pub reason: String,
        /// Number of mails.
        pub count: i64,
        /// One of their addresses.
        pub address: String,
    }
}

/// Returns the accounts that have not been notified of held mails yet, with one row for each reason.
pub async fn unnotified(conn: Conn<'_>) -> Result<Vec<UnnotifiedRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select h.account_id, a.language, h.reason, count(*) as count, min(h.address) as address
           from held_mail h
           join account a on a.id = h.account_id
          where h.is_notified = 0
          group by h.account_id, a.language, h.reason
          order by h.account_id, h.reason")
        .fetch_all(c).await)?)
}

/// Notes that an account was notified of its held mails.
pub async fn mark_notified(conn: Conn<'_>, account: Uuid) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("update held_mail set is_notified = 1 where account_id = $1 and is_notified = 0")
        .bind(account).execute(c).await.map(drop))?;
    Ok(())
}
