//! Values of the forms of meetings, as they are typed.

#[cfg(feature = "ssr")]
use crate::server_fns::time_of_form::local_time;
use domain::meetings::Attendee;
#[cfg(feature = "ssr")]
use domain::{
    Actor, DomainError, RoomId, Services, Version, When,
    base::when::clock_text,
    error::ValidationError,
    meetings::{BookingConflict, Meeting, MeetingChange, MeetingState, MeetingTime, NewAttendee, OnConflict},
    reminders::MeetingReminder,
    series::RuleFields,
    text::slice_text,
};
use serde::{Deserialize, Serialize};

/// Start and end as the form has them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedTime {
    /// Date of the start, `YYYY-MM-DD`.
    pub date: String,
    /// Time of the start, `HH:MM[:SS]`.
    pub time: String,
    /// City or IANA name of the time zone.
    pub zone: String,
    /// `earlier`, `later`, or a local time that replaces date and time, see
    /// [`crate::server_fns::time_of_form::local_time`].
    #[serde(default)]
    pub which: String,
    /// Time of the end, `HH:MM[:SS]`.
    pub end: String,
    /// Date of the end; empty: that of the start.
    #[serde(default)]
    pub end_date: String,
}

/// The texts of a meeting.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MeetingText {
    /// Title.
    pub title: String,
    /// Description.
    pub description: String,
    /// Addresses, separated by commas or lines.
    pub attendees: String,
    /// Ids of accounts that are invited, too.
    pub people: Vec<String>,
    /// Values of [`domain::reminders::MeetingReminder::form_value`].
    pub reminders: Vec<String>,
    /// Whether a new meeting without chosen reminders gets the usual ones of its room or of the user.
    pub usual_reminders: bool,
}

/// How a meeting repeats, as the form has it. Numbers are texts, so that invalid ones can be named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatForm {
    /// `daily`, `weekly`, `monthly` or `yearly`; empty: it does not repeat.
    #[serde(default)]
    pub every: String,
    /// Every how many days, weeks, months or years; empty: 1.
    #[serde(default)]
    pub interval: String,
    /// Weekly: the days; none: that of the start.
    #[serde(default)]
    pub weekdays: Vec<String>,
    /// Monthly and yearly: see [`REPEAT_DAYS`]; empty: the same day of the month.
    #[serde(default)]
    pub on: String,
    /// Last day, `YYYY-MM-DD`; empty: see `count`.
    #[serde(default)]
    pub until: String,
    /// Number of meetings; empty: see `until`.
    #[serde(default)]
    pub count: String,
    /// `refuse` (if empty) or `skip`: what happens if the room is taken.
    #[serde(default)]
    pub conflicts: String,
}

/// Values of [`RepeatForm::on`]: the day of the month, its weekday counted from the beginning, its
/// last such weekday, and the last day.
pub const REPEAT_DAYS: [&str; 4] = ["day", "weekday", "last_weekday", "last_day"];

impl RepeatForm {
    /// Number of meetings if no end is given: three months, or a year if it repeats less often. At least 2.
    #[must_use]
    pub fn usual_count(&self) -> Option<i32> {
        let all = match self.every.as_str() {
            "daily" => 90,
            "weekly" => 13,
            "monthly" => 12,
            "yearly" => 2,
            _ => return None,
        };
        let interval = self.interval.trim().parse::<i32>().unwrap_or(1).max(1);
        Some((all / interval).max(2))
    }
}

#[cfg(feature = "ssr")]
impl RepeatForm {
    /// Returns the rule of a meeting that starts on this date; `None`: it does not repeat.
    pub fn rule(&self, date: &str) -> Result<Option<RuleFields>, DomainError> {
        if self.every.is_empty() {
            return Ok(None);
        }
        let is_monthly = matches!(self.every.as_str(), "monthly" | "yearly");
        let day = date.rsplit('-').next().and_then(|day| day.parse::<i32>().ok()).unwrap_or(1);
        let (day, nth) = match self.on.as_str() {
            "weekday" if is_monthly => (None, Some((day - 1) / 7 + 1)),
            "last_weekday" if is_monthly => (None, Some(-1)),
            "last_day" if is_monthly => (Some(-1), None),
            _ => (None, None),
        };
        let weekdays = Some(self.weekdays.clone()).filter(|days| self.every == "weekly" && !days.is_empty());
        let text = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let until = text(&self.until);
        let usual = self.usual_count().filter(|_| until.is_none());
        Ok(Some(RuleFields {
            frequency: self.every.clone(),
            interval: number("rule.interval", &self.interval, 366)?,
            weekdays,
            day,
            nth,
            until,
            count: number("rule.count", &self.count, 1_000)?.or(usual),
            ..RuleFields::default()
        }))
    }

    /// What happens to meetings that are not possible.
    #[must_use]
    pub fn on_conflict(&self) -> OnConflict {
        self.conflicts.parse().unwrap_or(OnConflict::Refuse)
    }
}

/// Reads a number; `None`: the field is empty.
#[cfg(feature = "ssr")]
fn number(field: &str, text: &str, max: i32) -> Result<Option<i32>, DomainError> {
    match text.trim() {
        "" => Ok(None),
        text => text
            .parse()
            .map(Some)
            .map_err(|_| DomainError::invalid(field, ValidationError::NotBetween { min: 1, max })),
    }
}

#[cfg(feature = "ssr")]
impl TypedTime {
    /// Returns start and end as local times.
    pub fn read(&self) -> Result<MeetingTime, DomainError> {
        let (start, end) = self.ends();
        let When::Local { local: local_start, zone, disambiguation } = start else {
            return Err(DomainError::invalid("time", ValidationError::Empty));
        };
        let When::Local { local: local_end, .. } = end else {
            return Err(DomainError::invalid("end", ValidationError::Empty));
        };
        Ok(MeetingTime::Local { local_start, local_end, zone, disambiguation })
    }

    /// Start and end, each as a time of its own.
    #[must_use]
    pub fn ends(&self) -> (When, When) {
        let start = local_time(&self.date, &self.time, &self.zone, &self.which);
        let date = match &start {
            When::Local { local, .. } => local.split('T').next().unwrap_or_default().to_owned(),
            When::At { .. } => self.date.clone(),
        };
        let end_date = if self.end_date.trim().is_empty() { &date } else { &self.end_date };
        let which = if self.which.contains('T') { "" } else { &self.which };
        (start, local_time(end_date, &clock_text(&self.end), &self.zone, which))
    }
}

/// Returns the room that a form value names; `None` for an empty value.
#[cfg(feature = "ssr")]
pub fn room_of(value: &str) -> Result<Option<RoomId>, DomainError> {
    match value.trim() {
        "" => Ok(None),
        id => id.parse().map(Some).map_err(|_| DomainError::invalid("room_id", ValidationError::Unknown)),
    }
}

/// Separators of typed addresses within a line.
const SEPARATORS: [char; 5] = [',', ';', '，', '；', '、'];

/// Returns `Ann <ann@example.org>`, as [`attendees_of`] reads it. A name with a separator or a quote is
/// quoted.
#[must_use]
pub fn address_of(one: &Attendee) -> String {
    let Attendee { name, email, .. } = one;
    match name.contains(SEPARATORS) || name.contains('"') {
        _ if name.is_empty() => email.clone(),
        true => format!("\"{}\" <{email}>", name.replace('\\', r"\\").replace('"', r#"\""#)),
        false => format!("{name} <{email}>"),
    }
}

/// Splits typed addresses: `ann@example.org`, `Ann <ann@example.org>`, `"Doe, Ann" <ann@example.org>`.
#[cfg(feature = "ssr")]
#[must_use]
pub fn attendees_of(typed: &str) -> Vec<NewAttendee> {
    let parts = typed.split(['\n', '\r']).flat_map(split_line).map(str::trim);
    parts
        .filter(|part| !part.is_empty())
        .map(|part| match part.strip_suffix('>').and_then(|part| part.rsplit_once('<')) {
            Some((name, email)) => {
                let name = Some(unquoted(name.trim())).filter(|name| !name.is_empty());
                NewAttendee { email: email.trim().to_owned(), name }
            }
            None => NewAttendee { email: part.to_owned(), name: None },
        })
        .collect()
}

/// Splits a line at the separators that are not in quotes. A quote that is not closed is a character.
#[cfg(feature = "ssr")]
fn split_line(line: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quoted_until) = (Vec::new(), 0, 0);
    for (at, one) in line.char_indices() {
        if at < quoted_until {
            continue;
        }
        if one == '"' {
            quoted_until = closing_quote(line, at).map_or(0, |end| end + 1);
        } else if SEPARATORS.contains(&one) {
            parts.push(slice_text(line, start..at));
            start = at + one.len_utf8();
        }
    }
    parts.push(slice_text(line, start..));
    parts
}

/// Returns the place of the quote that closes the one at `open`; `None`: there is none.
#[cfg(feature = "ssr")]
fn closing_quote(text: &str, open: usize) -> Option<usize> {
    let mut is_escaped = false;
    for (at, one) in text.char_indices().filter(|(at, _)| *at > open) {
        match one {
            '"' if !is_escaped => return Some(at),
            _ => is_escaped = one == '\\' && !is_escaped,
        }
    }
    None
}

/// Returns a name without the quotes around it.
#[cfg(feature = "ssr")]
fn unquoted(name: &str) -> String {
    let is_quoted = name.starts_with('"') && closing_quote(name, 0) == Some(name.len() - 1);
    if !is_quoted {
        return name.trim_matches('"').to_owned();
    }
    let (mut text, mut is_escaped) = (String::new(), false);
    for one in slice_text(name, 1..name.len() - 1).chars() {
        is_escaped = one == '\\' && !is_escaped;
        if !is_escaped {
            text.push(one);
        }
    }
    text.trim().to_owned()
}

/// Reads the chosen reminders; others are ignored.
#[cfg(feature = "ssr")]
#[must_use]
pub fn reminders_of(values: &[String]) -> Vec<MeetingReminder> {
    values.iter().filter_map(|value| MeetingReminder::of_form_value(value)).collect()
}

/// Returns the meeting if the same form was sent before: the actor's own booking with this title is
/// what is in the way.
#[cfg(feature = "ssr")]
pub async fn is_booked_already(
    services: &Services,
    actor: &Actor,
    (title, time): (&str, &TypedTime),
    conflicts: &[BookingConflict],
) -> Option<Meeting> {
    let [one] = conflicts else { return None };
    if one.title != title {
        return None;
    }
    let (start, end) = time.ends();
    let starts = services.tasks.resolve(actor, &start).await.ok()?;
    let ends = services.tasks.resolve(actor, &end).await.ok()?;
    let is_same_time = one.starts.at == starts.at && one.ends.at == ends.at;
    let meeting = services.meetings.find(actor, one.id).await.ok().filter(|_| is_same_time)?;
    (meeting.row.organizer_id == actor.account && meeting.row.version == Version::FIRST).then_some(meeting)
}

/// Whether the meeting is as the change would have made it, one version after `seen`: the same form
/// was sent before.
#[cfg(feature = "ssr")]
#[must_use]
pub fn is_changed_already(meeting: &Meeting, change: &MeetingChange, seen: Version) -> bool {
    let row = &meeting.row;
    let is_like = match change {
        MeetingChange::Accept => matches!(row.state, MeetingState::Confirmed | MeetingState::Requested),
        MeetingChange::Decline => row.state == MeetingState::Cancelled,
        MeetingChange::Approve => row.state == MeetingState::Confirmed,
        MeetingChange::Reject { .. } => row.state == MeetingState::Rejected,
        MeetingChange::Cancel { .. } => row.state == MeetingState::Cancelled,
        MeetingChange::CheckIn => row.checked_in.is_some(),
        MeetingChange::End => row.state == MeetingState::Ended,
        MeetingChange::Extend { .. } | MeetingChange::Undo => false,
    };
    is_like && row.version.0 == seen.0 + 1
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;
    use domain::meetings::Answer;

    #[test]
    fn addresses_are_separated_by_commas_and_lines() {
        let list = attendees_of("ann@example.org, Ben B. <ben@example.org>；\r\n\"Cy\" <cy@example.org>\n\n");
        let pairs: Vec<_> = list.iter().map(|one| (one.email.as_str(), one.name.as_deref())).collect();
        assert_eq!(
            pairs,
            [("ann@example.org", None), ("ben@example.org", Some("Ben B.")), ("cy@example.org", Some("Cy"))]
        );
    }

    #[test]
    fn a_name_with_separators_or_quotes_is_read_as_it_was_written() {
        let names =
            ["Doe, John", "李，明；王、芳", r#"Ann "Jo" Lee"#, r"a\b", r#"\, ""#, "Ann <x>", "O'Neil", ""];
        let all = names.map(|name| Attendee {
            is_blocked: false,
            email: "ann@example.org".to_owned(),
            name: name.to_owned(),
            account_id: None,
            answer: Answer::Pending,
            is_mailed: false,
        });
        for separator in ["\n", ", "] {
            let typed = all.iter().map(address_of).collect::<Vec<_>>().join(separator);
            let read = attendees_of(&typed);
            let read: Vec<_> = read.iter().map(|one| one.name.as_deref().unwrap_or_default()).collect();
            assert_eq!(read, names, "{typed}");
        }
        assert_eq!(address_of(&all[0]), r#""Doe, John" <ann@example.org>"#);
        let open = attendees_of("Ann \"Jo <ann@example.org>, ben@example.org\n\"Cy\" <cy@example.org>");
        let emails: Vec<_> = open.iter().map(|one| one.email.as_str()).collect();
        assert_eq!(emails, ["ann@example.org", "ben@example.org", "cy@example.org"]);
    }

    #[test]
    fn a_rule_is_read_from_the_form() {
        let form = |every: &str, on: &str| RepeatForm {
            every: every.to_owned(),
            on: on.to_owned(),
            weekdays: vec!["monday".to_owned()],
            count: " 5 ".to_owned(),
            ..RepeatForm::default()
        };
        let rule = |every: &str, on: &str| form(every, on).rule("2027-03-17").unwrap().unwrap();
        assert_eq!(form("", "").rule("2027-03-17"), Ok(None));
        assert_eq!((rule("daily", "").weekdays, rule("daily", "").count), (None, Some(5)));
        assert_eq!(rule("weekly", "").weekdays, Some(vec!["monday".to_owned()]));
        assert_eq!(
            (rule("monthly", "weekday").nth, rule("monthly", "last_weekday").nth),
            (Some(3), Some(-1))
        );
        assert_eq!((rule("yearly", "last_day").day, rule("monthly", "day").day), (Some(-1), None));
        let endless = RepeatForm { count: String::new(), interval: "2".to_owned(), ..form("weekly", "") };
        assert_eq!(endless.rule("2027-03-17").unwrap().unwrap().count, Some(6), "three months");
        let wrong = RepeatForm { interval: "two".to_owned(), ..form("daily", "") };
        assert_eq!(wrong.rule("2027-03-17").unwrap_err().field(), Some("rule.interval"));
    }

    #[test]
    fn the_end_is_on_the_day_of_the_start_unless_another_is_given() {
        let typed = |which: &str, end_date: &str| TypedTime {
            date: "2026-11-26".to_owned(),
            time: "22:00".to_owned(),
            zone: "Berlin".to_owned(),
            which: which.to_owned(),
            end: "23:00".to_owned(),
            end_date: end_date.to_owned(),
        };
        let ends = |typed: TypedTime| match typed.read() {
            Ok(MeetingTime::Local { local_start, local_end, .. }) => (local_start, local_end),
            other => panic!("{other:?}"),
        };
        let pair = |start: &str, end: &str| (start.to_owned(), end.to_owned());
        assert_eq!(ends(typed("", "")), pair("2026-11-26T22:00", "2026-11-26T23:00"));
        assert_eq!(ends(typed("earlier", "2026-11-27")), pair("2026-11-26T22:00", "2026-11-27T23:00"));
        assert_eq!(ends(typed("2026-11-25T03:00", "")), pair("2026-11-25T03:00", "2026-11-25T23:00"));
    }
}
