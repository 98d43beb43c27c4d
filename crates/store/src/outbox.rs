//! The outbox: deliveries written in the transaction of what they tell.

use crate::{Conn, StoreError, Tx, batch::pack, db::on, row::row};
use domain::{DeliveryId, TaskId, Timestamp, Version, channel::Happening, ladder::Ladder};
use serde_json::json;
use std::collections::HashMap;
use uuid::Uuid;

/// Something the outside is to be told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// Because of which task.
    pub task: TaskId,
    /// The version of it that was executed.
    pub version: Version,
    /// What happened.
    pub event: Happening,
    /// To which article.
    pub article: Uuid,
    /// The revision that is public now; of the current one, where it left the site.
    pub revision: i32,
}

/// A delivery before it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDelivery {
    /// Identity.
    pub id: DeliveryId,
    /// Because of which task; `None`: a test.
    pub task: Option<TaskId>,
    /// The version of it that was executed.
    pub version: Version,
    /// Which way.
    pub channel_id: Uuid,
    /// What that is called.
    pub channel: String,
    /// What happened.
    pub event: Happening,
    /// To what.
    pub title: String,
    /// The message.
    pub body: String,
    /// How often it is tried.
    pub max_attempts: u32,
}

row! {
    /// A channel as the outbox sees it.
    struct Listener {
        id: Uuid,
        name: String,
        events: String,
        ladder: String,
    }
}

row! {
    struct Text {
        id: Uuid,
        slug: String,
        title: String,
        published_at: Option<i64>,
    }
}

/// Writes a delivery of each message for each channel that is to be told; returns how many. Costs one look at the channels
/// where there are none.
pub async fn post(tx: &mut Tx, messages: &[Message], at: Timestamp) -> Result<u64, StoreError> {
    if messages.is_empty() {
        return Ok(0);
    }
    let listeners: Vec<Listener> = on!(tx.conn(), c => sqlx::query_as(
        "select id, name, events, ladder from channel where state <> 'off' order by id")
        .fetch_all(c).await)?;
    if listeners.is_empty() {
        return Ok(0);
    }
    let texts = texts(tx.conn(), messages).await?;
    let mut new = Vec::new();
    for message in messages {
        let Some(text) = texts.get(&message.article) else { continue };
        let body = body(message, text, at);
        let wanting = |one: &&Listener| one.events.split(' ').any(|event| event == message.event.as_str());
        new.extend(listeners.iter().filter(wanting).map(|listener| NewDelivery {
            id: DeliveryId::fresh(),
            task: Some(message.task),
            version: message.version,
            channel_id: listener.id,
            channel: listener.name.clone(),
            event: message.event,
            title: text.title.clone(),
            body: body.clone(),
            max_attempts: listener.ladder.parse::<Ladder>().map_or(1, |ladder| ladder.attempts()),
        }));
    }
    insert(tx.conn(), &new, at).await?;
    Ok(new.len() as u64)
}

/// What the outside reads: the task, and what a reader of the public site can know. Of an article that has left the site only
/// its name: what it is called now may be a draft.
fn body(message: &Message, text: &Text, at: Timestamp) -> String {
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

async fn texts(conn: Conn<'_>, messages: &[Message]) -> Result<HashMap<Uuid, Text>, StoreError> {
    let ids = messages.iter().map(|message| message.article);
    let rows: Vec<Text> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(
                "select a.id, a.slug, r.title, a.published_at
                   from article a
                   join revision r on r.id = coalesce(a.published_revision_id, a.revision_id)
                  where a.id in (select unhex(value) from jsonb_each($1))",
            )
            .bind(pack(ids.map(|id| id.simple()))?)
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

/// Writes deliveries that wait for their first attempt from `at` on, or from now by the database's clock where that is earlier:
/// a node whose clock has just been set ahead would have the others wait until then. One that is there already stays as it is.
pub async fn insert(conn: Conn<'_>, new: &[NewDelivery], at: Timestamp) -> Result<(), StoreError> {
    if new.is_empty() {
        return Ok(());
    }
    match conn {
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into delivery (id, task_id, version, channel_id, channel, event, title, body, max_attempts, not_before, created_at)
                 select unhex(value ->> 0), unhex(value ->> 1), value ->> 2, unhex(value ->> 3), value ->> 4, value ->> 5,
                        value ->> 6, value ->> 7, value ->> 8, $2, $2
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
    pack(new.iter().map(|one| {
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
        )
    }))
}

async fn insert_postgres(c: &mut crate::Line, new: &[NewDelivery], at: Timestamp) -> Result<(), StoreError> {
    fn column<T>(new: &[NewDelivery], of: impl Fn(&NewDelivery) -> T) -> Vec<T> {
        new.iter().map(of).collect()
    }
    sqlx::query(
        "insert into delivery (id, task_id, version, channel_id, channel, event, title, body, max_attempts, not_before, created_at)
         select id, task_id, version, channel_id, channel, event, title, body, max_attempts,
                least($10, floor(extract(epoch from clock_timestamp()) * 1000)::bigint), $10
           from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::integer[])
                as new (id, task_id, version, channel_id, channel, event, title, body, max_attempts)
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
    .execute(c)
    .await?;
    Ok(())
}
