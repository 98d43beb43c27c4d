//! `/calendar`.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{AuthQuery, word},
        numbers::query_limit,
    },
};
use axum::{Json, extract::State};
use domain::{
    Actor, DomainError, Timestamp,
    base::{calendar::day_number, local_time::parse_date},
    calendar::{CalendarDay, CalendarItem, CalendarPage, CalendarQuery, CalendarStatus, MAX_SKIPPED_ITEMS},
    error::ValidationError,
};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// Days and their items.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalendarBody {
    /// IANA time zone of the days.
    zone: String,
    /// The days in their order, also those without items.
    days: Vec<CalendarDayBody>,
}

/// One day.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalendarDayBody {
    /// `YYYY-MM-DD`.
    date: String,
    /// Its first instant.
    #[schema(value_type = String, format = DateTime)]
    begins_at: Timestamp,
    /// The first instant of the next day.
    #[schema(value_type = String, format = DateTime)]
    ends_at: Timestamp,
    /// Number of items on this day.
    count: u64,
    /// How many of them need a person.
    attention: u64,
    /// The first items, by time.
    items: Vec<CalendarItemBody>,
}

/// A task or a meeting on one day.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalendarItemBody {
    /// Id of the task or the meeting.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Kind of the task, or `meeting`.
    kind: String,
    /// What the task acts on; the meeting itself.
    #[schema(value_type = String, format = Uuid)]
    target_id: Uuid,
    /// Title.
    title: String,
    /// State of the task or the meeting.
    state: String,
    /// `upcoming`, `running`, `done`, `attention` or `cancelled`.
    status: &'static str,
    /// Incremented by every change; send it back as `seen_version`.
    version: i32,
    /// When it is due or starts.
    #[schema(value_type = String, format = DateTime)]
    starts_at: Timestamp,
    /// When it ends; null: it has no duration.
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<Timestamp>,
    /// Owner of the task, organizer of the meeting.
    #[schema(value_type = String, format = Uuid)]
    owner_id: Uuid,
    /// Name of that account.
    owner: String,
    /// Name of the room; empty: it has none.
    room: String,
    /// Number of items that start in the same hour, with this one.
    together: u32,
    /// Whether the caller may move it.
    may_move: bool,
}

impl From<CalendarItem> for CalendarItemBody {
    fn from(item: CalendarItem) -> Self {
        Self {
            id: item.id,
            kind: item.kind,
            target_id: item.target_id,
            title: item.title,
            state: item.state,
            status: item.status.as_str(),
            version: item.version.0,
            starts_at: item.at,
            ends_at: item.ends_at,
            owner_id: item.owner_id.0,
            owner: item.owner,
            room: item.room,
            together: item.together,
            may_move: item.may_move,
        }
    }
}

impl From<CalendarDay> for CalendarDayBody {
    fn from(day: CalendarDay) -> Self {
        Self {
            date: day.date,
            begins_at: day.begins_at,
            ends_at: day.ends_at,
            count: day.count,
            attention: day.attention,
            items: day.items.into_iter().map(CalendarItemBody::from).collect(),
        }
    }
}

impl From<CalendarPage> for CalendarBody {
    fn from(page: CalendarPage) -> Self {
        Self { zone: page.zone, days: page.days.into_iter().map(CalendarDayBody::from).collect() }
    }
}

/// Which days, and which of their items.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CalendarParams {
    /// First day, `YYYY-MM-DD`; absent: today.
    from: Option<String>,
    /// Last day, `YYYY-MM-DD`; absent: the first one. At most 62 days.
    to: Option<String>,
    /// Time zone whose days are meant: a name or a city; absent: that of the account.
    zone: Option<String>,
    /// Only items of this kind: a kind of tasks, or `meeting`. `message.send` and `rule.fire` are for admins.
    kind: Option<String>,
    /// Only items with this status: `upcoming`, `running`, `done`, `attention` or `cancelled`.
    /// Absent: all but cancelled ones.
    state: Option<String>,
    /// Only items of this account; `me`: the caller.
    owner: Option<String>,
    /// Only meetings in this room.
    room_id: Option<String>,
    /// Only tasks of articles with this tag.
    tag: Option<String>,
    /// Only messages to this channel.
    channel_id: Option<String>,
    /// Number of items of each day, 20 if absent. All days together have at most 2,000.
    #[serde(default, deserialize_with = "query_limit")]
    limit: Option<u64>,
    /// Number of items of each day that are left out before the first one.
    #[serde(default, deserialize_with = "query_limit")]
    skip: Option<u64>,
}

impl CalendarParams {
    fn query(self, actor: &Actor) -> Result<CalendarQuery, DomainError> {
        let days = match (&self.from, &self.to) {
            (_, None) => 1,
            (None, Some(_)) => {
                let why = "to needs from, like 2027-03-01".to_owned();
                return Err(DomainError::invalid("from", ValidationError::Sentence { why }));
            }
            (Some(from), Some(to)) => day_count(from, to)?,
        };
        let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let status = self.state.map(|state| word("state", &state, CalendarStatus::NAMES)).transpose()?;
        let owner = match self.owner.as_deref() {
            None => None,
            Some("me") => Some(actor.account),
            Some(id) => Some(known("owner", id)?),
        };
        Ok(CalendarQuery {
            date: self.from,
            view: None,
            days,
            zone: self.zone,
            kind: self.kind,
            status,
            owner,
            is_attended: false,
            room: self.room_id.as_deref().map(|id| known("room_id", id)).transpose()?,
            tag: self.tag,
            channel: self.channel_id.as_deref().map(|id| known("channel_id", id)).transpose()?,
            day_items: self.limit.map(count),
            skip: self.skip.map_or(0, count).min(MAX_SKIPPED_ITEMS),
        })
    }
}

/// Reads an id.
fn known<T: FromStr>(field: &str, text: &str) -> Result<T, DomainError> {
    text.parse().map_err(|_| DomainError::invalid(field, ValidationError::Unknown))
}

/// Number of days from one date to another.
fn day_count(from: &str, to: &str) -> Result<u16, DomainError> {
    let date = |field: &'static str, text: &str| {
        parse_date(text.trim()).ok_or_else(|| {
            let why = "is not a date like 2027-03-28".to_owned();
            DomainError::invalid(field, ValidationError::Unreadable { why })
        })
    };
    let days = day_number(date("to", to)?) - day_number(date("from", from)?) + 1;
    if days < 1 {
        let why = "is before from".to_owned();
        return Err(DomainError::invalid("to", ValidationError::Unreadable { why }));
    }
    Ok(u16::try_from(days).unwrap_or(u16::MAX))
}

/// Returns days, the first items of each, and how many there are.
#[utoipa::path(get, path = "/calendar", tag = "calendar", params(CalendarParams), responses(
    (status = 200, description = "The days", body = CalendarBody),
    (status = 422, description = "A parameter is invalid", body = ErrorBody)))]
pub async fn show(
    State(web): State<Web>,
    AuthQuery(actor, params): AuthQuery<CalendarParams>,
) -> Result<Json<CalendarBody>, ApiError> {
    let query = params.query(&actor)?;
    Ok(Json(web.services.calendar.page(&actor, query).await?.into()))
}
