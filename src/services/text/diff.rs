//! Compares two texts by line.

use super::render::Budget;
use domain::article::DiffLine;
use similar::{Algorithm, ChangeTag, DiffTag, TextDiff};
use std::{borrow::Cow, time::Duration};

/// Number of equal lines shown around a change.
const CONTEXT_LINES: usize = 3;
/// Maximum number of lines shown; the number of omitted lines is shown.
const MAX_LINES: usize = 2_000;
/// Maximum number of characters shown of a line.
const MAX_LINE_CHARS: usize = 2_000;
/// Maximum size of all lines shown, bytes.
const MAX_BYTES: usize = 500_000;
/// Time after which the rest is compared coarsely, so that two large different texts do not occupy
/// a core.
const DIFF_TIMEOUT: Duration = Duration::from_millis(250);

/// Returns the changes from `old` to `new`, with three equal lines around each, at most 2,000
/// lines. Empty: no changes.
#[must_use]
pub fn diff_lines(old: &str, new: &str, budget: &Budget) -> Vec<DiffLine> {
    let (old, new) = (ended(old), ended(new));
    let diff = compare(&old, &new, budget);
    let mut lines = Vec::new();
    let (mut seen, mut bytes) = (0, 0);
    for group in diff.grouped_ops(CONTEXT_LINES) {
        let first = group.first().map_or(seen, |op| op.old_range().start);
        skip(&mut lines, first - seen);
        seen = group.last().map_or(seen, |op| op.old_range().end);
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let text = shortened(change.value().trim_end_matches('\n'));
            bytes += text.len();
            if lines.len() >= MAX_LINES || bytes > MAX_BYTES {
                let rest = omitted(&diff, lines.len());
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

/// Returns the minimum number of lines that are not among the `shown` ones.
fn omitted(diff: &TextDiff<'_, '_, str>, shown: usize) -> usize {
    diff.old_len().max(diff.new_len()).saturating_sub(shown).max(1)
}

/// Cuts a line to its maximum length.
fn shortened(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// Returns the number of places where the texts differ.
#[must_use]
pub fn count_changes(old: &str, new: &str, budget: &Budget) -> u32 {
    let (old, new) = (ended(old), ended(new));
    let diff = compare(&old, &new, budget);
    let mut places = 0;
    let mut is_inside = false;
    for op in diff.ops() {
        let is_change = op.tag() != DiffTag::Equal;
        places += u32::from(is_change && !is_inside);
        is_inside = is_change;
    }
    places
}

/// Ends the last line with a line break, so that an appended line does not change it.
fn ended(text: &str) -> Cow<'_, str> {
    let is_ended = text.is_empty() || text.ends_with('\n');
    if is_ended { text.into() } else { format!("{text}\n").into() }
}

fn compare<'t>(old: &'t str, new: &'t str, budget: &Budget) -> TextDiff<'t, 't, str> {
    let timeout = DIFF_TIMEOUT.min(budget.left());
    TextDiff::configure().algorithm(Algorithm::Myers).timeout(timeout).diff_lines(old, new)
}

fn skip(lines: &mut Vec<DiffLine>, count: usize) {
    if count > 0 {
        lines.push(DiffLine::Skipped(u32::try_from(count).unwrap_or(u32::MAX)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::render::RENDER_TIMEOUT;
    use tokio_util::sync::CancellationToken;

    fn budget() -> Budget {
        Budget::new(RENDER_TIMEOUT, CancellationToken::new())
    }

    fn diff_lines(old: &str, new: &str) -> Vec<DiffLine> {
        super::diff_lines(old, new, &budget())
    }

    fn count_changes(old: &str, new: &str) -> u32 {
        super::count_changes(old, new, &budget())
    }

    #[test]
    fn a_change_comes_with_three_lines_around_it() {
        let old: String = (1..=20).map(|n| format!("line {n}\n")).collect();
        let new = old.replace("line 10\n", "line ten\n");
        let lines = diff_lines(&old, &new);
        assert_eq!(lines.first(), Some(&DiffLine::Skipped(6)));
        assert_eq!(lines.last(), Some(&DiffLine::Skipped(7)));
        assert_eq!(lines.len(), 1 + 3 + 2 + 3 + 1);
        assert!(lines.contains(&DiffLine::Removed("line 10".to_owned())));
        assert!(lines.contains(&DiffLine::Added("line ten".to_owned())));
    }

    #[test]
    fn an_appended_text_keeps_its_last_line() {
        assert_eq!(
            diff_lines("a\nb", "a\nb\nc"),
            [DiffLine::Same("a".to_owned()), DiffLine::Same("b".to_owned()), DiffLine::Added("c".to_owned())]
        );
    }

    #[test]
    fn equal_texts_have_no_changes() {
        assert_eq!(diff_lines("a\nb", "a\nb"), []);
        assert_eq!(count_changes("a\nb", "a\nb"), 0);
    }

    #[test]
    fn each_changed_place_counts_once() {
        assert_eq!(count_changes("a\nb\nc\nd\ne\n", "A\nB\nc\nd\nE\n"), 2);
        assert_eq!(count_changes("", "a\nb"), 1);
    }

    #[test]
    fn a_large_change_is_shown_in_part() {
        let text = |sign: &str| (0..60_000).map(|n| format!("{sign} {n}\n")).collect::<String>();
        let lines = diff_lines(&text("a"), &text("b"));
        assert_eq!(lines.len(), MAX_LINES + 1);
        assert_eq!(lines.last(), Some(&DiffLine::Skipped(58_000)));
        let long = diff_lines("", &"x".repeat(400_000));
        assert!(matches!(&long[..], [DiffLine::Added(line)] if line.chars().count() == MAX_LINE_CHARS + 1));
    }
}
