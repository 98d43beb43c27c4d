//! Times in words, and texts checked against word lists: duration per call.
//!
//! `cargo bench -p domain --features review` measures; without `--bench` nothing is measured.

use domain::{
    Timestamp,
    base::when::{Context, ZoneWindow, parse},
    review::{Action, CheckedText, CompiledLists, Term},
};
use std::{hint::black_box, time::Instant};

const ENGLISH: &str = include_str!("../../../tests/when/english.tsv");
const CHINESE: &str = include_str!("../../../tests/when/chinese.tsv");
const HOSTILE: &str = include_str!("../../../tests/when/hostile.tsv");
/// Each measurement is repeated this often.
const ROUNDS: usize = 20;

fn main() {
    // `cargo test --benches` runs this without --bench: measure nothing then.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!("| what | median | maximum |");
    println!("|---|---|---|");
    phrases();
    words();
}

/// Runs it and prints the median and the maximum duration in milliseconds.
fn measure(name: &str, rounds: usize, mut run: impl FnMut()) {
    let mut durations: Vec<f64> = (0..rounds)
        .map(|_| {
            let begin = Instant::now();
            run();
            begin.elapsed().as_secs_f64() * 1_000.0
        })
        .collect();
    durations.sort_by(f64::total_cmp);
    let (median, max) = (durations[durations.len() / 2], durations[durations.len() - 1]);
    println!("| {name} | {median:.3} ms | {max:.3} ms |");
}

fn phrases() {
    let now: Timestamp = "2026-06-03T10:00:00+02:00".parse().expect("a time");
    let rules = ZoneWindow::fixed("Europe/Berlin", 7_200);
    let context =
        Context { now, rules: &rules, base: None, is_month_first: false, keeps_past: false, own_today: None };
    for (name, fixture) in [("English", ENGLISH), ("Chinese", CHINESE), ("refused", HOSTILE)] {
        let lines = fixture.lines().filter(|line| !line.starts_with('#'));
        let texts: Vec<&str> = lines.filter_map(|line| line.split('\t').next()).collect();
        let mut next = texts.iter().cycle();
        measure(&format!("one {name} phrase"), texts.len() * ROUNDS, || {
            let text = next.next().expect("a phrase");
            black_box(parse(black_box(text)).and_then(|phrase| phrase.readings(&context))).ok();
        });
    }
}

/// Words of five Chinese characters and of Latin letters, without a random number generator.
fn word(number: usize) -> String {
    let letter = |shift: usize, base: u32, count: usize| {
        let index = u32::try_from((number.wrapping_mul(2_654_435_761) >> shift) % count).unwrap_or_default();
        char::from_u32(base + index).unwrap_or('x')
    };
    if number.is_multiple_of(2) {
        [3, 9, 14, 20].map(|shift| letter(shift, 0x4E00, 3_000)).iter().collect()
    } else {
        [2, 5, 9, 12, 16, 19, 23].map(|shift| letter(shift, 97, 26)).iter().collect()
    }
}

fn words() {
    let terms = |count: usize| -> Vec<Term> {
        (0..count).map(|number| Term { term: word(number), ..Term::default() }).collect()
    };
    let lists = CompiledLists::new(&[(Action::Block, terms(10_000))]);
    let mut text = String::new();
    let mut number = 1_000_000;
    while text.len() < 50_000 {
        text.push_str(&word(number));
        text.push_str(if number.is_multiple_of(3) { ", " } else { " **bold** " });
        // Some of the words are terms.
        number += if number.is_multiple_of(50) { 1 } else { 3 };
    }
    text.push_str(&word(17));
    measure("10,000 terms, text of 50 kB", ROUNDS * 5, || {
        black_box(lists.check(black_box(&CheckedText { text: &text, ..CheckedText::default() })));
    });
    let large = [(Action::Block, terms(100_000))];
    measure("compile 100,000 terms", ROUNDS / 4, || {
        black_box(CompiledLists::new(black_box(&large)));
    });
    let lists = CompiledLists::new(&large);
    measure("100,000 terms, text of 50 kB", ROUNDS, || {
        black_box(lists.check(black_box(&CheckedText { text: &text, ..CheckedText::default() })));
    });
}
