//! The checker: reads what the witnesses saw and what people were told, nothing else.

use crate::{
    people::{Deed, Story, Told},
    weather::Weather,
    witness::Heard,
};
use domain::Timestamp;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// What became of a run.
#[derive(Debug, Default)]
pub struct Sheet {
    /// Articles that were to be published.
    pub planned: usize,
    /// Acknowledged, and never went out; or went out, and nobody was or will be told.
    pub lost: usize,
    /// Went out more than once.
    pub double: usize,
    /// Went out, or were seen by the public, before their moment.
    pub early: usize,
    /// Went out after an acknowledged cancel; messages that must not be.
    pub wrong: usize,
    /// From moment (or end of an outage) to going out, milliseconds, sorted.
    pub lags: Vec<i64>,
    /// Messages, and further copies of them.
    pub messages: (usize, usize),
    /// What exactly is bad, the first of it.
    pub samples: Vec<String>,
}

impl Sheet {
    /// Judges a run.
    pub fn of(
        stories: &[Story],
        out: &BTreeMap<String, Vec<Timestamp>>,
        (outbox, heard): (&BTreeMap<String, String>, &Heard),
        weather: &Weather,
    ) -> Self {
        let mut sheet =
            Self { messages: (heard.messages, heard.copies), wrong: heard.wrong, ..Self::default() };
        for story in stories {
            let times = out.get(&story.article).map(Vec::as_slice).unwrap_or_default();
            sheet.judge(story, times, weather);
        }
        let public: BTreeSet<&String> = out.keys().collect();
        let untrue = heard.articles.iter().filter(|article| !public.contains(article)).count();
        sheet.wrong += untrue;
        let told: BTreeSet<&String> = heard.articles.iter().collect();
        for article in out.keys().filter(|article| !told.contains(article)) {
            match outbox.get(article).map(String::as_str) {
                // Its turn has not come yet.
                Some("pending" | "sending") => {}
                state => sheet.untold(article, state),
            }
        }
        sheet.lags.sort_unstable();
        sheet
    }

    fn judge(&mut self, story: &Story, times: &[Timestamp], weather: &Weather) {
        self.planned += usize::from(story.scheduled != Told::No);
        let (must, earliest) = (story.must_go_out(), story.earliest());
        let is_lost = must == Some(true) && times.is_empty();
        let is_double = times.len() > 1;
        let first = times.iter().chain(&story.seen).min();
        let is_early = first.is_some_and(|at| *at < earliest);
        let is_wrong = must == Some(false) && !times.is_empty();
        self.lost += usize::from(is_lost);
        self.double += usize::from(is_double);
        self.early += usize::from(is_early);
        self.wrong += usize::from(is_wrong);
        if (is_lost || is_double || is_early || is_wrong) && self.samples.len() < 5 {
            self.samples.push(format!("{story:?} went out at {times:?}"));
        }
        let is_clear = !matches!(story.change, Some((Deed::Move(_) | Deed::Now(_), Told::Nothing)));
        if let (Some(at), true, Told::Yes) = (times.first(), is_clear, story.scheduled) {
            self.lags.push(at.since(weather.counts_from(earliest, *at)));
        }
    }

    /// Nobody was told of an article that went out, and nobody will be.
    fn untold(&mut self, article: &str, state: Option<&str>) {
        self.lost += 1;
        if self.samples.len() < 5 {
            self.samples
                .push(format!("{article} went out, nobody was told of it, and its message is {state:?}"));
        }
    }

    /// The lag that so many in a thousand do not exceed.
    pub fn lag(&self, in_a_thousand: usize) -> i64 {
        let place = (self.lags.len() * in_a_thousand / 1_000).min(self.lags.len().saturating_sub(1));
        self.lags.get(place).copied().unwrap_or(0)
    }

    /// Whether every promise was kept.
    pub fn is_clean(&self) -> bool {
        (self.lost, self.double, self.early, self.wrong) == (0, 0, 0, 0)
    }
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { planned, lost, double, early, wrong, messages, .. } = self;
        writeln!(f, "  planned  lost  double  early  wrong  lag p50   p99    max  messages  copies")?;
        writeln!(
            f,
            "  {planned:7}  {lost:4}  {double:6}  {early:5}  {wrong:5}  {:7}  {:4}  {:5}  {:8}  {:6}",
            self.lag(500),
            self.lag(990),
            self.lag(1_000),
            messages.0,
            messages.1
        )?;
        self.samples.iter().try_for_each(|sample| writeln!(f, "  {sample}"))
    }
}
