//! `/nodes`: the processes that use this database.

use crate::http::{
    Web,
    api::{ApiError, extract::Auth},
};
use axum::{Json, extract::State};
use domain::{Timestamp, engine::NodeReport};
use serde::Serialize;
use utoipa::ToSchema;

/// A node: one process.
#[derive(Debug, Serialize, ToSchema)]
pub struct NodeBody {
    /// Name, as in execution records.
    name: String,
    /// `web`, `work`, `all`.
    role: &'static str,
    /// Version of the binary.
    version: String,
    /// `alive`, `stopped` (shut down cleanly) or `lost` (no heartbeat for 3.5 s).
    state: &'static str,
    /// Whether it was asked to stop (`presstime drain`), takes no new work and finishes what is in flight.
    is_draining: bool,
    /// When it started, by the database's clock.
    #[schema(value_type = String, format = DateTime)]
    started_at: Timestamp,
    /// When it last sent a heartbeat.
    #[schema(value_type = String, format = DateTime)]
    heartbeat_at: Timestamp,
    /// Whether it is the node that sends this response.
    is_self: bool,
}

/// All nodes.
#[derive(Debug, Serialize, ToSchema)]
pub struct NodeList {
    /// Live nodes first; others are listed for a day.
    items: Vec<NodeBody>,
    /// Always null: there is one page.
    next_cursor: Option<String>,
}

impl From<NodeReport> for NodeBody {
    fn from(node: NodeReport) -> Self {
        Self {
            name: node.name,
            role: node.role.as_str(),
            version: node.version,
            state: node.state.as_str(),
            is_draining: node.is_draining,
            started_at: node.started_at,
            heartbeat_at: node.heartbeat_at,
            is_self: node.is_self,
        }
    }
}

/// Lists the nodes with their heartbeats. Only for admins.
#[utoipa::path(get, path = "/nodes", tag = "about", responses(
    (status = 200, description = "The nodes", body = NodeList)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<NodeList>, ApiError> {
    let nodes = web.services.engine.nodes(&actor).await?;
    Ok(Json(NodeList { items: nodes.into_iter().map(NodeBody::from).collect(), next_cursor: None }))
}
