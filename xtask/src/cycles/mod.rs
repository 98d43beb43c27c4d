//! Import cycles: finds modules of a crate that import each other, directly or in a circle.
//!
//! The module graph is read from the text: one module a file, an edge for each `crate::`, `super::`
//! or `self::` path. A re-export (`pub use`) in the parent is followed. A child that uses its parent's own
//! items makes no cycle. Test modules are left out. `xtask/cycles.txt` lists the cycles there are
//! today; it may only shrink.

mod graph;
mod source;

use crate::proc::{output, program, root};
use anyhow::{Context, Result, bail};
use graph::{Cycle, Module};
use std::{collections::BTreeSet, fs};

/// The cycles that are known, relative to the workspace root.
const LIST: &str = "xtask/cycles.txt";
const HEADER: &str = "# Import cycles that exist today: folder: modules. Cut one, delete its line; never add one.\n\
     # `cargo xtask cycles --update` rewrites this file unless more modules are in cycles than before.\n";

/// Fails on a cycle that is not in the list, and on an entry whose cycle is gone.
pub fn check() -> Result<()> {
    let found = find()?;
    let now: BTreeSet<String> = found.iter().map(Cycle::entry).collect();
    let known = known()?;
    let mut messages: Vec<String> =
        found.iter().filter(|cycle| !known.contains(&cycle.entry())).map(Cycle::explain).collect();
    messages
        .extend(known.difference(&now).map(|gone| format!("{gone}: no such cycle now, delete the entry")));
    if !messages.is_empty() {
        bail!("import cycles differ from {LIST}:\n  {}", messages.join("\n  "));
    }
    Ok(())
}

/// Prints all cycles with the imports that make them, then checks them.
pub fn print() -> Result<()> {
    for cycle in find()? {
        println!("{}", cycle.explain());
    }
    check()
}

/// Rewrites the list, unless more modules are in cycles than it allows.
pub fn update() -> Result<()> {
    let now: BTreeSet<String> = find()?.iter().map(Cycle::entry).collect();
    let (before, after) = (count_modules(&known()?), count_modules(&now));
    if root().join(LIST).exists() && after > before {
        bail!("{after} modules are in cycles, {before} are allowed: see `cargo xtask cycles`");
    }
    let entries: String = now.iter().map(|entry| format!("{entry}\n")).collect();
    fs::write(root().join(LIST), format!("{HEADER}{entries}")).context(LIST)
}

fn known() -> Result<BTreeSet<String>> {
    if !root().join(LIST).exists() {
        return Ok(BTreeSet::new());
    }
    let text = fs::read_to_string(root().join(LIST)).context(LIST)?;
    Ok(text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(str::to_owned).collect())
}

fn count_modules(entries: &BTreeSet<String>) -> usize {
    entries.iter().map(|entry| entry.split(", ").count()).sum()
}

fn find() -> Result<Vec<Cycle>> {
    let listed = output(program("git").args(["ls-files", "-co", "--exclude-standard"]))?;
    let manifests = listed.lines().filter_map(|path| path.strip_suffix("Cargo.toml"));
    let mut cycles = Vec::new();
    for source_dir in manifests.map(|package| format!("{package}src")) {
        let mut modules = Vec::new();
        for path in listed.lines().filter(|path| path.ends_with(".rs")) {
            let Some(inside) = path.strip_prefix(&source_dir).and_then(|rest| rest.strip_prefix('/')) else {
                continue;
            };
            // A file that git still lists may have been deleted or moved.
            if let Ok(text) = fs::read_to_string(root().join(path)) {
                modules.push(Module::parse(path, inside, &text));
            }
        }
        cycles.extend(graph::cycles(&source_dir, modules));
    }
    Ok(cycles)
}
