//! Soak test: random faults on three nodes while users schedule and change tasks.
//!
//! `FAULTS_SEED=7` repeats a fault schedule (but not the timing of the processes); `FAULTS_SECONDS=600` runs
//! longer; `FAULTS_MUTANTS=1` also runs the other mutants that this test can detect.

mod fault_schedule;
mod load;
mod messages;
mod mix;
mod mix_results;
mod results;
mod servers;

use crate::faults::{
    cluster::{Cluster, now},
    is_detected, number, observer, say,
};
use fault_schedule::{FaultSchedule, Target};
use load::Load;
use mix::Mix;
use results::SoakResults;
use servers::{NODES, Servers};
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use test_support::Sink;
use tokio::{
    task::JoinSet,
    time::{Instant, interval},
};
use tokio_util::sync::CancellationToken;

/// Duration unless `FAULTS_SECONDS` is set, in seconds. A weekly run takes 340: enough for a hundred kills.
const DEFAULT_SECONDS: u64 = 100;
/// Number of tasks for each second that are scheduled before the faults begin.
const BATCH_PER_SECOND: usize = 45;
/// Duration of a run with a mutant, in seconds.
const MUTANT_SECONDS: u64 = 25;
/// Mutants that this test can detect. The others need approvals or users who cancel messages;
/// without a sweeper, starting nodes and reloading feeders still find everything, late.
const MUTANTS: [&str; 3] = ["mark-then-effect", "popped-means-allowed", "reschedule-unguarded"];
/// Number of simulated users.
const USERS: usize = 4;
/// Timeout for the next publication after the faults, in milliseconds.
const SETTLE_TIMEOUT_MS: i64 = 20_000;
/// Minimum number of tasks that users must schedule; a run with fewer proves nothing.
const MIN_SCHEDULED: usize = 5;

/// Runs the test once and returns the results.
async fn run(seed: u64, seconds: u64, mutant: Option<&'static str>) -> SoakResults {
    let (servers, sink, direct) = (Servers::start().await, Sink::start().await, Sink::start().await);
    let cluster = Arc::new(servers.open_cluster(mutant).await);
    observer::install(&cluster).await;
    for node in NODES {
        cluster.start(node).await;
    }
    let (load, faults) = (Arc::new(Load::new(seed)), FaultSchedule::default());
    cluster.create_channel(NODES[0], &sink.url()).await;
    let mix = Mix::prepare(&cluster, NODES[0], Arc::clone(&load), &direct.url(), seed).await;
    let mix = Arc::new(mix);
    let (stop, mut busy) = (CancellationToken::new(), JoinSet::new());
    if mutant.is_none() {
        load.schedule_batch(&cluster, batch_size(seconds), seconds).await;
    }
    for user in 0..USERS {
        busy.spawn(Arc::clone(&load).run_user(Arc::clone(&cluster), user, stop.clone()));
    }
    busy.spawn(Arc::clone(&load).read_pages(Arc::clone(&cluster), stop.clone()));
    busy.spawn(Arc::clone(&mix).run(Arc::clone(&cluster), stop.clone()));
    let target = Target { cluster: &cluster, servers: &servers };
    faults.run(target, seed, Instant::now() + Duration::from_secs(seconds), &stop).await;
    busy.join_all().await;
    wait_until_settled(&cluster, &load).await;
    let publications = observer::publications(&cluster).await;
    let delivery_states = messages::delivery_states(&cluster).await;
    let received = messages::received_messages(&sink);
    let mut results = SoakResults::new(&load.items(), &publications, (&delivery_states, &received), &faults);
    results.mix = mix_results::evaluate(&cluster, &mix, &direct).await;
    let name = mutant.unwrap_or("normal build");
    say(&format!("{name}, seed {seed}, {seconds} s of faults:\n{}  {results}", faults.table()));
    if mutant.is_none() && !(results.is_clean() && is_enough(&results, seconds)) {
        say(&log_tails(&cluster));
    }
    results
}

/// Returns the number of tasks that are scheduled before the faults begin.
fn batch_size(seconds: u64) -> usize {
    BATCH_PER_SECOND * usize::try_from(seconds).unwrap_or(0)
}

/// Returns the last log lines of each node.
fn log_tails(cluster: &Cluster) -> String {
    let last = |node: &str| {
        let log = cluster.log(node);
        let lines: Vec<&str> = log.lines().rev().take(8).collect();
        format!("{node}:\n  {}\n", lines.join("\n  "))
    };
    NODES.map(last).concat()
}

/// Whether users scheduled enough tasks during the faults.
fn is_enough(results: &SoakResults, seconds: u64) -> bool {
    results.all.scheduled > batch_size(seconds) + MIN_SCHEDULED && results.mix.scheduled > MIN_SCHEDULED
}

/// Waits until everything that must be published is published. Gives up when nothing has been
/// published for the timeout.
async fn wait_until_settled(cluster: &Cluster, load: &Load) {
    let last = load.items().iter().map(load::Item::earliest).max();
    let (mut polls, mut count, mut publications) =
        (interval(Duration::from_millis(250)), -1, BTreeMap::new());
    let mut end = last.unwrap_or(now()).max(now()).plus(SETTLE_TIMEOUT_MS);
    loop {
        // The observer's table sends no notifications.
        polls.tick().await;
        let found = observer::count(cluster, "select count(*) from observation").await;
        if found != count {
            publications = observer::publications(cluster).await;
            (count, end) = (found, end.max(now().plus(SETTLE_TIMEOUT_MS)));
        }
        let waits = load
            .items()
            .iter()
            .any(|item| item.must_be_published() == Some(true) && !publications.contains_key(&item.article));
        // A change may still be in progress.
        let is_late = last.is_some_and(|last| now().since(last) > 5_000);
        if (!waits && is_late) || now() > end {
            return;
        }
    }
}

/// First runs a mutant: a test that does not detect it proves nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_double_early_or_wrong_under_random_faults() {
    let seed = number("FAULTS_SEED").unwrap_or_else(|| now().millis().unsigned_abs() % 1_000_000);
    let mutant = |name| move |number| run(seed + number, MUTANT_SECONDS, Some(name));
    assert!(
        is_detected(mutant("effect-then-mark"), |results| results.all.double > 0).await,
        "void: the mutant's double publications were not detected"
    );
    if number("FAULTS_MUTANTS").is_some() {
        let mut undetected = Vec::new();
        for name in MUTANTS {
            if !is_detected(mutant(name), |results| !results.is_clean()).await {
                undetected.push(name);
            }
        }
        assert!(undetected.is_empty(), "not detected: {undetected:?}");
    }
    let seconds = number("FAULTS_SECONDS").unwrap_or(DEFAULT_SECONDS);
    let mut results = run(seed, seconds, None).await;
    if results.is_clean() && !is_enough(&results, seconds) {
        say("void: too few tasks were scheduled, the computer may have been busy; running again");
        results = run(seed, seconds, None).await;
    }
    assert!(results.is_clean(), "FAULTS_SEED={seed}");
    assert!(is_enough(&results, seconds), "void: only {} tasks were scheduled", results.all.scheduled);
}
