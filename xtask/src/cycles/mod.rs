//! Import cycles: finds modules of a crate that import each other, directly or in a circle.
//!
//! The module graph is read from the text: one module a file, an edge for each `crate::`, `super::`
//! or `self::` path. A re-export (`pub use`) in the parent is followed. A child that uses its parent's own
//! items makes no cycle. Test modules are left out. Folders at the root of a crate that import each
//! other are found too. `xtask/cycles.txt` lists the cycles and the pairs of folders there are today;
//! it may only shrink.

mod graph;
mod source;

use crate::proc::{output, program, root};
use anyhow::{Context, Result, bail};
use graph::Module;
use std::{collections::BTreeSet, fs};

/// The cycles that are known, relative to the workspace root.
const LIST: &str = "xtask/cycles.txt";
const HEADER: &str = "# Import cycles that exist today: folder: modules; and folders that import each other: folder: one <-> other.\n\
     # Cut one, delete its line; never add one. `cargo xtask cycles --update` rewrites this file unless there are more than before.\n";

/// A cycle, or a pair of folders that import each other.
struct Knot {
    /// The line for the list.
    entry: String,
    /// The entry with an example of each import.
    explained: String,
}

/// Fails on a cycle or pair that is not in the list, and on an entry that is gone.
pub fn check() -> Result<()> {
    let found = find()?;
    let now: BTreeSet<&String> = found.iter().map(|knot| &knot.entry).collect();
    let known = known()?;
    let mut messages: Vec<String> =
        found.iter().filter(|knot| !known.contains(&knot.entry)).map(|knot| knot.explained.clone()).collect();
    let gone = known.iter().filter(|entry| !now.contains(entry));
    messages.extend(gone.map(|gone| format!("{gone}: not found now, delete the entry")));
    if !messages.is_empty() {
        bail!("import cycles differ from {LIST}:\n  {}", messages.join("\n  "));
    }
    Ok(())
}

/// Prints all cycles and pairs with the imports that make them, then checks them.
pub fn print() -> Result<()> {
    let found = find()?;
    for knot in &found {
        println!("{}", knot.explained);
    }
    println!("{} in all", found.len());
    check()
}

/// Rewrites the list, unless there are more entries, or more modules in cycles, than it allows.
pub fn update() -> Result<()> {
    let now: BTreeSet<String> = find()?.into_iter().map(|knot| knot.entry).collect();
    let known = known()?;
    let (before, after) = ((known.len(), count_modules(&known)), (now.len(), count_modules(&now)));
    if root().join(LIST).exists() && (after.0 > before.0 || after.1 > before.1) {
        bail!(
            "{} entries with {} modules, {} with {} are allowed: see `cargo xtask cycles`",
            after.0,
            after.1,
            before.0,
            before.1
        );
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

fn find() -> Result<Vec<Knot>> {
    let listed = output(program("git").args(["ls-files", "-co", "--exclude-standard"]))?;
    let manifests = listed.lines().filter_map(|path| path.strip_suffix("Cargo.toml"));
    let mut knots = Vec::new();
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
        let pairs = graph::folder_pairs(modules.clone());
        let cycles = graph::cycles(&source_dir, modules);
        knots.extend(cycles.iter().map(|cycle| Knot { entry: cycle.entry(), explained: cycle.explain() }));
        knots.extend(pairs.into_iter().map(|((one, other), [there, back])| {
            let entry = format!("{source_dir}: {one} <-> {other}");
            let explained =
                format!("{entry}\n      {one} -> {other} at {there}\n      {other} -> {one} at {back}");
            Knot { entry, explained }
        }));
    }
    Ok(knots)
}
