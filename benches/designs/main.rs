//! The eight designs on which the engine is based, each as a small model on its own Redis: lateness,
//! throughput, and what is lost when the process is killed.
//!
//! `cargo bench --bench designs` measures all, `cargo bench --bench designs -- S3 S7` some. They are
//! described in `docs/BENCHMARKS.md`.

mod designs;
mod measure;
mod queue;
mod sandbox;

use sandbox::Sandbox;
use std::path::PathBuf;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, name, url, folder, work_ms] = arguments.as_slice()
        && mode == "--work"
    {
        let sandbox = Sandbox::new(url, PathBuf::from(folder), work_ms.parse().expect("milliseconds"));
        let design = designs::all().into_iter().find(|design| design.name() == name).expect("a design");
        return tokio::task::spawn_blocking(move || design.run(&sandbox))
            .await
            .expect("the design runs until it is killed");
    }
    // `cargo test --benches` runs this without --bench: measure nothing then.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let is_wanted = |name: &str| {
        arguments.iter().all(|argument| argument.starts_with("--"))
            || arguments.iter().any(|argument| argument == name)
    };
    println!("load before: {}", std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
    println!("| design | lateness p50 ms | p99 ms | max ms | burst, tasks/s | killed: lost | double |");
    println!("|---|---|---|---|---|---|---|");
    for design in designs::all().iter().filter(|design| is_wanted(design.name())) {
        println!("{}", measure::row(design.as_ref()).await);
    }
    println!("load after: {}", std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
}
