//! Notifications of accounts.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    push_message,
    row::row,
};
use domain::{AccountId, Timestamp, reminders::NotificationUndo};
use std::collections::{BTreeMap, HashSet};
use uuid::Uuid;

/// How long notifications are kept, milliseconds: 90 days.
const KEPT_MS: i64 = 90 * 24 * 3_600_000;
/// Up to how many unread notifications are counted.
const COUNT_LIMIT: i64 = 1_000;

row! {
    /// A notification.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct NotificationRow {
        /// Id.
        pub id: Uuid,
        /// What it says.
        pub text: String,
        /// Path of the page it is about.
        pub link: String,
        /// When it was created, milliseconds.
        pub created_at: i64,
        /// When it was read; `None`: it was not.
        pub read_at: Option<i64>,
        /// What reverts its change: a word of `UndoneThing`. `None`: nothing does.
        pub undo_kind: Option<String>,
        /// What was changed.
        pub undo_id: Option<Uuid>,
        /// Its version after the change.
        pub undo_version: Option<i32>,
    }
}

/// When a notification is shown on the devices of its account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PushTime {
    /// At once.
    #[default]
    Now,
    /// From this moment on, milliseconds.
    After(i64),
    /// Not at all.
    Never,
}

/// A notification before it is stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewNotification {
    /// Id.
    pub id: Uuid,
    /// Whom it is for.
    pub account: Uuid,
    /// What it says.
    pub text: String,
    /// Path of the page it is about.
    pub link: String,
    /// What it says; `None`: something that cannot be switched off.
    pub event: Option<&'static str>,
    /// Whether the account does not see it in its list.
    pub is_hidden: bool,
    /// When it is mailed, milliseconds; `None`: it is not.
    pub mail_at: Option<i64>,
    /// When it is shown on devices.
    pub push: PushTime,
    /// What it is about. It stands in the place of an unread one of the account about the same. `None`: others stay.
    pub topic: Option<String>,
    /// How its change is reverted.
    pub undo: Option<NotificationUndo>,
}

/// Stores new notifications in the place of unread ones about the same, and their push messages to the browsers of their
/// accounts.
pub async fn insert(mut conn: Conn<'_>, new: &[NewNotification], at: Timestamp) -> Result<(), StoreError> {
    let new = latest(new);
    delete_replaced(conn.reborrow(), &new).await?;
    match conn.reborrow() {
        _ if new.is_empty() => {}
        Conn::Sqlite(c) => {
            let rows = new.iter().map(|one| {
                let (id, account, in_bell) =
                    (one.id.simple(), one.account.simple(), i32::from(!one.is_hidden));
                let undo = one.undo.map(|undo| (undo.thing.as_str(), undo.id.simple(), undo.version.0));
                (id, account, &one.text, &one.link, one.event, in_bell, one.mail_at, &one.topic, undo)
            });
            sqlx::query(
                "insert into notification (id, account_id, text, link, event, in_bell, mail_at, topic, undo_kind, undo_id,
                                           undo_version, created_at)
                 select unhex(value ->> 0), unhex(value ->> 1), value ->> 2, value ->> 3, value ->> 4, value ->> 5,
                        value ->> 6, value ->> 7, value ->> '$[8][0]', unhex(value ->> '$[8][1]'), value ->> '$[8][2]', $2
                   from jsonb_each($1)",
            )
            .bind(encode(rows)?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into notification (id, account_id, text, link, event, in_bell, mail_at, topic, undo_kind, undo_id,
                                           undo_version, created_at)
                 select id, account_id, text, link, event, in_bell, mail_at, topic, undo_kind, undo_id, undo_version, $12
                   from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::bigint[],
                               $8::text[], $9::text[], $10::uuid[], $11::integer[])
                        as new (id, account_id, text, link, event, in_bell, mail_at, topic, undo_kind, undo_id,
                                undo_version)",
            )
            .bind(column(&new, |one| one.id))
            .bind(column(&new, |one| one.account))
            .bind(column(&new, |one| one.text.as_str()))
            .bind(column(&new, |one| one.link.as_str()))
            .bind(column(&new, |one| one.event))
            .bind(column(&new, |one| i32::from(!one.is_hidden)))
            .bind(column(&new, |one| one.mail_at))
            .bind(column(&new, |one| one.topic.as_deref()))
            .bind(column(&new, |one| one.undo.map(|undo| undo.thing.as_str())))
            .bind(column(&new, |one| one.undo.map(|undo| undo.id)))
            .bind(column(&new, |one| one.undo.map(|undo| undo.version.0)))
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    push(conn, &new, at).await
}

/// Returns the notifications without those that a later one of the same account replaces.
fn latest(new: &[NewNotification]) -> Vec<&NewNotification> {
    let mut seen = HashSet::new();
    let is_last = |one: &&NewNotification| match &one.topic {
        Some(topic) => seen.insert((one.account, topic.clone())),
        None => true,
    };
    let mut latest: Vec<&NewNotification> = new.iter().rev().filter(is_last).collect();
    latest.reverse();
    latest
}

/// Deletes the unread notifications in whose place new ones stand, and their push messages.
async fn delete_replaced(mut conn: Conn<'_>, new: &[&NewNotification]) -> Result<(), StoreError> {
    macro_rules! delete_sql {
        ($topics:literal) => {
            concat!(
                "delete from notification
                  where read_at is null and topic is not null and (account_id, topic) in (",
                $topics,
                ") returning id"
            )
        };
    }
    let with_topic = || new.iter().filter_map(|one| Some((one.account, one.topic.as_deref()?)));
    if with_topic().next().is_none() {
        return Ok(());
    }
    let replaced: Vec<Uuid> = match conn.reborrow() {
        Conn::Sqlite(c) => {
            let topics = with_topic().map(|(account, topic)| (account.simple(), topic));
            let sql = delete_sql!("select unhex(value ->> 0), value ->> 1 from jsonb_each($1)");
            sqlx::query_scalar(sql).bind(encode(topics)?).fetch_all(c).await?
        }
        Conn::Postgres(c) => {
            let (accounts, topics): (Vec<Uuid>, Vec<&str>) = with_topic().unzip();
            let sql = delete_sql!("select * from unnest($1::uuid[], $2::text[])");
            sqlx::query_scalar(sql).bind(accounts).bind(topics).fetch_all(c).await?
        }
    };
    push_message::delete_of(conn, &replaced).await
}

/// Stores the push messages of new notifications.
async fn push(mut conn: Conn<'_>, new: &[&NewNotification], at: Timestamp) -> Result<(), StoreError> {
    let mut pushed: BTreeMap<i64, Vec<Uuid>> = BTreeMap::new();
    for one in new {
        let due = match one.push {
            PushTime::Now => at.millis(),
            PushTime::After(due) => due,
            PushTime::Never => continue,
        };
        pushed.entry(due).or_default().push(one.id);
    }
    for (due, ids) in pushed {
        push_message::enqueue(conn.reborrow(), &ids, at, due.into()).await?;
    }
    Ok(())
}

/// Stores a notification about a topic in the place of the earlier one of the account about it, and its
/// push messages.
pub async fn replace(
    mut conn: Conn<'_>,
    new: &NewNotification,
    topic: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    with_conn!(conn.reborrow(), c => sqlx::query("delete from notification where account_id = $1 and topic = $2")
        .bind(new.account).bind(topic).execute(c).await.map(drop))?;
    with_conn!(conn.reborrow(), c => sqlx::query(
        "insert into notification (id, account_id, text, link, created_at, topic) values ($1, $2, $3, $4, $5, $6)")
        .bind(new.id).bind(new.account).bind(&new.text).bind(&new.link).bind(at.millis()).bind(topic)
        .execute(c).await.map(drop))?;
    push_message::enqueue(conn, &[new.id], at, at).await
}

/// Returns the newest notifications of an account.
pub async fn newest(
    conn: Conn<'_>,
    account: AccountId,
    limit: u32,
) -> Result<Vec<NotificationRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select id, text, link, created_at, read_at, undo_kind, undo_id, undo_version from notification
          where account_id = $1 and in_bell = 1 order by id desc limit $2")
        .bind(account.0).bind(i64::from(limit)).fetch_all(c).await)?)
}

/// Returns the number of unread notifications of an account, up to 1,000.
pub async fn unread(conn: Conn<'_>, account: AccountId) -> Result<u64, StoreError> {
    let count: i64 = with_conn!(conn, c => sqlx::query_scalar(
        "select count(*) from (select 1 from notification where account_id = $1 and read_at is null and in_bell = 1
          limit $2) as part")
        .bind(account.0).bind(COUNT_LIMIT).fetch_one(c).await)?;
    Ok(u64::try_from(count).unwrap_or_default())
}

/// Marks all notifications of an account as read; returns how many were unread. Those that it sees are no longer mailed
/// or shown on devices.
pub async fn mark_all_read(mut conn: Conn<'_>, account: AccountId, at: Timestamp) -> Result<u64, StoreError> {
    let count = with_conn!(conn.reborrow(), c => sqlx::query(
        "update notification set read_at = $2, mail_at = case in_bell when 0 then mail_at end
          where account_id = $1 and read_at is null")
        .bind(account.0).bind(at.millis()).execute(c).await?.rows_affected());
    with_conn!(conn, c => sqlx::query(
        "delete from push_message
          where notification_id in (select id from notification where account_id = $1 and read_at = $2 and in_bell = 1)")
        .bind(account.0).bind(at.millis()).execute(c).await.map(drop))?;
    Ok(count)
}

/// Deletes notifications older than 90 days.
pub async fn delete_expired(conn: Conn<'_>, now: Timestamp) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query("delete from notification where created_at < $1")
        .bind(now.millis() - KEPT_MS).execute(c).await.map(drop))?;
    Ok(())
}
