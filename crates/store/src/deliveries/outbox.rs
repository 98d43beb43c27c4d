//! The outbox: writes deliveries in the transaction of the change that they report.

use crate::{
    Conn, StoreError, Tx,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use domain::{
    DeliveryId, MessageId, TaskId, Timestamp, Version,
    channel::{ChannelEvent, Transport},
    delivery::DeliveryState,
    retry_schedule::RetrySchedule,
};
use serde_json::json;
use std::collections::HashMap;
use uuid::Uuid;

/// A change to report to the channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// The executed task.
    pub task: TaskId,
    /// The version that was executed.
    pub version: Version,
    /// What happened.
    pub event: ChannelEvent,
    /// The article.
    pub article: Uuid,
    /// Number of the public revision; of the current one if the article was unpublished.
    pub revision: i32,
}

/// A delivery before it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDelivery {
    /// Id of the delivery.
    pub id: DeliveryId,
    /// The executed task; `None`: no task caused it.
    pub task: Option<TaskId>,
    /// The version that was executed.
    pub version: Version,
    /// Its channel.
    pub channel_id: Uuid,
    /// Name of the channel.
    pub channel: String,
    /// What happened.
    pub event: ChannelEvent,
    /// Title of the article.
    pub title: String,
    /// The message; empty if it is stored elsewhere.
    pub body: String,
    /// The delayed message that it sends, which holds the body; `None`: it has a body of its own.
    pub message: Option<MessageId>,
    /// Whether it waits until its channel is active again.
    pub is_held: bool,
    /// Maximum number of attempts.
    pub max_attempts: u32,
}

row! {
    /// The columns of a channel that the outbox needs.
    pub(super) struct Subscriber {
        pub(super) id: Uuid,
        pub(super) name: String,
        transport: String,
        events: String,
        retry_schedule: String,
    }
}

impl Subscriber {
    /// Whether the channel publishes articles on another site.
    fn publishes_posts(&self) -> bool {
        self.transport.parse::<Transport>().is_ok_and(Transport::publishes_posts)
    }

    /// Whether the channel is notified of this event.
    pub(super) fn follows(&self, event: ChannelEvent) -> bool {
        self.events.split(' ').any(|word| word == event.as_str())
    }

    /// Maximum number of attempts of a delivery to it.
    pub(super) fn max_attempts(&self) -> u32 {
        max_attempts(&self.retry_schedule)
    }
}

/// Returns the channels that take messages.
pub(super) async fn subscribers(conn: Conn<'_>) -> Result<Vec<Subscriber>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select id, name, transport, events, retry_schedule from channel where state <> 'off' order by id")
        .fetch_all(c).await)?)
}

row! {
    struct ArticleText {
        id: Uuid,
        slug: String,
        title: String,
        published_at: Option<i64>,
    }
}

/// What was written to the outbox.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Enqueued {
    /// Number of deliveries.
    pub(crate) deliveries: u64,
    /// Whether a channel publishes articles on another site.
    pub(crate) publishes_posts: bool,
}

/// Stores one delivery per message and subscribed channel. Without channels this is one query.
pub(crate) async fn enqueue(
    tx: &mut Tx,
    messages: &[Message],
    at: Timestamp,
) -> Result<Enqueued, StoreError> {
    if messages.is_empty() {
        return Ok(Enqueued::default());
    }
    let subscribers = subscribers(tx.conn()).await?;
    if subscribers.is_empty() {
        return Ok(Enqueued::default());
    }
    let texts = texts(tx.conn(), messages).await?;
    let mut new = Vec::new();
    for message in messages {
        let Some(text) = texts.get(&message.article) else { continue };
        let body = body(message, text, at);
        let followers = subscribers.iter().filter(|one| one.follows(message.event));
        new.extend(followers.map(|subscriber| NewDelivery {
            id: DeliveryId::generate(),
            task: Some(message.task),
            version: message.version,
            channel_id: subscriber.id,
            channel: subscriber.name.clone(),
            event: message.event,
            title: text.title.clone(),
            body: body.clone(),
            message: None,
            is_held: false,
            max_attempts: subscriber.max_attempts(),
        }));
    }
    insert(tx.conn(), &new, at).await?;
    let publishes_posts = subscribers.iter().any(Subscriber::publishes_posts);
    Ok(Enqueued { deliveries: new.len() as u64, publishes_posts })
}

/// Returns the maximum number of attempts by a stored retry schedule; 1 if it cannot be parsed.
pub(crate) fn max_attempts(retry_schedule: &str) -> u32 {
    retry_schedule.parse::<RetrySchedule>().map_or(1, |schedule| schedule.max_attempts())
}

/// The message: the task, and what a reader of the public site can know. For an unpublished article
/// only the slug: its current title may be a draft.
fn body(message: &Message, text: &ArticleText, at: Timestamp) -> String {
    let is_public = text.published_at.is_some();
    json!({
        "type": message.event,
        "timestamp": at,
        "data": {
            "article_id": message.article,
            "task_id": message.task,
            "slug": text.slug,
            "path": format!("/site/{}", text.slug),
            "title": is_public.then_some(&text.title),
            "revision": is_public.then_some(message.revision),
            "published_at": text.published_at.map(Timestamp::from_millis),
        },
    })
    .to_string()
}

async fn texts(conn: Conn<'_>, messages: &[Message]) -> Result<HashMap<Uuid, ArticleText>, StoreError> {
    let ids = messages.iter().map(|message| message.article);
    let rows: Vec<ArticleText> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select a.id, a.slug, r.title, a.published_at
                   from article a
                   join revision r on r.id = coalesce(a.published_revision_id, a.revision_id)
                  where a.id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(encode(ids.map(|id| id.simple()))?)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(
                "select a.id, a.slug, r.title, a.published_at
                   from article a
                   join revision r on r.id = coalesce(a.published_revision_id, a.revision_id)
                  where a.id = any($1::uuid[])",
            )
            .bind(ids.collect::<Vec<_>>())
            .fetch_all(c)
            .await?
        }
    };
    Ok(rows.into_iter().map(|text| (text.id, text)).collect())
}

/// Stores pending or held deliveries that are due from `at` on, or from now by the database's clock if that
/// is earlier: with a node's clock that is ahead, other nodes would wait until then. Existing
/// deliveries stay unchanged.
pub async fn insert(conn: Conn<'_>, new: &[NewDelivery], at: Timestamp) -> Result<(), StoreError> {
    if new.is_empty() {
        return Ok(());
    }
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into delivery (id, task_id, version, channel_id, channel, event, title, body, max_attempts, message_id, state,
                                       not_before, created_at)
                 select unhex(value ->> 0), unhex(value ->> 1), value ->> 2, unhex(value ->> 3), value ->> 4, value ->> 5,
                        value ->> 6, value ->> 7, value ->> 8, unhex(value ->> 9), value ->> 10, $2, $2
                   from jsonb_each($1)
                  where true
                     on conflict do nothing",
            )
            .bind(packed(new)?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => insert_postgres(c, new, at).await?,
    }
    Ok(())
}

fn packed(new: &[NewDelivery]) -> Result<String, StoreError> {
    encode(new.iter().map(|one| {
        (
            one.id.0.simple(),
            one.task.map(|task| task.0.simple()),
            one.version,
            one.channel_id.simple(),
            &one.channel,
            one.event,
            &one.title,
            &one.body,
            one.max_attempts,
            one.message.map(|message| message.0.simple()),
            one.state().as_str(),
        )
    }))
}

impl NewDelivery {
    fn state(&self) -> DeliveryState {
        if self.is_held { DeliveryState::Held } else { DeliveryState::Pending }
    }
}

async fn insert_postgres(
    c: &mut crate::PgConn,
    new: &[NewDelivery],
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query(
        "insert into delivery (id, task_id, version, channel_id, channel, event, title, body, max_attempts, message_id, state,
                               not_before, created_at)
         select id, task_id, version, channel_id, channel, event, title, body, max_attempts, message_id, state,
                least($10, floor(extract(epoch from clock_timestamp()) * 1000)::bigint), $10
           from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[],
                       $9::integer[], $11::uuid[], $12::text[])
                as new (id, task_id, version, channel_id, channel, event, title, body, max_attempts, message_id, state)
             on conflict do nothing",
    )
    .bind(column(new, |one| one.id.0))
    .bind(column(new, |one| one.task.map(|task| task.0)))
    .bind(column(new, |one| one.version.0))
    .bind(column(new, |one| one.channel_id))
    .bind(column(new, |one| one.channel.clone()))
    .bind(column(new, |one| one.event.as_str()))
    .bind(column(new, |one| one.title.clone()))
    .bind(column(new, |one| one.body.clone()))
    .bind(column(new, |one| i32::try_from(one.max_attempts).unwrap_or(i32::MAX)))
    .bind(at.millis())
    .bind(column(new, |one| one.message.map(|message| message.0)))
    .bind(column(new, |one| one.state().as_str()))
    .execute(c)
    .await?;
    Ok(())
}
