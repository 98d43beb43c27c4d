//! Small files: what a reader can hold in mind.

use crate::proc::{output, program, root};
use anyhow::{Result, bail};
use std::fs;

/// Most lines of a source file, of a test, of a script that runs inside Redis.
const SOURCE: usize = 400;
const TEST: usize = 500;
const LUA: usize = 40;
/// Most entries in the root folder.
const ROOT: usize = 24;

/// Fails if a file or the root folder has grown too large.
pub fn check() -> Result<()> {
    let listed = output(program("git").args(["ls-files", "-co", "--exclude-standard"]))?;
    let mut too_large = Vec::new();
    for path in listed.lines() {
        let limit = match path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("lua") => LUA,
            Some("rs" | "ts" | "css") if path.contains("tests/") => TEST,
            Some("rs" | "ts" | "css" | "sql") => SOURCE,
            _ => continue,
        };
        let lines = fs::read_to_string(root().join(path)).map_or(0, |text| text.lines().count());
        if lines > limit {
            too_large.push(format!("{path}: {lines} lines, at most {limit}"));
        }
    }
    let mut top: Vec<&str> = listed.lines().filter_map(|path| path.split('/').next()).collect();
    top.dedup();
    top.sort_unstable();
    top.dedup();
    if top.len() > ROOT {
        too_large.push(format!("the root folder: {} entries, at most {ROOT}", top.len()));
    }
    if !too_large.is_empty() {
        bail!("too large, split by meaning:\n  {}", too_large.join("\n  "));
    }
    Ok(())
}
