//! `/groups`: named sets of accounts.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, AuthQuery, id},
        numbers::required_integer,
    },
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    AccountId, DomainError, GroupId, Version,
    accounts::group::{Group, GroupEdit, GroupMember},
    error::ValidationError,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// What [`id`] calls a group in an error.
const GROUP: &str = "group";

/// A member of a group.
#[derive(Debug, Serialize, ToSchema)]
pub struct GroupMemberBody {
    /// Id of the account.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Its name.
    name: String,
    /// Whether it may review articles now.
    may_review: bool,
    /// Whether the account is disabled.
    is_disabled: bool,
}

impl From<GroupMember> for GroupMemberBody {
    fn from(member: GroupMember) -> Self {
        let GroupMember { id, name, may_review, is_disabled } = member;
        Self { id: id.0, name, may_review, is_disabled }
    }
}

/// A group.
#[derive(Debug, Serialize, ToSchema)]
pub struct GroupBody {
    /// Id of the group.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Name; no two groups have the same one, without regard to case.
    name: String,
    /// Members, by name.
    members: Vec<GroupMemberBody>,
    /// Incremented by every change; send it back as `seen_version`.
    version: i32,
}

impl From<Group> for GroupBody {
    fn from(group: Group) -> Self {
        let members = group.members.into_iter().map(GroupMemberBody::from).collect();
        Self { id: group.id.0, name: group.name, members, version: group.version.0 }
    }
}

/// Groups.
#[derive(Debug, Serialize, ToSchema)]
pub struct GroupsBody {
    /// By name, at most 100.
    items: Vec<GroupBody>,
}

/// A new group.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGroupBody {
    /// Name, at most 60 characters.
    name: String,
    /// Ids of the accounts that are members, at most 100.
    #[serde(default)]
    #[schema(max_items = 100)]
    members: Vec<String>,
}

/// Changes of a group. Fields that are absent stay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupEditBody {
    /// Name, at most 60 characters.
    name: Option<String>,
    /// Ids of all accounts that are members from then on, at most 100.
    #[schema(max_items = 100)]
    members: Option<Vec<String>>,
    /// `version` that the caller saw.
    #[serde(deserialize_with = "required_integer")]
    seen_version: i32,
}

/// Parameters of the deletion of a group.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeleteGroupQuery {
    /// `version` that the caller saw.
    seen_version: i32,
}

fn accounts(ids: &[String]) -> Result<Vec<AccountId>, DomainError> {
    let account = |text: &String| {
        text.parse::<AccountId>().map_err(|_| DomainError::invalid("members", ValidationError::Unknown))
    };
    ids.iter().map(account).collect()
}

/// Lists the groups of the desk. Their members are asked or invited one by one when a group is chosen: a
/// later change of a group changes nothing that was asked.
#[utoipa::path(get, path = "/groups", tag = "accounts", responses(
    (status = 200, description = "The groups", body = GroupsBody)))]
pub async fn list(State(web): State<Web>, Auth(actor): Auth) -> Result<Json<GroupsBody>, ApiError> {
    let groups = web.services.groups.list(&actor).await?;
    Ok(Json(GroupsBody { items: groups.into_iter().map(GroupBody::from).collect() }))
}

/// Creates a group.
#[utoipa::path(post, path = "/groups", tag = "accounts", request_body = NewGroupBody, responses(
    (status = 201, description = "The group", body = GroupBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 409, description = "Another group has this name", body = ErrorBody),
    (status = 422, description = "A field is invalid, or there are 100 groups already", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, body): AuthJson<NewGroupBody>,
) -> Result<(StatusCode, Json<GroupBody>), ApiError> {
    let members = accounts(&body.members)?;
    let group = web.services.groups.create(&actor, body.name, members).await?;
    Ok((StatusCode::CREATED, Json(group.into())))
}

/// Changes name or members of a group.
#[utoipa::path(patch, path = "/groups/{id}", tag = "accounts", request_body = GroupEditBody,
    params(("id" = String, Path, description = "Id of the group")), responses(
    (status = 200, description = "The group", body = GroupBody),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such group", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime, or another group has this name", body = ErrorBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn change(
    State(web): State<Web>,
    Path(group): Path<String>,
    AuthJson(actor, body): AuthJson<GroupEditBody>,
) -> Result<Json<GroupBody>, ApiError> {
    let group = id::<GroupId>(&group, GROUP)?;
    let members = body.members.as_deref().map(accounts).transpose()?;
    let edit = GroupEdit { name: body.name, members };
    let changed = web.services.groups.change(&actor, group, edit, Version(body.seen_version)).await?;
    Ok(Json(changed.into()))
}

/// Deletes a group. Its members stay, and so does what they were asked or invited for.
#[utoipa::path(delete, path = "/groups/{id}", tag = "accounts",
    params(("id" = String, Path, description = "Id of the group"), DeleteGroupQuery), responses(
    (status = 204, description = "Deleted"),
    (status = 403, description = "Only for admins", body = ErrorBody),
    (status = 404, description = "No such group", body = ErrorBody),
    (status = 409, description = "It was changed in the meantime", body = ErrorBody)))]
pub async fn delete(
    State(web): State<Web>,
    Path(group): Path<String>,
    AuthQuery(actor, query): AuthQuery<DeleteGroupQuery>,
) -> Result<StatusCode, ApiError> {
    let group = id::<GroupId>(&group, GROUP)?;
    web.services.groups.delete(&actor, group, Version(query.seen_version)).await?;
    Ok(StatusCode::NO_CONTENT)
}
