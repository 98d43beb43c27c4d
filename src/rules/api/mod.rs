//! `/rules`, their waits, and `/signals`.

mod body;
pub mod signals;
pub mod waits;

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, AuthQuery, id, word},
        numbers::optional_integer,
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
pub use body::{DryRunBody, RuleBody, RuleEditBody, RuleSettingsBody, RulesBody};
use domain::{Version, rule::Waiting};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

/// Creates a rule. It is active at once.
#[utoipa::path(post, path = "/rules", tag = "rules", request_body = RuleSettingsBody, responses(
    (status = 201, description = "The rule", body = RuleBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such channel", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<RuleSettingsBody>,
) -> Result<(StatusCode, Json<RuleBody>), ApiError> {
    let rule = web.services.rules.add(&actor, new.try_into()?).await?;
    Ok((StatusCode::CREATED, Json(rule.into())))
}

/// Lists all rules, by name.
#[utoipa::path(get, path = "/rules", tag = "rules", responses(
    (status = 200, description = "The rules", body = RulesBody),
    (status = 403, description = "Only for admins", body = ErrorBody)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<RulesBody>, ApiError> {
    let rules = web.services.rules.list(&actor).await?;
    Ok(Json(RulesBody { items: rules.into_iter().map(RuleBody::from).collect() }))
}

/// Returns a rule.
#[utoipa::path(get, path = "/rules/{id}", tag = "rules",
    params(("id" = String, Path, description = "Id of the rule")), responses(
    (status = 200, description = "The rule", body = RuleBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such rule", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(rule): Path<String>,
) -> Result<Json<RuleBody>, ApiError> {
    Ok(Json(web.services.rules.find(&actor, id(&rule, "rule")?).await?.into()))
}

/// Changes a rule: fields that are absent stay as they are. `waiting` says what becomes of those that
/// wait.
#[utoipa::path(patch, path = "/rules/{id}", tag = "rules", request_body = RuleEditBody,
    params(("id" = String, Path, description = "Id of the rule")), responses(
    (status = 200, description = "The rule", body = RuleBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such rule or channel", body = ErrorBody),
    (status = 409, description = "Changed in the meantime", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn edit(
    State(web): State<Web>,
    Path(rule): Path<String>,
    AuthJson(actor, edit): AuthJson<RuleEditBody>,
) -> Result<Json<RuleBody>, ApiError> {
    let rule = id(&rule, "rule")?;
    let current = web.services.rules.find(&actor, rule).await?;
    let seen = edit.seen_version().unwrap_or(current.version);
    let edit = edit.over(current.settings)?;
    Ok(Json(web.services.rules.edit(&actor, rule, edit, Some(seen)).await?.into()))
}

/// What becomes of those that wait.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WaitingQuery {
    /// `keep` (they keep their moments) or `cancel`. Required if some wait.
    waiting: Option<String>,
}

/// Deletes a rule.
#[utoipa::path(delete, path = "/rules/{id}", tag = "rules",
    params(("id" = String, Path, description = "Id of the rule"), WaitingQuery), responses(
    (status = 204, description = "It is deleted"),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such rule", body = ErrorBody),
    (status = 409, description = "Some wait, and `waiting` is absent; or changed in the meantime", body = ErrorBody)))]
pub async fn delete(
    State(web): State<Web>,
    Path(rule): Path<String>,
    AuthQuery(actor, query): AuthQuery<WaitingQuery>,
) -> Result<StatusCode, ApiError> {
    let waiting: Option<Waiting> =
        query.waiting.map(|waiting| word("waiting", &waiting, &["keep", "cancel"])).transpose()?;
    web.services.rules.delete(&actor, id(&rule, "rule")?, waiting).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Pauses a rule: it opens no waits, and does not act for those that are open.
#[utoipa::path(post, path = "/rules/{id}/pause", tag = "rules",
    params(("id" = String, Path, description = "Id of the rule")), responses(
    (status = 200, description = "The rule", body = RuleBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such rule", body = ErrorBody),
    (status = 409, description = "Changed in the meantime", body = ErrorBody)))]
pub async fn pause(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(rule): Path<String>,
) -> Result<Json<RuleBody>, ApiError> {
    Ok(Json(web.services.rules.pause(&actor, id(&rule, "rule")?, true).await?.into()))
}

/// Resumes a rule. What became due meanwhile is done at once if the grace allows it.
#[utoipa::path(post, path = "/rules/{id}/resume", tag = "rules",
    params(("id" = String, Path, description = "Id of the rule")), responses(
    (status = 200, description = "The rule", body = RuleBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such rule", body = ErrorBody),
    (status = 409, description = "Changed in the meantime", body = ErrorBody)))]
pub async fn resume(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(rule): Path<String>,
) -> Result<Json<RuleBody>, ApiError> {
    Ok(Json(web.services.rules.pause(&actor, id(&rule, "rule")?, false).await?.into()))
}

/// Takes over a rule and its open waits. What became due while the account of its owner was disabled is
/// done at once if the grace allows it.
#[utoipa::path(post, path = "/rules/{id}/take-over", tag = "rules",
    params(("id" = String, Path, description = "Id of the rule")), responses(
    (status = 200, description = "The rule", body = RuleBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such rule", body = ErrorBody),
    (status = 409, description = "Changed in the meantime", body = ErrorBody)))]
pub async fn take_over(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(rule): Path<String>,
) -> Result<Json<RuleBody>, ApiError> {
    Ok(Json(web.services.rules.take_over(&actor, id(&rule, "rule")?).await?.into()))
}

/// How many days a dry run covers.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DryRunRequest {
    /// 1 to 30; 7 if absent.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 1, maximum = 30)]
    days: Option<u32>,
}

/// Says what a rule would have done with the signals of the last days. Changes nothing.
#[utoipa::path(post, path = "/rules/{id}/dry-run", tag = "rules", request_body = DryRunRequest,
    params(("id" = String, Path, description = "Id of the rule")), responses(
    (status = 200, description = "What it would have done", body = DryRunBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such rule", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn dry_run(
    State(web): State<Web>,
    Path(rule): Path<String>,
    AuthJson(actor, request): AuthJson<DryRunRequest>,
) -> Result<Json<DryRunBody>, ApiError> {
    let days = request.days.unwrap_or(7);
    Ok(Json(web.services.rules.dry_run(&actor, id(&rule, "rule")?, days).await?.into()))
}

/// Reads a version.
fn version(seen: Option<i32>) -> Option<Version> {
    seen.map(Version)
}
