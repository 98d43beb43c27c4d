//! Finds deliveries that are due and are not sent.

use super::{ChannelQueue, channel_queues, desk_mail_server};
use crate::{Conn, StoreError, db::with_conn, row::row};
use domain::{Timestamp, channel::Endpoint};
use std::collections::BTreeSet;
use uuid::Uuid;

row! {
    /// A channel without recent attempts.
    struct QuietChannel {
        id: Uuid,
        name: String,
    }
}

/// What is stuck.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stuck {
    /// Names of channels whose deliveries were due before the given moment and that have had no
    /// result of an attempt since.
    pub channels: BTreeSet<String>,
    /// Number of attempts whose lease had expired by then and which no node has recorded as lost.
    pub claims: i64,
}

/// Returns what was due before the given moment, may be sent, and is not. Nothing is stuck while
/// deliveries are held, a channel is paused, its breaker is open or it waits for its rate, nor of the channels
/// that send by the mail server of the desk while that is paused.
pub async fn stuck(mut conn: Conn<'_>, before: Timestamp) -> Result<Stuck, StoreError> {
    let is_before = |at: Option<i64>| at.is_some_and(|at| at < before.millis());
    let queues = channel_queues(conn.reborrow()).await?.into_iter();
    let server = desk_mail_server(conn.reborrow()).await?;
    let is_server_paused = server.is_some_and(|server| server.state != "active");
    let may_send = |at: Option<i64>| is_before(at.or(Some(0)));
    let due = queues.filter(|queue| {
        is_before(queue.next_at)
            && may_send(queue.breaker_open_until)
            && may_send(queue.rate.and(queue.rate_ready_at))
            && !(is_server_paused && uses_desk_server(queue))
    });
    let due: BTreeSet<Uuid> = due.map(|queue| queue.id).collect();
    let claims = with_conn!(conn.reborrow(), c => sqlx::query_scalar(
        "select count(*) from delivery where state = 'sending' and lease_until < $1")
        .bind(before.millis()).fetch_one(c).await)?;
    if due.is_empty() {
        return Ok(Stuck { claims, ..Stuck::default() });
    }
    let quiet: Vec<QuietChannel> = with_conn!(conn, c => sqlx::query_as(
        "select id, name from channel where coalesce(succeeded_at, 0) < $1 and coalesce(failed_at, 0) < $1")
        .bind(before.millis()).fetch_all(c).await)?;
    let channels = quiet.into_iter().filter(|one| due.contains(&one.id)).map(|one| one.name).collect();
    Ok(Stuck { channels, claims })
}

fn uses_desk_server(queue: &ChannelQueue) -> bool {
    match serde_json::from_str(&queue.endpoint) {
        Ok(Endpoint::Mail(route)) => route.uses_desk_server(),
        _ => false,
    }
}
