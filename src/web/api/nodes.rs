//! `/nodes`: the processes that serve this database.

use super::{super::Web, ApiError, sent::Bearer};
use axum::{Json, extract::State};
use domain::{Timestamp, engine::NodeReport};
use serde::Serialize;
use utoipa::ToSchema;

/// One process.
#[derive(Debug, Serialize, ToSchema)]
pub struct NodeBody {
    /// Its name, as it stands in execution records.
    name: String,
    /// `web`, `work`, `all`.
    role: &'static str,
    /// Version of its program.
    version: String,
    /// `alive`, `stopped` (it said so), `lost` (silent for 3.5 s).
    state: &'static str,
    /// When it started, by the database's clock.
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    /// When it last beat.
    #[schema(value_type = String, format = DateTime)]
    beat_at: Timestamp,
    /// Whether it is the one that answers.
    is_self: bool,
}

/// All of them.
#[derive(Debug, Serialize, ToSchema)]
pub struct NodeList {
    /// Those that live first; those that are gone for a day.
    items: Vec<NodeBody>,
    /// Always null: there are never more.
    next_cursor: Option<String>,
}

impl From<NodeReport> for NodeBody {
    fn from(node: NodeReport) -> Self {
        Self {
            name: node.name,
            role: node.role.as_str(),
            version: node.version,
            state: node.state.as_str(),
            started_at: node.started_at,
            beat_at: node.beat_at,
            is_self: node.is_self,
        }
    }
}

/// Lists the nodes with their heartbeats. Admins.
#[utoipa::path(get, path = "/nodes", tag = "about", responses(
    (status = 200, description = "The nodes", body = NodeList)))]
pub(super) async fn list(State(web): State<Web>, Bearer(actor): Bearer) -> Result<Json<NodeList>, ApiError> {
    let nodes = web.desk.engine.nodes(&actor).await?;
    Ok(Json(NodeList { items: nodes.into_iter().map(NodeBody::from).collect(), next_cursor: None }))
}
