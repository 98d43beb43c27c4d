//! Reads messages for pages and the API.

use crate::{Conn, StoreError, db::with_conn, json_rows::encode, row::row};
use domain::{ChannelId, MessageId, State};
use uuid::Uuid;

row! {
    /// A message with its task, its channel and its delivery. Words and JSON as stored in SQL,
    /// times in milliseconds.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MessageRecord {
        /// Id.
        pub id: Uuid,
        /// Name by which its sender finds it again.
        pub key: String,
        /// Its channel.
        pub channel_id: Uuid,
        /// Name of the channel; `None`: it was deleted.
        pub channel: Option<String>,
        /// Options, a JSON object.
        pub options: String,
        /// Its task.
        pub task_id: Uuid,
        /// State of the task.
        pub state: String,
        /// Version of the task.
        pub version: i32,
        /// When it is sent.
        pub due_at: i64,
        /// When it was handed to its channel.
        pub executed_at: Option<i64>,
        /// Why it failed, was missed or cancelled.
        pub reason: Option<String>,
        /// Priority of the task.
        pub priority: String,
        /// Its creator.
        pub owner_id: Uuid,
        /// When it was created.
        pub created_at: i64,
        /// When a notice was acknowledged by a request.
        pub acknowledged_at: Option<i64>,
        /// Its delivery; `None`: it was not handed to its channel yet.
        pub delivery_id: Option<Uuid>,
        /// State of the delivery.
        pub delivery_state: Option<String>,
        /// When the delivery ended, if it was delivered.
        pub delivered_at: Option<i64>,
        /// Number of attempts of the delivery, since an admin last had it sent again.
        pub delivery_attempts: Option<i32>,
        /// Earliest moment of the next attempt, or of the last one, not before the circuit breaker closes.
        /// `None`: there is no delivery, or its channel is not active.
        pub delivery_at: Option<i64>,
    }
}

/// Selects [`MessageRecord`]s; `$rest` is a condition and an order.
macro_rules! messages {
    ($rest:literal) => {
        concat!(
            "select m.id, m.key, m.channel_id, c.name as channel, m.options, m.task_id, t.state, t.version, t.due_at,
                    t.executed_at, t.reason, t.priority, m.owner_id, m.created_at, m.acknowledged_at, d.id as delivery_id,
                    d.state as delivery_state, case when d.state = 'delivered' then d.ended_at end as delivered_at,
                    d.attempts as delivery_attempts,
                    case when c.state = 'active' and c.breaker_open_until > d.not_before then c.breaker_open_until
                         when c.state = 'active' then d.not_before end as delivery_at
               from message m
               join task t on t.id = m.task_id
               left join channel c on c.id = m.channel_id
               left join delivery d
                 on d.id = (select n.id
                              from delivery n
                             where n.task_id = m.task_id and n.message_id = m.id
                             order by n.id desc
                             limit 1)
              where ",
            $rest
        )
    };
}

/// Filter of the list, newest first.
#[derive(Debug, Clone, Copy)]
pub struct MessageFilter<'a> {
    /// Only with this key.
    pub key: Option<&'a str>,
    /// Only with a key that begins with this text.
    pub prefix: Option<&'a str>,
    /// Only of this channel.
    pub channel: Option<ChannelId>,
    /// Only in this state.
    pub state: Option<State>,
    /// Only older than this message.
    pub before: Option<Uuid>,
    /// Maximum number of rows.
    pub limit: i64,
}

/// Returns one page of the list.
pub async fn page(conn: Conn<'_>, filter: MessageFilter<'_>) -> Result<Vec<MessageRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(messages!(
        "($1 is null or m.key = $1) and ($2 is null or m.channel_id = $2) and ($3 is null or t.state = $3)
          and ($4 is null or m.id < $4) and ($6 is null or substr(m.key, 1, length($6)) = $6)
        order by m.id desc
        limit $5"))
        .bind(filter.key).bind(filter.channel.map(|id| id.0)).bind(filter.state.map(State::as_str))
        .bind(filter.before).bind(filter.limit).bind(filter.prefix)
        .fetch_all(c).await)?)
}

/// Returns the number of messages in each state, among the newest `limit`.
pub async fn counts(conn: Conn<'_>, limit: i64) -> Result<Vec<(String, i64)>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select t.state, count(*)
           from (select n.task_id from message n order by n.id desc limit $1) as m
           join task t on t.id = m.task_id
          group by t.state")
        .bind(limit).fetch_all(c).await)?)
}

/// Returns one message; `None`: it does not exist.
pub async fn find(conn: Conn<'_>, id: MessageId) -> Result<Option<MessageRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(messages!("m.id = $1")).bind(id.0).fetch_optional(c).await)?)
}

/// Returns the messages with these ids, in any order.
pub async fn find_many(conn: Conn<'_>, ids: &[Uuid]) -> Result<Vec<MessageRecord>, StoreError> {
    Ok(match conn {
        _ if ids.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_as(messages!("m.id in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.iter().copied().map(Uuid::simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(messages!("m.id = any($1)")).bind(ids).fetch_all(c).await?,
    })
}

/// Returns the messages that one request created, in the order of creation. The request has the id
/// of its first task.
pub async fn of_request(conn: Conn<'_>, first: Uuid) -> Result<Vec<MessageRecord>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(messages!(
        "m.id in (select r.target_id from task r where r.id >= $1 and (r.id = $1 or r.request_id = $1))
        order by m.id"))
        .bind(first).fetch_all(c).await)?)
}

/// Returns the options of a message, a JSON object; `None`: it does not exist.
pub async fn options(conn: Conn<'_>, id: MessageId) -> Result<Option<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar("select options from message where id = $1")
        .bind(id.0).fetch_optional(c).await)?)
}
