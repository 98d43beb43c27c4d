//! `cargo xtask test`: all checks, all tests.

use crate::{
    ALL, assets, check, install,
    proc::{self, cargo, place, program, root, run, say},
};
use anyhow::Result;

/// A part of the tests.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// Format, lints, documentation, rings, sizes.
    Check,
    /// Rust tests on SQLite, PostgreSQL, in-process hints and Redis.
    Rust,
    /// The built product in Chromium.
    E2e,
}

/// Runs the parts named, or all of them.
pub fn test(only: &[Part]) -> Result<()> {
    let wants = |part| only.is_empty() || only.contains(&part);
    install::for_tests()?;
    proc::beside(
        // The stories ask the server for its pages with their wasm, script and style.
        || {
            if wants(Part::Rust) || wants(Part::E2e) {
                assets::build(assets::Face::Small).map(drop)
            } else {
                Ok(())
            }
        },
        || if wants(Part::Check) { check::check() } else { Ok(()) },
    )?;
    let carries = ("PRESSTIME_ASSETS", assets::stamp());
    if wants(Part::Rust) {
        say("Rust tests");
        run(cargo().args(["test", "--locked", "--workspace", "--features", ALL]).env(carries.0, &carries.1))?;
    }
    if wants(Part::E2e) {
        if !wants(Part::Rust) {
            // Else the Rust tests have built it for themselves.
            say("the product, for the browser tests");
            run(cargo()
                .args(["build", "--locked", "--package", "presstime", "--features", ALL])
                .env(carries.0, &carries.1))?;
        }
        say("browser tests");
        run(program("npx")
            .args(["--no-install", "playwright", "test"])
            .env("PRESSTIME_BIN", place("debug")?)
            .current_dir(root().join("end2end")))?;
    }
    Ok(())
}

/// The product in bad weather, and the seeded worlds: as CI runs them, or for longer.
pub fn faults(is_long: bool, seed: Option<u64>) -> Result<()> {
    install::for_tests()?;
    let mut command = cargo();
    command.args(["test", "--locked", "--package", "presstime", "--test", "faults", "--test", "walk"]);
    if is_long {
        command.env("FAULTS_BAD", "1").env("FAULTS_SECONDS", "600").env("FAULTS_LONG", "1");
        command.env("WALK_SEEDS", "200000");
    }
    if let Some(seed) = seed {
        command.env("FAULTS_SEED", seed.to_string());
    }
    say("bad weather, and seeded worlds");
    run(&mut command)
}
