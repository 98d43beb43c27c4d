//! `/settings/second-factor`.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, word},
    },
};
use axum::{Json, extract::State};
use domain::accounts::second_factor::{RequiredFor, SecondFactorRule};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Which accounts must have a second factor.
#[derive(Debug, Serialize, ToSchema)]
pub struct SecondFactorRuleBody {
    /// `none`, `admins`, `reviewers` (and admins) or `all`.
    required_for: &'static str,
    /// From when on an account without one can do nothing else in the browser than add it; null: never.
    #[schema(value_type = Option<String>, format = DateTime)]
    enforced_at: Option<String>,
}

impl From<SecondFactorRule> for SecondFactorRuleBody {
    fn from(rule: SecondFactorRule) -> Self {
        let enforced_at = rule.enforced_at.filter(|_| rule.required_for != RequiredFor::None);
        let enforced_at = enforced_at.map(|at| at.to_string());
        Self { required_for: rule.required_for.as_str(), enforced_at }
    }
}

/// Changes which accounts must have a second factor. A field that is absent stays.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SecondFactorRuleEditBody {
    /// `none`, `admins`, `reviewers` (and admins) or `all`. For further accounts it is enforced after 7 days.
    #[schema(pattern = "^(none|admins|reviewers|all)$")]
    required_for: Option<String>,
}

/// Returns which accounts must have a second factor.
#[utoipa::path(get, path = "/settings/second-factor", tag = "articles", responses(
    (status = 200, description = "The rule", body = SecondFactorRuleBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(_actor): Auth,
) -> Result<Json<SecondFactorRuleBody>, ApiError> {
    Ok(Json(web.services.second_factors.second_factor_rule().await?.into()))
}

/// Changes which accounts must have a second factor.
#[utoipa::path(patch, path = "/settings/second-factor", tag = "articles", request_body = SecondFactorRuleEditBody, responses(
    (status = 200, description = "The rule", body = SecondFactorRuleBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn change(
    State(web): State<Web>,
    AuthJson(actor, edit): AuthJson<SecondFactorRuleEditBody>,
) -> Result<Json<SecondFactorRuleBody>, ApiError> {
    let service = &web.services.second_factors;
    let before = service.second_factor_rule().await?.required_for;
    let asked = edit.required_for.map(|text| word("required_for", &text, RequiredFor::NAMES)).transpose()?;
    Ok(Json(service.require_second_factor(&actor, asked.unwrap_or(before)).await?.into()))
}
