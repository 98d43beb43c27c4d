//! Checks that build nothing: format, rings, sizes. Lints and documentation are made while the tests are built.

use crate::{
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
    rings::check()
}
