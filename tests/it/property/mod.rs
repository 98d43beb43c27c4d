//! A property of the real desk, engine and SQL on both flavours: whatever people do, and whatever becomes of hints and processes
//! meanwhile, SQL says what [`reference`] says. What breaks it is made short before it is told.
//!
//! The same sequences are drawn each time. `PROPERTY_SEED=7 PROPERTY_CASES=1000` draws others, and more.

mod machine;
mod reference;
mod world;

use crate::house::{Flavour, Story};
use machine::Machine;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestCaseError, TestRunner};
use proptest_state_machine::ReferenceStateMachine as _;
use std::sync::atomic::Ordering::SeqCst;
use store::mutant::{Mutant, choose};
use world::World;

/// Most steps of a sequence.
const STEPS: usize = 40;

fn number(name: &str) -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "how a person asks for other sequences")]
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap())
}

/// Draws so many sequences; what broke, made short.
fn play(flavour: Flavour, cases: u32) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let story = runtime.block_on(Story::begin(flavour));
    let config = Config {
        cases: number("PROPERTY_CASES").map_or(cases, |cases| u32::try_from(cases).unwrap()),
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(number("PROPERTY_SEED").unwrap_or(1)),
        // What broke it once becomes a story.
        failure_persistence: None,
        ..Config::default()
    };
    let all = Machine::sequential_strategy(1..STEPS);
    let held = TestRunner::new(config).run(&all, |(mut known, steps, seen)| {
        runtime.block_on(async {
            let mut world = World::begin(&story).await;
            for step in &steps {
                // What was not reached is left out first where a sequence is made shorter.
                if let Some(seen) = &seen {
                    seen.fetch_add(1, SeqCst);
                }
                let before = known.clone();
                known = Machine::apply(known, step);
                world.take(step, &before, &known).await.map_err(TestCaseError::fail)?;
            }
            Ok(())
        })
    });
    held.map_err(|broken| broken.to_string())
}

#[test]
fn whatever_people_do_sqlite_says_what_must_be() {
    play(Flavour::Embedded, 200).unwrap_or_else(|broken| panic!("{broken}"));
}

#[test]
fn whatever_people_do_postgresql_says_what_must_be() {
    play(Flavour::Servers, 60).unwrap_or_else(|broken| panic!("{broken}"));
}

/// Those whose badness needs no two at once.
const BAD: [Mutant; 5] = [
    Mutant::NoSweeper,
    Mutant::TrustHintTime,
    Mutant::PoppedMeansAllowed,
    Mutant::NoApproval,
    Mutant::RescheduleUnguarded,
];

#[test]
fn bad_builds_are_noticed() {
    for mutant in BAD {
        choose(Some(mutant));
        let broken = play(Flavour::Embedded, 200).expect_err(mutant.as_str());
        // By what was answered or stands in SQL, not by something that breaks down.
        assert!(["SQL says", "was answered"].iter().any(|how| broken.contains(how)), "{broken}");
    }
}
