//! Property tests on both backends: after any sequence of user actions and faults of hints and
//! processes, SQL matches [`reference`]. A failing sequence is shrunk before it is reported.
//!
//! The sequences are the same in each run. `PROPERTY_SEED=7 PROPERTY_CASES=1000` draws others, and
//! more.

mod reference;
mod state_machine;
mod system_under_test;

use crate::test_server::{Backend, TestServer};
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestCaseError, TestRunner};
use proptest_state_machine::ReferenceStateMachine as _;
use state_machine::Machine;
use std::sync::atomic::Ordering::SeqCst;
use store::mutant::{Mutant, choose};
use system_under_test::SystemUnderTest;

/// Maximum number of steps in a sequence.
const MAX_STEPS: usize = 40;

fn number(name: &str) -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "lets developers draw other sequences")]
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap())
}

/// Runs `cases` sequences. Returns the shrunk failure.
fn run_sequences(backend: Backend, cases: u32) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let server = runtime.block_on(TestServer::start(backend));
    let config = Config {
        cases: number("PROPERTY_CASES").map_or(cases, |cases| u32::try_from(cases).unwrap()),
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(number("PROPERTY_SEED").unwrap_or(1)),
        // A failing sequence becomes a test of its own instead.
        failure_persistence: None,
        ..Config::default()
    };
    let all = Machine::sequential_strategy(1..MAX_STEPS);
    let result = TestRunner::new(config).run(&all, |(mut model, steps, reached)| {
        runtime.block_on(async {
            let mut system = SystemUnderTest::start(&server).await;
            for step in &steps {
                // Counts the steps reached: shrinking removes the unreached steps first.
                if let Some(reached) = &reached {
                    reached.fetch_add(1, SeqCst);
                }
                let before = model.clone();
                model = Machine::apply(model, step);
                system.apply_and_compare(step, &before, &model).await.map_err(TestCaseError::fail)?;
            }
            Ok(())
        })
    });
    result.map_err(|broken| broken.to_string())
}

#[test]
fn any_sequence_of_steps_matches_the_reference_on_sqlite() {
    run_sequences(Backend::Embedded, 200).unwrap_or_else(|broken| panic!("{broken}"));
}

#[test]
fn any_sequence_of_steps_matches_the_reference_on_postgresql() {
    run_sequences(Backend::Servers, 60).unwrap_or_else(|broken| panic!("{broken}"));
}

/// Mutants that can be detected without concurrency.
const MUTANTS: [Mutant; 5] = [
    Mutant::NoSweeper,
    Mutant::TrustHintTime,
    Mutant::PoppedMeansAllowed,
    Mutant::NoApproval,
    Mutant::RescheduleUnguarded,
];

#[test]
fn mutants_are_detected() {
    for mutant in MUTANTS {
        choose(Some(mutant));
        let broken = run_sequences(Backend::Embedded, 200).expect_err(mutant.as_str());
        // By a wrong answer or wrong data, not by a crash.
        assert!(["SQL says", "was answered"].iter().any(|how| broken.contains(how)), "{broken}");
    }
}
