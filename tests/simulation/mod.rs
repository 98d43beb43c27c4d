//! Seeded simulation: several nodes with their real loops on a real database, a faulty hint store,
//! processes that crash at any step, and users who change tasks. After each seed the database is
//! compared with a reference (`model.rs`).
//!
//! `SIMULATION_SEED=7 cargo test --test it simulation` repeats one seed; `SIMULATION_SEEDS=1000000` runs more.

mod cluster;
mod database;
mod fake_receiver;
mod faulty_hints;
mod invariants;
mod model;
pub(crate) mod rng;
mod users;

use cluster::{Cluster, DISPATCHER, NODES};
use database::{ARTICLES, Database};
use std::{
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Instant,
};
use store::mutant::{Mutant, choose};

/// Number of seeds unless `SIMULATION_SEEDS` is set: about 45 s on two cores.
const DEFAULT_SEEDS: u64 = 20_000;
/// Number of seeds within which each mutant must be detected.
const MUTANT_SEEDS: u64 = 2_000;
/// Seeds that run at the same time.
const THREADS: usize = 2;

/// Runs one seed and checks it. Returns the hash of its trace, or the violation.
async fn run_seed(database: &Database, seed: u64, is_verbose: bool) -> Result<u64, String> {
    let mut cluster = Cluster::new(database, seed, is_verbose).await;
    let mut texts = [1; ARTICLES];
    let steps = 20 + cluster.shared.rng.below(25) + if cluster.has_deliveries { 40 } else { 0 };
    for _ in 0..steps {
        let rng = &cluster.shared.rng;
        match rng.below(100) {
            0..28 => {
                let is_long = cluster.has_deliveries && rng.chance(12);
                let millis = if is_long { 61_000 } else { rng.millis(1_500) };
                cluster.shared.clock.advance(millis);
            }
            28..50 => users::act(&mut cluster, &mut texts).await?,
            50..54 => cluster.hints.invent(),
            54..56 => cluster.hints.wipe(),
            56..58 => cluster.hints.toggle(),
            58..60 => {
                let number = rng.below(NODES);
                cluster.kill(number);
            }
            _ => {
                let sends = cluster.has_deliveries && rng.chance(45);
                let (number, index) =
                    (rng.below(NODES), if sends { DISPATCHER } else { rng.below(DISPATCHER) });
                cluster.step(number, index).await?;
            }
        }
    }
    invariants::check(&mut cluster).await?;
    Ok(cluster.shared.hash())
}

/// Pins this thread and the threads it starts to one processor. Waking SQLite's thread on another
/// processor costs more than the statement. Does nothing where pinning is not possible.
fn pin_to_processor(processor: usize) {
    let Ok(thread) = std::fs::read_link("/proc/thread-self") else { return };
    let number = thread.file_name().unwrap_or_default().to_owned();
    let mut taskset = Command::new("taskset");
    taskset.arg("--cpu-list").arg("--pid").arg(processor.to_string()).arg(number);
    let _ = taskset.stdout(Stdio::null()).stderr(Stdio::null()).status();
}

/// Runs seeds on one thread until none is left or one has a violation.
fn run_on_thread(
    next: &AtomicU64,
    end: u64,
    mutant: Option<Mutant>,
) -> Result<Vec<(u64, u64)>, (u64, String)> {
    choose(mutant);
    let is_verbose = number("SIMULATION_SEED").is_some();
    // Without I/O the runtime waits for SQLite's thread without polling sockets.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let database = Database::open().await;
        let mut hashes = Vec::new();
        loop {
            let seed = next.fetch_add(1, Relaxed);
            if seed >= end {
                return Ok(hashes);
            }
            match run_seed(&database, seed, is_verbose).await {
                Ok(hash) => hashes.push((seed, hash)),
                Err(violation) => {
                    next.store(end, Relaxed);
                    return Err((seed, violation));
                }
            }
        }
    })
}

/// Runs seeds on all threads. Returns their hashes in order, or the first seed with a violation.
fn run_seeds(begin: u64, end: u64, mutant: Option<Mutant>) -> Result<Vec<u64>, (u64, String)> {
    let next = Arc::new(AtomicU64::new(begin));
    let threads: Vec<_> = (0..THREADS)
        .map(|processor| {
            let next = Arc::clone(&next);
            thread::spawn(move || {
                pin_to_processor(processor);
                run_on_thread(&next, end, mutant)
            })
        })
        .collect();
    let mut all = Vec::new();
    for thread in threads {
        all.extend(thread.join().unwrap()?);
    }
    all.sort_unstable();
    Ok(all.into_iter().map(|(_, hash)| hash).collect())
}

fn number(name: &str) -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "seeds are chosen by environment variables")]
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap())
}

#[test]
fn no_seed_violates_an_invariant() {
    let (begin, end) = match number("SIMULATION_SEED") {
        Some(seed) => (seed, seed + 1),
        None => (0, number("SIMULATION_SEEDS").unwrap_or(DEFAULT_SEEDS)),
    };
    let began = Instant::now();
    match run_seeds(begin, end, None) {
        Ok(hashes) => {
            let trace = hashes.iter().fold(0_u64, |sum, hash| sum.rotate_left(1) ^ hash);
            say(&format!("{} seeds in {:.1?}, trace {trace:016x}", hashes.len(), began.elapsed()));
        }
        Err((seed, violation)) => panic!(
            "seed {seed}: {violation}\nrepeat with: SIMULATION_SEED={seed} cargo test --test it simulation"
        ),
    }
}

#[test]
fn the_same_seed_takes_the_same_steps() {
    assert_eq!(run_seeds(0, 200, None), run_seeds(0, 200, None));
}

#[test]
fn every_mutant_is_detected() {
    for mutant in Mutant::ALL {
        match run_seeds(0, MUTANT_SEEDS, Some(mutant)) {
            Ok(_) => panic!("{} was not detected within {MUTANT_SEEDS} seeds", mutant.as_str()),
            Err((seed, violation)) => {
                say(&format!("{}: detected with seed {seed}: {}", mutant.as_str(), brief(&violation)))
            }
        }
    }
}

/// Prints to standard error directly: the test runner hides the output of tests that pass.
fn say(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Returns the first words of a violation.
fn brief(violation: &str) -> &str {
    violation.split_once('{').map_or(violation, |(brief, _)| brief.trim())
}
