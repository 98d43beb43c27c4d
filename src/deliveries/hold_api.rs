//! `/delivery-hold`: deliveries are held until an admin confirms, after a backup was restored, a
//! copy was started, or a database failover lost committed writes.

use crate::http::{
    Web,
    api::{ApiError, extract::Auth},
};
use axum::{Json, extract::State};
use domain::{
    Timestamp,
    engine::{LostEvent, LostWrites},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Whether deliveries are held, and why.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryHoldBody {
    /// Since when; null: they are not held.
    #[schema(value_type = Option<String>, format = DateTime)]
    held_since: Option<Timestamp>,
    /// Committed writes that a database failover lost, for each node that committed them, newest
    /// first. Empty: a backup was restored or a copy was started, or nothing is held.
    lost_writes: Vec<LostWritesBody>,
}

/// Writes of one node that were lost although they had been committed.
#[derive(Debug, Serialize, ToSchema)]
pub struct LostWritesBody {
    /// Name of the node.
    node: String,
    /// When the node detected the loss.
    #[schema(value_type = String, format = DateTime)]
    found_at: Timestamp,
    /// Number of lost log entries.
    count: u64,
    /// Whether more may be lost: every entry that the node remembers (at most its last 65,536) is
    /// missing.
    is_truncated: bool,
    /// When the first of them was committed.
    #[schema(value_type = String, format = DateTime)]
    from: Timestamp,
    /// When the last of them was committed.
    #[schema(value_type = String, format = DateTime)]
    until: Timestamp,
    /// The first 1,000 of them, in the order of commit.
    events: Vec<LostEventBody>,
}

/// A lost log entry.
#[derive(Debug, Serialize, ToSchema)]
pub struct LostEventBody {
    /// When it was committed.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// Display name of the account that acted, or `engine`.
    actor: String,
    /// Type of the entity: `task`, `article`, …
    entity: String,
    /// Id of the entity.
    entity_id: Uuid,
    /// What was done, e.g. `create`.
    verb: String,
    /// Version (tasks) or revision (articles) after it.
    version: Option<i32>,
}

impl From<LostWrites> for LostWritesBody {
    fn from(writes: LostWrites) -> Self {
        let LostWrites { node, found_at, lost, is_truncated, from, until, events } = writes;
        let body = |event: LostEvent| {
            let LostEvent { at, actor, entity, id: entity_id, verb, version } = event;
            LostEventBody { at: at.at, actor, entity, entity_id, verb, version }
        };
        let events = events.into_iter().map(body).collect();
        Self { node, found_at, count: lost, is_truncated, from: from.at, until: until.at, events }
    }
}

/// Result of a confirmation.
#[derive(Debug, Serialize, ToSchema)]
pub struct Confirmed {
    /// Whether deliveries were held before.
    was_held: bool,
}

/// Returns whether deliveries are held, and why. Only for admins.
#[utoipa::path(get, path = "/delivery-hold", tag = "about", responses(
    (status = 200, description = "Whether deliveries are held, and why", body = DeliveryHoldBody)))]
pub async fn show(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<DeliveryHoldBody>, ApiError> {
    let held = web.services.engine.delivery_hold(&actor).await?;
    let held_since = held.as_ref().map(|held| held.since);
    let lost_writes = held.map(|held| held.lost_writes).unwrap_or_default();
    let lost_writes = lost_writes.into_iter().map(LostWritesBody::from).collect();
    Ok(Json(DeliveryHoldBody { held_since, lost_writes }))
}

/// Releases held deliveries. Only for admins.
#[utoipa::path(post, path = "/delivery-hold/confirm", tag = "about", responses(
    (status = 200, description = "Deliveries are no longer held", body = Confirmed)))]
pub async fn confirm(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<Confirmed>, ApiError> {
    Ok(Json(Confirmed { was_held: web.services.engine.release_hold(&actor).await? }))
}
