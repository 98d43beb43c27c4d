//! Fault injection into the built program: real kills, stops, cut connections and data loss,
//! checked by observers outside the program. `docs/FAULTS.md` has the results.

#[path = "../simulation/rng.rs"]
mod rng;

mod cluster;
mod directed;
mod drafts;
mod fault_schedule;
mod load;
mod matrix;
mod observers;
mod results;
mod soak;

fn number(name: &str) -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "runs are chosen by environment variables")]
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a number"))
}

/// Prints to standard error directly: the test runner hides the output of tests that pass.
fn say(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}
