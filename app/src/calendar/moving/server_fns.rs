//! Moves an item of the calendar.

#[cfg(feature = "ssr")]
use crate::{
    calendar::request::{DRAFT_PREFIX, MEETING_PREFIX},
    server_fns::{ssr, time_of_form::local_time},
};
use crate::{
    meetings::server_fns::ChangedMeeting,
    server_fns::{JsonOutput, Refused},
};
#[cfg(feature = "ssr")]
use domain::{
    Actor, ArticleId, DomainError, Kind, MeetingId, Services, Version,
    bulk_change::{BulkChange, BulkSelection},
    meetings::{MeetingEdit, MeetingTime},
    task::{Change, NewTask},
};
use domain::{TaskId, bulk_change::BulkOutcome, task::TaskRow};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Maximum length of a meeting that is moved, in seconds: the service has limits of its own.
#[cfg(feature = "ssr")]
const MAX_LENGTH: i64 = 366 * 86_400;

/// Where an item is moved.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewPlace {
    /// Id of a task; or [`crate::calendar::request::MEETING_PREFIX`] and the id of a meeting; or
    /// [`crate::calendar::request::DRAFT_PREFIX`] and the id of an article, which is then scheduled.
    pub item: String,
    /// The version that the user saw.
    pub seen: i32,
    /// Start, `YYYY-MM-DDTHH:MM[:SS]`; empty: a meeting keeps it.
    #[serde(default)]
    pub local: String,
    /// Time zone of the start.
    #[serde(default)]
    pub zone: String,
    /// See [`crate::server_fns::time_of_form::local_time`].
    #[serde(default)]
    pub which: String,
    /// Length of a meeting in seconds.
    #[serde(default)]
    pub length: i64,
}

/// What was moved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Placed {
    /// A task.
    Task(Box<TaskRow>),
    /// A meeting.
    Meeting(Box<ChangedMeeting>),
}

/// Moves a task or a meeting, or changes the length of a meeting.
#[server(name = PlaceItem, prefix = "/fn", endpoint = "place_item", output = JsonOutput)]
pub async fn place_item(place: NewPlace) -> Result<Placed, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            if let Some(id) = place.item.strip_prefix(DRAFT_PREFIX) {
                let id: ArticleId = id.parse().map_err(|_| DomainError::no_such("article"))?;
                let new = NewTask {
                    kind: Kind::ArticlePublish,
                    target_id: id.0,
                    when: place.when(),
                    priority: None,
                    revision: None,
                };
                return Ok(Placed::Task(Box::new(services.tasks.schedule(&actor, new).await?)));
            }
            match place.item.strip_prefix(MEETING_PREFIX) {
                Some(id) => {
                    let id = id.parse().map_err(|_| DomainError::no_such("meeting"))?;
                    place_meeting(&services, &actor, id, &place).await
                }
                None => {
                    let id = place.item.parse().map_err(|_| DomainError::no_such("task"))?;
                    place_task(&services, &actor, id, &place).await
                }
            }
        }
        .await,
    )
}

/// Moves tasks by the same amount: days, which keep the wall-clock time, and minutes.
#[server(name = MoveSeveral, prefix = "/fn", endpoint = "move_several", output = JsonOutput)]
pub async fn move_several(ids: Vec<TaskId>, days: i32, minutes: i32) -> Result<BulkOutcome, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let (tasks, change) = (BulkSelection::Tasks(ids), BulkChange::Shift { days, minutes });
            services.tasks.bulk_change(&actor, tasks, change, false).await
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
impl NewPlace {
    fn when(&self) -> domain::When {
        let (date, time) = self.local.split_once('T').unwrap_or((&self.local, ""));
        local_time(date, time, &self.zone, &self.which)
    }
}

#[cfg(feature = "ssr")]
async fn place_task(
    services: &Services,
    actor: &Actor,
    id: TaskId,
    place: &NewPlace,
) -> Result<Placed, DomainError> {
    let (when, seen) = (place.when(), Version(place.seen));
    let due_at = services.tasks.resolve(actor, &when).await?.at;
    let result = services.tasks.change(actor, id, Change::Reschedule { when }, seen).await;
    let row = ssr::accept_duplicate(result, &Change::Reschedule { when: due_at.into() }, seen)?;
    Ok(Placed::Task(Box::new(row)))
}

/// The meeting keeps its room and its own time zone. One that repeats is moved alone.
#[cfg(feature = "ssr")]
async fn place_meeting(
    services: &Services,
    actor: &Actor,
    id: MeetingId,
    place: &NewPlace,
) -> Result<Placed, DomainError> {
    let starts_at = match place.local.as_str() {
        "" => services.meetings.find(actor, id).await?.row.starts.at,
        _ => services.tasks.resolve(actor, &place.when()).await?.at,
    };
    let ends_at = starts_at.plus(place.length.clamp(0, MAX_LENGTH) * 1_000);
    let time = Some(MeetingTime::At { starts_at, ends_at, zone: None });
    let edit = MeetingEdit { time, ..MeetingEdit::default() };
    let row = services.meetings.edit(actor, id, edit, Version(place.seen)).await?.row;
    Ok(Placed::Meeting(Box::new(ChangedMeeting { row, what: "move".to_owned() })))
}
