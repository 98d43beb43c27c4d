//! Checks that build nothing: format, sizes, words, import cycles, layers. Lints and documentation
//! are checked while the tests are built.

use crate::{
    cycles, layers,
    proc::{cargo, run, say},
    sizes, words,
};
use anyhow::Result;

/// Runs all of them.
pub fn check() -> Result<()> {
    say("format");
    run(cargo().args(["fmt", "--all", "--check"]))?;
    say("sizes");
    sizes::check()?;
    say("words");
    words::check()?;
    say("import cycles");
    cycles::check()?;
    say("layers");
    layers::check()
}
