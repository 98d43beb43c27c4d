//! What an attendee sees of a series: one event with its rule, and the occurrences that are not as the
//! rule says.

use crate::{
    meetings::series::plan,
    zone::{Meaning, Zone},
};
use domain::{
    RoomId, Timestamp,
    base::local_time::minute_text,
    meetings::{MeetingState, MeetingTemplate},
    series::{Series, rfc5545},
};
use std::collections::{BTreeMap, HashMap, HashSet};
use store::{StoreError, meeting::MeetingRow, meeting_invite::InviteFacts, series::SeriesRow};
use uuid::Uuid;

/// A series with its meetings.
pub struct InvitedSeries {
    pub row: SeriesRow,
    pub template: MeetingTemplate,
    pub zone: Zone,
    /// Name of its room; empty: it has none.
    pub room: String,
    /// Names and language of the organizer.
    pub facts: InviteFacts,
    /// `None`: an event with a rule cannot express it.
    pub series: Option<Series>,
    /// The meetings by original local time.
    pub meetings: BTreeMap<String, MeetingRow>,
    /// Names of their rooms.
    rooms: HashMap<Uuid, String>,
    /// Whether it gets more occurrences.
    extends: bool,
}

/// What an attendee sees of a series.
pub struct View<'a> {
    pub series: &'a InvitedSeries,
    /// Start of the first occurrence by the rule, and the same as local time.
    pub first: (Timestamp, String),
    /// End of the first occurrence by the rule.
    pub first_ends_at: Timestamp,
    /// Start of the last occurrence by the rule.
    pub last: Timestamp,
    /// The meetings by the moment of the rule.
    pub stored: Vec<(Timestamp, &'a MeetingRow)>,
    /// Local times of occurrences that do not take place, and their moments.
    pub excluded: Vec<(String, Timestamp)>,
    /// Occurrences that are not as the rule says, by the moment of the rule.
    pub changed: Vec<(Timestamp, &'a MeetingRow)>,
    /// The next meeting; `None`: it is not stored yet, or there is none.
    pub next: Option<&'a MeetingRow>,
    /// Whether an occurrence is still to come.
    pub has_next: bool,
    /// Whether there is any occurrence.
    pub has_any: bool,
    /// Whether the room is only asked for.
    pub is_request: bool,
}

impl InvitedSeries {
    /// What the attendee with these meetings sees.
    pub fn view(&self, attended: &HashSet<Uuid>, at: Timestamp) -> Option<View<'_>> {
        let series = self.series.as_ref()?;
        let all = series.occurrences(&self.zone, Timestamp::EARLIEST, Timestamp::LATEST, usize::MAX);
        let first = all.first()?;
        let open = |row: &&MeetingRow| attended.contains(&row.id) && takes_place(row);
        let stored_until = self.row.stored_until.clone().unwrap_or_default();
        let is_request = self.meetings.values().rfind(open).is_some_and(is_request);
        let mut view = View {
            series: self,
            first: (first.at, minute_text(first.original_local)),
            first_ends_at: series.slot(&self.zone, first, self.template.length_minutes).ends_at,
            last: all.last().map_or(first.at, |last| last.at),
            stored: Vec::new(),
            excluded: Vec::new(),
            changed: Vec::new(),
            next: None,
            has_next: false,
            has_any: false,
            is_request,
        };
        for one in &all {
            let local = minute_text(one.original_local);
            let meeting = self.meetings.get(&local).filter(open);
            let is_to_come = local > stored_until && self.extends && !self.meetings.contains_key(&local);
            match meeting {
                Some(row) => {
                    let ends_at = series.slot(&self.zone, one, self.template.length_minutes).ends_at;
                    view.add((one.at, row), self.differs(row, (one.at, ends_at), is_request), at);
                }
                None if is_to_come => (view.has_any, view.has_next) = (true, true),
                None => view.excluded.push((local, one.at)),
            }
        }
        Some(view)
    }

    /// Whether a meeting is not as the series says.
    fn differs(
        &self,
        row: &MeetingRow,
        (starts_at, ends_at): (Timestamp, Timestamp),
        is_asked: bool,
    ) -> bool {
        row.title != self.row.title
            || row.description != self.template.description
            || row.link != self.template.link
            || row.room_id.map(RoomId) != self.template.room_id
            || (row.starts_at, row.ends_at) != (starts_at.millis(), ends_at.millis())
            || row.time_zone != self.row.time_zone
            || is_request(row) != is_asked
    }

    /// Name of the room of a meeting.
    pub fn room_of(&self, row: &MeetingRow) -> &str {
        row.room_id.and_then(|id| self.rooms.get(&id)).map_or("", String::as_str)
    }
}

impl<'a> View<'a> {
    /// Adds a meeting that takes place.
    fn add(&mut self, (by_rule, row): (Timestamp, &'a MeetingRow), is_changed: bool, at: Timestamp) {
        self.has_any = true;
        if row.ends_at > at.millis() {
            self.has_next = true;
            self.next = self.next.filter(|next| next.starts_at <= row.starts_at).or(Some(row));
        }
        self.stored.push((by_rule, row));
        if is_changed {
            self.changed.push((by_rule, row));
        }
    }

    /// When the next meeting was to start, by the last mail, which says `was`; `None`: it was not moved.
    pub fn moved_from(&self, was: i64, at: Timestamp) -> Option<Timestamp> {
        let stays = self.stored.iter().any(|(_, row)| row.starts_at == was);
        let is_off = self.excluded.iter().any(|(_, by_rule)| by_rule.millis() == was);
        let is_moved = was > at.millis() && !stays && !is_off && self.next.is_some();
        is_moved.then_some(Timestamp::from_millis(was))
    }

    /// What the attendee is notified of when it changes.
    pub fn content(&self) -> String {
        let InvitedSeries { row, template, room, .. } = self.series;
        let MeetingTemplate { description, link, length_minutes, .. } = template;
        let changed = self.changed.iter().map(|(by_rule, row)| {
            let MeetingRow { title, description, link, starts_at, ends_at, time_zone, .. } = row;
            let place = self.series.room_of(row);
            (
                by_rule.millis(),
                title,
                description,
                link,
                place,
                (starts_at, ends_at, time_zone, is_request(row)),
            )
        });
        let changed: Vec<_> = changed.collect();
        let excluded: Vec<&str> = self.excluded.iter().map(|(local, _)| local.as_str()).collect();
        serde_json::json!([
            row.title,
            description,
            link,
            room,
            length_minutes,
            row.time_zone,
            self.first.1,
            self.rule(),
            excluded,
            changed,
            self.is_request
        ])
        .to_string()
    }

    /// The lines `RRULE` and `EXDATE` of the rule.
    fn lines(&self) -> Vec<String> {
        let series = self.series.series.as_ref();
        series.map(|series| rfc5545::print(series, &self.series.zone)).unwrap_or_default()
    }

    /// The line `RRULE` without its name.
    pub fn rule(&self) -> String {
        let rule = self.lines().into_iter().next().unwrap_or_default();
        rule.strip_prefix("RRULE:").unwrap_or(&rule).to_owned()
    }

    /// Local times as `20270308T090000` at which it does not take place, those of the rule included.
    pub fn excluded_locals(&self) -> Vec<String> {
        let of_rule = self.lines().into_iter().nth(1).unwrap_or_default();
        let of_rule = of_rule.split_once(':').map(|(_, locals)| locals.to_owned()).unwrap_or_default();
        let own = self.excluded.iter().map(|(local, _)| format!("{}00", local.replace(['-', ':'], "")));
        of_rule.split(',').filter(|local| !local.is_empty()).map(str::to_owned).chain(own).collect()
    }
}

pub fn takes_place(row: &MeetingRow) -> bool {
    let state: Option<MeetingState> = row.state.parse().ok();
    state.is_some_and(|state| state.is_open() || state == MeetingState::Ended)
}

fn is_request(row: &MeetingRow) -> bool {
    row.state == MeetingState::Requested.as_str()
}

/// Reads a series. `rooms`: names of all rooms that it names.
pub fn invited_series(
    row: SeriesRow,
    meetings: BTreeMap<String, MeetingRow>,
    (rooms, facts): (&HashMap<Uuid, String>, InviteFacts),
    extends: bool,
) -> Result<InvitedSeries, StoreError> {
    let (template, zone) = (row.template()?, Zone::stored(&row.time_zone));
    let is_exact = |series: &Series| {
        let first = series.occurrences(&zone, Timestamp::EARLIEST, Timestamp::LATEST, 1);
        let is_once = first.first().is_none_or(|first| {
            let meaning = zone.meaning_of(&minute_text(first.original_local));
            meaning == Some(Meaning::Once(first.at))
        });
        is_once && rfc5545::is_exact(series, &zone)
    };
    let series = plan::series_of(&row).ok().filter(is_exact);
    let room = template.room_id.and_then(|room| rooms.get(&room.0)).cloned().unwrap_or_default();
    let rooms = rooms.clone();
    Ok(InvitedSeries { row, template, zone, room, facts, series, meetings, rooms, extends })
}
