//! Converts Markdown to plain text for excerpts; fast and approximate.

use domain::text::slice_text;

/// Removes the markup of Markdown: one line for each block, without the URLs of links.
#[must_use]
pub fn to_prose(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    for line in markdown.lines() {
        let (kind, line) = unmarked(line.trim());
        if kind != Kind::Text || line.is_empty() {
            out.push('\n');
        } else if needs_space(&out, line) {
            out.push(' ');
        }
        inline(line, &mut out);
        if kind == Kind::Heading {
            out.push('\n');
        }
    }
    out
}

/// Kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Continues the previous line.
    Text,
    Item,
    Heading,
}

/// Whether a space belongs between a text and its next line. Scripts without spaces need none.
fn needs_space(text: &str, line: &str) -> bool {
    let (last, next) = (text.chars().next_back(), line.chars().next());
    let is_unbroken = last.is_some_and(is_wide) && next.is_some_and(is_wide);
    last.is_some_and(|letter| !letter.is_whitespace()) && !is_unbroken
}

/// Han, kana and their punctuation.
fn is_wide(letter: char) -> bool {
    matches!(u32::from(letter), 0x2E80..=0x9FFF | 0xF900..=0xFAFF | 0xFF01..=0xFFEF | 0x2_0000..=0x3_FFFF)
}

/// The line without what makes it a heading, an item or a quotation.
fn unmarked(line: &str) -> (Kind, &str) {
    let quoted = line.trim_start_matches(['>', ' ']);
    if quoted.starts_with("```") || quoted.starts_with("~~~") || is_rule(quoted) {
        return (Kind::Text, "");
    }
    let heading = quoted.trim_start_matches('#');
    if heading.len() < quoted.len() && heading.starts_with(' ') {
        return (Kind::Heading, heading.trim());
    }
    match ["- ", "* ", "+ "].iter().find_map(|mark| quoted.strip_prefix(mark)) {
        Some(item) => (Kind::Item, item.trim()),
        None => (Kind::Text, quoted),
    }
}

/// Whether it is a horizontal rule or the delimiter row of a table.
fn is_rule(line: &str) -> bool {
    line.len() > 2 && line.chars().all(|letter| matches!(letter, '-' | '*' | '_' | '=' | '|' | ':' | ' '))
}

/// The next place of a sign in a line. The places that are asked for only increase, so that the line
/// is searched once.
struct NextSign<'l> {
    line: &'l str,
    sign: char,
    found: Option<usize>,
}

impl<'l> NextSign<'l> {
    fn new(line: &'l str, sign: char) -> Self {
        Self { line, sign, found: line.find(sign) }
    }

    /// Returns the text after the first sign from the begin of `rest` on, which ends the line.
    fn after(&mut self, rest: &'l str) -> Option<&'l str> {
        let from = self.line.len() - rest.len();
        while let Some(place) = self.found.filter(|place| *place < from) {
            let next = self.line.get(place + 1..)?.find(self.sign);
            self.found = next.map(|next| place + 1 + next);
        }
        self.line.get(self.found? + 1..)
    }
}

/// Finds the ends of links in a line.
struct LinkEnds<'l> {
    brackets: NextSign<'l>,
    parentheses: NextSign<'l>,
}

impl<'l> LinkEnds<'l> {
    /// Whether the text of a link begins here, after its bracket.
    fn is_link(&mut self, after: &'l str) -> bool {
        self.brackets.after(after).is_some_and(|after| self.after_url(after).is_some())
    }

    /// Returns what follows the URL of a link.
    fn after_url(&mut self, after: &'l str) -> Option<&'l str> {
        self.parentheses.after(after.strip_prefix('(')?)
    }
}

/// Removes `*`, `` ` `` and `~~`, and of a link everything but its text.
fn inline(line: &str, out: &mut String) {
    let mut ends = LinkEnds { brackets: NextSign::new(line, ']'), parentheses: NextSign::new(line, ')') };
    let mut rest = line;
    while let Some(place) = rest.find(['*', '`', '~', '!', '[', ']', '|', '\\']) {
        out.push_str(slice_text(rest, ..place));
        let (mark, after) = slice_text(rest, place..).split_at(1);
        rest = match mark {
            "]" => ends.after_url(after).unwrap_or_else(|| {
                out.push(']');
                after
            }),
            "[" if ends.is_link(after) => after,
            "!" if after.starts_with('[') && ends.is_link(slice_text(after, 1..)) => after,
            "~" if after.starts_with('~') => slice_text(after, 1..),
            "*" | "`" | "|" | "\\" => after,
            _ => {
                out.push_str(mark);
                after
            }
        };
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::to_prose;
    use crate::text::linear::assert_linear;

    #[test]
    fn a_line_of_open_links_takes_linear_time() {
        for unit in ["[", "![", "](", "[a](", "[](", "[]"] {
            let text = |bytes: usize| unit.repeat(bytes / unit.len());
            assert_linear(unit, (20_000, text), |text| drop(to_prose(text)));
        }
    }

    #[test]
    fn links_that_do_not_end_stay() {
        assert_eq!(to_prose("[a [b](c) d] (e) [f](g [h]"), "a b d] (e) [f](g [h]");
        assert_eq!(to_prose("x) [a](b) ![c](d) [e]( f"), "x) a c [e]( f");
    }

    #[test]
    fn markup_and_urls_are_removed() {
        let text = "# A *bold* head\nSee [the `map`](https://a.b/c) and ![a cat](c.png)\nnow. a[0] ~~old~~\n- one\n- two";
        assert_eq!(to_prose(text).trim(), "A bold head\nSee the map and a cat now. a[0] old\none\ntwo");
        assert_eq!(to_prose("> quoted\n> on\n\n```\ncode\n```").trim(), "quoted on\n\ncode");
    }

    #[test]
    fn lines_are_joined_as_the_script_requires() {
        assert_eq!(to_prose("今天\n天气很好，\n是吗"), "今天天气很好，是吗");
        assert_eq!(to_prose("слово\nи\nслово"), "слово и слово");
        assert_eq!(to_prose("用\nRust"), "用 Rust");
    }
}
