//! `/sign-in/providers`: providers of OpenID Connect.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, AuthQuery, id, word},
        numbers::required_integer,
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    DomainError, GroupId, ProviderId, Role, Version,
    accounts::sign_in::{
        GroupRule, NewProvider, Provider, ProviderEdit, ProviderSettings, Provisioning, RoleRule,
        SignInProblem,
    },
    error::ValidationError,
};
use serde::{Deserialize, Serialize};
use texts::{Language, accounts::sign_in::problem};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// What [`id`] calls a provider in an error.
const PROVIDER: &str = "provider";

/// Members of a group of the provider have at least this role.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RoleRuleBody {
    /// Group as the provider names it.
    group: String,
    /// `creator`, `reviewer` or `admin`.
    role: String,
}

/// Members of a group of the provider are members of a group of the desk.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupRuleBody {
    /// Group as the provider names it.
    group: String,
    /// Id of the group of the desk.
    to: String,
}

/// A provider.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProviderBody {
    /// Id of the provider.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// URL of the provider, as it names itself. It never changes.
    issuer: String,
    /// Name on the button.
    name: String,
    /// What the provider calls this desk.
    client_id: String,
    /// Whether there is a client secret. It is never shown.
    has_secret: bool,
    /// Scopes, separated by blanks.
    scopes: String,
    /// Which people without an account get one: `none`, `invited` or `group` (also invited ones).
    provisioning: &'static str,
    /// The group whose members get an account; may be empty.
    member_group: String,
    /// Claim with the groups of a person; empty: they are not read.
    group_claim: String,
    /// Roles by group; empty: the provider changes no role.
    roles: Vec<RoleRuleBody>,
    /// Groups of the desk by group.
    groups: Vec<GroupRuleBody>,
    /// Whether the provider proves both factors, so that the desk asks for no code.
    proves_both_factors: bool,
    /// Whether people can log in with it.
    is_enabled: bool,
    /// Number of accounts that are linked.
    identities: i64,
    /// Redirect address, to be entered at the provider.
    redirect_url: String,
    /// Address for back-channel log-outs, to be entered at the provider.
    log_out_url: String,
    /// Incremented by every change; send it back as `seen_version`.
    version: i32,
}

impl From<Provider> for ProviderBody {
    fn from(provider: Provider) -> Self {
        let settings = provider.settings;
        let role = |rule: RoleRule| RoleRuleBody { group: rule.group, role: rule.role.to_string() };
        let group = |rule: GroupRule| GroupRuleBody { group: rule.group, to: rule.to.to_string() };
        Self {
            id: provider.id.0,
            issuer: provider.issuer,
            name: settings.name,
            client_id: settings.client_id,
            has_secret: provider.has_secret,
            scopes: settings.scopes,
            provisioning: settings.provisioning.as_str(),
            member_group: settings.member_group,
            group_claim: settings.group_claim,
            roles: settings.roles.into_iter().map(role).collect(),
            groups: settings.groups.into_iter().map(group).collect(),
            proves_both_factors: settings.proves_both_factors,
            is_enabled: settings.is_enabled,
            identities: provider.identities,
            redirect_url: provider.redirect_url,
            log_out_url: provider.log_out_url,
            version: provider.version.0,
        }
    }
}

/// Providers.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProvidersBody {
    /// By name, at most 10.
    items: Vec<ProviderBody>,
}

/// A new provider. What is absent has the value in brackets.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewProviderBody {
    /// URL of the provider, as it names itself, at most 500 characters.
    issuer: String,
    /// Name on the button, at most 200 characters.
    name: String,
    /// What the provider calls this desk.
    client_id: String,
    /// Client secret (none).
    client_secret: Option<String>,
    /// Scopes (`openid profile email`).
    scopes: Option<String>,
    /// `none`, `invited` or `group` (`none`).
    #[schema(pattern = "^(none|invited|group)$")]
    provisioning: Option<String>,
    /// The group whose members get an account (none).
    member_group: Option<String>,
    /// Claim with the groups of a person (none).
    group_claim: Option<String>,
    /// Roles by group, at most 50 (none).
    #[schema(max_items = 50)]
    roles: Option<Vec<RoleRuleBody>>,
    /// Groups of the desk by group, at most 50 (none).
    #[schema(max_items = 50)]
    groups: Option<Vec<GroupRuleBody>>,
    /// Whether the provider proves both factors (false).
    proves_both_factors: Option<bool>,
    /// Whether people can log in with it (true).
    is_enabled: Option<bool>,
}

/// Changes of a provider. Fields that are absent stay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProviderEditBody {
    /// Name on the button, at most 200 characters.
    name: Option<String>,
    /// What the provider calls this desk.
    client_id: Option<String>,
    /// Client secret; empty: it is removed.
    client_secret: Option<String>,
    /// Scopes.
    scopes: Option<String>,
    /// `none`, `invited` or `group`.
    #[schema(pattern = "^(none|invited|group)$")]
    provisioning: Option<String>,
    /// The group whose members get an account.
    member_group: Option<String>,
    /// Claim with the groups of a person.
    group_claim: Option<String>,
    /// Roles by group, at most 50.
    #[schema(max_items = 50)]
    roles: Option<Vec<RoleRuleBody>>,
    /// Groups of the desk by group, at most 50.
    #[schema(max_items = 50)]
    groups: Option<Vec<GroupRuleBody>>,
    /// Whether the provider proves both factors.
    proves_both_factors: Option<bool>,
    /// Whether people can log in with it.
    is_enabled: Option<bool>,
    /// `version` that the caller saw.
    #[serde(deserialize_with = "required_integer")]
    seen_version: i32,
}

/// Parameters of the deletion of a provider.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeleteProviderQuery {
    /// `version` that the caller saw.
    seen_version: i32,
}

/// What the test of a provider found.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProviderProblemBody {
    /// Word for programs, as `unreachable`.
    code: &'static str,
    /// Sentence for people.
    message: &'static str,
}

/// Result of the test of a provider.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProviderTestBody {
    /// What is wrong; empty: the provider answers, and its keys can be read.
    problems: Vec<ProviderProblemBody>,
}

/// The optional fields of a body.
struct Fields {
    scopes: Option<String>,
    provisioning: Option<String>,
    member_group: Option<String>,
    group_claim: Option<String>,
    roles: Option<Vec<RoleRuleBody>>,
    groups: Option<Vec<GroupRuleBody>>,
    proves_both_factors: Option<bool>,
    is_enabled: Option<bool>,
}

impl Fields {
    /// Returns these settings, and those of `was` where a field is absent.
    fn over(self, was: ProviderSettings) -> Result<ProviderSettings, DomainError> {
        let provisioning = match self.provisioning {
            Some(text) => word("provisioning", &text, Provisioning::NAMES)?,
            None => was.provisioning,
        };
        Ok(ProviderSettings {
            scopes: self.scopes.unwrap_or(was.scopes),
            provisioning,
            member_group: self.member_group.unwrap_or(was.member_group),
            group_claim: self.group_claim.unwrap_or(was.group_claim),
            roles: self.roles.map(role_rules).transpose()?.unwrap_or(was.roles),
            groups: self.groups.map(group_rules).transpose()?.unwrap_or(was.groups),
            proves_both_factors: self.proves_both_factors.unwrap_or(was.proves_both_factors),
            is_enabled: self.is_enabled.unwrap_or(was.is_enabled),
            ..was
        })
    }
}

fn role_rules(rules: Vec<RoleRuleBody>) -> Result<Vec<RoleRule>, DomainError> {
    let rule = |rule: RoleRuleBody| {
        let role: Role = word("roles", &rule.role, Role::NAMES)?;
        Ok(RoleRule { group: rule.group.trim().to_owned(), role })
    };
    rules.into_iter().map(rule).collect()
}

fn group_rules(rules: Vec<GroupRuleBody>) -> Result<Vec<GroupRule>, DomainError> {
    let rule = |rule: GroupRuleBody| {
        let to = rule.to.parse::<GroupId>();
        let to = to.map_err(|_| DomainError::invalid("groups", ValidationError::Unknown))?;
        Ok(GroupRule { group: rule.group.trim().to_owned(), to })
    };
    rules.into_iter().map(rule).collect()
}

/// Lists the providers with which people can log in. Only for admins.
#[utoipa::path(get, path = "/sign-in/providers", tag = "accounts", responses(
    (status = 200, description = "The providers", body = ProvidersBody),
    (status = 403, description = "Only for admins", body = ErrorBody)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<ProvidersBody>, ApiError> {
    let providers = web.services.sign_in.providers(&actor).await?;
    Ok(Json(ProvidersBody { items: providers.into_iter().map(ProviderBody::from).collect() }))
}

/// Adds a provider of OpenID Connect. Enter its `redirect_url` at the provider.
#[utoipa::path(post, path = "/sign-in/providers", tag = "accounts", request_body = NewProviderBody, responses(
    (status = 201, description = "The provider", body = ProviderBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 422, description = "A field is invalid, or there are 10 providers already", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, body): AuthJson<NewProviderBody>,
) -> Result<(StatusCode, Json<ProviderBody>), ApiError> {
    let fields = Fields {
        scopes: body.scopes,
        provisioning: body.provisioning,
        member_group: body.member_group,
        group_claim: body.group_claim,
        roles: body.roles,
        groups: body.groups,
        proves_both_factors: body.proves_both_factors,
        is_enabled: body.is_enabled,
    };
    let settings = fields.over(ProviderSettings::new(body.name, body.client_id))?;
    let new = NewProvider { issuer: body.issuer, client_secret: body.client_secret, settings };
    let provider = web.services.sign_in.create_provider(&actor, new).await?;
    Ok((StatusCode::CREATED, Json(provider.into())))
}

/// Changes a provider.
#[utoipa::path(patch, path = "/sign-in/providers/{id}", tag = "accounts", request_body = ProviderEditBody,
    params(("id" = String, Path, description = "Id of the provider")), responses(
    (status = 200, description = "The provider", body = ProviderBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such provider", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn change(
    State(web): State<Web>,
    Path(provider): Path<String>,
    AuthJson(actor, body): AuthJson<ProviderEditBody>,
) -> Result<Json<ProviderBody>, ApiError> {
    let provider = id::<ProviderId>(&provider, PROVIDER)?;
    let all = web.services.sign_in.providers(&actor).await?;
    let was = all.into_iter().find(|one| one.id == provider);
    let was = was.ok_or_else(|| DomainError::no_such(PROVIDER))?.settings;
    let fields = Fields {
        scopes: body.scopes,
        provisioning: body.provisioning,
        member_group: body.member_group,
        group_claim: body.group_claim,
        roles: body.roles,
        groups: body.groups,
        proves_both_factors: body.proves_both_factors,
        is_enabled: body.is_enabled,
    };
    let was = ProviderSettings {
        name: body.name.unwrap_or(was.name),
        client_id: body.client_id.unwrap_or(was.client_id),
        ..was
    };
    let edit = ProviderEdit { client_secret: body.client_secret, settings: fields.over(was)? };
    let seen = Version(body.seen_version);
    Ok(Json(web.services.sign_in.change_provider(&actor, provider, edit, seen).await?.into()))
}

/// Deletes a provider. Accounts stay, but are no longer linked; the sessions that began with it end.
#[utoipa::path(delete, path = "/sign-in/providers/{id}", tag = "accounts",
    params(("id" = String, Path, description = "Id of the provider"), DeleteProviderQuery), responses(
    (status = 204, description = "Deleted"),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such provider", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime", body = ErrorBody)))]
pub async fn delete(
    State(web): State<Web>,
    Path(provider): Path<String>,
    AuthQuery(actor, query): AuthQuery<DeleteProviderQuery>,
) -> Result<StatusCode, ApiError> {
    let provider = id::<ProviderId>(&provider, PROVIDER)?;
    web.services.sign_in.delete_provider(&actor, provider, Version(query.seen_version)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Reads the description and the keys of a provider, and says what is wrong.
#[utoipa::path(post, path = "/sign-in/providers/{id}/test", tag = "accounts",
    params(("id" = String, Path, description = "Id of the provider")), responses(
    (status = 200, description = "What is wrong", body = ProviderTestBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such provider", body = ErrorBody)))]
pub async fn test(
    State(web): State<Web>,
    Path(provider): Path<String>,
    Auth(actor): Auth,
) -> Result<Json<ProviderTestBody>, ApiError> {
    let provider = id::<ProviderId>(&provider, PROVIDER)?;
    let found = web.services.sign_in.test_provider(&actor, provider).await?;
    let shown = |found: SignInProblem| ProviderProblemBody {
        code: found.as_str(),
        message: problem(Language::En, found),
    };
    Ok(Json(ProviderTestBody { problems: found.into_iter().map(shown).collect() }))
}
