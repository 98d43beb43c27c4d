//! Meetings: list, one meeting, booking and changes.

mod booking;

pub use booking::{BookMeeting, CheckSeries, CheckedSeries, book_meeting, check_series};

use super::form_values::{MeetingText, TypedTime};
#[cfg(feature = "ssr")]
use super::form_values::{attendees_of, is_changed_already, reminders_of, room_of};
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::with_meeting, ssr};
#[cfg(feature = "ssr")]
use domain::{
    DomainError, Timestamp, Version, When,
    error::ValidationError,
    meetings::{MeetingChange, MeetingEdit, MeetingQuery, SeriesChange, SeriesEdit},
    series::{MovedOccurrences, Reach},
};
use domain::{
    MeetingId, Page,
    meetings::{Meeting, MeetingCounts, MeetingRow, MeetingScope, MeetingSeries},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What the URL of the list means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeetingListQuery {
    /// Which meetings.
    pub scope: MeetingScope,
    /// Whether those that have started; else those that have not ended.
    pub is_past: bool,
    /// Whether the latest comes first.
    pub is_latest_first: bool,
    /// Only those whose title contains this text.
    pub q: Option<String>,
    /// Only those of this series, each; else a series is one row.
    pub series: Option<String>,
    /// First day, `YYYY-MM-DD` in the user's time zone.
    pub day: Option<String>,
    /// Where the page starts.
    pub cursor: Option<String>,
}

#[cfg(feature = "ssr")]
impl MeetingListQuery {
    /// The query without a first day.
    fn whole(&self, now: Timestamp) -> MeetingQuery {
        let series_id = self.series.as_deref().and_then(|id| id.parse().ok());
        MeetingQuery {
            scope: Some(self.scope),
            from: (!self.is_past).then_some(now),
            to: self.is_past.then_some(now),
            series_id,
            is_one_per_series: !self.is_past && series_id.is_none(),
            q: self.q.clone(),
            is_latest_first: self.is_latest_first,
            ..MeetingQuery::default()
        }
    }
}

/// A page of the list with the numbers of rows of all its pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeetingList {
    /// The page.
    pub page: Page<MeetingRow>,
    /// Numbers of rows from the first day on, for each scope.
    pub counts: MeetingCounts,
}

/// A page of the list of meetings.
#[server(name = ListMeetings, prefix = "/fn", endpoint = "meetings", output = JsonOutput)]
pub async fn list_meetings(query: MeetingListQuery) -> Result<MeetingList, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let now = services.engine.status().await.now;
            let day = match &query.day {
                Some(day) => {
                    let local = format!("{day}T00:00");
                    let when = When::Local { local, zone: actor.zone.clone(), disambiguation: None };
                    services.tasks.resolve(&actor, &when).await.ok().map(|at| at.at)
                }
                None => None,
            };
            let whole = query.whole(now);
            let counts = services.meetings.counts(&actor, whole.clone()).await?;
            let mut paged = MeetingQuery { cursor: query.cursor, ..whole };
            match (day, query.is_past && query.is_latest_first) {
                (Some(day), true) => paged.to = Some(day),
                (Some(day), false) => paged.from = Some(day),
                (None, _) => {}
            }
            Ok(MeetingList { page: services.meetings.list(&actor, paged).await?, counts })
        }
        .await,
    )
}

/// A meeting with its details.
#[server(name = FindMeeting, prefix = "/fn", endpoint = "meeting", output = JsonOutput)]
pub async fn find_meeting(id: String) -> Result<Meeting, Refused> {
    ssr::respond(
        async {
            let id: MeetingId = id.parse().map_err(|_| DomainError::no_such("meeting"))?;
            ssr::services()?.meetings.find(&ssr::actor()?, id).await
        }
        .await,
    )
}

/// A meeting with its series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeetingWithSeries {
    /// The meeting.
    pub meeting: Meeting,
    /// Its series; `None`: it does not repeat.
    pub series: Option<MeetingSeries>,
}

/// A meeting with its details and its series.
#[server(name = FindMeetingWithSeries, prefix = "/fn", endpoint = "meeting_with_series", output = JsonOutput)]
pub async fn find_meeting_with_series(id: String) -> Result<MeetingWithSeries, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let id: MeetingId = id.parse().map_err(|_| DomainError::no_such("meeting"))?;
            let meeting = services.meetings.find(&actor, id).await?;
            let series = match meeting.row.series_id {
                Some(_) => services.meetings.series(&actor, id).await?,
                None => None,
            };
            Ok(MeetingWithSeries { meeting, series })
        }
        .await,
    )
}

/// A meeting after a change, and what was done: the verb of a form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangedMeeting {
    /// The meeting.
    pub row: MeetingRow,
    /// `book`, `move`, `edit`, `hand_over`, or the value of the button, see [`change_meeting`]. `cancel_series.NUMBER`:
    /// that many meetings, which were moved one by one, stay booked.
    pub what: String,
}

/// How far a change of a meeting that repeats reaches, as the form has it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachForm {
    /// `this` (if empty), `following` or `all`.
    #[serde(default)]
    pub reach: String,
    /// `keep` (if empty) or `follow`: meetings that were moved one by one.
    #[serde(default)]
    pub moved: String,
}

/// Returns how far a change reaches; `None`: only this meeting.
#[cfg(feature = "ssr")]
fn series_edit(form: &ReachForm) -> Option<(Reach, MovedOccurrences)> {
    let reach = form.reach.parse().ok().filter(|reach| *reach != Reach::This)?;
    Some((reach, form.moved.parse().unwrap_or(MovedOccurrences::Keep)))
}

/// Moves a meeting to another time or room, or resizes it. `room_id`: empty for none.
#[server(name = MoveMeeting, prefix = "/fn", endpoint = "move_meeting", output = JsonOutput)]
pub async fn move_meeting(
    id: MeetingId,
    seen: i32,
    #[server(default)] room_id: String,
    #[server(default)] reach: ReachForm,
    #[server(flatten)] time: TypedTime,
    from: String,
) -> Result<ChangedMeeting, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let (room_id, time) = (Some(room_of(&room_id)?), Some(time.read()?));
            let edit = MeetingEdit { room_id, time, ..MeetingEdit::default() };
            let (moved, what) = match series_edit(&reach) {
                Some((reach, moved)) => {
                    let edit = SeriesEdit { reach, moved, change: SeriesChange::Edit(Box::new(edit)) };
                    let changed = services.meetings.edit_series(&actor, id, edit, Version(seen)).await?;
                    (changed.meeting, "move_series")
                }
                None => (services.meetings.edit(&actor, id, edit, Version(seen)).await?, "move"),
            };
            ssr::redirect_back(&with_meeting(&from, what, id));
            Ok(ChangedMeeting { row: moved.row, what: what.to_owned() })
        }
        .await,
    )
}

/// Changes the texts of a meeting and its attendees.
#[server(name = EditMeeting, prefix = "/fn", endpoint = "edit_meeting", output = JsonOutput)]
pub async fn edit_meeting(
    id: MeetingId,
    seen: i32,
    meeting: MeetingText,
    from: String,
) -> Result<ChangedMeeting, Refused> {
    ssr::respond(
        async {
            let edit = MeetingEdit {
                title: Some(meeting.title.trim().to_owned()),
                description: Some(ssr::normalize_newlines(&meeting.description)),
                attendees: Some(attendees_of(&meeting.attendees)),
                reminders: Some(reminders_of(&meeting.reminders)),
                ..MeetingEdit::default()
            };
            let edited = ssr::services()?.meetings.edit(&ssr::actor()?, id, edit, Version(seen)).await?;
            ssr::redirect_back(&with_meeting(&from, "edit", id));
            Ok(ChangedMeeting { row: edited.row, what: "edit".to_owned() })
        }
        .await,
    )
}

/// Makes another account the organizer of a meeting, or of its series. `organizer`: name of the person.
#[server(name = HandOverMeeting, prefix = "/fn", endpoint = "hand_over_meeting", output = JsonOutput)]
pub async fn hand_over_meeting(
    id: MeetingId,
    seen: i32,
    organizer: String,
    from: String,
) -> Result<ChangedMeeting, Refused> {
    ssr::respond(
        async {
            let meetings = ssr::services()?.meetings;
            let handed = meetings.hand_over(&ssr::actor()?, id, &organizer, Version(seen)).await?;
            ssr::redirect_back(&with_meeting(&from, "hand_over", id));
            Ok(ChangedMeeting { row: handed.row, what: "hand_over".to_owned() })
        }
        .await,
    )
}

/// Changes a meeting; `what` is `accept`, `decline`, `approve`, `reject`, `cancel`, `check_in`, `end`, or
/// `extend.MINUTES`.
#[server(name = ChangeMeeting, prefix = "/fn", endpoint = "change_meeting", output = JsonOutput)]
pub async fn change_meeting(
    id: MeetingId,
    seen: i32,
    what: String,
    #[server(default)] reason: String,
    #[server(default)] reach: ReachForm,
    from: String,
) -> Result<ChangedMeeting, Refused> {
    ssr::respond(
        async {
            let Some((reach, moved)) = series_edit(&reach).filter(|_| what == "cancel") else {
                return change(id, Version(seen), &what, reason, &from).await;
            };
            let edit = SeriesEdit { reach, moved, change: SeriesChange::Cancel { reason } };
            let meetings = ssr::services()?.meetings;
            let changed = meetings.edit_series(&ssr::actor()?, id, edit, Version(seen)).await?;
            let what = match changed.kept_moved {
                0 => "cancel_series".to_owned(),
                kept => format!("cancel_series.{kept}"),
            };
            ssr::redirect_back(&with_meeting(&from, &what, id));
            Ok(ChangedMeeting { row: changed.meeting.row, what })
        }
        .await,
    )
}

/// Undoes the last change of a meeting.
#[server(name = UndoMeetingChange, prefix = "/fn", endpoint = "undo_meeting", output = JsonOutput)]
pub async fn undo_meeting(id: MeetingId, seen: i32, from: String) -> Result<ChangedMeeting, Refused> {
    ssr::respond(change(id, Version(seen), "undo", String::new(), &from).await)
}

/// Changes a meeting from the list: one form for all rows, so a button carries the change, the id
/// and the version that the user saw.
#[server(name = ActOnMeeting, prefix = "/fn", endpoint = "act_on_meeting", output = JsonOutput)]
pub async fn act_on_meeting(act: String, from: String) -> Result<ChangedMeeting, Refused> {
    ssr::respond(
        async {
            ssr::actor()?;
            let mut parts = act.rsplitn(3, '.');
            let (seen, id, what) = (parts.next(), parts.next(), parts.next());
            let unreadable = || {
                let why = "is not an action of this list".to_owned();
                DomainError::invalid("act", ValidationError::Unreadable { why })
            };
            let seen = seen.and_then(|seen| seen.parse().ok()).ok_or_else(unreadable)?;
            let id = id.and_then(|id| id.parse().ok()).ok_or_else(unreadable)?;
            change(id, Version(seen), what.ok_or_else(unreadable)?, String::new(), &from).await
        }
        .await,
    )
}

/// Value of a button of [`act_on_meeting`].
#[must_use]
pub fn act_value(row: &MeetingRow, what: &str) -> String {
    format!("{what}.{}.{}", row.id, row.version.0)
}

#[cfg(feature = "ssr")]
async fn change(
    id: MeetingId,
    seen: Version,
    what: &str,
    reason: String,
    from: &str,
) -> Result<ChangedMeeting, DomainError> {
    let change = change_named(what, reason)?;
    let (services, actor) = (ssr::services()?, ssr::actor()?);
    let changed = match services.meetings.change(&actor, id, change.clone(), seen).await {
        Err(refusal @ (DomainError::Changed | DomainError::WrongState { .. })) => {
            let now = services.meetings.find(&actor, id).await?;
            if !is_changed_already(&now, &change, seen) {
                return Err(refusal);
            }
            now
        }
        other => other?,
    };
    ssr::redirect_back(&with_meeting(from, what, id));
    Ok(ChangedMeeting { row: changed.row, what: what.to_owned() })
}

#[cfg(feature = "ssr")]
fn change_named(what: &str, reason: String) -> Result<MeetingChange, DomainError> {
    Ok(match what {
        "accept" => MeetingChange::Accept,
        "decline" => MeetingChange::Decline,
        "approve" => MeetingChange::Approve,
        "reject" => MeetingChange::Reject { reason },
        "cancel" => MeetingChange::Cancel { reason },
        "check_in" => MeetingChange::CheckIn,
        "end" => MeetingChange::End,
        "undo" => MeetingChange::Undo,
        other => match other.strip_prefix("extend.").and_then(|minutes| minutes.parse().ok()) {
            Some(minutes) => MeetingChange::Extend { minutes },
            None => {
                let words = "accept, decline, approve, reject, cancel, check_in, end, extend.MINUTES, undo"
                    .to_owned();
                return Err(DomainError::invalid("what", ValidationError::NotOneOf { words }));
            }
        },
    })
}
