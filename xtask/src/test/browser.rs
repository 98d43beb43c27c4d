//! Browser tests, with Playwright.

use super::{
    none_failed,
    report::{Line, Log, SILENCE},
};
use crate::proc::{program, root};
use anyhow::Result;
use std::path::Path;

/// What Playwright writes after the name of a test that is run once more.
const AGAIN: &str = " (retry #1)";

/// Runs the tests in these files, or all of them.
pub fn test(presstime: &Path, files: &[String], log: &Log) -> Result<()> {
    let mut command = program("npx");
    command.args(["--no-install", "playwright", "test"]).args(files);
    command.env("PRESSTIME_BIN", presstime).env("FORCE_COLOR", "0").current_dir(root().join("end2end"));
    let repeat = |name: &str| format!("cargo xtask test --only e2e {}", file_of(name));
    none_failed("browser tests", &log.run("browser", (&mut command, SILENCE), read, repeat)?)
}

/// Reads a line of Playwright's list: `  ✓  12 [js] › js/lists.spec.ts:33:5 › title (1.2s)`.
fn read(line: &str) -> Line<'_> {
    let line = line.trim_start();
    let test = |rest: &'_ str| rest.find('[').unwrap_or_default();
    if let Some(rest) = line.strip_prefix('✓') {
        let (name, seconds) = split_seconds(&rest[test(rest)..]);
        match name.strip_suffix(AGAIN) {
            Some(name) => Line::PassedAgain(name),
            None => Line::Passed(name, seconds),
        }
    } else if let Some(rest) = line.strip_prefix('✘') {
        let (name, _) = split_seconds(&rest[test(rest)..]);
        Line::Failed(name.strip_suffix(AGAIN).unwrap_or(name))
    } else {
        Line::Other
    }
}

/// Separates a test from its duration, `(850ms)`, `(1.2s)` or `(1.5m)`.
fn split_seconds(text: &str) -> (&str, Option<f64>) {
    let Some((name, duration)) = text.rsplit_once(" (") else { return (text, None) };
    let duration = duration.trim_end_matches(')');
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0)];
    let seconds = units.into_iter().find_map(|(unit, factor)| {
        duration.strip_suffix(unit)?.parse::<f64>().ok().map(|number| number * factor)
    });
    (name, seconds)
}

/// Returns the file and line of a test, `js/lists.spec.ts:33`.
fn file_of(name: &str) -> String {
    let place = name.split(" › ").nth(1).unwrap_or_default();
    place.rsplit_once(':').map_or(place, |(file, _)| file).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_playwright_are_read() {
        let line = "  ✓   12 [js] › js/lists.spec.ts:33:5 › rows move (twice) (1.2s)";
        let name = "[js] › js/lists.spec.ts:33:5 › rows move (twice)";
        assert!(matches!(read(line), Line::Passed(read, Some(seconds)) if read == name && seconds == 1.2));
        assert!(matches!(
            read("  ✘  13 [js] › a.spec.ts:1:1 › b (850ms)"),
            Line::Failed("[js] › a.spec.ts:1:1 › b")
        ));
        assert!(matches!(
            read("  ✓  14 [js] › a.spec.ts:1:1 › b (retry #1) (2.0s)"),
            Line::PassedAgain("[js] › a.spec.ts:1:1 › b")
        ));
        assert!(matches!(
            read("  ✘  14 [js] › a.spec.ts:1:1 › b (retry #1) (2.0s)"),
            Line::Failed("[js] › a.spec.ts:1:1 › b")
        ));
        assert!(matches!(read("Running 201 tests using 2 workers"), Line::Other));
        assert_eq!(file_of(name), "js/lists.spec.ts:33");
    }
}
