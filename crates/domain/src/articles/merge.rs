//! Merges two edits of one text by line (three-way merge).

/// Maximum number of lines that are deleted and inserted by one edit; beyond it, the lines between
/// the equal beginning and the equal end count as one change.
const MAX_CHANGED_LINES: usize = 1_000;

/// Consecutive lines of a merged text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergePart {
    /// In both edits the same.
    Same(Vec<String>),
    /// Changed in my edit only.
    Mine {
        /// The lines before.
        base: Vec<String>,
        /// The lines after.
        mine: Vec<String>,
    },
    /// Changed in their edit only.
    Theirs {
        /// The lines before.
        base: Vec<String>,
        /// The lines after.
        theirs: Vec<String>,
    },
    /// Changed in both edits, differently.
    Conflict {
        /// The lines before.
        base: Vec<String>,
        /// The lines in my edit.
        mine: Vec<String>,
        /// The lines in their edit.
        theirs: Vec<String>,
    },
}

/// Compares two edits of `base`. Changes of adjacent lines are one part, so they conflict.
#[must_use]
pub fn merge_lines(base: &str, mine: &str, theirs: &str) -> Vec<MergePart> {
    let [base, mine, theirs] = [base, mine, theirs].map(|text| text.split('\n').collect::<Vec<_>>());
    let (in_mine, in_theirs) = (matches(&base, &mine), matches(&base, &theirs));
    let mut parts = Vec::new();
    let (mut b, mut m, mut t) = (0, 0, 0);
    loop {
        let is_same = |n: &usize| {
            in_mine.get(b + n) == Some(&Some(m + n)) && in_theirs.get(b + n) == Some(&Some(t + n))
        };
        let same = (0..).take_while(is_same).count();
        if same > 0 {
            parts.push(MergePart::Same(owned(&base, b, b + same)));
            (b, m, t) = (b + same, m + same, t + same);
        }
        if (b, m, t) == (base.len(), mine.len(), theirs.len()) {
            return parts;
        }
        let both = |at: usize| Some((at, in_mine[at]?, in_theirs[at]?));
        let next = (b..base.len()).find_map(both).unwrap_or((base.len(), mine.len(), theirs.len()));
        parts.push(part(owned(&base, b, next.0), owned(&mine, m, next.1), owned(&theirs, t, next.2)));
        (b, m, t) = next;
    }
}

/// The merged text; `None` if both edits changed the same lines.
#[must_use]
pub fn merged_text(base: &str, mine: &str, theirs: &str) -> Option<String> {
    let mut lines = Vec::new();
    for part in merge_lines(base, mine, theirs) {
        match part {
            MergePart::Same(text)
            | MergePart::Mine { mine: text, .. }
            | MergePart::Theirs { theirs: text, .. } => {
                lines.extend(text);
            }
            MergePart::Conflict { .. } => return None,
        }
    }
    Some(lines.join("\n"))
}

fn part(base: Vec<String>, mine: Vec<String>, theirs: Vec<String>) -> MergePart {
    if mine == theirs {
        MergePart::Same(mine)
    } else if mine == base {
        MergePart::Theirs { base, theirs }
    } else if theirs == base {
        MergePart::Mine { base, mine }
    } else {
        MergePart::Conflict { base, mine, theirs }
    }
}

fn owned(lines: &[&str], from: usize, to: usize) -> Vec<String> {
    lines.get(from..to).unwrap_or_default().iter().map(|line| (*line).to_owned()).collect()
}

/// For each line of `old`, the equal line of `new`, in increasing order.
fn matches(old: &[&str], new: &[&str]) -> Vec<Option<usize>> {
    let start = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let rest = old.len().min(new.len()) - start;
    let end =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(one, other)| one == other).count();
    let mut found = vec![None; old.len()];
    for (at, place) in found.iter_mut().enumerate().take(start) {
        *place = Some(at);
    }
    for at in 0..end {
        found[old.len() - 1 - at] = Some(new.len() - 1 - at);
    }
    for (x, y) in common(&old[start..old.len() - end], &new[start..new.len() - end]) {
        found[start + x] = Some(start + y);
    }
    found
}

/// Pairs of equal lines on a shortest edit path (Myers' algorithm); empty if the path is too long.
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let most = (old.len() + new.len()).min(MAX_CHANGED_LINES);
    // `reach[k]`: number of old lines used on diagonal `k - most - 1` after some changes.
    let mut reach = vec![0_usize; 2 * most + 3];
    let mut steps = Vec::new();
    for changes in 0..=most {
        steps.push(reach.clone());
        for k in diagonals(changes, most) {
            let is_insertion =
                k == most + 1 - changes || (k != most + 1 + changes && reach[k - 1] < reach[k + 1]);
            let mut x = if is_insertion { reach[k + 1] } else { reach[k - 1] + 1 };
            while let Some(y) = (x + most + 1).checked_sub(k)
                && x < old.len()
                && y < new.len()
                && old[x] == new[y]
            {
                x += 1;
            }
            reach[k] = x;
            if x >= old.len() && x + most + 1 >= k + new.len() {
                return trace(&steps, (old.len(), new.len()), most);
            }
        }
    }
    Vec::new()
}

/// Indexes of the diagonals that are reached with this number of changes.
fn diagonals(changes: usize, most: usize) -> impl Iterator<Item = usize> {
    (most + 1 - changes..=most + 1 + changes).step_by(2)
}

/// Follows the path back, and returns its equal lines.
fn trace(steps: &[Vec<usize>], (mut x, mut y): (usize, usize), most: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (changes, reach) in steps.iter().enumerate().rev() {
        let k = x + most + 1 - y;
        let is_insertion =
            k == most + 1 - changes || (k != most + 1 + changes && reach[k - 1] < reach[k + 1]);
        let from = if is_insertion { k + 1 } else { k - 1 };
        let (before_x, before_y) =
            if changes == 0 { (0, 0) } else { (reach[from], reach[from] + most + 1 - from) };
        while x > before_x && y > before_y {
            (x, y) = (x - 1, y - 1);
            pairs.push((x, y));
        }
        (x, y) = (before_x, before_y);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(base: &str, mine: &str, theirs: &str) -> Option<String> {
        let lines = |text: &str| text.replace(' ', "\n");
        merged_text(&lines(base), &lines(mine), &lines(theirs)).map(|text| text.replace('\n', " "))
    }

    #[test]
    fn edits_of_different_lines_are_merged() {
        for (base, mine, theirs, both) in [
            ("a b c", "A b c", "a b C", "A b C"),
            ("a b c", "a b c d", "0 a b c", "0 a b c d"),
            ("a b c d e", "a c d e", "a b c d E", "a c d E"),
            ("a b c", "a b c", "x y z", "x y z"),
            ("a b c", "x y z", "a b c", "x y z"),
            ("a b c", "A b c", "A b c", "A b c"),
            ("a b c d e", "a B c d e", "a B c d E", "a B c d E"),
            ("", "mine", "", "mine"),
            ("a b c a b c", "a b c a B c", "A b c a b c", "A b c a B c"),
        ] {
            assert_eq!(merged(base, mine, theirs).as_deref(), Some(both), "{base} | {mine} | {theirs}");
            assert_eq!(merged(base, theirs, mine).as_deref(), Some(both), "{base} | {theirs} | {mine}");
        }
    }

    #[test]
    fn edits_of_the_same_or_adjacent_lines_conflict() {
        for (base, mine, theirs) in [
            ("a b c", "A b c", "AA b c"),
            ("a b c", "a b c d", "a b c e"),
            ("a b c", "a c", "a B c"),
            ("a b", "A b", "a B"),
            ("", "one", "two"),
        ] {
            assert_eq!(merged(base, mine, theirs), None, "{base} | {mine} | {theirs}");
        }
    }

    #[test]
    fn a_conflict_holds_the_three_versions_of_its_lines() {
        let parts = merge_lines("a\nb\nc\nd\ne", "a\nB\nc\nd\nE", "a\nbb\nc\nd\ne");
        let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let conflict = MergePart::Conflict { base: lines("b"), mine: lines("B"), theirs: lines("bb") };
        let mine = MergePart::Mine { base: lines("e"), mine: lines("E") };
        assert_eq!(parts, [MergePart::Same(lines("a")), conflict, MergePart::Same(lines("c d")), mine]);
    }

    #[test]
    fn line_breaks_are_kept() {
        assert_eq!(merged_text("a\n\nb\n", "A\n\nb\n", "a\n\nB\n").as_deref(), Some("A\n\nB\n"));
        assert_eq!(merged_text("a", "a\n", "a").as_deref(), Some("a\n"));
    }

    #[test]
    fn texts_without_a_common_line_are_compared_in_short_time() {
        let text = |word: &str| (0..20_000).map(|n| format!("{word}{n}\n")).collect::<String>();
        assert_eq!(merged_text(&text("a"), &text("b"), &text("c")), None);
        assert_eq!(merged_text(&text("a"), &text("a"), &text("b")), Some(text("b")));
    }

    #[test]
    fn a_merge_with_an_unchanged_text_is_the_other_text() {
        let words = ["a", "b", "c", "a", ""];
        for seed in 0_usize..2_000 {
            let pick = |salt: usize| {
                let count = (seed * 7 + salt) % 8;
                let line = |n: usize| words[(seed / (n + 1) + n * n * salt + n) % words.len()];
                (0..count).map(line).collect::<Vec<_>>().join("\n")
            };
            let (base, edit) = (pick(1), pick(3));
            assert_eq!(merged_text(&base, &edit, &base).as_deref(), Some(edit.as_str()));
            assert_eq!(merged_text(&base, &base, &edit).as_deref(), Some(edit.as_str()));
            assert_eq!(merged_text(&base, &edit, &edit).as_deref(), Some(edit.as_str()));
        }
    }
}
