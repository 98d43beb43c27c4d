//! Size limits: lines of a file, entries of a folder.

use crate::proc::{output, program, root};
use anyhow::{Result, bail};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// Maximum number of lines of a source file, of a test, and of a script that runs inside Redis.
const MAX_SOURCE_LINES: usize = 400;
const MAX_TEST_LINES: usize = 500;
const MAX_LUA_LINES: usize = 60;
/// Maximum number of lines of a schema step; the first one holds all tables.
const MAX_SQL_LINES: usize = 600;
/// Maximum number of entries in the root folder.
const MAX_ROOT_ENTRIES: usize = 24;
/// Maximum number of entries in a source folder.
const MAX_FOLDER_ENTRIES: usize = 15;
/// Folders with one folder for each feature, and their maximum number of entries.
const FEATURE_FOLDERS: &[&str] =
    &["app/src", "crates/domain/src", "crates/store/src", "crates/texts/src", "src"];
const MAX_FEATURES: usize = 30;
/// Folders without a limit: one file for each step.
const UNLIMITED_FOLDERS: &[&str] = &["migrations/postgres", "migrations/sqlite"];

/// Fails if a file or a folder has grown too large.
pub fn check() -> Result<()> {
    let listed = output(program("git").args(["ls-files", "-co", "--exclude-standard"]))?;
    // A file that git still lists may have been deleted or moved.
    let paths: Vec<&str> = listed.lines().filter(|path| root().join(path).exists()).collect();
    let mut messages = Vec::new();
    for path in &paths {
        let limit = match path.rsplit_once('.').map(|(_, extension)| extension) {
            Some("lua") => MAX_LUA_LINES,
            Some("rs" | "ts" | "css") if path.contains("tests/") => MAX_TEST_LINES,
            Some("sql") => MAX_SQL_LINES,
            Some("rs" | "ts" | "css") => MAX_SOURCE_LINES,
            _ => continue,
        };
        let lines = fs::read_to_string(root().join(path)).map_or(0, |text| text.lines().count());
        if lines > limit {
            messages.push(format!("{path}: {lines} lines, at most {limit}"));
        }
    }
    messages.extend(check_folders(&paths));
    if !messages.is_empty() {
        bail!("sizes; split what is too large by meaning:\n  {}", messages.join("\n  "));
    }
    Ok(())
}

/// Returns a message for each folder above its limit.
fn check_folders(paths: &[&str]) -> Vec<String> {
    let mut folders = BTreeMap::<&str, BTreeSet<&str>>::new();
    let mut sources = BTreeSet::new();
    for path in paths {
        let (mut folder, mut name) = path.rsplit_once('/').unwrap_or(("", path));
        if matches!(name.rsplit_once('.'), Some((_, "rs" | "ts" | "css" | "sql" | "lua"))) {
            sources.insert(folder);
        }
        loop {
            folders.entry(folder).or_default().insert(name);
            if folder.is_empty() {
                break;
            }
            (folder, name) = folder.rsplit_once('/').unwrap_or(("", folder));
        }
    }
    let mut messages = Vec::new();
    for (folder, entries) in &folders {
        let count = entries.len();
        if folder.is_empty() {
            if count > MAX_ROOT_ENTRIES {
                messages.push(format!("the root folder: {count} entries, at most {MAX_ROOT_ENTRIES}"));
            }
        } else if sources.contains(folder) && !UNLIMITED_FOLDERS.contains(folder) {
            let limit = if FEATURE_FOLDERS.contains(folder) { MAX_FEATURES } else { MAX_FOLDER_ENTRIES };
            if count > limit {
                messages.push(format!("{folder}: {count} entries, at most {limit}"));
            }
        }
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(folder: &str, count: usize) -> Vec<String> {
        let files: Vec<String> = (0..count).map(|index| format!("{folder}/file{index}.rs")).collect();
        let mut paths: Vec<&str> = files.iter().map(String::as_str).collect();
        let more = [format!("{folder}/more/x.rs"), format!("{folder}/more/y.rs"), "b/c.txt".to_owned()];
        paths.extend(more.iter().map(String::as_str));
        check_folders(&paths)
    }

    #[test]
    fn a_source_folder_has_a_limit() {
        assert!(check("a/src", 14).is_empty());
        assert_eq!(check("a/src", 15), ["a/src: 16 entries, at most 15"]);
        assert!(check("app/src", 19).is_empty());
        assert_eq!(check("app/src", 30), ["app/src: 31 entries, at most 30"]);
    }

    #[test]
    fn folders_without_sources_have_no_limit() {
        let files: Vec<String> = (0..30).map(|index| format!("docs/{index}.md")).collect();
        assert!(check_folders(&files.iter().map(String::as_str).collect::<Vec<_>>()).is_empty());
    }
}
