//! `/kinds`: the kinds of tasks, their limits, grace and retry schedules. For admins.

use crate::{
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            extract::{Auth, AuthJson, id, word},
            numbers::{optional_integer, required_integer},
        },
    },
    kinds::default_grace_ms,
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{
    Version,
    kind::{KindEdit, KindLimit, KindValues},
    rate::RatePeriod,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A kind of task.
#[derive(Debug, Serialize, ToSchema)]
pub struct KindBody {
    /// `article.publish`, `article.unpublish`.
    kind: &'static str,
    /// Maximum number of tasks of this kind executed at once, over all nodes; null: no limit.
    max_concurrency: Option<u16>,
    /// How late new tasks may be executed, in milliseconds, as an admin has set it; null: the default.
    grace_ms: Option<i64>,
    /// The default of this kind, in milliseconds.
    default_grace_ms: i64,
    /// Maximum number of executions of this kind that start in `rate_per`, evenly spaced, over all nodes; null: no
    /// limit.
    rate: Option<u16>,
    /// Period of the rate: `second` or `minute`.
    rate_per: &'static str,
    /// Delays after executions that failed, as an admin has set them: `5s, 1m`; null: 0.5, 1, 2 and 4 seconds.
    retry_schedule: Option<String>,
    /// Version of the limit, incremented by every change; 0: never set.
    version: i32,
}

/// All kinds.
#[derive(Debug, Serialize, ToSchema)]
pub struct KindList {
    /// Every kind that this release knows.
    items: Vec<KindBody>,
    /// Always null: there is one page.
    next_cursor: Option<String>,
}

/// A new limit.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewLimit {
    /// Maximum number of tasks executed at once, 1 to 500; null: no limit.
    #[serde(deserialize_with = "optional_integer")]
    max_concurrency: Option<u16>,
    /// How late new tasks may be executed: whole minutes in milliseconds, up to 30 days; 0: the default;
    /// absent: it stays. Only for kinds whose tasks users schedule. Scheduled tasks keep what they have.
    #[serde(default, deserialize_with = "optional_integer")]
    grace_ms: Option<i64>,
    /// Maximum number of executions that start in `rate_per`, 1 to 1,000, evenly spaced; 0: no limit; absent: it
    /// stays.
    #[serde(default, deserialize_with = "optional_integer")]
    rate: Option<u16>,
    /// Period of the rate: `second` or `minute`; absent: it stays.
    #[serde(default)]
    rate_per: Option<String>,
    /// Delays after executions that failed, each from 1s to 24h, at most 20: `5s, 1m`; after the last one the task
    /// fails. Empty: the default; absent: they stay.
    #[serde(default)]
    retry_schedule: Option<String>,
    /// `version` of the kind that the caller saw; a different one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    seen_version: i32,
}

impl From<KindLimit> for KindBody {
    fn from(limit: KindLimit) -> Self {
        let KindValues { max_concurrency, grace_ms, rate, rate_per, retry_schedule } = limit.values;
        Self {
            kind: limit.kind.as_str(),
            max_concurrency,
            grace_ms,
            default_grace_ms: default_grace_ms(limit.kind),
            rate,
            rate_per: rate_per.as_str(),
            retry_schedule: retry_schedule.map(String::from),
            version: limit.version.0,
        }
    }
}

/// Lists the kinds with their limits. Only for admins.
#[utoipa::path(get, path = "/kinds", tag = "about", responses(
    (status = 200, description = "The kinds", body = KindList),
    (status = 403, description = "Only for admins", body = ErrorBody)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<KindList>, ApiError> {
    let limits = web.services.engine.kind_limits(&actor).await?;
    Ok(Json(KindList { items: limits.into_iter().map(KindBody::from).collect(), next_cursor: None }))
}

/// Sets the limits of a kind over all nodes: how many of its tasks are executed at once, and how many start in a
/// second or minute; how late new tasks may be executed, and when failed executions are tried again. Takes
/// effect within a second. Only for admins.
#[utoipa::path(patch, path = "/kinds/{kind}", tag = "about", request_body = NewLimit,
    params(("kind" = String, Path, description = "Name of the kind")), responses(
    (status = 200, description = "The kind", body = KindBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such kind", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn limit(
    State(web): State<Web>,
    Path(kind): Path<String>,
    AuthJson(actor, new): AuthJson<NewLimit>,
) -> Result<Json<KindBody>, ApiError> {
    let kind = id(&kind, "kind")?;
    let edit = KindEdit {
        max_concurrency: new.max_concurrency,
        grace_ms: new.grace_ms,
        rate: new.rate,
        rate_per: new.rate_per.map(|text| word("rate_per", &text, RatePeriod::NAMES)).transpose()?,
        retry_schedule: new.retry_schedule,
    };
    let limit = web.services.engine.set_kind_limit(&actor, kind, edit, Version(new.seen_version)).await?;
    Ok(Json(limit.into()))
}
