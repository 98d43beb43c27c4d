//! Fault injection into the built program: real kills, stops, cut connections and data loss,
//! checked by observers outside the program. `docs/FAULTS.md` has the results.
//!
//! Two groups, because two processors must suffice. `timed` has the scenarios that fail on a busy
//! machine, since they assert how long something takes; they run weekly, two at a time, and nothing
//! else does. All others check only what happened and run five at a time.
//!
//! `FAULTS_LONG=1` runs each with the counts that `docs/FAULTS.md` has in brackets instead of those
//! of CI.

use crate::simulation::rng;

mod cluster;
mod directed;
mod drafts;
mod long;
mod matrix;
mod observer;
mod redis_faults;
mod results;
mod timed;

use std::{fmt::Display, time::Duration};

/// Timeout of a request, and of a node's start.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// Timeout for everything that must happen, on a machine that does ten other things.
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);
/// Number of runs after which a mutant counts as undetected. On a busy machine few faults come at the right time.
const MUTANT_RUNS: u64 = 6;

fn number(name: &str) -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "runs are chosen by environment variables")]
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a number"))
}

/// Returns the number of items for CI, or for a long run if `FAULTS_LONG` is set.
fn items(ci: usize, long: usize) -> usize {
    if number("FAULTS_LONG").is_some() { long } else { ci }
}

/// Runs a scenario with a mutant, each time with another number, until its results show it. A test that does not
/// detect its mutant proves nothing.
async fn is_detected<R: Display, F: Future<Output = R>>(
    run: impl Fn(u64) -> F,
    shows: impl Fn(&R) -> bool,
) -> bool {
    for number in 0..MUTANT_RUNS {
        let results = run(number).await;
        if shows(&results) {
            return true;
        }
        say(&format!("the mutant is not detected by run {number}: {results}"));
    }
    false
}

/// Prints to standard error directly: the test runner hides the output of tests that pass.
fn say(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}
