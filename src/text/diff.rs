//! Comparing two texts by line.

use domain::article::DiffLine;
use similar::{Algorithm, ChangeTag, DiffTag, TextDiff};
use std::{borrow::Cow, time::Duration};

/// Equal lines shown around a change.
const CONTEXT: usize = 3;
/// Most lines shown; the number of those left out is said.
const LINES: usize = 2_000;
/// Most characters of a line shown.
const LINE_CHARS: usize = 2_000;
/// Most bytes of all lines shown.
const BYTES: usize = 500_000;
/// After so long the rest is compared coarsely: two unlike texts of the largest size must not hold a core.
const PATIENCE: Duration = Duration::from_millis(250);

/// What changed from `old` to `new`, with three equal lines around each change, at most 2,000 lines. Empty: nothing.
#[must_use]
pub fn lines(old: &str, new: &str) -> Vec<DiffLine> {
    let (old, new) = (ended(old), ended(new));
    let diff = compare(&old, &new);
    let mut lines = Vec::new();
    let (mut seen, mut bytes) = (0, 0);
    for group in diff.grouped_ops(CONTEXT) {
        let first = group.first().map_or(seen, |op| op.old_range().start);
        skip(&mut lines, first - seen);
        seen = group.last().map_or(seen, |op| op.old_range().end);
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let text = shortened(change.value().trim_end_matches('\n'));
            bytes += text.len();
            if lines.len() >= LINES || bytes > BYTES {
                let rest = unseen(&diff, lines.len());
                skip(&mut lines, rest);
                return lines;
            }
            lines.push(match change.tag() {
                ChangeTag::Equal => DiffLine::Same(text),
                ChangeTag::Delete => DiffLine::Removed(text),
                ChangeTag::Insert => DiffLine::Added(text),
            });
        }
    }
    if !lines.is_empty() {
        skip(&mut lines, diff.old_len() - seen);
    }
    lines
}

/// At least so many lines of both texts are not among the `shown` ones.
fn unseen(diff: &TextDiff<'_, '_, str>, shown: usize) -> usize {
    diff.old_len().max(diff.new_len()).saturating_sub(shown).max(1)
}

/// A line as it is shown.
fn shortened(line: &str) -> String {
    match line.char_indices().nth(LINE_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// In how many places the texts differ.
#[must_use]
pub fn places(old: &str, new: &str) -> u32 {
    let (old, new) = (ended(old), ended(new));
    let diff = compare(&old, &new);
    let mut places = 0;
    let mut is_inside = false;
    for op in diff.ops() {
        let is_change = op.tag() != DiffTag::Equal;
        places += u32::from(is_change && !is_inside);
        is_inside = is_change;
    }
    places
}

/// The text with its last line ended, so that going on below it does not change that line.
fn ended(text: &str) -> Cow<'_, str> {
    let is_ended = text.is_empty() || text.ends_with('\n');
    if is_ended { text.into() } else { format!("{text}\n").into() }
}

fn compare<'t>(old: &'t str, new: &'t str) -> TextDiff<'t, 't, str> {
    TextDiff::configure().algorithm(Algorithm::Myers).timeout(PATIENCE).diff_lines(old, new)
}

fn skip(lines: &mut Vec<DiffLine>, count: usize) {
    if count > 0 {
        lines.push(DiffLine::Skipped(u32::try_from(count).unwrap_or(u32::MAX)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_comes_with_three_lines_around_it() {
        let old: String = (1..=20).map(|n| format!("line {n}\n")).collect();
        let new = old.replace("line 10\n", "line ten\n");
        let lines = lines(&old, &new);
        assert_eq!(lines.first(), Some(&DiffLine::Skipped(6)));
        assert_eq!(lines.last(), Some(&DiffLine::Skipped(7)));
        assert_eq!(lines.len(), 1 + 3 + 2 + 3 + 1);
        assert!(lines.contains(&DiffLine::Removed("line 10".to_owned())));
        assert!(lines.contains(&DiffLine::Added("line ten".to_owned())));
    }

    #[test]
    fn a_text_that_goes_on_keeps_its_last_line() {
        assert_eq!(
            lines("a\nb", "a\nb\nc"),
            [DiffLine::Same("a".to_owned()), DiffLine::Same("b".to_owned()), DiffLine::Added("c".to_owned())]
        );
    }

    #[test]
    fn equal_texts_have_no_lines_and_no_places() {
        assert_eq!(lines("a\nb", "a\nb"), []);
        assert_eq!(places("a\nb", "a\nb"), 0);
    }

    #[test]
    fn each_changed_place_counts_once() {
        assert_eq!(places("a\nb\nc\nd\ne\n", "A\nB\nc\nd\nE\n"), 2);
        assert_eq!(places("", "a\nb"), 1);
    }

    #[test]
    fn a_large_change_is_shown_in_part() {
        let text = |sign: &str| (0..60_000).map(|n| format!("{sign} {n}\n")).collect::<String>();
        let lines = lines(&text("a"), &text("b"));
        assert_eq!(lines.len(), LINES + 1);
        assert_eq!(lines.last(), Some(&DiffLine::Skipped(58_000)));
        let long = super::lines("", &"x".repeat(400_000));
        assert!(matches!(&long[..], [DiffLine::Added(line)] if line.chars().count() == LINE_CHARS + 1));
    }
}
