//! The limits of mails to outside addresses, and how much of them is used.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    setting,
};
use domain::{
    Timestamp,
    mail_limits::{DAY_MS, HOUR_MS, MailLimits, MailUsage, PlannedMails, SentMails},
};
use std::collections::HashSet;
use uuid::Uuid;

/// Names of the settings.
const ACCOUNT_PER_DAY: &str = "mail.account_per_day";
const ADDRESS_PER_HOUR: &str = "mail.address_per_hour";
const DESK_PER_MINUTE: &str = "mail.desk_per_minute";
const OUTSIDE_REMINDERS: &str = "mail.outside_reminders";
/// Milliseconds of a minute.
const MINUTE_MS: i64 = 60_000;
/// Maximum number of planned mails that are read for each span of time.
const MAX_PLANNED: i64 = 10_000;
/// Advisory lock: one node at a time counts mails.
const LOCK: i64 = 0x6d61_696c;

/// Returns the limits. A value that cannot be read has its default.
pub async fn limits(conn: Conn<'_>) -> Result<MailLimits, StoreError> {
    let mut limits = MailLimits::default();
    let rows: Vec<(String, String)> = with_conn!(conn, c => sqlx::query_as("select name, value from setting where name like 'mail.%'").fetch_all(c).await)?;
    for (name, value) in rows {
        let number = |default: u32| value.parse().unwrap_or(default);
        match name.as_str() {
            ACCOUNT_PER_DAY => limits.account_per_day = number(limits.account_per_day),
            ADDRESS_PER_HOUR => limits.address_per_hour = number(limits.address_per_hour),
            DESK_PER_MINUTE => limits.desk_per_minute = number(limits.desk_per_minute),
            OUTSIDE_REMINDERS => {
                limits.outside_reminders = value.parse().unwrap_or(limits.outside_reminders);
            }
            _ => {}
        }
    }
    Ok(limits)
}

/// Stores the limits. Mails that the old ones held are tried again at once.
pub async fn put_limits(mut conn: Conn<'_>, limits: &MailLimits, now: Timestamp) -> Result<(), StoreError> {
    for (name, value) in [
        (ACCOUNT_PER_DAY, limits.account_per_day.to_string()),
        (ADDRESS_PER_HOUR, limits.address_per_hour.to_string()),
        (DESK_PER_MINUTE, limits.desk_per_minute.to_string()),
        (OUTSIDE_REMINDERS, limits.outside_reminders.to_string()),
    ] {
        setting::put(conn.reborrow(), name, &value).await?;
    }
    super::held::try_again(conn, now).await
}

/// Makes other nodes wait until the transaction ends: together they must not exceed a limit. On SQLite the
/// only writer needs no lock.
pub async fn lock(conn: Conn<'_>) -> Result<(), StoreError> {
    if let Conn::Postgres(c) = conn {
        sqlx::query("select pg_advisory_xact_lock($1)").bind(LOCK).execute(c).await?;
    }
    Ok(())
}

/// Returns how many mails were sent by this account, to this address, and by the desk.
pub async fn find(
    mut conn: Conn<'_>,
    account: Uuid,
    address: &str,
    now: Timestamp,
) -> Result<MailUsage, StoreError> {
    let sent = |(count, first_at): (i64, Option<i64>)| SentMails {
        count: u32::try_from(count).unwrap_or(u32::MAX),
        first_at: first_at.map(Timestamp::from_millis),
    };
    let of_account = with_conn!(conn.reborrow(), c => sqlx::query_as(
        "select count(*), min(at) from outside_mail where account_id = $1 and at > $2")
        .bind(account).bind(now.millis() - DAY_MS).fetch_one(c).await)?;
    let of_address = with_conn!(conn.reborrow(), c => sqlx::query_as(
        "select count(*), min(at) from outside_mail where address = $1 and at > $2")
        .bind(address).bind(now.millis() - HOUR_MS).fetch_one(c).await)?;
    let of_desk = with_conn!(conn, c => sqlx::query_as(
        "select count(*), min(at) from outside_mail where at > $1")
        .bind(now.millis() - MINUTE_MS).fetch_one(c).await)?;
    Ok(MailUsage { account: sent(of_account), address: sent(of_address), desk: sent(of_desk) })
}

/// Counts a mail.
pub async fn record(
    conn: Conn<'_>,
    (delivery, address): (Uuid, &str),
    account: Uuid,
    now: Timestamp,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "insert into outside_mail (delivery_id, address, account_id, at) values ($1, $2, $3, $4)
         on conflict do nothing")
        .bind(delivery).bind(address).bind(account).bind(now.millis()).execute(c).await.map(drop))?;
    Ok(())
}

/// Returns which of these deliveries are counted already: another attempt is no other mail.
pub async fn counted(conn: Conn<'_>, deliveries: &[Uuid]) -> Result<HashSet<Uuid>, StoreError> {
    let found: Vec<Uuid> = match conn {
        _ if deliveries.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "select distinct delivery_id from outside_mail
                  where delivery_id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(deliveries.iter().map(Uuid::as_simple))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar("select distinct delivery_id from outside_mail where delivery_id = any($1)")
                .bind(deliveries)
                .fetch_all(c)
                .await?
        }
    };
    Ok(found.into_iter().collect())
}

/// Deletes mails that no limit counts any more.
pub async fn delete_old(conn: Conn<'_>, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from outside_mail where at <= $1")
        .bind(now.millis() - DAY_MS).execute(c).await.map(drop))?;
    Ok(())
}

/// Returns the mails of reminders that a change plans for attendees of these meetings: addresses and moments.
/// Those are the mails of reminders whose tasks the change has made, and all to persons whom it invites. `at`:
/// when the change is made.
pub async fn planned_by_change(
    conn: Conn<'_>,
    meetings: &[Uuid],
    invited: &[String],
    at: Timestamp,
) -> Result<Vec<(String, Timestamp)>, StoreError> {
    macro_rules! planned_by_change {
        ($meetings:literal, $invited:literal) => {
            concat!(
                "select a.email, r.due_at
                   from reminder r
                   join task t on t.id = r.task_id
                   join attendee a on a.meeting_id = r.about_id
                  where r.recipient_kind = 'attendees' and r.text <> 'bell' and r.state = 'scheduled' and t.state = 'scheduled'
                    and a.answer <> 'declined' and r.about_id ",
                $meetings,
                " and (t.created_at = $3 or a.email ",
                $invited,
                ")"
            )
        };
    }
    let rows: Vec<(String, i64)> = match conn {
        _ if meetings.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(planned_by_change!(
                "in (select unhex(value) from jsonb_each($1))",
                "in (select value from jsonb_each($2))"
            ))
            .bind(encode(meetings.iter().map(Uuid::as_simple))?)
            .bind(encode(invited)?)
            .bind(at.millis())
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(planned_by_change!("= any($1)", "= any($2)"))
                .bind(meetings)
                .bind(invited)
                .bind(at.millis())
                .fetch_all(c)
                .await?
        }
    };
    Ok(rows.into_iter().map(|(address, at)| (address, Timestamp::from_millis(at))).collect())
}

/// The statement of [`planned`]; the databases differ in how the spans are passed.
macro_rules! planned {
    ($spans:literal) => {
        concat!(
            "with span (address, from_at, until_at) as (",
            $spans,
            ")
             select s.address, r.due_at
               from span s
               join reminder r on r.address = s.address and r.due_at between s.from_at and s.until_at
              where r.state in ('scheduled', 'sent')
             union all
             select s.address, r.due_at
               from span s
               join attendee a on a.email = s.address
               join reminder r on r.about_id = a.meeting_id and r.recipient_kind = 'attendees' and r.text <> 'bell'
                              and r.due_at between s.from_at and s.until_at
              where r.state in ('scheduled', 'sent')
             union all
             select s.address, i.mailed_at
               from span s
               join meeting_invite i on i.email = s.address and i.mailed_at between s.from_at and s.until_at
             union all
             select s.address, i.mailed_at
               from span s
               join series_invite i on i.email = s.address and i.mailed_at between s.from_at and s.until_at
             limit "
        )
    };
}

/// Returns the mails to these addresses that were sent or are planned within spans of time: reminders, and the
/// last mail about each meeting. The spans of an address must not overlap.
pub async fn planned(
    conn: Conn<'_>,
    spans: &[(&str, Timestamp, Timestamp)],
) -> Result<PlannedMails, StoreError> {
    let limit = i64::try_from(spans.len()).unwrap_or(i64::MAX).saturating_mul(MAX_PLANNED);
    let rows: Vec<(String, i64)> = match conn {
        _ if spans.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(concat!(
                planned!("select value ->> 0, value ->> 1, value ->> 2 from jsonb_each($1)"),
                "$2"
            ))
            .bind(encode(
                spans.iter().map(|(address, from, until)| (address, from.millis(), until.millis())),
            )?)
            .bind(limit)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(concat!(
                planned!("select * from unnest($1::text[], $2::bigint[], $3::bigint[])"),
                "$4"
            ))
            .bind(column(spans, |span| span.0))
            .bind(column(spans, |span| span.1.millis()))
            .bind(column(spans, |span| span.2.millis()))
            .bind(limit)
            .fetch_all(c)
            .await?
        }
    };
    let mut planned = PlannedMails::default();
    rows.iter().for_each(|(address, at)| planned.add(address, Timestamp::from_millis(*at)));
    Ok(planned)
}
