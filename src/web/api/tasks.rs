//! `/tasks`.

use super::{
    super::Web,
    ApiError, ErrorBody,
    sent::{Asked, Bearer, Sent, id, moment, page_size, word},
    shapes::{TaskBody, TaskWhole},
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    Kind, Lane, Refusal, State as TaskState, When, limit,
    refusal::Problem,
    task::{NewTask, TaskQuery},
    time::Disambiguation,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A new task: `due_at`, or `local` and `zone`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTaskBody {
    /// `article.publish` or `article.unpublish`.
    kind: String,
    /// What it happens to: an article.
    #[schema(format = Uuid)]
    target_id: String,
    /// An exact moment, RFC 3339.
    due_at: Option<String>,
    /// What a wall clock shows: `2027-03-28T02:30`.
    local: Option<String>,
    /// Where it hangs: `Europe/Berlin`.
    zone: Option<String>,
    /// `earlier` or `later`, where `local` happens twice.
    disambiguation: Option<String>,
    /// `high`, `normal` (the default) or `low`.
    lane: Option<String>,
}

impl TryFrom<NewTaskBody> for NewTask {
    type Error = Refusal;
    fn try_from(new: NewTaskBody) -> Result<Self, Refusal> {
        let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
        let lanes: Vec<&str> = Lane::ALL.iter().map(|lane| lane.as_str()).collect();
        let why = "target_id must be the id of an article".to_owned();
        Ok(Self {
            kind: word("kind", &new.kind, &kinds)?,
            target_id: new
                .target_id
                .parse()
                .map_err(|_| Refusal::invalid("target_id", Problem::Unreadable { why }))?,
            when: when(new.due_at, new.local, new.zone, new.disambiguation)?,
            lane: new.lane.map(|lane| word("lane", &lane, &lanes)).transpose()?,
        })
    }
}

/// The moment a request names: exact, or by wall clock and zone, not both.
pub(super) fn when(
    due_at: Option<String>,
    local: Option<String>,
    zone: Option<String>,
    disambiguation: Option<String>,
) -> Result<When, Refusal> {
    let unclear = |field, why: &str| Refusal::invalid(field, Problem::Unreadable { why: why.to_owned() });
    match (due_at, local, zone) {
        (Some(due_at), None, None) => Ok(When::At { due_at: moment("due_at", &due_at)? }),
        (None, Some(local), Some(zone)) => {
            let which = disambiguation.as_deref().map(which).transpose()?;
            Ok(When::Local { local, zone, disambiguation: which })
        }
        (None, Some(_), None) => Err(unclear("zone", "local needs a zone, like Europe/Berlin")),
        (None, None, Some(_)) => Err(unclear("local", "zone needs a local time, like 2026-06-09T09:00")),
        (None, None, None) => Err(unclear("due_at", "say when: due_at, or local and zone")),
        (Some(_), ..) => Err(unclear("due_at", "say when once: due_at, or local and zone, not both")),
    }
}

fn which(text: &str) -> Result<Disambiguation, Refusal> {
    match text {
        "earlier" => Ok(Disambiguation::Earlier),
        "later" => Ok(Disambiguation::Later),
        _ => {
            Err(Refusal::invalid("disambiguation", Problem::NotOneOf { words: "earlier, later".to_owned() }))
        }
    }
}

/// A page of tasks.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaskPage {
    /// By moment.
    pub items: Vec<TaskBody>,
    /// Where the next page starts; null: this is the last one.
    pub next_cursor: Option<String>,
}

/// Schedules a task. Publishing pins the article's current revision.
#[utoipa::path(post, path = "/tasks", tag = "tasks", request_body = NewTaskBody, responses(
    (status = 201, description = "The task", body = TaskBody),
    (status = 403, description = "It is somebody else's article", body = ErrorBody),
    (status = 404, description = "There is no such article", body = ErrorBody),
    (status = 409, description = "The article waits to be published already; `task` is that one", body = ErrorBody),
    (status = 422, description = "A field is wrong; `choices` where a wall-clock time is twice or never", body = ErrorBody)))]
pub(super) async fn create(
    State(web): State<Web>,
    Sent(actor, new): Sent<NewTaskBody>,
) -> Result<(StatusCode, Json<TaskBody>), ApiError> {
    let task = web.desk.tasks.schedule(&actor, new.try_into()?).await?;
    Ok((StatusCode::CREATED, Json(task.into())))
}

/// Which tasks.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TasksAsked {
    /// Only in this state.
    state: Option<String>,
    /// Only of this kind.
    kind: Option<String>,
    /// Only due at or after, RFC 3339.
    from: Option<String>,
    /// Only due before, RFC 3339.
    to: Option<String>,
    /// Only of articles whose title or slug, present or former, holds these words, in any case and width; at most 200 characters.
    q: Option<String>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
    /// Items on the page, at most 200.
    limit: Option<u64>,
}

/// Lists tasks by moment.
#[utoipa::path(get, path = "/tasks", tag = "tasks", params(TasksAsked), responses(
    (status = 200, description = "A page of tasks", body = TaskPage),
    (status = 422, description = "A filter is wrong", body = ErrorBody)))]
pub(super) async fn list(
    State(web): State<Web>,
    Asked(actor, asked): Asked<TasksAsked>,
) -> Result<Json<TaskPage>, ApiError> {
    let states: Vec<&str> = TaskState::ALL.iter().map(|state| state.as_str()).collect();
    let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
    let query = TaskQuery {
        state: asked.state.map(|state| word("state", &state, &states)).transpose()?,
        kind: asked.kind.map(|kind| word("kind", &kind, &kinds)).transpose()?,
        from: asked.from.map(|from| moment("from", &from)).transpose()?,
        to: asked.to.map(|to| moment("to", &to)).transpose()?,
        q: asked.q,
        cursor: asked.cursor,
        limit: Some(page_size(asked.limit, limit::PAGE_ITEMS)),
    };
    let page = web.desk.tasks.list(&actor, query).await?.map(TaskBody::from);
    Ok(Json(TaskPage { items: page.items, next_cursor: page.next_cursor }))
}

/// Shows one task with its stages and its timeline.
#[utoipa::path(get, path = "/tasks/{id}", tag = "tasks",
    params(("id" = String, Path, description = "Its identity")), responses(
    (status = 200, description = "The task", body = TaskWhole),
    (status = 404, description = "There is none", body = ErrorBody)))]
pub(super) async fn find(
    State(web): State<Web>,
    Bearer(actor): Bearer,
    Path(task): Path<String>,
) -> Result<Json<TaskWhole>, ApiError> {
    Ok(Json(web.desk.tasks.find(&actor, id(&task, "task")?).await?.into()))
}
