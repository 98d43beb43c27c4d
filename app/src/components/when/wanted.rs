//! The moment a person is choosing: what they typed, and what it means.

use crate::{
    calls::{Refused, schedule::resolve_time},
    components::pause::Pause,
    live::live,
    words::{
        Language,
        time::{place, wall_text},
    },
};
use chrono::{Datelike, NaiveDateTime, Timelike};
use domain::{Moment, Refusal, time::Wall};
use leptos::{prelude::*, task::spawn_local};

/// How long after the last change the server is asked what is meant, in milliseconds.
const ASK_AFTER_MS: u64 = 250;

/// What was typed into date, time and zone, and what the server makes of it. A handle, cheap to copy.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// `YYYY-MM-DD`.
    pub date: RwSignal<String>,
    /// `HH:MM` or `HH:MM:SS`.
    pub time: RwSignal<String>,
    /// IANA name.
    pub zone: RwSignal<String>,
    /// `earlier`, `later`, or nothing.
    pub which: RwSignal<String>,
    /// What it means; `None` until the server has said so.
    pub meant: RwSignal<Option<Result<Moment, Refusal>>>,
}

impl Wanted {
    /// The choice as it stands at first, with what it means where that is known. In the browser it asks after each change.
    #[must_use]
    pub fn new(date: String, time: String, zone: String, which: String, known: Option<Moment>) -> Self {
        let known = known.filter(|known| known.at > live().now().get_untracked());
        let wanted = Self {
            date: RwSignal::new(date),
            time: RwSignal::new(time),
            zone: RwSignal::new(zone),
            which: RwSignal::new(which),
            meant: RwSignal::new(known.map(Ok)),
        };
        wanted.ask_after_changes(known.is_none());
        wanted
    }

    /// Another date, time or zone, typed: which of two equal times was meant before says nothing about it.
    pub fn type_into(self, field: RwSignal<String>, value: String) {
        self.which.set(String::new());
        field.set(value);
    }

    /// Whether the moment has passed on the server's clock.
    #[must_use]
    pub fn is_past(self) -> Memo<bool> {
        let now = live().now();
        Memo::new(move |_| match self.meant.get() {
            Some(Ok(meant)) => meant.at <= now.get(),
            Some(Err(refusal)) => matches!(refusal, Refusal::Past { .. }),
            None => false,
        })
    }

    /// Another date and time, from a button.
    pub fn pick(self, date: &str, time: &str) {
        self.which.set(String::new());
        self.date.set(date.to_owned());
        self.time.set(time.to_owned());
    }

    /// `Tue 9 Jun, 09:00 Berlin`, as it was typed; `None` while that is not a time.
    #[must_use]
    pub fn spoken(self, language: Language) -> Option<String> {
        let wall = wall_of(&self.date.get(), &self.time.get())?;
        let this_year = live().now().with(|now| now.utc().year());
        let zone = self.zone.get();
        let zone = zone.trim();
        (!zone.is_empty()).then(|| format!("{} {}", wall_text(language, wall, Some(this_year)), place(zone)))
    }

    fn ask_after_changes(self, asks_first: bool) {
        let pause = Pause::new();
        Effect::new(move |was: Option<()>| {
            let asked = self.asked();
            if asks_first || was.is_some() {
                pause.then(ASK_AFTER_MS, move || self.ask(asked));
            }
        });
    }

    fn asked(self) -> [String; 4] {
        [self.date.get(), self.time.get(), self.zone.get(), self.which.get()]
    }

    fn ask(self, asked: [String; 4]) {
        let [date, time, zone, which] = asked.clone();
        if date.is_empty() || time.is_empty() || zone.trim().is_empty() {
            self.meant.set(None);
            return;
        }
        spawn_local(async move {
            let meant = resolve_time(date, time, zone, which).await;
            let is_still_asked = self.date.try_get_untracked().is_some() && untrack(|| self.asked()) == asked;
            if is_still_asked {
                self.meant.set(Some(meant.map_err(|Refused(refusal)| refusal)));
            }
        });
    }
}

fn wall_of(date: &str, time: &str) -> Option<Wall> {
    let local = format!("{date}T{time}");
    let at = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]
        .iter()
        .find_map(|form| NaiveDateTime::parse_from_str(&local, form).ok())?;
    Some(Wall {
        year: at.year(),
        month: at.month(),
        day: at.day(),
        weekday: at.weekday().num_days_from_monday(),
        hour: at.hour(),
        minute: at.minute(),
        second: at.second(),
    })
}
