//! Reads the typed text. The rules of a time zone are fetched when a text such as `tomorrow 9am` first
//! requires them.

use super::{
    TimeInput,
    time_input::{canonical, text_of, zone_as_typed},
};
use crate::{server_fns::Refused, ui::time::time_fns::time_presets};
use domain::TimePresets;
use domain::{
    DomainError,
    base::{
        local_time::shortest_text,
        typed_time::{self, Field, Typed},
        when::{Reading, ZoneWindow},
    },
    error::ValidationError,
    time::Disambiguation,
};
use leptos::{prelude::*, task::spawn_local};
use texts::Language;

impl TimeInput {
    /// Reads a typed date and time.
    pub fn set_typed(self, typed: String) {
        self.typed.set(typed);
        self.read_typed();
    }

    /// Chooses one of the local times that the text can mean.
    pub fn choose_offer(self, reading: Reading) {
        self.offers.set(Vec::new());
        self.set_reading(reading);
        self.show_typed();
    }

    /// The local time as the pages show it.
    #[must_use]
    pub fn offer_text(self, reading: Reading) -> String {
        let (date, time) = date_and_time(reading);
        text_of(self.language, &date, &time, self.now.get_untracked()).unwrap_or_default()
    }

    /// Keeps the rules that came with the presets.
    pub fn set_rules(self, presets: &TimePresets) {
        let rules = ZoneWindow { zone: canonical(&presets.zone), ..presets.rules.clone() };
        if self.own_zone.with_value(|own| *own == rules.zone) {
            self.own_rules.set(Some(rules.clone()));
        }
        self.rules.set(Some(rules));
    }

    fn read_typed(self) {
        let typed = self.typed.get_untracked();
        let zone = self.zone.with_untracked(|zone| canonical(zone));
        let (rules, own_rules) = (self.rules.get_untracked(), self.own_rules.get_untracked());
        let (base, own_zone) = (self.base.get_value(), self.own_zone.get_value());
        let found = typed_time::read(
            &typed,
            &Field {
                now: self.now.get_untracked(),
                base: &base,
                zone: &zone,
                rules: rules.as_ref(),
                own_zone: &own_zone,
                own_rules: own_rules.as_ref(),
                is_month_first: self.language == Language::Zh,
            },
        );
        self.offers.set(Vec::new());
        self.problem.set(None);
        let Typed { zone: named, times } = match found {
            Ok(found) => found,
            Err(problem) => {
                self.set_date_and_time("", "");
                self.problem.set((!typed.trim().is_empty()).then_some(problem));
                return;
            }
        };
        if let Some(named) = named {
            self.set_zone(zone_as_typed(named));
        }
        match times.as_deref() {
            Some([only]) => self.set_reading(*only),
            Some(several) => {
                self.set_date_and_time("", "");
                self.offers.set(several.to_vec());
            }
            None => {
                self.set_date_and_time("", "");
                self.fetch_rules(named.map_or(zone, str::to_owned));
            }
        }
    }

    fn set_reading(self, reading: Reading) {
        let (date, time) = date_and_time(reading);
        self.set_date_and_time(&date, &time);
        match reading.disambiguation {
            Some(Disambiguation::Earlier) => self.choose("earlier"),
            Some(Disambiguation::Later) => self.choose("later"),
            None => {}
        }
    }

    /// Fetches the rules of a zone, and those of the user's zone, and reads the text again.
    fn fetch_rules(self, zone: String) {
        let own_zone = self.own_zone.get_value();
        let needs_own = self.own_rules.with_untracked(Option::is_none);
        spawn_local(async move {
            let own = if needs_own { Some(time_presets(own_zone.clone()).await) } else { None };
            let found = time_presets(zone.clone()).await;
            if self.typed.try_get_untracked().is_none() {
                return;
            }
            match own {
                Some(Ok(own)) => self.own_rules.set(Some(ZoneWindow { zone: own_zone, ..own.rules })),
                Some(Err(Refused(problem))) => return self.problem.set(Some(problem)),
                None => {}
            }
            match found {
                Ok(presets) if presets.zone.eq_ignore_ascii_case(&zone) => {
                    self.rules.set(Some(ZoneWindow { zone, ..presets.rules }));
                    self.read_typed();
                }
                // The server answers for the user's zone if this one is unknown.
                Ok(presets) => {
                    let like = presets.zone;
                    self.problem.set(Some(DomainError::invalid("zone", ValidationError::NotAZone { like })));
                }
                Err(Refused(problem)) => self.problem.set(Some(problem)),
            }
        });
    }
}

/// `YYYY-MM-DD` and `HH:MM[:SS]`.
fn date_and_time(reading: Reading) -> (String, String) {
    let local = shortest_text(reading.local);
    local.split_once('T').map(|(date, time)| (date.to_owned(), time.to_owned())).unwrap_or_default()
}
