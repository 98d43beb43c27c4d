//! `/tasks`.

pub mod actions;
pub mod bulk;
pub mod bulk_change;
pub mod kinds;
pub mod time_words;

use crate::{
    http::{
        Web,
        api::{
            ApiError, ErrorBody,
            dto::{TaskBody, TaskDetail},
            extract::{Auth, AuthJson, AuthQuery, id, instant, page_size, word},
            numbers::{optional_integer, query_limit},
        },
    },
    kinds::{schedulable_words, words},
};
use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use domain::{
    DomainError, Priority, State as TaskState, When,
    calendar::{NewSlotTask, SlotPlace},
    error::ValidationError,
    input_limits,
    task::{NewTask, RevisionChoice, TaskQuery},
    time::Disambiguation,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// A new task: `due_at`, or `local` and `zone`, or `slot`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTaskBody {
    /// `article.publish` or `article.unpublish`.
    kind: String,
    /// Id of the article.
    #[schema(format = Uuid)]
    target_id: String,
    /// An instant, RFC 3339.
    due_at: Option<String>,
    /// A local time: `2027-03-28T02:30`.
    local: Option<String>,
    /// Time zone of `local`: `Europe/Berlin`.
    zone: Option<String>,
    /// `earlier` or `later`, if `local` occurs twice.
    disambiguation: Option<String>,
    /// Instead of a time: `next`, the next free slot of the desk; or `share_next`, the next slot, and the
    /// caller's own publications in the way move one slot on. `insert` does the same with the slot at
    /// `due_at`.
    slot: Option<String>,
    /// `high`, `normal` (the default) or `low`.
    priority: Option<String>,
    /// Number of the revision that is published. Absent: the current one or, if that needs an approval, the
    /// newest approved one; without any, the current one is submitted for review.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 1)]
    revision: Option<i32>,
}

impl NewTaskBody {
    /// Returns the task for the next free slot; `None`: a time is given.
    fn in_slot(&self) -> Result<Option<NewSlotTask>, DomainError> {
        let is_inserted = self.slot.as_deref() == Some("insert");
        let place = match self.slot.as_deref() {
            None => return Ok(None),
            Some("next") => SlotPlace::Next,
            Some("share_next") => SlotPlace::ShareNext,
            Some("insert") => {
                SlotPlace::Insert { at: instant("due_at", self.due_at.as_deref().unwrap_or_default())? }
            }
            Some(_) => {
                let words = "next, share_next, insert".to_owned();
                return Err(DomainError::invalid("slot", ValidationError::NotOneOf { words }));
            }
        };
        if (self.due_at.is_some() && !is_inserted) || self.local.is_some() || self.zone.is_some() {
            let why = "send either slot, or a time, not both".to_owned();
            return Err(DomainError::invalid("slot", ValidationError::Sentence { why }));
        }
        Ok(Some(NewSlotTask {
            kind: word("kind", &self.kind, &schedulable_words())?,
            target_id: target_id(&self.target_id)?,
            priority: priority(self.priority.as_deref())?,
            place,
            revision: self.revision.map(RevisionChoice::Number),
        }))
    }
}

fn target_id(text: &str) -> Result<Uuid, DomainError> {
    let why = "must be the id of an article".to_owned();
    text.parse().map_err(|_| DomainError::invalid("target_id", ValidationError::Unreadable { why }))
}

fn priority(text: Option<&str>) -> Result<Option<Priority>, DomainError> {
    text.map(|name| word("priority", name, Priority::NAMES)).transpose()
}

impl TryFrom<NewTaskBody> for NewTask {
    type Error = DomainError;
    fn try_from(new: NewTaskBody) -> Result<Self, DomainError> {
        if new.slot.is_some() {
            let why = "is possible for a single task only".to_owned();
            return Err(DomainError::invalid("slot", ValidationError::Unreadable { why }));
        }
        Ok(Self {
            kind: word("kind", &new.kind, &schedulable_words())?,
            target_id: target_id(&new.target_id)?,
            when: when(new.due_at, new.local, new.zone, new.disambiguation)?,
            priority: priority(new.priority.as_deref())?,
            revision: new.revision.map(RevisionChoice::Number),
        })
    }
}

/// Reads the time of a request: either an instant, or a local time and a time zone.
pub fn when(
    due_at: Option<String>,
    local: Option<String>,
    zone: Option<String>,
    disambiguation: Option<String>,
) -> Result<When, DomainError> {
    let unclear =
        |field, why: &str| DomainError::invalid(field, ValidationError::Sentence { why: why.to_owned() });
    let disambiguation = disambiguation.as_deref().map(which).transpose()?;
    match (due_at, local, zone) {
        (Some(due_at), None, None) => Ok(When::At { due_at: instant("due_at", &due_at)? }),
        (None, Some(local), Some(zone)) => Ok(When::Local { local, zone, disambiguation }),
        (None, Some(_), None) => Err(unclear("zone", "local needs a zone, like Europe/Berlin")),
        (None, None, Some(_)) => Err(unclear("local", "zone needs a local time, like 2026-06-09T09:00")),
        (None, None, None) => Err(unclear("due_at", "send due_at, or local and zone")),
        (Some(_), ..) => Err(unclear("due_at", "send either due_at, or local and zone, not both")),
    }
}

fn which(text: &str) -> Result<Disambiguation, DomainError> {
    match text {
        "earlier" => Ok(Disambiguation::Earlier),
        "later" => Ok(Disambiguation::Later),
        _ => Err(DomainError::invalid(
            "disambiguation",
            ValidationError::NotOneOf { words: "earlier, later".to_owned() },
        )),
    }
}

/// A page of tasks.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaskPage {
    /// Ordered by due time.
    pub items: Vec<TaskBody>,
    /// Cursor of the next page; null: this is the last page.
    pub next_cursor: Option<String>,
}

/// Schedules a task. Publishing pins a revision of the article, see `revision`.
#[utoipa::path(post, path = "/tasks", tag = "tasks", request_body = NewTaskBody, responses(
    (status = 201, description = "The task", body = TaskBody),
    (status = 403, description = "The article belongs to another account", body = ErrorBody),
    (status = 404, description = "No such article, no such slot, or no free slot", body = ErrorBody),
    (status = 409, description = "The article is already scheduled to be published; `task` is that task", body = ErrorBody),
    (status = 422, description = "A field is invalid; `choices` if a local time occurs twice or does not exist", body = ErrorBody)))]
pub async fn create(
    State(web): State<Web>,
    AuthJson(actor, new): AuthJson<NewTaskBody>,
) -> Result<(StatusCode, Json<TaskBody>), ApiError> {
    let task = match new.in_slot()? {
        Some(new) => web.services.slots.schedule_next(&actor, new).await?.task,
        None => web.services.tasks.schedule(&actor, new.try_into()?).await?,
    };
    Ok((StatusCode::CREATED, Json(task.into())))
}

/// Filter of the list of tasks.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TasksQuery {
    /// Only tasks in this state.
    state: Option<String>,
    /// Only tasks of this kind.
    kind: Option<String>,
    /// Only tasks due at or after this instant, RFC 3339.
    from: Option<String>,
    /// Only tasks due before this instant, RFC 3339.
    to: Option<String>,
    /// Only tasks of articles whose title, slug or previous slug contains these words, ignoring case and
    /// width, of meetings, rules and releases whose title contains this text, ignoring case, and of the
    /// message with this key; at most 200 characters.
    q: Option<String>,
    /// `next_cursor` of the previous page.
    cursor: Option<String>,
    /// Number of items on the page, at most 200.
    #[serde(default, deserialize_with = "query_limit")]
    limit: Option<u64>,
}

/// Lists tasks by due time.
#[utoipa::path(get, path = "/tasks", tag = "tasks", params(TasksQuery), responses(
    (status = 200, description = "A page of tasks", body = TaskPage),
    (status = 422, description = "A filter is invalid", body = ErrorBody)))]
pub async fn list(
    State(web): State<Web>,
    AuthQuery(actor, query): AuthQuery<TasksQuery>,
) -> Result<Json<TaskPage>, ApiError> {
    let states: Vec<&str> = TaskState::ALL.iter().map(|state| state.as_str()).collect();
    let query = TaskQuery {
        state: query.state.map(|state| word("state", &state, &states)).transpose()?,
        kind: query.kind.map(|kind| word("kind", &kind, &words())).transpose()?,
        from: query.from.map(|from| instant("from", &from)).transpose()?,
        to: query.to.map(|to| instant("to", &to)).transpose()?,
        q: query.q,
        cursor: query.cursor,
        limit: Some(page_size(query.limit, input_limits::MAX_PAGE_ITEMS)),
        ..TaskQuery::default()
    };
    let page = web.services.tasks.list(&actor, query).await?.map(TaskBody::from);
    Ok(Json(TaskPage { items: page.items, next_cursor: page.next_cursor }))
}

/// Returns a task with its stages and its timeline.
#[utoipa::path(get, path = "/tasks/{id}", tag = "tasks",
    params(("id" = String, Path, description = "Id of the task")), responses(
    (status = 200, description = "The task", body = TaskDetail),
    (status = 404, description = "No such task", body = ErrorBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(actor): Auth,
    Path(task): Path<String>,
) -> Result<Json<TaskDetail>, ApiError> {
    Ok(Json(web.services.tasks.find(&actor, id(&task, "task")?).await?.into()))
}
