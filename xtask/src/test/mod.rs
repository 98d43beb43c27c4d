//! `cargo xtask test` and `cargo xtask faults`: all checks and tests, and the long fault tests.

use crate::{
    ALL_FEATURES,
    assets::{self, WasmProfile},
    check, contract, install, lint,
    proc::{self, cargo, install_binary, program, root, run, say},
    supply_chain,
};
use anyhow::Result;
use std::{path::Path, process::Command};

/// Fault tests that run at the same time: they mostly wait.
const PARALLEL_FAULT_TESTS: &str = "5";
/// The module of the fault tests that assert how long something takes, and how many of them run at
/// the same time. Nothing else runs then, because they fail on a busy machine.
const TIMED: &str = "timed::";
const PARALLEL_TIMED_TESTS: &str = "2";
/// Environment variables for the long fault tests: the soak test for an hour and with more bad
/// builds, the matrix with its full counts, and more seeds of the simulation.
const LONG: [(&str, &str); 4] = [
    ("FAULTS_SECONDS", "3600"),
    ("FAULTS_MUTANTS", "1"),
    ("FAULTS_LONG", "1"),
    ("SIMULATION_SEEDS", "200000"),
];

/// A part of the tests.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// Format, sizes, words, import cycles, layers and the supply chain. Lints run with every
    /// build.
    Check,
    /// Rust tests on SQLite, PostgreSQL, hints in memory and Redis.
    Rust,
    /// The built program against the OpenAPI document of its API.
    Contract,
    /// Browser tests of the built program in Chromium.
    E2e,
}

/// Runs the given parts, or all if none is given. Builds and lints everything first in any case.
pub fn test(only: &[Part]) -> Result<()> {
    let wants = |part| only.is_empty() || only.contains(&part);
    let missing = install::missing()?;
    if wants(Part::Check) {
        check::check()?;
    }
    // The build needs npm, for the Markdown editor; everything else may come while it runs.
    if missing.contains(&"npm") {
        install::packages(&["npm"])?;
    }
    let lints = lint::wrapper()?;
    let build = || {
        let server = || {
            say("server and tests, with lints and documentation");
            run(&mut product("build", &lints, &["--all-targets"]))?;
            run(&mut xtask("build", &lints, &["--all-targets"]))
        };
        proc::in_parallel(|| assets::build(WasmProfile::Release, Some(&lints)), server).map(drop)
    };
    let prepare = || {
        install::for_tests(&missing)?;
        if wants(Part::Check) { supply_chain::check(None) } else { Ok(()) }
    };
    proc::in_parallel(prepare, build)?;
    // The program embeds the browser's files, which exist only now.
    run_with_assets(&mut product("build", &lints, &["--all-targets"]))?;
    // People notice a slow page, so these tests see the program without another load.
    if wants(Part::E2e) {
        browser_tests()?;
    }
    if wants(Part::Rust) {
        integration_tests(&lints)?;
    }
    if wants(Part::Contract) {
        contract::test(&install_binary("debug")?)?;
    }
    // The simulation uses all processors, and the fault tests need a free one: so one after the
    // other.
    if wants(Part::Rust) {
        say("simulation");
        run_with_assets(&mut product("test", &lints, &["--test", "simulation"]))?;
        let faults = || {
            let mut command = product("test", &lints, &["--test", "faults"]);
            command.env("PRESSTIME_ASSETS", assets::stamp());
            command
        };
        inject_faults(faults(), faults())?;
    }
    Ok(())
}

/// Runs the fault tests: all but the timed ones, then, whatever their result, the timed ones.
fn inject_faults(mut most: Command, mut timed: Command) -> Result<()> {
    say("fault injection");
    most.env("RUST_TEST_THREADS", PARALLEL_FAULT_TESTS).args(["--", "--skip", TIMED]);
    let first = run(&mut most);
    say("fault injection: the timed tests");
    timed.env("RUST_TEST_THREADS", PARALLEL_TIMED_TESTS).args(["--", TIMED]);
    let second = run(&mut timed);
    first.and(second)
}

fn integration_tests(lints: &Path) -> Result<()> {
    say("Rust tests");
    run(&mut xtask("test", lints, &[]))?;
    run_with_assets(&mut product("test", lints, &["--lib", "--bins", "--test", "it"]))
}

fn browser_tests() -> Result<()> {
    say("browser tests");
    run(program("npx")
        .args(["--no-install", "playwright", "test"])
        .env("PRESSTIME_BIN", install_binary("debug")?)
        .current_dir(root().join("end2end")))
}

/// Runs a command that embeds the browser's files: cargo builds the program again when they change.
fn run_with_assets(command: &mut Command) -> Result<()> {
    run(command.env("PRESSTIME_ASSETS", assets::stamp()))
}

/// Cargo for all packages but this one, with all features.
fn product(subcommand: &str, lints: &Path, more: &[&str]) -> Command {
    linted(
        &[subcommand, "--locked", "--workspace", "--exclude", "xtask", "--features", ALL_FEATURES],
        lints,
        more,
    )
}

/// Cargo for this package alone. Together with the others, its dependencies would be built a second
/// time with the features that the others need.
fn xtask(subcommand: &str, lints: &Path, more: &[&str]) -> Command {
    linted(&[subcommand, "--locked", "--package", "xtask"], lints, more)
}

fn linted(args: &[&str], lints: &Path, more: &[&str]) -> Command {
    let mut command = cargo();
    command.args(args).args(more).env("RUSTC_WORKSPACE_WRAPPER", lints);
    command
}

/// Runs the fault tests and the simulation: as CI does, or for longer.
pub fn faults(is_long: bool, seed: Option<u64>) -> Result<()> {
    install::for_tests(&install::missing()?)?;
    let faults = |more: &[&str]| {
        let mut command = cargo();
        command.args(["test", "--locked", "--package", "presstime", "--test", "faults"]).args(more);
        if is_long {
            command.envs(LONG);
        }
        if let Some(seed) = seed {
            command.env("FAULTS_SEED", seed.to_string());
        }
        command
    };
    inject_faults(faults(&["--test", "simulation"]), faults(&[]))
}
