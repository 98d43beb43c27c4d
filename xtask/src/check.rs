//! Checks that build nothing: format, sizes, words, import cycles, layers. Lints and documentation
//! are checked while the tests are built.

use crate::{
    cycles, layers,
    proc::{cargo, run, say},
    sizes, words,
};
use anyhow::{Result, bail};

/// Runs all of them, also after one has failed.
pub fn check() -> Result<()> {
    let format = || run(cargo().args(["fmt", "--all", "--check"]));
    let checks: [(&str, &dyn Fn() -> Result<()>); 5] = [
        ("format", &format),
        ("sizes", &sizes::check),
        ("words", &words::check),
        ("import cycles", &cycles::check),
        ("layers", &layers::check),
    ];
    let mut failed = Vec::new();
    for (name, check) in checks {
        say(name);
        failed.extend(check().err().map(|error| format!("{name}: {error:#}")));
    }
    if failed.is_empty() { Ok(()) } else { bail!("{}", failed.join("\n")) }
}
