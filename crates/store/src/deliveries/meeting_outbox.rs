//! Writes the deliveries that report changes of meetings, in the transaction of these changes.

use super::outbox::{self, NewDelivery, Subscriber, subscribers};
use crate::{Conn, StoreError, Tx, event::NewEvent, json_rows::encode, row::row};
use domain::{DeliveryId, Timestamp, Version, channel::ChannelEvent, meetings::MeetingState};
use serde_json::json;
use std::collections::HashMap;
use uuid::Uuid;

/// A change of a meeting to report to the channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeetingMessage {
    /// The meeting.
    pub meeting: Uuid,
    /// What happened.
    pub event: ChannelEvent,
    /// Its state afterwards.
    pub state: MeetingState,
    /// Its version afterwards.
    pub version: i32,
}

row! {
    struct MeetingText {
        id: Uuid,
        title: String,
        starts_at: i64,
        ends_at: i64,
        time_zone: String,
        room_id: Option<Uuid>,
        room: String,
        series_id: Option<Uuid>,
        reason: String,
    }
}

/// Returns the changes of meetings among these events.
#[must_use]
pub fn of_events(events: &[NewEvent]) -> Vec<MeetingMessage> {
    let message = |one: &NewEvent| {
        let state: MeetingState = one.to_state?.parse().ok()?;
        let from = one.from_state.and_then(|word| word.parse().ok());
        let event = state.channel_event(one.verb, from)?;
        Some(MeetingMessage { meeting: one.entity_id, event, state, version: one.version? })
    };
    events.iter().filter(|one| one.entity == "meeting").filter_map(message).collect()
}

/// Stores one delivery per message and subscribed channel; returns how many. Without channels this
/// is one query, without messages none.
pub async fn enqueue(tx: &mut Tx, messages: &[MeetingMessage], at: Timestamp) -> Result<u64, StoreError> {
    if messages.is_empty() {
        return Ok(0);
    }
    let subscribers = subscribers(tx.conn()).await?;
    let wanted: Vec<&MeetingMessage> =
        messages.iter().filter(|message| subscribers.iter().any(|one| one.follows(message.event))).collect();
    if wanted.is_empty() {
        return Ok(0);
    }
    let texts = texts(tx.conn(), &wanted).await?;
    let mut new = Vec::new();
    for message in wanted {
        let Some(text) = texts.get(&message.meeting) else { continue };
        let body = body(message, text, at);
        let followers = subscribers.iter().filter(|one| one.follows(message.event));
        new.extend(followers.map(|one| delivery(message, one, (&text.title, &body))));
    }
    outbox::insert(tx.conn(), &new, at).await?;
    Ok(new.len() as u64)
}

fn delivery(message: &MeetingMessage, to: &Subscriber, (title, body): (&str, &str)) -> NewDelivery {
    NewDelivery {
        id: DeliveryId::generate(),
        task: None,
        version: Version(message.version),
        channel_id: to.id,
        channel: to.name.clone(),
        event: message.event,
        title: title.to_owned(),
        body: body.to_owned(),
        message: None,
        is_held: false,
        max_attempts: to.max_attempts(),
    }
}

/// The message: what the list of meetings shows. Without description and attendees.
fn body(message: &MeetingMessage, text: &MeetingText, at: Timestamp) -> String {
    json!({
        "type": message.event,
        "timestamp": at,
        "data": {
            "meeting_id": message.meeting,
            "version": message.version,
            "state": message.state,
            "title": text.title,
            "path": format!("/meetings/{}", message.meeting),
            "starts_at": Timestamp::from_millis(text.starts_at),
            "ends_at": Timestamp::from_millis(text.ends_at),
            "zone": text.time_zone,
            "room_id": text.room_id,
            "room": text.room,
            "series_id": text.series_id,
            "reason": text.reason,
        },
    })
    .to_string()
}

async fn texts(
    conn: Conn<'_>,
    messages: &[&MeetingMessage],
) -> Result<HashMap<Uuid, MeetingText>, StoreError> {
    macro_rules! texts {
        ($ids:literal) => {
            concat!(
                "select m.id, m.title, m.starts_at, m.ends_at, m.time_zone, m.room_id, coalesce(r.name, '') as room,
                        m.series_id, m.reason
                   from meeting m
                   left join room r on r.id = m.room_id
                  where m.id ",
                $ids
            )
        };
    }
    let ids = messages.iter().map(|message| message.meeting);
    let rows: Vec<MeetingText> = match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(texts!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(ids.map(|id| id.simple()))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_as(texts!("= any($1)")).bind(ids.collect::<Vec<_>>()).fetch_all(c).await?
        }
    };
    Ok(rows.into_iter().map(|text| (text.id, text)).collect())
}
