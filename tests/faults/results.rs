//! Results of a soak test: compares the observers' records with the answers to the users.

use crate::{
    fault_schedule::FaultSchedule,
    load::{Item, Operation, Outcome},
    observers::ReceivedMessages,
};
use domain::Timestamp;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// Results of one run.
#[derive(Debug, Default)]
pub struct Results {
    /// Number of scheduled articles.
    pub scheduled: usize,
    /// Acknowledged and never published, or published and never notified.
    pub lost: usize,
    /// Published more than once.
    pub double: usize,
    /// Published, or seen by a reader, before the due time.
    pub early: usize,
    /// Published after an acknowledged cancellation, and wrong messages.
    pub wrong: usize,
    /// Time from the due time (or the end of an outage) to the publication in milliseconds, sorted.
    pub lateness_ms: Vec<i64>,
    /// Number of messages, and of further copies.
    pub messages: (usize, usize),
    /// Details of the first violations.
    pub samples: Vec<String>,
}

impl Results {
    /// Evaluates a run.
    pub fn new(
        items: &[Item],
        publications: &BTreeMap<String, Vec<Timestamp>>,
        (delivery_states, received): (&BTreeMap<String, String>, &ReceivedMessages),
        faults: &FaultSchedule,
    ) -> Self {
        let mut results =
            Self { messages: (received.messages, received.copies), wrong: received.wrong, ..Self::default() };
        for item in items {
            let times = publications.get(&item.article).map(Vec::as_slice).unwrap_or_default();
            results.add(item, times, faults);
        }
        let public: BTreeSet<&String> = publications.keys().collect();
        let untrue = received.articles.iter().filter(|article| !public.contains(article)).count();
        results.wrong += untrue;
        let notified: BTreeSet<&String> = received.articles.iter().collect();
        for article in publications.keys().filter(|article| !notified.contains(article)) {
            match delivery_states.get(article).map(String::as_str) {
                // The message is still to be sent.
                Some("pending" | "sending") => {}
                state => results.add_unnotified(article, state),
            }
        }
        results.lateness_ms.sort_unstable();
        results
    }

    fn add(&mut self, item: &Item, times: &[Timestamp], faults: &FaultSchedule) {
        self.scheduled += usize::from(item.scheduled != Outcome::Refused);
        let (must, earliest) = (item.must_be_published(), item.earliest());
        let is_lost = must == Some(true) && times.is_empty();
        let is_double = times.len() > 1;
        let first = times.iter().chain(&item.seen).min();
        let is_early = first.is_some_and(|at| *at < earliest);
        let is_wrong = must == Some(false) && !times.is_empty();
        self.lost += usize::from(is_lost);
        self.double += usize::from(is_double);
        self.early += usize::from(is_early);
        self.wrong += usize::from(is_wrong);
        if (is_lost || is_double || is_early || is_wrong) && self.samples.len() < 5 {
            self.samples.push(format!("{item:?} was published at {times:?}"));
        }
        let is_due_time_known =
            !matches!(item.change, Some((Operation::Move(_) | Operation::PublishNow(_), Outcome::Unknown)));
        if let (Some(at), true, Outcome::Done) = (times.first(), is_due_time_known, item.scheduled) {
            self.lateness_ms.push(at.since(faults.lateness_start(earliest, *at)));
        }
    }

    /// Records an article that was published and whose message will not be sent.
    fn add_unnotified(&mut self, article: &str, state: Option<&str>) {
        self.lost += 1;
        if self.samples.len() < 5 {
            self.samples
                .push(format!("{article} was published without a notification; its message is {state:?}"));
        }
    }

    /// Returns a quantile of the lateness in milliseconds; `per_mille` is 500 for the median.
    pub fn lateness(&self, per_mille: usize) -> i64 {
        let index =
            (self.lateness_ms.len() * per_mille / 1_000).min(self.lateness_ms.len().saturating_sub(1));
        self.lateness_ms.get(index).copied().unwrap_or(0)
    }

    /// Whether there are no violations.
    pub fn is_clean(&self) -> bool {
        (self.lost, self.double, self.early, self.wrong) == (0, 0, 0, 0)
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scheduled, lost, double, early, wrong, messages, .. } = self;
        writeln!(f, "  scheduled  lost  double  early  wrong  late p50   p99    max  messages  copies")?;
        writeln!(
            f,
            "  {scheduled:9}  {lost:4}  {double:6}  {early:5}  {wrong:5}  {:7}  {:4}  {:5}  {:8}  {:6}",
            self.lateness(500),
            self.lateness(990),
            self.lateness(1_000),
            messages.0,
            messages.1
        )?;
        self.samples.iter().try_for_each(|sample| writeln!(f, "  {sample}"))
    }
}
