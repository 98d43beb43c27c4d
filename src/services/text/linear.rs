//! Whether work takes time linear in the length of its text, by processor time: other processes do not
//! count.

use std::fs;

/// How many times as long the longer text is.
const FACTOR: usize = 8;
/// How many times as long its work may take. Quadratic work takes 64 times as long.
const MAX_RATIO: u64 = 24;
/// Least time that is measured: the kernel counts in steps of up to 4 ms. Work that takes none has a number of runs.
const MIN_MEASURED_NS: u64 = 12_000_000;
const MAX_RUNS: u64 = 10_000;
/// Number of measurements on a busy machine, which shares its caches.
const MAX_TRIES: usize = 4;

/// Panics unless work on a text of eight times the length takes about eight times as long.
pub fn assert_linear(name: &str, (bytes, text): (usize, impl Fn(usize) -> String), work: impl Fn(&str)) {
    let (short, long) = (text(bytes), text(FACTOR * bytes));
    let mut measured = Vec::new();
    for _ in 0..MAX_TRIES {
        let (less, more) = (cost(&short, &work), cost(&long, &work));
        if more < MAX_RATIO * less {
            return;
        }
        measured.push((less, more));
    }
    panic!("{name}: {measured:?} ns for {} and {} bytes", short.len(), long.len());
}

/// Processor time of work in nanoseconds: the mean of as many runs as can be measured.
fn cost(text: &str, work: &impl Fn(&str)) -> u64 {
    let (before, mut runs) = (processor_time(), 0);
    loop {
        work(text);
        runs += 1;
        let taken = processor_time() - before;
        if taken >= MIN_MEASURED_NS || runs == MAX_RUNS {
            return (taken / runs).max(1);
        }
    }
}

/// Processor time of this thread in nanoseconds (Linux).
fn processor_time() -> u64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|time| time.parse().ok()).unwrap_or(0)
}
