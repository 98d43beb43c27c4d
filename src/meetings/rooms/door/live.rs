//! The live stream of a door page: says when the page has to be read again.

use super::{Door, load, route::parsed};
use crate::http::{
    Web,
    health::refused,
    limits::streams::StreamPermit,
    live::{SEND_TIMEOUT, too_many_streams},
};
use axum::{
    extract::{Path, Query, State},
    http::{HeaderName, StatusCode},
    response::{
        IntoResponse, Response,
        sse::{Event, Sse},
    },
};
use domain::{AccountId, DomainError, RoomId};
use engine::event_bus::Message;
use serde::Deserialize;
use std::{convert::Infallible, time::Duration};
use tokio::{
    sync::mpsc,
    time::{MissedTickBehavior, interval, timeout},
};
use tokio_stream::{StreamExt as _, wrappers::ReceiverStream};

/// Path of the stream.
pub const PATH: &str = "/rooms/{id}/door/stream";
/// Minimum time between two looks at the room.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// Number of looks between two heartbeats. Each also checks whether the link still works.
const LOOKS_PER_HEARTBEAT: u32 = 15;

/// The link.
#[derive(Debug, Default, Deserialize)]
pub struct StreamQuery {
    /// Its secret.
    #[serde(default)]
    key: String,
}

/// Opens the stream: `hello` first, `changed` when the page shows something else now, `heartbeat` every
/// 15 seconds. It ends with the link.
pub async fn stream(
    State(web): State<Web>,
    Path(room): Path<String>,
    Query(query): Query<StreamQuery>,
) -> Response {
    let found = async {
        let room = parsed(&room)?;
        Ok((room, load(&web.parts, room, &query.key).await?))
    };
    let (room, door) = match found.await {
        Ok(found) => found,
        Err(DomainError::NoSuch { .. }) => return StatusCode::NOT_FOUND.into_response(),
        Err(refusal) => return refused(&refusal),
    };
    // Many screens, and one admin who created their links: each room counts as an account.
    let permit = match web.usage.streams.open(AccountId(room.0)) {
        Ok(permit) => permit,
        Err(full) => return too_many_streams(full),
    };
    let (sender, receiver) = mpsc::channel(8);
    let stream = DoorStream { web, room, secret: query.key, shown: shown(&door), sender, _permit: permit };
    #[expect(clippy::disallowed_methods, reason = "it ends when its client disconnects or the server stops")]
    tokio::spawn(stream.run());
    let body = ReceiverStream::new(receiver).map(Ok::<_, Infallible>);
    ([(HeaderName::from_static("x-accel-buffering"), "no")], Sse::new(body)).into_response()
}

/// What the page shows, except for the time.
fn shown(door: &Door) -> String {
    let one = |meeting: &Option<super::DoorMeeting>| {
        meeting.as_ref().map(|one| (one.id, one.version, one.starts_at, one.ends_at))
    };
    format!("{} {} {:?} {:?}", door.row.name, door.can_book(), one(&door.current), one(&door.next))
}

struct DoorStream {
    web: Web,
    room: RoomId,
    secret: String,
    shown: String,
    sender: mpsc::Sender<Event>,
    _permit: StreamPermit,
}

impl DoorStream {
    async fn run(mut self) {
        let messages = tokio::select! {
            () = self.web.stop.cancelled() => return,
            messages = timeout(SEND_TIMEOUT, self.web.parts.events.bus.subscribe()) => messages,
        };
        let Ok(mut messages) = messages else { return };
        if self.send("hello").await.is_none() {
            return;
        }
        let mut turns = interval(LOOK_INTERVAL);
        turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // What was changed before the subscription is found by the first look.
        let (mut must_look, mut looks) = (true, 0_u32);
        loop {
            let sent = tokio::select! {
                () = self.web.stop.cancelled() => None,
                () = self.sender.closed() => None,
                message = messages.recv() => {
                    must_look |= message.as_ref().map_or(true, |message| concerns_rooms(message));
                    Some(())
                }
                _ = turns.tick() => {
                    looks += 1;
                    let is_heartbeat = looks.is_multiple_of(LOOKS_PER_HEARTBEAT);
                    match std::mem::take(&mut must_look) || is_heartbeat {
                        true => self.look(is_heartbeat).await,
                        false => Some(()),
                    }
                }
            };
            if sent.is_none() {
                return;
            }
        }
    }

    /// Says if the page shows something else now. `None`: the stream ends.
    async fn look(&mut self, is_heartbeat: bool) -> Option<()> {
        match load(&self.web.parts, self.room, &self.secret).await {
            Ok(door) => {
                let now = shown(&door);
                if now != self.shown {
                    self.shown = now;
                    return self.send("changed").await;
                }
            }
            Err(DomainError::NoSuch { .. }) => {
                self.send("changed").await;
                return None;
            }
            // The database is away: the next look.
            Err(_) => {}
        }
        if is_heartbeat { self.send("heartbeat").await } else { Some(()) }
    }

    async fn send(&self, name: &str) -> Option<()> {
        let event = Event::default().event(name).data("{}");
        timeout(SEND_TIMEOUT, self.sender.send(event)).await.ok()?.ok()
    }
}

/// Whether a room or a meeting was changed, or may have been.
fn concerns_rooms(message: &Message) -> bool {
    match message {
        Message::Batch(batch) => {
            batch.signals.iter().any(|signal| matches!(signal.entity.as_str(), "meeting" | "room"))
        }
        Message::Reload(_) => true,
    }
}
