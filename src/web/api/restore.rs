//! `/restore`: after a backup was restored, a copy started, or a database server took over that lacks something, messages wait for an
//! admin's word.

use super::{super::Web, ApiError, sent::Bearer};
use axum::{Json, extract::State};
use domain::{
    Timestamp,
    engine::{Gap, GapLine},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Whether messages are held, and why.
#[derive(Debug, Serialize, ToSchema)]
pub struct HeldBody {
    /// Since when; null: they go out.
    #[schema(value_type = Option<String>, format = DateTime)]
    held_since: Option<Timestamp>,
    /// What a database server that took over lacks although people were told that it is saved, for each node that told them, the newest
    /// first. Empty: a backup was restored or a copy started, or nothing is held.
    gaps: Vec<GapBody>,
}

/// What is missing of what one node was told is saved.
#[derive(Debug, Serialize, ToSchema)]
pub struct GapBody {
    /// The node's name.
    node: String,
    /// When it found it out.
    #[schema(value_type = String, format = DateTime)]
    found_at: Timestamp,
    /// How many lines of the log.
    lost: u64,
    /// Whether there may be more: all that the node remembers (its last 65,536 lines at most) is missing.
    is_more: bool,
    /// When the first of them was saved.
    #[schema(value_type = String, format = DateTime)]
    from: Timestamp,
    /// When the last of them was saved.
    #[schema(value_type = String, format = DateTime)]
    until: Timestamp,
    /// The first 1,000 of them, in the order in which they were saved.
    lines: Vec<LineBody>,
}

/// A line of the log that is missing.
#[derive(Debug, Serialize, ToSchema)]
pub struct LineBody {
    /// When it was saved.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// Who did it; `engine`: nobody.
    actor: String,
    /// `task`, `article`, …
    entity: String,
    /// Which one.
    entity_id: Uuid,
    /// What was done.
    verb: String,
    /// Version (tasks) or revision (articles) after it.
    version: Option<i32>,
}

impl From<Gap> for GapBody {
    fn from(gap: Gap) -> Self {
        let Gap { node, found_at, lost, is_more, from, until, lines } = gap;
        let line = |line: GapLine| {
            let GapLine { at, actor, entity, id: entity_id, verb, version } = line;
            LineBody { at: at.at, actor, entity, entity_id, verb, version }
        };
        let lines = lines.into_iter().map(line).collect();
        Self { node, found_at, lost, is_more, from: from.at, until: until.at, lines }
    }
}

/// How it stands now.
#[derive(Debug, Serialize, ToSchema)]
pub struct Confirmed {
    /// Whether messages had been held until now.
    was_held: bool,
}

/// Says whether messages are held, and why. Admins.
#[utoipa::path(get, path = "/restore", tag = "about", responses(
    (status = 200, description = "Whether messages are held, and why", body = HeldBody)))]
pub(super) async fn show(State(web): State<Web>, Bearer(actor): Bearer) -> Result<Json<HeldBody>, ApiError> {
    let held = web.desk.engine.held(&actor).await?;
    let held_since = held.as_ref().map(|held| held.since);
    let gaps = held.map(|held| held.gaps).unwrap_or_default().into_iter().map(GapBody::from).collect();
    Ok(Json(HeldBody { held_since, gaps }))
}

/// Lets messages go out that are held. Admins.
#[utoipa::path(post, path = "/restore/confirm", tag = "about", responses(
    (status = 200, description = "Nothing is held any more", body = Confirmed)))]
pub(super) async fn confirm(
    State(web): State<Web>,
    Bearer(actor): Bearer,
) -> Result<Json<Confirmed>, ApiError> {
    Ok(Json(Confirmed { was_held: web.desk.engine.confirm_restore(&actor).await? }))
}
