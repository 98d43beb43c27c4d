//! Input of the time field, and the time it resolves to.

use super::focus_later;
use crate::{
    live::live,
    server_fns::Refused,
    session::visitor,
    ui::{debounce::Debounce, time::time_fns::resolve_time},
};
use chrono::{Datelike, NaiveDateTime};
use domain::{
    DomainError, LocalizedTime, Timestamp,
    base::{
        city::City,
        when::{Reading, ZoneWindow},
    },
    time::{WallClockTime, wall_clock_time},
};
use leptos::{prelude::*, task::spawn_local};
use texts::{
    Language, language,
    time::{clock, place, placed_text, wall_text},
};

/// Delay between the last input and the request that resolves it, in milliseconds.
const RESOLVE_AFTER_MS: u64 = 250;
/// Milliseconds of a day.
const DAY_MS: i64 = 24 * 3_600_000;

/// Why the form cannot be submitted yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocker {
    /// Date, time or time zone is missing or cannot be read.
    Missing,
    /// The time has passed.
    Past,
    /// The time occurs twice or does not exist, and no choice was made.
    Undecided,
    /// The time zone is unknown, or the time is out of range.
    Invalid,
}

/// Two instants with the same local time, and that local time.
pub type AmbiguousTime = (Timestamp, Timestamp, String);

/// Input for date, time and time zone, and the time it resolves to. Cheap to copy.
#[derive(Clone, Copy)]
pub struct TimeInput {
    /// Content of the text field for date and time.
    pub typed: RwSignal<String>,
    /// `YYYY-MM-DD`; empty while the text is not a time.
    pub date: RwSignal<String>,
    /// `HH:MM` or `HH:MM:SS`; empty while the text is not a time.
    pub time: RwSignal<String>,
    /// City or IANA name, as typed.
    pub zone: RwSignal<String>,
    /// Which occurrence of an ambiguous time: `earlier`, `later`, or empty.
    pub which: RwSignal<String>,
    /// The resolved time, or the error; `None` until the server has responded.
    pub resolved: RwSignal<Option<Result<LocalizedTime, DomainError>>>,
    /// The ambiguous time. Kept after the choice, so that it can be changed.
    pub question: RwSignal<Option<AmbiguousTime>>,
    /// Local times of which one must be chosen, because the text can mean all of them.
    pub offers: RwSignal<Vec<Reading>>,
    /// Why the text is not a time.
    pub problem: RwSignal<Option<DomainError>>,
    /// The rules of a time zone, once they are fetched.
    pub(super) rules: RwSignal<Option<ZoneWindow>>,
    /// IANA name of the user's time zone.
    pub(super) own_zone: StoredValue<String>,
    /// The rules of the user's time zone, once they are fetched.
    pub(super) own_rules: RwSignal<Option<ZoneWindow>>,
    /// The last complete time, `YYYY-MM-DDTHH:MM`: completes a text with only a date or a time.
    pub(super) base: StoredValue<String>,
    pub(super) language: Language,
    /// The server's clock.
    pub(super) now: Signal<Timestamp>,
}

impl TimeInput {
    /// Creates the input, with its resolved time or the error of the refused form, if known. In the
    /// browser, each change is resolved by the server.
    #[must_use]
    pub fn new(
        (date, time): (String, String),
        zone: String,
        which: String,
        known: Option<Result<LocalizedTime, DomainError>>,
    ) -> Self {
        let clock = live().now();
        let now = clock.get_untracked();
        let known = known.filter(|known| known.as_ref().map_or_else(shows_refusal, |known| known.at > now));
        let language = language();
        let question = known.as_ref().and_then(|known| ambiguous_time(known.as_ref().err()));
        let is_known = known.is_some();
        let input = Self {
            typed: RwSignal::new(text_of(language, &date, &time, now).unwrap_or_default()),
            base: StoredValue::new(format!("{date}T{time}")),
            date: RwSignal::new(date),
            time: RwSignal::new(time),
            zone: RwSignal::new(zone),
            which: RwSignal::new(which),
            resolved: RwSignal::new(known),
            question: RwSignal::new(question),
            offers: RwSignal::new(Vec::new()),
            problem: RwSignal::new(None),
            rules: RwSignal::new(None),
            own_zone: StoredValue::new(canonical(visitor().zone())),
            own_rules: RwSignal::new(None),
            language,
            now: clock,
        };
        input.resolve_after_changes(!is_known);
        input
    }

    /// Writes date and time into the text field as the pages show them. Does nothing once the form is
    /// gone: a browser sends `blur` when it removes a focused field.
    pub fn show_typed(self) {
        if self.date.is_disposed() {
            return;
        }
        let (date, time) = (self.date.get_untracked(), self.time.get_untracked());
        if let Some(text) = text_of(self.language, &date, &time, self.now.get_untracked()) {
            self.typed.set(text);
            self.base.set_value(format!("{date}T{time}"));
        }
    }

    /// Sets date and time from a preset, the calendar or a choice.
    pub fn set_preset(self, date: &str, time: &str) {
        self.offers.set(Vec::new());
        self.problem.set(None);
        self.set_date_and_time(date, time);
        self.show_typed();
    }

    /// Sets the time zone.
    pub fn set_zone(self, zone: String) {
        if self.zone.with_untracked(|known| *known != zone) {
            self.zone.set(zone);
            self.forget_answer();
        }
    }

    /// Chooses one of two occurrences.
    pub fn choose(self, which: &str) {
        self.which.set(which.to_owned());
        self.resolved.set(None);
    }

    pub(super) fn set_date_and_time(self, date: &str, time: &str) {
        let is_same = self.date.with_untracked(|known| known == date)
            && self.time.with_untracked(|known| known == time);
        if !is_same {
            self.date.set(date.to_owned());
            self.time.set(time.to_owned());
            self.forget_answer();
        }
    }

    fn forget_answer(self) {
        self.which.set(String::new());
        self.question.set(None);
        self.resolved.set(None);
    }

    /// Why the form cannot be submitted; `None`: it can.
    #[must_use]
    pub fn blocker(self) -> Memo<Option<Blocker>> {
        let now = self.now;
        Memo::new(move |_| match self.resolved.get() {
            Some(Ok(resolved)) => (resolved.at <= now.get()).then_some(Blocker::Past),
            Some(Err(DomainError::Past { .. })) => Some(Blocker::Past),
            Some(Err(DomainError::DoubledTime { .. } | DomainError::SkippedTime { .. })) => {
                Some(Blocker::Undecided)
            }
            Some(Err(DomainError::Invalid { .. })) => Some(Blocker::Invalid),
            Some(Err(_)) => None,
            None if self.offers.with(|offers| !offers.is_empty()) => Some(Blocker::Undecided),
            None => self.is_incomplete().then_some(Blocker::Missing),
        })
    }

    fn is_incomplete(self) -> bool {
        [self.date, self.time, self.zone].iter().any(|field| field.with(|value| value.trim().is_empty()))
    }

    /// Moves the focus to what must be changed first.
    pub fn focus_blocker(self, name: &str, blocker: Blocker) {
        let part = match blocker {
            Blocker::Undecided => "choice",
            Blocker::Invalid => "zone",
            Blocker::Missing if self.zone.with_untracked(|zone| zone.trim().is_empty()) => "zone",
            Blocker::Missing | Blocker::Past => "when",
        };
        focus_later(format!("{name}-{part}"));
    }

    /// Returns the input as text, e.g. `Tue 9 Jun, 09:00 Berlin`; `None` if it is no valid time.
    #[must_use]
    pub fn as_sentence(self) -> Option<String> {
        let as_utc = parse_as_utc(&self.date.get(), &self.time.get())?;
        let repeated_offset = self.repeated_offset(as_utc);
        let wall = WallClockTime { repeated_offset, ..wall_clock_time(as_utc, 0) };
        let this_year = self.now.with(|now| now.utc().year());
        let resolved = self.resolved.with(|resolved| resolved.as_ref().map(Result::is_ok));
        let name = self.zone.with(|zone| match (City::named(zone), resolved) {
            (_, Some(false)) | (None, None) => None,
            (Some(city), _) => Some(place(self.language, city.zone)),
            (None, Some(true)) => Some(place(self.language, zone.trim())),
        })?;
        Some(placed_text(self.language, wall, Some(this_year), &name))
    }

    /// Minutes east of UTC, if the time occurs twice and one of the two is chosen. `as_utc`: the instant at
    /// which a clock of UTC shows the time.
    fn repeated_offset(self, as_utc: Timestamp) -> Option<i32> {
        let offset = |at: Timestamp| i32::try_from(as_utc.since(at) / 60_000).ok();
        let asked = self.question.get();
        if let Some((earlier, later, _)) = asked {
            return self.which.with(|which| match which.as_str() {
                "earlier" => offset(earlier),
                "later" => offset(later),
                _ => None,
            });
        }
        let resolved = self.resolved.get()?.ok()?;
        let own = resolved.is_viewer_time_repeated.then_some(resolved.viewer_offset);
        let desk = resolved.is_site_time_repeated.then_some(resolved.site_offset);
        offset(resolved.at).filter(|offset| [own, desk].contains(&Some(*offset)))
    }

    /// IANA name of the zone, if it is the name of a known city.
    #[must_use]
    pub fn zone_name(self) -> Memo<Option<&'static str>> {
        Memo::new(move |_| self.zone.with(|zone| City::named(zone).map(|city| city.zone)))
    }

    /// Shows the errors of an action at the fields, and moves the focus to them. `name` is the
    /// prefix of the ids.
    pub fn show_refusals(self, name: String, refused: impl Fn() -> Option<Refused> + 'static) {
        let blocker = self.blocker();
        Effect::new(move |_| {
            let refusal = refused().map(|Refused(refusal)| refusal).filter(shows_refusal);
            let Some(refusal) = refusal else { return };
            self.set_resolved(Err(refusal));
            if let Some(blocker) = blocker.get_untracked() {
                self.focus_blocker(&name, blocker);
            }
        });
    }

    fn set_resolved(self, resolved: Result<LocalizedTime, DomainError>) {
        if let Some(question) = ambiguous_time(resolved.as_ref().err()) {
            self.question.set(Some(question));
        }
        self.resolved.set(Some(resolved));
    }

    fn resolve_after_changes(self, resolves_first: bool) {
        let timer = Debounce::new();
        Effect::new(move |was: Option<()>| {
            let values = self.values();
            if resolves_first || was.is_some() {
                timer.schedule(RESOLVE_AFTER_MS, move || self.resolve(values));
            }
        });
    }

    fn values(self) -> [String; 4] {
        [self.date.get(), self.time.get(), self.zone.get(), self.which.get()]
    }

    fn resolve(self, values: [String; 4]) {
        if untrack(|| self.is_incomplete()) {
            return;
        }
        let [date, time, zone, which] = values.clone();
        spawn_local(async move {
            let resolved = resolve_time(date, time, zone, which).await;
            let is_current = self.date.try_get_untracked().is_some() && untrack(|| self.values()) == values;
            if is_current {
                self.set_resolved(resolved.map_err(|Refused(refusal)| refusal));
            }
        });
    }
}

/// Whether [`super::TimeFeedback`] shows this error, so that its form need not.
#[must_use]
pub fn shows_refusal(refusal: &DomainError) -> bool {
    use DomainError as R;
    matches!(refusal, R::DoubledTime { .. } | R::SkippedTime { .. } | R::Past { .. } | R::Invalid { .. })
}

fn ambiguous_time(refusal: Option<&DomainError>) -> Option<AmbiguousTime> {
    match refusal {
        Some(DomainError::DoubledTime { earlier, later, local, .. }) => {
            Some((*earlier, *later, local.clone()))
        }
        _ => None,
    }
}

/// Returns `YYYY-MM-DD` and `HH:MM:SS` (without seconds that are 0) in the user's time zone.
#[must_use]
pub fn date_and_time(at: LocalizedTime) -> (String, String) {
    let wall = wall_clock_time(at.at, at.viewer_offset);
    (date_text(wall), clock(wall))
}

/// The same of a moment that is still to come; instead of one that has passed, 09:00 of the next day.
#[must_use]
pub fn coming_date_and_time(at: LocalizedTime, now: Timestamp) -> (String, String) {
    if at.at > now {
        return date_and_time(at);
    }
    let tomorrow = wall_clock_time(now.plus(DAY_MS), at.viewer_offset);
    (date_text(tomorrow), "09:00".to_owned())
}

/// The zone as the field shows it: its city in the user's language, else its name.
#[must_use]
pub fn zone_as_typed(zone: &str) -> String {
    City::of_zone(zone).map_or_else(|| zone.to_owned(), |city| place(language(), city.zone))
}

fn date_text(wall: WallClockTime) -> String {
    format!("{:04}-{:02}-{:02}", wall.year, wall.month, wall.day)
}

/// Date and time as the pages show them; `None`: they are no time.
pub(super) fn text_of(language: Language, date: &str, time: &str, now: Timestamp) -> Option<String> {
    Some(wall_text(language, parse_wall_clock(date, time)?, Some(now.utc().year())))
}

fn parse_wall_clock(date: &str, time: &str) -> Option<WallClockTime> {
    Some(wall_clock_time(parse_as_utc(date, time)?, 0))
}

/// The instant at which a clock of UTC shows that date and time.
fn parse_as_utc(date: &str, time: &str) -> Option<Timestamp> {
    let local = format!("{date}T{time}");
    let at = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]
        .iter()
        .find_map(|form| NaiveDateTime::parse_from_str(&local, form).ok())?;
    Some(Timestamp::from_millis(at.and_utc().timestamp_millis()))
}

/// The current IANA name of a typed zone; the text itself if it is not a city.
pub(super) fn canonical(zone: &str) -> String {
    City::named(zone).map_or_else(|| zone.trim().to_owned(), |city| city.zone.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_filled_with_a_moment_to_come() {
        let at = |millis: i64| LocalizedTime::new(Timestamp::from_millis(millis), 60, 0);
        let now = Timestamp::from_millis(1_803_942_000_000); // 2027-03-01T23:00:00Z
        let text = |(date, time): (String, String)| format!("{date} {time}");
        assert_eq!(text(coming_date_and_time(at(1_803_945_600_000), now)), "2027-03-02 01:00");
        // In the zone of the viewer, it is the second of March already.
        assert_eq!(text(coming_date_and_time(at(1_803_888_000_000), now)), "2027-03-03 09:00");
        assert_eq!(text(coming_date_and_time(at(1_803_942_000_000), now)), "2027-03-03 09:00");
    }
}
