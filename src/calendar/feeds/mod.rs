//! Feeds: calendars that programs read by a secret address. Every account may create feeds of its own
//! meetings, of a room, and of the desk: it can read all of them.

pub mod api;
mod events;
pub mod route;

use crate::{
    app_state::AppState,
    security::tokens,
    services::{internal_error, write_error},
    tasks::unit_of_work::{UnitOfWork, parsed},
    text::ical,
};
use domain::{
    Actor, DomainError, RoomId, Timestamp,
    calendar::{CreatedFeed, Feed, FeedKind, MAX_FEEDS, NewFeed},
    error::ValidationError,
};
use serde_json::json;
use store::{
    PoolRole,
    calendar_feed::{self as feed, FeedRow},
    event::NewEvent,
    room, setting,
};
use uuid::Uuid;

/// How often it is recorded that a feed was read, milliseconds.
const READ_STEP_MS: i64 = 3_600_000;
/// Maximum length of a secret in a request, in bytes.
const MAX_SECRET_BYTES: usize = 100;

/// Returns the actor's feeds, oldest first.
pub async fn list(parts: &AppState, actor: &Actor) -> Result<Vec<Feed>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let rows = feed::list(lease.conn(), actor.account).await.map_err(internal_error)?;
    rows.into_iter().map(presented).collect()
}

fn presented(row: FeedRow) -> Result<Feed, DomainError> {
    Ok(Feed {
        id: row.id,
        kind: parsed(&row.kind)?,
        room_id: row.room_id.map(RoomId),
        room: row.room,
        created_at: row.created_at.into(),
        read_at: row.read_at.map(Timestamp::from_millis),
    })
}

/// Creates a feed. Its secret is returned once.
pub async fn create(parts: &AppState, actor: &Actor, new: NewFeed) -> Result<CreatedFeed, DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let room_id = new.room_id.filter(|_| new.kind == FeedKind::Room);
    let room = match (new.kind, room_id) {
        (FeedKind::Room, None) => return Err(DomainError::invalid("room_id", ValidationError::Empty)),
        (_, Some(id)) => {
            let found = room::find(unit.tx.conn(), id).await.map_err(internal_error)?;
            found.ok_or_else(crate::meetings::unknown_room)?.name
        }
        _ => String::new(),
    };
    let own = feed::list(unit.tx.conn(), actor.account).await.map_err(internal_error)?;
    if own.len() >= MAX_FEEDS {
        let max = u32::try_from(MAX_FEEDS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("kind", ValidationError::TooMany { max }));
    }
    let (id, secret, now) = (Uuid::now_v7(), tokens::generate_secret(), unit.now());
    let new = NewFeed { room_id, ..new };
    let stored = feed::insert(unit.tx.conn(), (id, actor.account), new, &tokens::hash(&secret), now).await;
    stored.map_err(write_error(parts))?;
    record(&mut unit, "create_feed", &json!({"kind": new.kind, "feed_id": id}));
    unit.commit().await?;
    let feed = Feed { id, kind: new.kind, room_id, room, created_at: now, read_at: None };
    Ok(CreatedFeed { feed, secret })
}

/// Revokes a feed of the actor: its address is unknown from now on.
pub async fn revoke(parts: &AppState, actor: &Actor, id: Uuid) -> Result<(), DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if !feed::delete(unit.tx.conn(), actor.account, id).await.map_err(write_error(parts))? {
        return Err(DomainError::no_such("feed"));
    }
    record(&mut unit, "revoke_feed", &json!({ "feed_id": id }));
    unit.commit().await
}

/// Only this account and admins see events of an account.
fn record(unit: &mut UnitOfWork<'_>, verb: &'static str, detail: &serde_json::Value) {
    let account = unit.presenter.actor.account;
    let simple = NewEvent::simple(unit.now(), Some(account), "account", account.0, verb);
    unit.record_events([NewEvent { detail: detail.to_string(), ..simple }]);
}

/// Returns the feed with this secret as iCalendar text.
pub async fn read(parts: &AppState, secret: &str, public_url: &str) -> Result<String, DomainError> {
    if secret.len() > MAX_SECRET_BYTES {
        return Err(DomainError::no_such("feed"));
    }
    let now = parts.clock.now();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = feed::find(lease.conn(), &tokens::hash(secret)).await.map_err(internal_error)?;
    let row = found.ok_or_else(|| DomainError::no_such("feed"))?;
    let site = setting::site_settings(lease.conn()).await.map_err(internal_error)?;
    let events = events::of(lease.conn(), &row, now, public_url).await?;
    drop(lease);
    if row.read_at.is_none_or(|at| now.since(at.into()) >= READ_STEP_MS) {
        record_read(parts, row.id, now).await?;
    }
    let name = match row.room.is_empty() {
        true => site.title,
        false => format!("{}: {}", site.title, row.room),
    };
    Ok(ical::feed(&name, &events))
}

async fn record_read(parts: &AppState, id: Uuid, now: Timestamp) -> Result<(), DomainError> {
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    feed::touch(tx.conn(), id, now).await.map_err(write_error(parts))?;
    tx.commit().await.map_err(write_error(parts))
}
