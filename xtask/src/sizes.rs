//! Size limits: lines of a file, entries of a folder.

use crate::proc::{output, program, root};
use anyhow::{Context, Result, bail};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// Maximum number of lines of a source file, of a test, and of a script that runs inside Redis.
const MAX_SOURCE_LINES: usize = 400;
const MAX_TEST_LINES: usize = 500;
const MAX_LUA_LINES: usize = 40;
/// Maximum number of lines of a schema step; the first one holds all tables.
const MAX_SQL_LINES: usize = 600;
/// Maximum number of entries in the root folder.
const MAX_ROOT_ENTRIES: usize = 24;
/// Maximum number of entries in a source folder.
const MAX_FOLDER_ENTRIES: usize = 15;
/// Folders that are larger today, one a line: `folder: entries`. The numbers may only become
/// smaller.
const LARGE_FOLDERS: &str = "xtask/folders.txt";
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
    let list = fs::read_to_string(root().join(LARGE_FOLDERS)).context(LARGE_FOLDERS)?;
    messages.extend(check_folders(&paths, &parse(&list)?));
    if !messages.is_empty() {
        bail!("sizes; split what is too large by meaning:\n  {}", messages.join("\n  "));
    }
    Ok(())
}

/// Reads the list of large folders.
fn parse(list: &str) -> Result<BTreeMap<&str, usize>> {
    let lines = list.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let (folder, entries) =
                line.split_once(": ").with_context(|| format!("{LARGE_FOLDERS}: {line}"))?;
            Ok((folder, entries.parse().with_context(|| format!("{LARGE_FOLDERS}: {line}"))?))
        })
        .collect()
}

/// Returns a message for each folder above its limit, and for each entry of the list that is too
/// large.
fn check_folders(paths: &[&str], known: &BTreeMap<&str, usize>) -> Vec<String> {
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
        let (count, known) = (entries.len(), known.get(folder).copied());
        if folder.is_empty() {
            if count > MAX_ROOT_ENTRIES {
                messages.push(format!("the root folder: {count} entries, at most {MAX_ROOT_ENTRIES}"));
            }
        } else if sources.contains(folder) && !UNLIMITED_FOLDERS.contains(folder) {
            let limit = known.unwrap_or(MAX_FOLDER_ENTRIES);
            if count > limit {
                messages.push(format!("{folder}: {count} entries, at most {limit}"));
            }
        }
    }
    for (folder, known) in known {
        match folders.get(folder).map_or(0, BTreeSet::len) {
            count if count <= MAX_FOLDER_ENTRIES => {
                messages.push(format!("{LARGE_FOLDERS}: {folder} has {count} entries now: delete its line"));
            }
            count if count < *known => {
                messages.push(format!("{LARGE_FOLDERS}: {folder} has {count} entries now: write {count}"));
            }
            _ => {}
        }
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(count: usize, list: &str) -> Vec<String> {
        let files: Vec<String> = (0..count).map(|index| format!("a/src/file{index}.rs")).collect();
        let mut paths: Vec<&str> = files.iter().map(String::as_str).collect();
        paths.extend(["a/src/more/x.rs", "a/src/more/y.rs", "b/c.txt"]);
        check_folders(&paths, &parse(list).unwrap())
    }

    #[test]
    fn a_source_folder_has_a_limit_and_a_listed_one_may_only_shrink() {
        assert!(check(14, "").is_empty());
        assert_eq!(check(15, ""), ["a/src: 16 entries, at most 15"]);
        assert!(check(15, "# A comment.\na/src: 16\n").is_empty());
        assert_eq!(check(16, "a/src: 16"), ["a/src: 17 entries, at most 16"]);
        assert_eq!(check(15, "a/src: 17"), ["xtask/folders.txt: a/src has 16 entries now: write 16"]);
        assert_eq!(check(14, "a/src: 17"), ["xtask/folders.txt: a/src has 15 entries now: delete its line"]);
        assert!(parse("a/src").is_err());
    }

    #[test]
    fn folders_without_sources_have_no_limit() {
        let files: Vec<String> = (0..30).map(|index| format!("docs/{index}.md")).collect();
        assert!(
            check_folders(&files.iter().map(String::as_str).collect::<Vec<_>>(), &BTreeMap::new()).is_empty()
        );
    }
}
