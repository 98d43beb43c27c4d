//! Results of a soak test: compares the observers' records with the answers to the users.

use super::{
    fault_schedule::FaultSchedule,
    load::{Item, Operation, Outcome},
    messages::ReceivedMessages,
};
use crate::faults::results::{Results, Violations};
use domain::Timestamp;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// Results of one run. *Lost* is also what was published and never notified, *early* also what a
/// reader saw before the due time; lateness counts from the end of an outage.
#[derive(Debug, Default)]
pub struct SoakResults {
    pub all: Results,
    /// Messages, notices, waits of rules and meetings.
    pub mix: Results,
    /// Number of messages, and of further copies.
    messages: (usize, usize),
}

impl SoakResults {
    /// Evaluates a run.
    pub fn new(
        items: &[Item],
        publications: &BTreeMap<String, Vec<Timestamp>>,
        (delivery_states, received): (&BTreeMap<String, String>, &ReceivedMessages),
        faults: &FaultSchedule,
    ) -> Self {
        let mut results = Self { messages: (received.messages, received.copies), ..Self::default() };
        for item in items {
            let times = publications.get(&item.article).map(Vec::as_slice).unwrap_or_default();
            results.add(item, times, faults);
        }
        let untrue = received.articles.iter().filter(|article| !publications.contains_key(*article)).count();
        results.all.wrong += received.wrong + untrue;
        let notified: BTreeSet<&String> = received.articles.iter().collect();
        for article in publications.keys().filter(|article| !notified.contains(article)) {
            match delivery_states.get(article).map(String::as_str) {
                // The message is still to be sent.
                Some("pending" | "sending") => {}
                state => results.all.count(Violations { is_lost: true, ..Violations::default() }, || {
                    format!("{article} was published without a notification; its message is {state:?}")
                }),
            }
        }
        results
    }

    fn add(&mut self, item: &Item, times: &[Timestamp], faults: &FaultSchedule) {
        self.all.scheduled += usize::from(item.scheduled != Outcome::Refused);
        let (must, earliest) = (item.must_be_published(), item.earliest());
        let first = times.iter().chain(&item.seen).min();
        let violations = Violations {
            is_lost: must == Some(true) && times.is_empty(),
            is_double: times.len() > 1,
            is_early: first.is_some_and(|at| *at < earliest),
            is_wrong: must == Some(false) && !times.is_empty(),
        };
        self.all.count(violations, || format!("{item:?} was published at {times:?}"));
        let is_due_time_known =
            !matches!(item.change, Some((Operation::Move(_) | Operation::PublishNow(_), Outcome::Unknown)));
        if let (Some(at), true, Outcome::Done) = (times.first(), is_due_time_known, item.scheduled) {
            self.all.lateness_ms.push(at.since(faults.lateness_start(earliest, *at)));
        }
    }

    /// Whether there are no violations.
    pub fn is_clean(&self) -> bool {
        self.all.violations() + self.mix.violations() == 0
    }
}

impl fmt::Display for SoakResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (messages, copies) = self.messages;
        write!(f, "{messages} messages, {copies} copies; {}", self.all)?;
        let Results { scheduled, lost, double, early, wrong, samples, .. } = &self.mix;
        write!(f, "\n  messages, notices, rules, meetings: {scheduled}")?;
        write!(f, ", lost {lost}, double {double}, early {early}, wrong {wrong}")?;
        samples.iter().try_for_each(|sample| write!(f, "\n    {sample}"))
    }
}
