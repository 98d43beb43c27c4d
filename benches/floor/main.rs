//! The floor: lag, burst, pages, weight of the whole server, as numbers.
//!
//! `cargo bench --bench floor` starts the optimised binary on SQLite with in-process hints and on PostgreSQL (default durability) with
//! Redis, drives it over HTTP like any integrator, and prints one table. Load average and versions are part of the answer.
//! `PRESSTIME_BIN` names another binary to measure, e.g. one that `cargo xtask build --release` made.

mod desk;
mod pages;
mod plan;

use desk::{Desk, Size};

#[tokio::main]
async fn main() {
    // `cargo test --benches` runs this too, without --bench: nothing is measured then.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    // The client of the measurement leaves the choice to whoever uses it; the second time it is there already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    println!("load before: {}", std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
    println!("| size | measure | count | p50 ms | p95 ms | p99 ms | max ms | early |");
    println!("|---|---|---|---|---|---|---|---|");
    for size in [Size::Embedded, Size::Servers] {
        let desk = Desk::start(size).await;
        println!("| {size} | start to listening | 1 | {} | | | | |", desk.started_in.as_millis());
        println!("| {size} | resident memory, idle, MiB | 1 | {} | | | | |", desk.resident_mib());
        plan::steady(&desk, 1_000, 20).await;
        plan::burst(&desk, 5_000).await;
        pages::first_byte(&desk, "/login", 200).await;
        pages::first_byte(&desk, "/site", 200).await;
        println!("| {size} | resident memory, after, MiB | 1 | {} | | | | |", desk.resident_mib());
    }
    println!("load after: {}", std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
}

/// One line of the table from milliseconds, in any order.
fn line(size: Size, what: &str, mut millis: Vec<f64>) {
    millis.sort_by(f64::total_cmp);
    let early = millis.iter().filter(|lag| **lag < 0.0).count();
    let at = |share: f64| {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index below 10^5"
        )]
        let index = ((millis.len() as f64 * share).ceil() as usize).clamp(1, millis.len()) - 1;
        millis[index]
    };
    let (p50, p95, p99, max) = (at(0.5), at(0.95), at(0.99), at(1.0));
    println!("| {size} | {what} | {} | {p50:.1} | {p95:.1} | {p99:.1} | {max:.1} | {early} |", millis.len());
}
