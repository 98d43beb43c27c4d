//! `cargo xtask test` and `cargo xtask faults`: all checks and tests, and the long fault tests.
//!
//! Every part runs, whatever became of the others; the end names each test that failed and the
//! command that repeats it.

mod browser;
mod part;
mod report;
mod rust;

use crate::{
    assets::{self, WasmProfile},
    check, contract, install, lint,
    proc::{self, cargo, run, say},
    supply_chain,
};
use anyhow::{Result, bail};
pub use part::Part;
use report::Report;
use rust::Programs;
use std::path::Path;

/// Parts that run at the same time, one such group after the other. Browser tests see the program
/// without another load. The contract test keeps one core busy, and the Rust tests wait often.
const GROUPS: [&[Part]; 6] = [
    &[Part::E2e],
    &[Part::Rust, Part::Contract],
    &[Part::Faults],
    &[Part::Timed],
    &[Part::Ghost],
    &[Part::Docs, Part::Sizes],
];
/// Environment variables for the long fault tests: the soak test for an hour and with more bad
/// builds, the matrix with its full counts, and more seeds of the simulation.
const LONG: [(&str, &str); 4] = [
    ("FAULTS_SECONDS", "3600"),
    ("FAULTS_MUTANTS", "1"),
    ("FAULTS_LONG", "1"),
    ("SIMULATION_SEEDS", "200000"),
];

/// What to run.
#[derive(clap::Args)]
pub struct Options {
    /// Also runs what is only worth a weekly run: the timed fault tests, 20,000 seeds of the
    /// simulation, a real Ghost, the sizes of the optimised wasm, documentation and benchmarks.
    #[arg(long)]
    all: bool,
    /// Runs only these parts.
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// Prints the slowest tests.
    #[arg(long)]
    slowest: bool,
    /// Runs only tests with one of these in their name; in the browser, files such as
    /// `js/lists.spec.ts:40`.
    names: Vec<String>,
}

impl Options {
    fn wants(&self, part: Part) -> bool {
        if self.only.is_empty() { self.all || !part.is_weekly() } else { self.only.contains(&part) }
    }
}

/// Runs the given parts, or all if none is given. Builds and lints everything first in any case.
pub fn test(options: &Options) -> Result<()> {
    let parts: Vec<Part> = Part::ALL.into_iter().filter(|part| options.wants(*part)).collect();
    let report = Report::new(&parts, options.names.is_empty())?;
    let missing = install::missing()?;
    if options.wants(Part::Check) {
        report.run(Part::Check, |_| check::check());
    }
    let mut programs = None;
    report.run(Part::Build, |_| {
        programs = Some(build(options, &missing)?);
        Ok(())
    });
    if let Some(programs) = &programs {
        for group in GROUPS {
            let group: Vec<Part> = group.iter().copied().filter(|part| options.wants(*part)).collect();
            std::thread::scope(|scope| {
                for part in group {
                    let report = &report;
                    scope.spawn(move || report.run(part, |log| run_part(part, programs, options, log)));
                }
            });
        }
    }
    report.finish(options.slowest)
}

fn run_part(part: Part, programs: &Programs, options: &Options, log: &report::Log) -> Result<()> {
    let names = options.names.as_slice();
    match part {
        Part::Check | Part::Build => Ok(()),
        Part::Rust => programs.unit_and_integration_tests(names, options.slowest, log),
        Part::Contract => contract::test(&programs.presstime),
        Part::E2e => browser::test(&programs.presstime, names, log),
        Part::Faults => programs.fault_tests(names, options.all, log),
        Part::Timed => programs.timed_fault_tests(names, log),
        Part::Ghost => programs.ghost_tests(names, log),
        Part::Docs => documentation(),
        Part::Sizes => assets::check_release_sizes(),
    }
}

/// Builds and lints everything, while packages are installed and dependencies checked.
fn build(options: &Options, missing: &[&'static str]) -> Result<Programs> {
    // The build needs npm, for the Markdown editor; everything else may come while it runs.
    if missing.contains(&"npm") {
        install::packages(&["npm"])?;
    }
    let lints = lint::wrapper()?;
    let libraries = || {
        say("server and tests, with lints");
        rust::build(&lints)
    };
    let compile =
        || proc::in_parallel(|| assets::build(WasmProfile::Test, Some(&lints)), libraries).map(drop);
    let prepare = || {
        install::for_tests(missing)?;
        if options.wants(Part::Ghost) {
            install::ghost()?;
        }
        if options.wants(Part::Check) { supply_chain::check_once() } else { Ok(()) }
    };
    proc::in_parallel(prepare, compile)?;
    // The program embeds the browser's files, which exist only now.
    say("programs");
    Programs::build(&lints)
}

/// Documentation without warnings, and benchmarks that compile.
fn documentation() -> Result<()> {
    let mut docs = cargo();
    docs.args(["doc", "--locked", "--workspace", "--exclude", "xtask", "--no-deps", "--features"]);
    run(docs.arg(crate::ALL_FEATURES).env("RUSTDOCFLAGS", "--cfg erase_components -Dwarnings"))?;
    run(cargo()
        .args(["build", "--locked", "--workspace", "--exclude", "xtask", "--benches", "--features"])
        .arg(crate::ALL_FEATURES))
}

/// Runs the fault tests and the simulation: as `cargo xtask test --all` does, or for longer.
pub fn faults(is_long: bool, seed: Option<u64>) -> Result<()> {
    install::for_tests(&install::missing()?)?;
    let report = Report::new(&[Part::Build, Part::Faults, Part::Timed], false)?;
    let mut programs = None;
    report.run(Part::Build, |_| {
        assets::build(WasmProfile::Test, None)?;
        programs = Some(Programs::build(Path::new(""))?);
        Ok(())
    });
    let Some(mut programs) = programs else { return report.finish(false) };
    if is_long {
        programs.environment.extend(LONG.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
    if let Some(seed) = seed {
        programs.environment.push(("FAULTS_SEED".to_owned(), seed.to_string()));
    }
    report.run(Part::Faults, |log| programs.fault_tests(&[], true, log));
    report.run(Part::Timed, |log| programs.timed_fault_tests(&[], log));
    report.finish(false)
}

/// Fails with these lines if there are any.
fn none_failed(what: &str, lines: &[String]) -> Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    bail!("{what}: {}", lines.join("; "))
}
