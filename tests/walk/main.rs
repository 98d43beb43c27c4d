//! Seeded worlds: several nodes with their real loops on a real database, a hint store that lies, processes that die at any
//! gap, people who change their minds. After each seed the promises of `docs/ARCHITECTURE.md` are held against a reference.
//!
//! One seed again: `WALK_SEED=7 cargo test --test walk`. More of them: `WALK_SEEDS=1000000`.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod base;
mod dice;
mod judge;
mod lies;
mod model;
mod people;
mod post;
mod world;

use base::{ARTICLES, Base};
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
use world::{DISPATCHER, NODES, World};

/// Seeds that are walked unless somebody says otherwise: what two cores walk in about 90 s.
const SEEDS: u64 = 20_000;
/// Seeds within which each mutant must be noticed.
const NOTICED: u64 = 2_000;
/// Walked at once.
const THREADS: usize = 2;

/// A seed from its first step to the verdict: the hash of its trace, or what is wrong.
async fn walk(base: &Base, seed: u64, is_loud: bool) -> Result<u64, String> {
    let mut world = World::new(base, seed, is_loud).await;
    let mut texts = [1; ARTICLES];
    let steps = 20 + world.shared.dice.below(25) + if world.has_post { 40 } else { 0 };
    for _ in 0..steps {
        let dice = &world.shared.dice;
        match dice.below(100) {
            0..28 => {
                let far = world.has_post && dice.chance(12);
                let millis = if far { 61_000 } else { dice.millis(1_500) };
                world.shared.clock.advance(millis);
            }
            28..50 => people::act(&mut world, &mut texts).await?,
            50..54 => world.lies.invent(),
            54..56 => world.lies.wipe(),
            56..58 => world.lies.toggle(),
            58..60 => {
                let number = dice.below(NODES);
                world.kill(number);
            }
            _ => {
                let sends = world.has_post && dice.chance(45);
                let (number, place) =
                    (dice.below(NODES), if sends { DISPATCHER } else { dice.below(DISPATCHER) });
                world.step(number, place).await?;
            }
        }
    }
    judge::judge(&mut world).await?;
    Ok(world.shared.hash())
}

/// Keeps this thread, and those it starts, on one processor: what is handed to SQLite's thread and back then wakes no other
/// processor, which costs more than the statement. Where that cannot be had, it goes without.
fn stay_on(processor: usize) {
    let Ok(thread) = std::fs::read_link("/proc/thread-self") else { return };
    let number = thread.file_name().unwrap_or_default().to_owned();
    let mut stay = Command::new("taskset");
    stay.arg("--cpu-list").arg("--pid").arg(processor.to_string()).arg(number);
    let _ = stay.stdout(Stdio::null()).stderr(Stdio::null()).status();
}

/// Walks seeds on one thread until there are no more or one is wrong.
fn walk_some(next: &AtomicU64, end: u64, mutant: Option<Mutant>) -> Result<Vec<(u64, u64)>, (u64, String)> {
    choose(mutant);
    let is_loud = number("WALK_SEED").is_some();
    // No sockets: it waits for SQLite's thread without asking the system for news of them.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let base = Base::open().await;
        let mut hashes = Vec::new();
        loop {
            let seed = next.fetch_add(1, Relaxed);
            if seed >= end {
                return Ok(hashes);
            }
            match walk(&base, seed, is_loud).await {
                Ok(hash) => hashes.push((seed, hash)),
                Err(wrong) => {
                    next.store(end, Relaxed);
                    return Err((seed, wrong));
                }
            }
        }
    })
}

/// Walks seeds on all threads: their hashes in order, or the first that was found wrong.
fn walk_all(begin: u64, end: u64, mutant: Option<Mutant>) -> Result<Vec<u64>, (u64, String)> {
    let next = Arc::new(AtomicU64::new(begin));
    let threads: Vec<_> = (0..THREADS)
        .map(|processor| {
            let next = Arc::clone(&next);
            thread::spawn(move || {
                stay_on(processor);
                walk_some(&next, end, mutant)
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
    #[expect(clippy::disallowed_methods, reason = "how a person repeats a seed")]
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap())
}

#[test]
fn no_seed_breaks_a_promise() {
    let (begin, end) = match number("WALK_SEED") {
        Some(seed) => (seed, seed + 1),
        None => (0, number("WALK_SEEDS").unwrap_or(SEEDS)),
    };
    let began = Instant::now();
    match walk_all(begin, end, None) {
        Ok(hashes) => {
            let trace = hashes.iter().fold(0_u64, |sum, hash| sum.rotate_left(1) ^ hash);
            say(&format!("{} seeds in {:.1?}, trace {trace:016x}", hashes.len(), began.elapsed()));
        }
        Err((seed, wrong)) => panic!("seed {seed}: {wrong}\nagain: WALK_SEED={seed} cargo test --test walk"),
    }
}

#[test]
fn the_same_seed_takes_the_same_steps() {
    assert_eq!(walk_all(0, 200, None), walk_all(0, 200, None));
}

#[test]
fn every_mutant_is_noticed() {
    for mutant in Mutant::ALL {
        match walk_all(0, NOTICED, Some(mutant)) {
            Ok(_) => panic!("nobody noticed {} within {NOTICED} seeds", mutant.as_str()),
            Err((seed, wrong)) => {
                say(&format!("{}: noticed with seed {seed}: {}", mutant.as_str(), brief(&wrong)))
            }
        }
    }
}

/// Tells it past the test runner, which keeps to itself what a good test prints.
fn say(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The first words of what is wrong.
fn brief(wrong: &str) -> &str {
    wrong.split_once('{').map_or(wrong, |(brief, _)| brief.trim())
}
