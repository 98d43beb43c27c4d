//! The eight designs that the engine was drawn from, each small and faithful on a Redis of its own: how late they are, how fast, and
//! what is lost when their process is killed.
//!
//! `cargo bench --bench designs` measures all, `cargo bench --bench designs -- S3 S7` some. What each is: `docs/BENCHMARKS.md`.

mod designs;
mod measure;
mod place;
mod queue;

use place::Place;
use std::path::PathBuf;

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [verb, name, url, folder, work_ms] = words.as_slice()
        && verb == "--work"
    {
        let place = Place::new(url, PathBuf::from(folder), work_ms.parse().expect("milliseconds"));
        let design = designs::all().into_iter().find(|design| design.name() == name).expect("a design");
        return tokio::task::spawn_blocking(move || design.work(&place))
            .await
            .expect("it works until it is ended");
    }
    // `cargo test --benches` runs this too, without --bench: nothing is measured then.
    if !words.iter().any(|word| word == "--bench") {
        return;
    }
    let is_wanted =
        |name: &str| words.iter().all(|word| word.starts_with("--")) || words.iter().any(|word| word == name);
    println!("load before: {}", std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
    println!("| design | lag p50 ms | p99 ms | max ms | burst, tasks/s | killed: lost | twice |");
    println!("|---|---|---|---|---|---|---|");
    for design in designs::all().iter().filter(|design| is_wanted(design.name())) {
        println!("{}", measure::line(design.as_ref()).await);
    }
    println!("load after: {}", std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
}
