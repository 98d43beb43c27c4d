//! The built program through bad weather and through one misfortune after the other: real kills, stops, cuts and wipes; judged by
//! witnesses that are no part of it. `docs/FAULTS.md` says what was seen.

#[path = "../walk/dice.rs"]
mod dice;

mod all_weather;
mod cluster;
mod directed;
mod drafts;
mod matrix;
mod people;
mod sheet;
mod weather;
mod witness;

fn number(name: &str) -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "how a person asks for another run")]
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a number"))
}

/// Tells it past the test runner, which keeps to itself what a good test prints.
fn say(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}
