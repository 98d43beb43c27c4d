//! Refuses texts that would take the Markdown parser too long, in one pass before parsing.
//!
//! Every estimate is an upper bound of what the parser can build, in quotes, lists and code alike.
//! A text within these limits is parsed in linear time and memory.

use domain::error::TextLimit;

/// Maximum nesting depth of quotes and lists.
pub const MAX_DEPTH: usize = 64;
/// Maximum number of columns of a table.
pub const MAX_COLUMNS: usize = 250;
/// Maximum number of cells of all tables, including those that the parser adds to short rows.
pub const MAX_CELLS: usize = 100_000;
/// Maximum number of footnote markers `[^`.
pub const MAX_NOTES: usize = 5_000;
/// Maximum number of runs of `~` in a paragraph: the parser compares each with all earlier ones.
pub const MAX_STRIKES: usize = 2_000;
/// Maximum number of characters that may begin an inline element.
pub const MAX_MARKS: usize = 200_000;

/// A limit that a text exceeds, and its value.
pub type Exceeded = (TextLimit, usize);

/// Returns the first limit that the text exceeds as an error.
pub fn check(text: &str) -> Result<(), Exceeded> {
    let mut scan = Scan::default();
    text.split(['\n', '\r']).try_for_each(|line| scan.line(line.as_bytes()))
}

/// State of the scan after the lines so far.
#[derive(Debug, Default)]
struct Scan {
    /// Maximum number of open levels.
    depth: usize,
    /// Whether the previous line was blank, which ends a paragraph.
    is_after_blank: bool,
    /// Columns of the widest table that may have begun since the last blank line.
    columns: usize,
    /// Runs of `~` since the last blank line.
    strikes: usize,
    cells: usize,
    notes: usize,
    marks: usize,
}

/// Markers before the text of a line.
#[derive(Debug, Default)]
struct Prefix {
    /// Columns of white space.
    blanks: usize,
    /// Number of quote markers.
    quotes: usize,
    /// Number of markers of list items and footnotes.
    items: usize,
}

impl Scan {
    fn line(&mut self, line: &[u8]) -> Result<(), Exceeded> {
        let prefix = Prefix::of(line);
        // A list item continues if its text is indented by at least two columns; a quote has its
        // marker on each line.
        let depth = prefix.quotes + prefix.items + self.depth.min(prefix.blanks / 2);
        within(depth, MAX_DEPTH, TextLimit::Depth)?;
        let text = unquoted(line);
        if text.is_empty() {
            (self.is_after_blank, self.columns, self.strikes) = (true, 0, 0);
            self.depth = self.depth.max(depth);
            return Ok(());
        }
        self.depth = if self.is_after_blank { depth } else { self.depth.max(depth) };
        self.is_after_blank = false;
        self.marks += prefix.quotes + prefix.items + 1;
        self.rows(text)?;
        self.inlines(line)
    }

    /// Counts the cells that this line adds if it is a table row.
    fn rows(&mut self, text: &[u8]) -> Result<(), Exceeded> {
        if text.contains(&b'-') && text.iter().all(|byte| b"|-: \t\x0b\x0c".contains(byte)) {
            let columns = text.iter().filter(|byte| **byte == b'|').count() + 1;
            within(columns, MAX_COLUMNS, TextLimit::Columns)?;
            self.columns = self.columns.max(columns);
        }
        self.cells += self.columns;
        within(self.cells, MAX_CELLS, TextLimit::Cells)
    }

    /// Counts the characters that may begin an inline element.
    fn inlines(&mut self, line: &[u8]) -> Result<(), Exceeded> {
        let mut before = 0;
        for byte in line {
            match byte {
                b'~' if before != b'~' => self.strikes += 1,
                b'^' if before == b'[' => self.notes += 1,
                _ => {}
            }
            self.marks += usize::from(b"_*\"`\\&<[]!$:~w|@".contains(byte));
            before = *byte;
        }
        within(self.strikes, MAX_STRIKES, TextLimit::Strikes)?;
        within(self.notes, MAX_NOTES, TextLimit::Notes)?;
        within(self.marks, MAX_MARKS, TextLimit::Marks)
    }
}

impl Prefix {
    fn of(line: &[u8]) -> Self {
        let mut prefix = Self::default();
        let mut at = 0;
        let rules = [last_other(line, b'-'), last_other(line, b'*')];
        while let Some(byte) = line.get(at) {
            let rest = &line[at..];
            let step = match byte {
                b' ' | 0x0b | 0x0c => 1,
                b'\t' => {
                    prefix.blanks += 3;
                    1
                }
                b'>' => {
                    prefix.quotes += 1;
                    at += 1;
                    continue;
                }
                b'-' if at >= rules[0] && is_rule(rest) => break,
                b'*' if at >= rules[1] && is_rule(rest) => break,
                _ => match item(rest) {
                    Some(length) => {
                        prefix.items += 1;
                        at += length;
                        continue;
                    }
                    None => break,
                },
            };
            prefix.blanks += 1;
            at += step;
        }
        prefix
    }
}

/// Returns the length of the marker of a list item or footnote at the beginning of `rest`.
fn item(rest: &[u8]) -> Option<usize> {
    let is_end = |at: usize| rest.get(at).is_none_or(|byte| b" \t\x0b\x0c".contains(byte));
    match rest.first()? {
        b'-' | b'+' | b'*' => is_end(1).then_some(1),
        b'0'..=b'9' => {
            let digits = rest.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
            let is_number = rest.get(digits).is_some_and(|byte| b".)".contains(byte));
            (is_number && is_end(digits + 1)).then_some(digits + 1)
        }
        b'[' if rest.get(1) == Some(&b'^') => {
            let name = rest.iter().take_while(|byte| **byte != b']').count();
            (rest.get(name + 1) == Some(&b':')).then_some(name + 2)
        }
        _ => None,
    }
}

/// Returns the position after the last byte of a line that is neither `sign` nor white space.
fn last_other(line: &[u8], sign: u8) -> usize {
    line.iter().rposition(|byte| *byte != sign && !b" \t".contains(byte)).map_or(0, |last| last + 1)
}

/// Whether the rest of a line, which contains only one sign and white space, is a horizontal rule.
fn is_rule(rest: &[u8]) -> bool {
    rest.iter().filter(|byte| !b" \t".contains(byte)).nth(2).is_some()
}

/// Removes quote markers and surrounding white space.
fn unquoted(line: &[u8]) -> &[u8] {
    let blank = |byte: &u8| b"> \t\x0b\x0c".contains(byte);
    let first = line.iter().position(|byte| !blank(byte)).unwrap_or(line.len());
    line.get(first..).unwrap_or_default().trim_ascii_end()
}

fn within(count: usize, max: usize, limit: TextLimit) -> Result<(), Exceeded> {
    if count > max { Err((limit, max)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> Option<TextLimit> {
        check(text).err().map(|(limit, _)| limit)
    }

    #[test]
    fn ordinary_texts_pass() {
        let table = format!("| a | b |\n|---|:-:|\n{}", "| 1 | 2 |\n".repeat(5_000));
        let code = format!("```yaml\n{}```\n", "                - item: [1, 2]\n".repeat(2_000));
        let list: String = (0..20).map(|level| format!("{}- a\n", "  ".repeat(level))).collect();
        let rules =
            "- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -\n".repeat(50);
        let prose = "A plain sentence, with *emphasis* and [a link](https://a.example/w).\n\n".repeat(6_000);
        let notes: String = (0..500).map(|note| format!("a[^{note}]\n\n[^{note}]: b\n\n")).collect();
        for text in [&table, &code, &list, &rules, &prose, &notes] {
            assert_eq!(limit(text), None, "{}", &text[..40.min(text.len())]);
        }
    }

    #[test]
    fn tables_are_counted_at_every_level() {
        let table = |columns: usize, rows: usize, prefix: &str| {
            let (head, rule) = ("a|".repeat(columns), "-|".repeat(columns));
            format!("{prefix}|{head}\n{prefix}|{rule}\n{}", format!("{prefix}x\n").repeat(rows))
        };
        for prefix in ["", "> ", "> > ", "   ", "    ", ">"] {
            assert_eq!(limit(&table(2_000, 2, prefix)), Some(TextLimit::Columns), "{prefix:?}");
            assert_eq!(limit(&table(200, 2_000, prefix)), Some(TextLimit::Cells), "{prefix:?}");
            assert_eq!(limit(&table(200, 100, prefix)), None, "{prefix:?}");
        }
        let many = format!("{}\n", table(200, 50, "")).repeat(20);
        assert_eq!(limit(&many), Some(TextLimit::Cells));
        assert_eq!(limit(&table(100, 2_000, "").replace('\n', "\r")), Some(TextLimit::Cells));
    }

    #[test]
    fn depth_is_counted_on_a_line_and_over_lines() {
        for sign in [">", "> ", "* - ", "+ ", "1. ", "1) ", "> - ", ">\t"] {
            assert_eq!(limit(&format!("{}a", sign.repeat(100))), Some(TextLimit::Depth), "{sign:?}");
            assert_eq!(limit(&format!("{}a", sign.repeat(10))), None, "{sign:?}");
        }
        let steps: String = (0..100).map(|level| format!("{}- a\n", "  ".repeat(level))).collect();
        assert_eq!(limit(&steps), Some(TextLimit::Depth));
        assert_eq!(limit(&steps.replace('\n', "\n\n")), Some(TextLimit::Depth));
    }

    #[test]
    fn notes_strikes_and_marks_are_counted() {
        assert_eq!(limit(&"[^a]".repeat(6_000)), Some(TextLimit::Notes));
        assert_eq!(limit(&"~a~~b ".repeat(1_500)), Some(TextLimit::Strikes));
        assert_eq!(limit(&"*a".repeat(220_000)), Some(TextLimit::Marks));
    }
}
