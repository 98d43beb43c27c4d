//! Input of the time picker, and the time it resolves to.

use crate::{
    articles::schedule_fns::resolve_time,
    live::live,
    server_fns::Refused,
    texts::{
        Language,
        time::{place, wall_text},
    },
    ui::debounce::Debounce,
};
use chrono::{Datelike, NaiveDateTime, Timelike};
use domain::{DomainError, LocalizedTime, time::WallClockTime};
use leptos::{prelude::*, task::spawn_local};

/// Delay between the last input and the request that resolves it, in milliseconds.
const RESOLVE_AFTER_MS: u64 = 250;

/// Input for date, time and time zone, and the time it resolves to. Cheap to copy.
#[derive(Clone, Copy)]
pub struct TimeInput {
    /// `YYYY-MM-DD`.
    pub date: RwSignal<String>,
    /// `HH:MM` or `HH:MM:SS`.
    pub time: RwSignal<String>,
    /// IANA name.
    pub zone: RwSignal<String>,
    /// Which occurrence of an ambiguous time: `earlier`, `later`, or empty.
    pub which: RwSignal<String>,
    /// The resolved time, or the error; `None` until the server has responded.
    pub resolved: RwSignal<Option<Result<LocalizedTime, DomainError>>>,
}

impl TimeInput {
    /// Creates the input, with its resolved time if known. In the browser, each change is resolved
    /// by the server.
    #[must_use]
    pub fn new(
        date: String,
        time: String,
        zone: String,
        which: String,
        known: Option<LocalizedTime>,
    ) -> Self {
        let known = known.filter(|known| known.at > live().now().get_untracked());
        let input = Self {
            date: RwSignal::new(date),
            time: RwSignal::new(time),
            zone: RwSignal::new(zone),
            which: RwSignal::new(which),
            resolved: RwSignal::new(known.map(Ok)),
        };
        input.resolve_after_changes(known.is_none());
        input
    }

    /// Sets a field and clears the choice between two occurrences.
    pub fn set_field(self, field: RwSignal<String>, value: String) {
        self.which.set(String::new());
        field.set(value);
    }

    /// Whether the time has passed on the server's clock.
    #[must_use]
    pub fn is_past(self) -> Memo<bool> {
        let now = live().now();
        Memo::new(move |_| match self.resolved.get() {
            Some(Ok(resolved)) => resolved.at <= now.get(),
            Some(Err(refusal)) => matches!(refusal, DomainError::Past { .. }),
            None => false,
        })
    }

    /// Sets date and time from a preset.
    pub fn set_preset(self, date: &str, time: &str) {
        self.which.set(String::new());
        self.date.set(date.to_owned());
        self.time.set(time.to_owned());
    }

    /// Returns the input as text, e.g. `Tue 9 Jun, 09:00 Berlin`; `None` if it is no valid time.
    #[must_use]
    pub fn as_sentence(self, language: Language) -> Option<String> {
        let wall = parse_wall_clock(&self.date.get(), &self.time.get())?;
        let this_year = live().now().with(|now| now.utc().year());
        let zone = self.zone.get();
        let zone = zone.trim();
        (!zone.is_empty()).then(|| format!("{} {}", wall_text(language, wall, Some(this_year)), place(zone)))
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
        let [date, time, zone, which] = values.clone();
        if date.is_empty() || time.is_empty() || zone.trim().is_empty() {
            self.resolved.set(None);
            return;
        }
        spawn_local(async move {
            let resolved = resolve_time(date, time, zone, which).await;
            let is_current = self.date.try_get_untracked().is_some() && untrack(|| self.values()) == values;
            if is_current {
                self.resolved.set(Some(resolved.map_err(|Refused(refusal)| refusal)));
            }
        });
    }
}

fn parse_wall_clock(date: &str, time: &str) -> Option<WallClockTime> {
    let local = format!("{date}T{time}");
    let at = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]
        .iter()
        .find_map(|form| NaiveDateTime::parse_from_str(&local, form).ok())?;
    Some(WallClockTime {
        year: at.year(),
        month: at.month(),
        day: at.day(),
        weekday: at.weekday().num_days_from_monday(),
        hour: at.hour(),
        minute: at.minute(),
        second: at.second(),
    })
}
