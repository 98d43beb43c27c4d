//! Baseline figures of the whole server: lateness, a burst, pages, memory.
//!
//! `cargo bench --bench baseline` starts the optimised binary on SQLite with hints in memory and on
//! PostgreSQL (default durability) with Redis, uses its HTTP API, and prints one table with the load
//! average. `PRESSTIME_BIN` names another binary, e.g. one from `cargo xtask build --release`.

mod pages;
mod server;
mod tasks;

use server::{Server, Size};

#[tokio::main]
async fn main() {
    // `cargo test --benches` runs this without --bench: measure nothing then.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    // reqwest needs a TLS provider. Fails if one is already installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
    println!("load before: {}", std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
    println!("| size | measure | count | p50 ms | p95 ms | p99 ms | max ms | early |");
    println!("|---|---|---|---|---|---|---|---|");
    for size in [Size::Embedded, Size::Servers] {
        let server = Server::start(size).await;
        println!("| {size} | start to listening | 1 | {} | | | | |", server.started_in.as_millis());
        println!("| {size} | resident memory, idle, MiB | 1 | {} | | | | |", server.resident_mib());
        tasks::steady(&server, 1_000, 20).await;
        tasks::burst(&server, 5_000).await;
        pages::first_byte(&server, "/login", 200).await;
        pages::first_byte(&server, "/site", 200).await;
        println!("| {size} | resident memory, after, MiB | 1 | {} | | | | |", server.resident_mib());
    }
    println!("load after: {}", std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
}

/// Prints a row of the table from milliseconds in any order.
fn print_row(size: Size, measure: &str, mut millis: Vec<f64>) {
    millis.sort_by(f64::total_cmp);
    let early = millis.iter().filter(|lateness| **lateness < 0.0).count();
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
    println!(
        "| {size} | {measure} | {} | {p50:.1} | {p95:.1} | {p99:.1} | {max:.1} | {early} |",
        millis.len()
    );
}
