//! What becomes of the events of a file, and what they meet on the desk.

use super::{
    event::Wanted,
    file::Item,
    known::{Known, Target},
};
use crate::{
    meetings::{check, rooms::locked::LockedRoom},
    tasks::unit_of_work::UnitOfWork,
    zone::Zone,
};
use domain::{
    MeetingId, RoomId, Timestamp,
    meetings::{Booking, ImportProblem, MAX_DESCRIPTION_BYTES, OnKnown},
};
use jiff::civil::{Date, DateTime};
use std::collections::HashMap;
use texts::{Language, meeting_import::ImportTexts};

/// A meeting that was changed or cancelled; of a series, the first one.
pub struct Changed {
    pub id: MeetingId,
    /// Its start before; `None`: it keeps it.
    pub was: Option<Timestamp>,
    pub starts_at: Timestamp,
    pub ends_at: Timestamp,
    pub zone: String,
    /// Number of meetings that are changed or cancelled.
    pub count: usize,
    /// What the event is from now on.
    pub target: Target,
}

/// A meeting to write.
pub struct NewMeeting {
    pub id: MeetingId,
    pub booking: Booking,
    /// Local time by the rule of its series; `None`: it does not repeat.
    pub original_local: Option<String>,
}

/// What is written of an event.
pub struct NewEvent {
    pub wanted: Wanted,
    pub zone: String,
    pub room_id: Option<RoomId>,
    pub link: Option<String>,
    pub description: String,
    pub meetings: Vec<NewMeeting>,
    /// When the series gets its next occurrences.
    pub again_at: Option<Timestamp>,
}

/// What becomes of an event.
pub enum Fate {
    New(Box<NewEvent>),
    Known,
    Older,
    Merged,
    Updated(Changed),
    Cancelled(Changed),
    Refused(ImportProblem),
}

/// What the events of a file meet on the desk.
pub struct Context<'a> {
    pub items: &'a [Item],
    pub known: &'a HashMap<String, Known>,
    /// The rooms that events name, or the chosen one; locked.
    pub rooms: &'a HashMap<RoomId, LockedRoom>,
    pub chosen: Option<RoomId>,
    pub on_known: OnKnown,
}

/// Link and description of a meeting.
pub struct EventTexts {
    pub link: Option<String>,
    pub description: String,
}

impl Context<'_> {
    pub fn room_of(&self, wanted: &Wanted) -> Option<&LockedRoom> {
        match self.chosen {
            Some(id) => self.rooms.get(&id),
            None => self.rooms.values().find(|room| room.settings.name == wanted.location),
        }
    }

    /// The room after an update; `None`: the file names no place, so it stays.
    pub fn room_change(&self, wanted: &Wanted) -> Option<Option<RoomId>> {
        match self.room_of(wanted) {
            Some(room) => Some(Some(room.id)),
            None => (!wanted.location.is_empty()).then_some(None),
        }
    }

    /// Link and description: a place that is no room is a link, or is named in the description.
    pub fn texts(&self, unit: &UnitOfWork<'_>, wanted: &Wanted) -> Result<EventTexts, ImportProblem> {
        let is_in_room = self.room_of(wanted).is_some_and(|room| room.settings.name == wanted.location);
        let link = match is_in_room {
            true => None,
            false => check::link(Some(wanted.location.clone())).unwrap_or_default(),
        };
        let is_named = is_in_room || link.is_some() || wanted.location.is_empty();
        let parts = [wanted.description.as_str(), if is_named { "" } else { &wanted.location }];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let named = |refusal| ImportProblem::Invalid { refusal };
        let description = check::description(&parts.join("\n\n")).map_err(named)?;
        let description = with_organizer(description, &wanted.organizer, unit.presenter.actor.language);
        Ok(EventTexts { link, description })
    }

    /// The dates of a series that are meetings of it here, and events of their own in the file.
    pub fn occurrences_of(&self, uid: &str, of: (DateTime, Zone)) -> impl Iterator<Item = Date> {
        let identities = self.items.iter().filter_map(|item| item.wish.identity());
        let own = identities.filter(move |one| {
            one.uid == uid && self.known.get(&one.key).is_some_and(|known| known.is_occurrence)
        });
        own.filter_map(move |one| one.original.as_ref()?.date_in(of))
    }
}

/// Adds who organizes the event elsewhere, if there is room for it.
fn with_organizer(description: String, organizer: &str, language: Language) -> String {
    if organizer.is_empty() {
        return description;
    }
    let line = ImportTexts(language).organizer(organizer);
    let text = if description.is_empty() { line } else { format!("{description}\n\n{line}") };
    if text.len() > MAX_DESCRIPTION_BYTES { description } else { text }
}
