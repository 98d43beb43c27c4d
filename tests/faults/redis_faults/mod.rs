//! Redis loses data, refuses writes and returns wrong data while many tasks are due (F12, F15, F16,
//! F18, F19, F22).

mod injector;

use crate::faults::{
    WAIT_TIMEOUT,
    cluster::{Cluster, now, time_until},
    drafts, items,
    observer::{self, COUNT_SCHEDULED},
    results::Results,
    say,
};
use domain::{TaskId, Timestamp};
use futures::{FutureExt, future::BoxFuture};
use injector::Injector;
use serde_json::json;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

/// Time before the first item in milliseconds, for scheduling: a constant part, and a part for each
/// 100 items.
const LEAD_MS: i64 = 6_000;
const LEAD_PER_100_MS: i64 = 50;
/// Number of items with the same due time.
const GROUP_SIZE: usize = 4;
/// Number of items that must not be published: half cancelled, half due in an hour.
const UNWANTED: usize = 40;
/// Maximum lateness in milliseconds, whatever Redis does.
const MAX_LATENESS_MS: i64 = 5_000;
/// No limit: a hint behind a million others on shared processors may take any time.
const NO_LIMIT: i64 = i64::MAX;

/// Injects a fault until the given time.
type Inject = for<'r> fn(&'r mut Injector<'_>, Instant) -> BoxFuture<'r, ()>;

/// A fault of Redis.
pub struct Fault {
    name: &'static str,
    /// Duration in seconds; in a long run at least 60.
    seconds: u64,
    /// Time between two items in milliseconds.
    interval_ms: i64,
    /// Maximum lateness in milliseconds.
    max_lateness_ms: i64,
    inject: Inject,
}

/// The other faults take their defaults from this one.
pub const FLUSHES_SCRIPTS: Fault = Fault {
    name: "loses its scripts",
    seconds: 5,
    interval_ms: 25,
    max_lateness_ms: MAX_LATENESS_MS,
    inject: |injector, end| injector.flush_scripts(end).boxed(),
};
pub const EVICTS: Fault = Fault {
    name: "is full and evicts",
    inject: |injector, end| injector.fill("allkeys-random", end).boxed(),
    ..FLUSHES_SCRIPTS
};
pub const WRONG_TYPE: Fault = Fault {
    name: "has strings in place of lists",
    inject: |injector, end| injector.set_wrong_type(end).boxed(),
    ..FLUSHES_SCRIPTS
};
pub const IS_FULL: Fault = Fault {
    name: "is full",
    seconds: 60,
    inject: |injector, end| injector.fill("noeviction", end).boxed(),
    ..FLUSHES_SCRIPTS
};
pub const INVENTS: Fault = Fault {
    name: "invents hints",
    seconds: 110,
    max_lateness_ms: NO_LIMIT,
    inject: |injector, end| injector.invent_hints(end).boxed(),
    ..FLUSHES_SCRIPTS
};
/// The same for a mutant.
pub const INVENTS_BRIEFLY: Fault = Fault { seconds: 3, ..INVENTS };
pub const LOSES_DATA: Fault = Fault {
    name: "loses all data",
    seconds: 300,
    interval_ms: 6,
    inject: |injector, end| injector.wipe(end).boxed(),
    ..FLUSHES_SCRIPTS
};

impl Fault {
    fn duration(&self) -> Duration {
        let seconds = usize::try_from(self.seconds).unwrap();
        Duration::from_secs(items(seconds, seconds.max(60)) as u64)
    }

    fn items(&self) -> usize {
        usize::try_from(self.span() / self.interval_ms).unwrap()
    }

    fn span(&self) -> i64 {
        i64::try_from(self.duration().as_millis()).unwrap()
    }
}

/// Creates tasks that must not be executed: cancelled, or due in an hour. Returns them with their
/// versions.
async fn unwanted(cluster: &Cluster, drafts: &[Uuid], due: Timestamp) -> Vec<(TaskId, i32)> {
    let half = drafts.len() / 2;
    let due = |index: usize| if index < half { due } else { now().plus(3_600_000) };
    let scheduled: Vec<_> = drafts.iter().enumerate().map(|(index, id)| (id, due(index))).collect();
    let tasks = cluster.schedule_all("a", &scheduled).await;
    for task in &tasks[..half] {
        cluster.post("a", &format!("/tasks/{task}/cancel"), &json!({"seen_version": 1})).await;
    }
    let version = |index: usize| if index < half { 2 } else { 1 };
    let tasks = tasks.into_iter().enumerate();
    tasks.map(|(index, task)| (task.parse().expect("an id"), version(index))).collect()
}

/// Runs these faults one after the other on two nodes with this mutant.
pub async fn run_scenario(mutant: Option<&str>, faults: &[Fault]) -> Results {
    let wanted: usize = faults.iter().map(Fault::items).sum();
    let postgres = test_support::postgres().await;
    let cluster = Cluster::open_on(&postgres, mutant).await;
    observer::install(&cluster).await;
    let rest = drafts::create(&cluster, UNWANTED).await;
    for name in ["a", "b"] {
        cluster.start(name).await;
    }
    let lead = LEAD_MS + LEAD_PER_100_MS * i64::try_from(wanted / 100).unwrap();
    let scheduled = drafts::create_scheduled(&cluster, &due_times(faults), lead).await;
    let (base, end) = (scheduled[0].1, scheduled.last().unwrap().1);
    let mut injector = Injector::connect(&cluster, unwanted(&cluster, &rest, end).await).await;
    let mut ends = Instant::now() + time_until(base);
    for fault in faults {
        sleep_until(ends).await;
        ends += fault.duration();
        (fault.inject)(&mut injector, ends).await;
    }
    let due = format!("{COUNT_SCHEDULED} and due_at < {}", now().plus(60_000).millis());
    observer::wait_for_count(&cluster, &due, 0, WAIT_TIMEOUT).await;
    let (wrong, invented) = (injector.wrong, injector.invented);
    let mut results = evaluate(&cluster, &scheduled, &rest, faults).await;
    wrong.into_iter().for_each(|what| results.add_wrong(what));
    say(&format!("Redis faults (F12 F15 F16 F18 F19 F22): {results}; {invented} hints invented"));
    results
}

/// Returns the due times of all items, at the interval of each fault, in milliseconds after the
/// first.
fn due_times(faults: &[Fault]) -> Vec<i64> {
    let (mut all, mut begins) = (Vec::new(), 0);
    for one in faults {
        let due =
            |index: usize| begins + i64::try_from(index / GROUP_SIZE * GROUP_SIZE).unwrap() * one.interval_ms;
        all.extend((0..one.items()).map(due));
        begins += one.span();
    }
    all
}

async fn evaluate(
    cluster: &Cluster,
    scheduled: &[(Uuid, Timestamp)],
    unwanted: &[Uuid],
    faults: &[Fault],
) -> Results {
    let publications = observer::publications(cluster).await;
    let (mut all, mut rest) = (Results::from_publications(&publications, scheduled), scheduled);
    for one in faults {
        let (part, later) = rest.split_at(one.items());
        let results = Results::from_publications(&publications, part);
        say(&format!("  Redis {}: {results}", one.name));
        if results.max_lateness_ms() >= one.max_lateness_ms {
            all.add_wrong(format!("Redis {}: later than {} ms", one.name, one.max_lateness_ms));
        }
        rest = later;
    }
    for id in unwanted {
        let times = publications.get(&id.to_string()).map_or(&[][..], Vec::as_slice);
        all.add("cancelled, or due in an hour", None, times);
    }
    all
}

/// Runs the faults with the normal build: nothing may be lost, double, early, wrong or too late.
pub async fn check(faults: &[Fault]) {
    let results = run_scenario(None, faults).await;
    assert_eq!(results.violations(), 0, "{results}");
}
