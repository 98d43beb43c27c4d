//! `/kinds`: what tasks can do, and how many of a kind may be executed at once. For admins.

use super::{
    super::Web,
    ApiError, ErrorBody,
    sent::{Bearer, Sent, id},
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{Version, kind::KindLimit};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One kind.
#[derive(Debug, Serialize, ToSchema)]
pub struct KindBody {
    /// `article.publish`, `article.unpublish`.
    kind: &'static str,
    /// At most so many are executed at once, over all nodes; null: as many as there are.
    at_once: Option<u16>,
    /// Grows with every change; 0: never set.
    version: i32,
}

/// All of them.
#[derive(Debug, Serialize, ToSchema)]
pub struct KindList {
    /// Every kind this release knows.
    items: Vec<KindBody>,
    /// Always null: there are never more.
    next_cursor: Option<String>,
}

/// Another limit.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewLimit {
    /// At most so many at once, 1 to 500; null: as many as there are.
    #[serde(deserialize_with = "Option::deserialize")]
    at_once: Option<u16>,
    /// The version you have seen.
    seen_version: i32,
}

impl From<KindLimit> for KindBody {
    fn from(limit: KindLimit) -> Self {
        Self { kind: limit.kind.as_str(), at_once: limit.at_once, version: limit.version.0 }
    }
}

/// Lists the kinds with their limits. Admins.
#[utoipa::path(get, path = "/kinds", tag = "about", responses(
    (status = 200, description = "The kinds", body = KindList),
    (status = 403, description = "For admins", body = ErrorBody)))]
pub(super) async fn list(State(web): State<Web>, Bearer(actor): Bearer) -> Result<Json<KindList>, ApiError> {
    let limits = web.desk.engine.limits(&actor).await?;
    Ok(Json(KindList { items: limits.into_iter().map(KindBody::from).collect(), next_cursor: None }))
}

/// Limits how many tasks of a kind are executed at once, over all nodes; they keep to it within a second. Admins.
#[utoipa::path(patch, path = "/kinds/{kind}", tag = "about", request_body = NewLimit,
    params(("kind" = String, Path, description = "Its word")), responses(
    (status = 200, description = "The kind", body = KindBody),
    (status = 403, description = "For admins", body = ErrorBody),
    (status = 404, description = "There is none", body = ErrorBody),
    (status = 409, description = "Somebody changed it meanwhile", body = ErrorBody),
    (status = 422, description = "A field is wrong", body = ErrorBody)))]
pub(super) async fn limit(
    State(web): State<Web>,
    Path(kind): Path<String>,
    Sent(actor, new): Sent<NewLimit>,
) -> Result<Json<KindBody>, ApiError> {
    let kind = id(&kind, "kind")?;
    Ok(Json(web.desk.engine.limit(&actor, kind, new.at_once, Version(new.seen_version)).await?.into()))
}
