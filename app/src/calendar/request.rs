//! What the URL of the calendar means.

use crate::ui::table::address::ListAddress;
use domain::{
    account::Language,
    calendar::{CalendarStatus, View},
};
use serde::{Deserialize, Serialize};
use texts::language;

/// Parameter: the view.
pub const VIEW: &str = "view";
/// Parameter: a day of the view, `YYYY-MM-DD`.
pub const DATE: &str = "date";
/// Parameter: the time zone.
pub const ZONE: &str = "zone";
/// Value of [`ZONE`]: the desk's time zone.
pub const DESK: &str = "desk";
/// Value of the filter by person: the user.
pub const ME: &str = "me";
/// Parameter: the day on which weeks begin.
pub const WEEK: &str = "week";
/// Parameter: a day and time for something new, `YYYY-MM-DDTHH:MM`.
pub const NEW: &str = "new";
/// Parameter: number of items of the day that are skipped.
pub const SKIP: &str = "skip";
/// Prefix of the id of a meeting in the parameter that opens the form to move something.
pub const MEETING_PREFIX: &str = "meeting.";
/// Prefix of the id of an article in the name of a draft.
pub const DRAFT_PREFIX: &str = "draft.";
/// Parameters of the filters.
const FILTERS: [&str; 6] = ["kind", "state", "owner", "room", "tag", "channel"];
/// Parameters that belong to the shown days.
const PLACE: [&str; 3] = [NEW, SKIP, crate::ui::table::address::MOVE];

/// What the URL of the calendar means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarRequest {
    /// The view.
    pub view: View,
    /// A day of the view; `None`: today.
    pub date: Option<String>,
    /// The time zone as typed, or [`DESK`]; `None`: the user's.
    pub zone: Option<String>,
    /// Only this kind.
    pub kind: Option<String>,
    /// Only this status; `None`: all but cancelled items.
    pub status: Option<CalendarStatus>,
    /// Only items of this account, [`ME`] or an id.
    pub owner: Option<String>,
    /// Only meetings in the room with this id.
    pub room: Option<String>,
    /// Only tasks of articles with this tag.
    pub tag: Option<String>,
    /// Only messages to the channel with this id.
    pub channel: Option<String>,
    /// The day on which weeks begin, Monday is 0.
    pub first_weekday: u8,
    /// Number of items of the day that are skipped.
    pub skip: u32,
    /// What is being moved: the id of a task, or [`MEETING_PREFIX`] and the id of a meeting.
    pub moving: Option<String>,
}

impl CalendarRequest {
    /// Returns the request of a URL.
    #[must_use]
    pub fn of(address: &ListAddress) -> Self {
        Self {
            view: address.get(VIEW).and_then(|view| view.parse().ok()).unwrap_or(View::Month),
            date: address.get(DATE),
            zone: address.get(ZONE),
            kind: address.get("kind"),
            status: address.get("state").and_then(|state| state.parse().ok()),
            owner: address.get("owner"),
            room: address.get("room"),
            tag: address.get("tag"),
            channel: address.get("channel"),
            first_weekday: first_weekday(address.get(WEEK).as_deref(), language()),
            skip: address.get(SKIP).and_then(|skip| skip.parse().ok()).unwrap_or(0),
            moving: address.get(crate::ui::table::address::MOVE),
        }
    }

    /// Whether it leaves items out.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        let texts = [&self.kind, &self.owner, &self.room, &self.tag, &self.channel];
        self.status.is_some() || texts.iter().any(|text| text.is_some())
    }
}

/// The day on which weeks begin, Monday is 0: the one that the URL names, else that of the language.
fn first_weekday(named: Option<&str>, language: Language) -> u8 {
    match (named, language) {
        (Some("sat"), _) => 5,
        (Some("sun"), _) => 6,
        // All languages are those of ISO 8601.
        (_, Language::En | Language::Zh | Language::De) => 0,
    }
}

/// The calendar with the same time zone and filters, at another view and date.
#[must_use]
pub fn link_to(address: &ListAddress, view: View, date: &str) -> String {
    let view = if view == View::Month { "" } else { view.as_str() };
    let kept = PLACE.iter().fold(address.clone(), |address, name| address.with(name, ""));
    kept.with(VIEW, view).with(DATE, date).to_string()
}

/// The calendar with another value of one parameter.
#[must_use]
pub fn link_with(address: &ListAddress, name: &str, value: &str) -> String {
    let kept = PLACE.iter().fold(address.clone(), |address, name| address.with(name, ""));
    kept.with(name, value).to_string()
}

/// The calendar without filters.
#[must_use]
pub fn without_filters(address: &ListAddress) -> String {
    FILTERS.iter().fold(address.clone(), |address, name| address.with(name, "")).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_begin_on_the_day_that_the_url_names() {
        assert_eq!(first_weekday(None, Language::En), 0);
        assert_eq!(first_weekday(Some("sun"), Language::Zh), 6);
        assert_eq!(first_weekday(Some("sat"), Language::En), 5);
        assert_eq!(first_weekday(Some("never"), Language::En), 0);
        assert_eq!(first_weekday(None, Language::De), 0);
    }

    #[test]
    fn a_link_names_the_view_unless_it_is_the_month() {
        let address = ListAddress::default().with("kind", "meeting").with(NEW, "x").with(VIEW, "week");
        assert_eq!(link_to(&address, View::Day, "2026-11-26"), "?kind=meeting&view=day&date=2026-11-26");
        assert_eq!(link_to(&address, View::Month, "2026-11-26"), "?kind=meeting&date=2026-11-26");
        assert_eq!(without_filters(&address), "?new=x&view=week");
    }
}
