//! `cargo xtask test`: all checks, all tests.

use crate::{
    ALL,
    assets::{self, Face},
    check, install, lint,
    proc::{self, cargo, place, program, root, run, say},
    supply_chain,
};
use anyhow::Result;
use std::{path::Path, process::Command};

/// Misfortunes that are played at once: much of them is waiting.
const SCENES: &str = "5";

/// A part of the tests.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// Format, rings, sizes; lints and documentation, which come with every build.
    Check,
    /// Rust tests on SQLite, PostgreSQL, in-process hints and Redis.
    Rust,
    /// The built product in Chromium.
    E2e,
}

/// Runs the parts named, or all of them. All is built and linted first, whatever the parts: what is tested is what was looked at.
pub fn test(only: &[Part]) -> Result<()> {
    let wants = |part| only.is_empty() || only.contains(&part);
    let missing = install::missing()?;
    if wants(Part::Check) {
        check::check()?;
    }
    let lints = lint::wrapper()?;
    let builds = || {
        let server = || {
            say("server and tests, with lints and documentation");
            run(&mut all("build", &lints, &["--all-targets"]))?;
            run(&mut own("build", &lints, &["--all-targets"]))
        };
        proc::beside(|| assets::build(Face::Small, Some(&lints)), server).map(drop)
    };
    let prepare = || {
        install::for_tests(&missing)?;
        if wants(Part::Check) { supply_chain::check(None) } else { Ok(()) }
    };
    proc::beside(prepare, builds)?;
    // The program carries the files of the browser: now they are there.
    let carrying = |command: &mut Command| run(command.env("PRESSTIME_ASSETS", assets::stamp()));
    carrying(&mut all("build", &lints, &["--all-targets"]))?;
    let stories = || {
        say("Rust tests");
        run(&mut own("test", &lints, &[]))?;
        carrying(&mut all("test", &lints, &["--lib", "--bins", "--test", "it"]))
    };
    let worlds = || {
        say("seeded worlds");
        carrying(&mut all("test", &lints, &["--test", "walk"]))
    };
    let weather = || {
        say("bad weather");
        carrying(all("test", &lints, &["--test", "faults"]).env("RUST_TEST_THREADS", SCENES))
    };
    let browser = || {
        say("browser tests");
        run(program("npx")
            .args(["--no-install", "playwright", "test"])
            .env("PRESSTIME_BIN", place("debug")?)
            .current_dir(root().join("end2end")))
    };
    // The stories often wait, for moments and for what was taken from them: the browser works meanwhile.
    proc::beside(
        || if wants(Part::Rust) { stories() } else { Ok(()) },
        || if wants(Part::E2e) { browser() } else { Ok(()) },
    )?;
    // The worlds wait for nothing and take every processor; the weather counts on finding one.
    if wants(Part::Rust) {
        worlds()?;
        weather()?;
    }
    Ok(())
}

/// Cargo over the whole product with all that is behind features.
fn all(verb: &str, lints: &Path, more: &[&str]) -> Command {
    looked_at(&[verb, "--locked", "--workspace", "--exclude", "xtask", "--features", ALL], lints, more)
}

/// Cargo over this program alone: beside the product its libraries would be built a second time, with what that asks of them.
fn own(verb: &str, lints: &Path, more: &[&str]) -> Command {
    looked_at(&[verb, "--locked", "--package", "xtask"], lints, more)
}

fn looked_at(words: &[&str], lints: &Path, more: &[&str]) -> Command {
    let mut command = cargo();
    command.args(words).args(more).env("RUSTC_WORKSPACE_WRAPPER", lints);
    command
}

/// The product in bad weather, and the seeded worlds: as CI runs them, or for longer.
pub fn faults(is_long: bool, seed: Option<u64>) -> Result<()> {
    install::for_tests(&install::missing()?)?;
    let mut command = cargo();
    command.args(["test", "--locked", "--package", "presstime", "--test", "faults", "--test", "walk"]);
    command.env("RUST_TEST_THREADS", SCENES);
    if is_long {
        command.env("FAULTS_BAD", "1").env("FAULTS_SECONDS", "3600").env("FAULTS_LONG", "1");
        command.env("WALK_SEEDS", "200000");
    }
    if let Some(seed) = seed {
        command.env("FAULTS_SEED", seed.to_string());
    }
    say("bad weather, and seeded worlds");
    run(&mut command)
}
