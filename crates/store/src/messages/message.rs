//! Delayed messages: stores them, changes what they send, and prepares their deliveries.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    outbox::{NewDelivery, max_attempts},
    row::row,
};
use domain::{
    AccountId, ChannelId, DeliveryId, MessageId, TaskId, Timestamp, Version, channel::ChannelEvent,
    message::MessageOptions,
};
use std::collections::HashMap;
use uuid::Uuid;

/// A message before it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMessageRow {
    /// Id.
    pub id: MessageId,
    /// Name by which its sender finds it again.
    pub key: String,
    /// Its channel.
    pub channel: ChannelId,
    /// The body.
    pub body: String,
    /// Options, a JSON object.
    pub options: String,
    /// Hash of the request.
    pub fingerprint: String,
    /// The task that sends it.
    pub task: TaskId,
    /// Its creator.
    pub owner: AccountId,
}

/// Stores messages; their targets exist afterwards. [`StoreError::is_unique_violation`]: another
/// message of the channel has the key.
pub async fn insert(conn: Conn<'_>, new: &[NewMessageRow], at: Timestamp) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(c) => {
            let rows = encode(new.iter().map(|m| {
                (
                    m.id.0.simple(),
                    &m.key,
                    m.channel.0.simple(),
                    &m.body,
                    &m.options,
                    &m.fingerprint,
                    m.task.0.simple(),
                    m.owner.0.simple(),
                )
            }))?;
            sqlx::query(
                "insert into message (id, key, channel_id, body, options, fingerprint, task_id, owner_id, created_at)
                 select unhex(value ->> 0), value ->> 1, unhex(value ->> 2), value ->> 3, value ->> 4, value ->> 5,
                        unhex(value ->> 6), unhex(value ->> 7), $2
                   from jsonb_each($1)",
            )
            .bind(rows)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into message (id, key, channel_id, body, options, fingerprint, task_id, owner_id, created_at)
                 select id, key, channel_id, body, options, fingerprint, task_id, owner_id, $9
                   from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::uuid[])
                        as new (id, key, channel_id, body, options, fingerprint, task_id, owner_id)",
            )
            .bind(column(new, |m| m.id.0))
            .bind(column(new, |m| m.key.as_str()))
            .bind(column(new, |m| m.channel.0))
            .bind(column(new, |m| m.body.as_str()))
            .bind(column(new, |m| m.options.as_str()))
            .bind(column(new, |m| m.fingerprint.as_str()))
            .bind(column(new, |m| m.task.0))
            .bind(column(new, |m| m.owner.0))
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

row! {
    /// What names a message, and the request that created it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MessageKey {
        /// Id.
        pub id: Uuid,
        /// Its channel.
        pub channel_id: Uuid,
        /// Its key, unique in the channel.
        pub key: String,
        /// Hash of the request.
        pub fingerprint: String,
    }
}

/// Returns the messages with these keys, of whatever channel.
pub async fn with_keys(conn: Conn<'_>, keys: &[&str]) -> Result<Vec<MessageKey>, StoreError> {
    Ok(match conn {
        _ if keys.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select id, channel_id, key, fingerprint from message
                  where key in (select value from jsonb_each($1))",
            )
            .bind(encode(keys)?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as("select id, channel_id, key, fingerprint from message where key = any($1)")
                .bind(keys)
                .fetch_all(c)
                .await?
        }
    })
}

row! {
    /// A message that has a key, with the name of its channel.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct NamedMessage {
        /// Id.
        pub id: Uuid,
        /// Its channel.
        pub channel_id: Uuid,
        /// Name of the channel; `None`: it was deleted.
        pub channel: Option<String>,
    }
}

/// Returns the first messages with a key, at most five; only of this channel if one is given.
pub async fn find(
    conn: Conn<'_>,
    key: &str,
    channel: Option<ChannelId>,
) -> Result<Vec<NamedMessage>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select m.id, m.channel_id, c.name as channel
           from message m
           left join channel c on c.id = m.channel_id
          where m.key = $1 and ($2 is null or m.channel_id = $2)
          order by m.id
          limit 5")
        .bind(key).bind(channel.map(|id| id.0)).fetch_all(c).await)?)
}

/// Returns the task of a message and the version of the task; `None`: the message does not exist.
pub async fn task_of(conn: Conn<'_>, id: MessageId) -> Result<Option<(Uuid, i32)>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select t.id, t.version from message m join task t on t.id = m.task_id where m.id = $1")
        .bind(id.0).fetch_optional(c).await)?)
}

/// Returns the body of a message; `None`: it does not exist.
pub async fn body(conn: Conn<'_>, id: MessageId) -> Result<Option<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar("select body from message where id = $1")
        .bind(id.0).fetch_optional(c).await)?)
}

/// Replaces body and channel of a message, as far as they are given. Lock its target first.
/// [`StoreError::is_unique_violation`]: another message of the channel has the key.
pub async fn change(
    conn: Conn<'_>,
    id: MessageId,
    body: Option<&str>,
    channel: Option<ChannelId>,
) -> Result<(), StoreError> {
    with_conn!(conn, c => sqlx::query(
        "update message set body = coalesce($2, body), channel_id = coalesce($3, channel_id) where id = $1")
        .bind(id.0).bind(body).bind(channel.map(|id| id.0)).execute(c).await.map(drop))?;
    Ok(())
}

row! {
    /// What the delivery of a message needs.
    struct Outgoing {
        id: Uuid,
        key: String,
        channel_id: Uuid,
        channel: Option<String>,
        retry_schedule: Option<String>,
        state: Option<String>,
        options: String,
    }
}

impl Outgoing {
    /// Maximum number of attempts: by the schedule of a notice, else by that of its channel.
    fn max_attempts(&self, of_channel: &str) -> u32 {
        // Most options are empty.
        let notice = || serde_json::from_str::<MessageOptions>(&self.options).ok()?.notice;
        let notice = if self.options.contains("notice") { notice() } else { None };
        notice.map_or_else(|| max_attempts(of_channel), |terms| terms.retry_schedule.max_attempts())
    }
}

/// Whether a message can be handed to its channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandOver {
    /// The delivery to store. It is held if the channel is off.
    Delivery(Box<NewDelivery>),
    /// The channel is deleted or being deleted.
    ChannelGone,
}

/// Returns the deliveries of messages that these tasks send, by id of the message. A message that
/// does not exist is missing. Bodies are not read.
pub async fn hand_over(
    conn: Conn<'_>,
    sent: &[(MessageId, TaskId, Version)],
) -> Result<HashMap<Uuid, HandOver>, StoreError> {
    macro_rules! outgoing {
        ($ids:literal) => {
            concat!(
                "select m.id, m.key, m.channel_id, c.name as channel, c.retry_schedule, c.state, m.options
                   from message m
                   left join channel c on c.id = m.channel_id and c.unfinished is distinct from 'delete'
                  where m.id ",
                $ids
            )
        };
    }
    let ids = sent.iter().map(|(id, ..)| id.0);
    let rows: Vec<Outgoing> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(outgoing!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.map(Uuid::simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(outgoing!("= any($1)")).bind(ids.collect::<Vec<_>>()).fetch_all(c).await?
        }
    };
    let tasks: HashMap<Uuid, (TaskId, Version)> =
        sent.iter().map(|(id, task, version)| (id.0, (*task, *version))).collect();
    let delivery = |row: Outgoing| {
        let (task, version) = *tasks.get(&row.id)?;
        let Some((channel, retry_schedule)) = row.channel.clone().zip(row.retry_schedule.clone()) else {
            return Some((row.id, HandOver::ChannelGone));
        };
        let max_attempts = row.max_attempts(&retry_schedule);
        let delivery = NewDelivery {
            id: DeliveryId::generate(),
            task: Some(task),
            version,
            channel_id: row.channel_id,
            channel,
            event: ChannelEvent::Message,
            title: row.key,
            body: String::new(),
            message: Some(MessageId(row.id)),
            is_held: row.state.as_deref() == Some("off"),
            max_attempts,
        };
        Some((row.id, HandOver::Delivery(Box::new(delivery))))
    };
    Ok(rows.into_iter().filter_map(delivery).collect())
}
