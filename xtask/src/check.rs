//! Checks that run nothing: format, lints on both targets, documentation, rings, sizes.

use crate::{
    ALL,
    proc::{cargo, run, say},
    rings, sizes,
};
use anyhow::Result;

/// Runs all of them.
pub fn check() -> Result<()> {
    say("format");
    run(cargo().args(["fmt", "--all", "--check"]))?;
    say("sizes");
    sizes::check()?;
    say("rings");
    rings::check()?;
    say("lints, server");
    let whole = ["--locked", "--workspace", "--features", ALL];
    run(cargo().arg("clippy").args(whole).args(["--all-targets", "--", "-D", "warnings"]))?;
    say("lints, wasm");
    run(cargo().args(["clippy", "--locked", "--package", "app", "--lib", "--features", "hydrate"]).args([
        "--target",
        "wasm32-unknown-unknown",
        "--",
        "-D",
        "warnings",
    ]))?;
    say("documentation");
    run(cargo().arg("doc").args(whole).arg("--no-deps").env("RUSTDOCFLAGS", "-D warnings"))
}
