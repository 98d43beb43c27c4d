//! Results of a run: compares the observer's records with what had to happen.

use crate::faults::{
    cluster::Cluster,
    observer::{self, COUNT_SCHEDULED},
};
use domain::Timestamp;
use std::{
    collections::BTreeMap,
    fmt::{self, Display},
    time::Duration,
};

/// Number of violations that are shown in detail.
const MAX_SAMPLES: usize = 5;

/// Results of one run.
#[derive(Debug, Default)]
pub struct Results {
    pub scheduled: usize,
    /// Not published, though it had to be.
    pub lost: usize,
    /// Published more than once.
    pub double: usize,
    /// Published before the due time.
    pub early: usize,
    /// Published, though it must not be, and other violations.
    pub wrong: usize,
    /// Time from the due time to the publication in milliseconds.
    pub lateness_ms: Vec<i64>,
    /// Details of the first violations.
    pub samples: Vec<String>,
}

/// Violations of one item.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Violations {
    pub is_lost: bool,
    pub is_double: bool,
    pub is_early: bool,
    pub is_wrong: bool,
}

impl Results {
    /// Evaluates items that must be published once, not before their due times.
    pub async fn of<A: Display>(cluster: &Cluster, items: &[(A, Timestamp)]) -> Self {
        Self::from_publications(&observer::publications(cluster).await, items)
    }

    /// Waits until no task is scheduled any more, at most for this time, and evaluates the items.
    pub async fn after<A: Display>(cluster: &Cluster, items: &[(A, Timestamp)], limit: Duration) -> Self {
        observer::wait_for_count(cluster, COUNT_SCHEDULED, 0, limit).await;
        Self::of(cluster, items).await
    }

    /// Evaluates the items with these publications.
    pub fn from_publications<A: Display>(
        publications: &BTreeMap<String, Vec<Timestamp>>,
        items: &[(A, Timestamp)],
    ) -> Self {
        let mut results = Self::default();
        for (article, due) in items {
            let article = article.to_string();
            results.add(&article, Some(*due), publications.get(&article).map_or(&[], Vec::as_slice));
        }
        results
    }

    /// Adds an item that must be published once, not before `due`; `None`: it must not be
    /// published.
    pub fn add(&mut self, name: &str, due: Option<Timestamp>, times: &[Timestamp]) {
        self.scheduled += 1;
        let (first, must) = (times.first(), due.is_some());
        let violations = Violations {
            is_lost: must && first.is_none(),
            is_double: must && times.len() > 1,
            is_early: first.zip(due).is_some_and(|(first, due)| *first < due),
            is_wrong: !must && first.is_some(),
        };
        self.count(violations, || format!("{name}: due {due:?}, published at {times:?}"));
        self.lateness_ms.extend(first.zip(due).map(|(first, due)| first.since(due)));
    }

    /// Counts the violations of an item.
    pub fn count(&mut self, violations: Violations, sample: impl FnOnce() -> String) {
        self.lost += usize::from(violations.is_lost);
        self.double += usize::from(violations.is_double);
        self.early += usize::from(violations.is_early);
        self.wrong += usize::from(violations.is_wrong);
        if violations != Violations::default() && self.samples.len() < MAX_SAMPLES {
            self.samples.push(sample());
        }
    }

    /// Adds another violation.
    pub fn add_wrong(&mut self, what: String) {
        self.count(Violations { is_wrong: true, ..Violations::default() }, || what);
    }

    /// Returns the number of violations.
    pub fn violations(&self) -> usize {
        self.lost + self.double + self.early + self.wrong
    }

    /// Returns the maximum lateness in milliseconds.
    pub fn max_lateness_ms(&self) -> i64 {
        self.lateness_ms.iter().copied().max().unwrap_or(0)
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lateness = self.lateness_ms.clone();
        lateness.sort_unstable();
        let quantile = |per_mille: usize| {
            let index = (lateness.len() * per_mille / 1_000).min(lateness.len().saturating_sub(1));
            lateness.get(index).copied().unwrap_or(0)
        };
        let Self { scheduled, lost, double, early, wrong, .. } = self;
        write!(f, "{scheduled} scheduled, lost {lost}, double {double}, early {early}, wrong {wrong}")?;
        write!(f, "; lateness p50 {} p99 {} max {} ms", quantile(500), quantile(990), quantile(1_000))?;
        self.samples.iter().try_for_each(|sample| write!(f, "\n    {sample}"))
    }
}
