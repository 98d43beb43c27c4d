//! Comments of HTML, and the marks of blocks of WordPress, which are comments.

use std::borrow::Cow;

/// Begin of every comment.
const BEGIN: &str = "<!--";
/// Maximum number of blocks inside of each other.
pub const MAX_OPEN: usize = 200;

/// A comment of a text.
pub struct Comment<'t> {
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Its content.
    pub inside: &'t str,
}

/// The comments of a text, as browsers find them. One without an end goes to the end of the text.
pub fn comments(html: &str) -> impl Iterator<Item = Comment<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + html.get(at..)?.find(BEGIN)?;
        // `<!-->` is a whole comment.
        let (inside_end, end) = comment_end(html, start + 2).unwrap_or((html.len(), html.len()));
        at = end;
        let inside = html.get(start + BEGIN.len()..inside_end).unwrap_or_default().trim();
        Some(Comment { start, end, inside })
    })
}

/// Returns where a comment ends: its content, and the whole. `from`: after its `<!`. `None`: it has no end.
pub fn comment_end(html: &str, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        at += html.get(at..)?.find("--")?;
        let after = html.get(at + 2..)?;
        let mark = [">", "!>"].iter().find(|mark| after.starts_with(**mark));
        if let Some(mark) = mark {
            return Some((at, at + 2 + mark.len()));
        }
        at += 1;
    }
}

/// The mark of a block in a comment. WordPress finds it behind other begins of comments, too.
#[must_use]
pub fn block_of(inside: &str) -> &str {
    let is_block = |text: &&str| text.starts_with("wp:") || text.starts_with("/wp:");
    let inner = inside.rmatch_indices(BEGIN).map(|(at, mark)| inside.get(at + mark.len()..));
    let inner = inner.map(|text| text.unwrap_or_default().trim_start());
    inner.chain(std::iter::once(inside)).find(is_block).unwrap_or(inside)
}

/// Returns a text without the comments around blocks, and whether there was one. WordPress takes the marks of blocks out
/// of a text before a browser looks for the end of a comment, so readers do not see those blocks. Marks stay that decide
/// about the text behind the comment.
#[must_use]
pub fn without_hidden_blocks(html: &str) -> (Cow<'_, str>, bool) {
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(found) = html.get(at..).and_then(|rest| rest.find(BEGIN)) {
        let start = at + found;
        if let Some(end) = mark_end(html, start) {
            at = end;
            continue;
        }
        let around = Around::at(html, start);
        if around.has_blocks {
            out.push_str(html.get(copied..start).unwrap_or_default());
            out.extend(around.open.iter().map(|(_, mark)| *mark).chain(around.line));
            copied = around.end;
        }
        at = around.end;
    }
    if copied == 0 {
        return (Cow::Borrowed(html), false);
    }
    out.push_str(html.get(copied..).unwrap_or_default());
    (Cow::Owned(out), true)
}

/// Returns where the mark of a block ends that begins here; `None`: it is another comment. To WordPress a mark with the
/// begin of a comment inside is none.
fn mark_end(html: &str, start: usize) -> Option<usize> {
    if !is_mark(html, start) {
        return None;
    }
    let (inside_end, end) = comment_end(html, start + 2).unwrap_or((html.len(), html.len()));
    let inside = html.get(start + BEGIN.len()..inside_end).unwrap_or_default();
    (!inside.contains(BEGIN)).then_some(end)
}

/// A comment that is no mark of a block.
struct Around<'t> {
    end: usize,
    has_blocks: bool,
    /// Names and marks of the blocks inside that do not end there: they may be for some readers.
    open: Vec<(&'t str, &'t str)>,
    /// Mark inside after which only some readers go on reading.
    line: Option<&'t str>,
}

impl<'t> Around<'t> {
    /// The comment that begins here.
    fn at(html: &'t str, start: usize) -> Self {
        let mut around = Self { end: 0, has_blocks: false, open: Vec::new(), line: None };
        let mut from = start + 2;
        loop {
            around.end = comment_end(html, from).map_or(html.len(), |(_, end)| end);
            let searched = from.max(start + BEGIN.len());
            let inside = html.get(searched..around.end).unwrap_or_default();
            let mut begins = inside.match_indices(BEGIN).map(|(found, _)| searched + found);
            let Some(mark) = begins.find(|mark| is_mark(html, *mark)) else { return around };
            let (inside_end, end) = comment_end(html, mark + 2).unwrap_or((html.len(), html.len()));
            let inside = html.get(mark + BEGIN.len()..inside_end).unwrap_or_default();
            around.has_blocks = true;
            around.read(html.get(mark..end).unwrap_or_default(), block_of(inside.trim()));
            from = end;
        }
    }

    /// Reads the mark of a block inside.
    fn read(&mut self, mark: &'t str, block: &'t str) {
        let name = |text: &'t str| text.split_whitespace().next().unwrap_or_default();
        if let Some(ended) = block.strip_prefix("/wp:").map(name) {
            let place = self.open.iter().rposition(|(known, _)| *known == ended);
            // With more open blocks than the search for gates reads, all that follows is left out.
            if let Some(place) = place.filter(|_| self.open.len() <= MAX_OPEN) {
                self.open.truncate(place);
            }
        } else if let Some(empty) = block.strip_suffix('/').and_then(|block| block.strip_prefix("wp:")) {
            if is_line(name(empty)) {
                self.line.get_or_insert(mark);
            }
        } else if let Some(begun) = block.strip_prefix("wp:").map(name)
            && self.open.len() <= MAX_OPEN
            // A reused block would be put in.
            && !matches!(begun, "block" | "core/block")
        {
            self.open.push((begun, mark));
        }
    }
}

/// Whether the comment that begins here is the mark of a block.
fn is_mark(html: &str, start: usize) -> bool {
    let inside = html.get(start + BEGIN.len()..).unwrap_or_default().trim_start();
    inside.starts_with("wp:") || inside.starts_with("/wp:")
}

/// Whether a block or shortcode without content hides what follows it.
#[must_use]
pub fn is_line(name: &str) -> bool {
    words(name).iter().any(|word| word == "paywall") || matches!(name, "members_only" | "members-only")
}

/// The words of a name, in lower case.
pub fn words(name: &str) -> Vec<String> {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::gate::wordpress, without_hidden_blocks};
    use crate::text::linear::assert_linear;

    #[test]
    fn blocks_inside_of_a_comment_are_left_out_with_it() {
        const P: &str = "<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph -->";
        for (html, shown) in [
            (format!("a<!-- {P} -->b"), "ab".to_owned()),
            (format!("a<!--{P}{P}--!>b{P}"), format!("ab{P}")),
            (format!("a<!-- c --><!-- {P} d <!-- e -->b"), "a<!-- c -->b".to_owned()),
            // Without an end a browser shows nothing more.
            (format!("a<!-- {P}{P}"), "a".to_owned()),
            ("a<!-- <!-- wp:acme/rates /-->b".to_owned(), "a".to_owned()),
        ] {
            let (text, is_changed) = without_hidden_blocks(&html);
            assert_eq!((text.as_ref(), is_changed), (shown.as_str(), true), "{html}");
        }
        for html in [format!("a{P}<!-- c -->{P}<!-->{P}<!--more-->"), "a <!-- b".to_owned(), String::new()] {
            assert_eq!(without_hidden_blocks(&html), (html.as_str().into(), false));
        }
    }

    #[test]
    fn marks_that_decide_about_the_text_behind_the_comment_stay() {
        for (html, shown) in [
            ("a<!-- <!-- wp:paywall --> -->b", "a<!-- wp:paywall -->b"),
            ("a<!-- <!-- wp:group --><!-- wp:paywall /--><!-- /wp:group --> -->b", "a<!-- wp:paywall /-->b"),
            ("a<!-- <!-- wp:group --><!-- wp:columns --><!-- /wp:group --> -->b", "ab"),
            ("a<!-- <!-- wp:block {\"ref\":1} --> -->b", "ab"),
            // To WordPress the first is no mark, but a comment around the other one.
            ("a<!-- wp:x <!-- wp:p -->SECRET<!-- /wp:p --> -->b", "ab"),
        ] {
            assert_eq!(without_hidden_blocks(html), (shown.into(), true), "{html}");
        }
        let deep = format!("a<!-- {} -->SECRET", "<!-- wp:x -->".repeat(1_000));
        for hidden in
            ["a<!-- <!-- wp:paywall --> -->SECRET", "a<!-- <!-- wp:paywall /--> -->SECRET", deep.as_str()]
        {
            let (text, _) = without_hidden_blocks(hidden);
            let shown = wordpress(&text);
            assert!(!shown.html.contains("SECRET") && !shown.left_out.is_empty(), "{}", shown.html);
        }
    }

    #[test]
    fn comments_are_read_in_linear_time() {
        for part in ["<!--", "<!-- wp:a -->", "<!-- <!-- wp:a -->", "<!-- <!-- wp:a --> -->", "<!-- wp:a "] {
            let text = |bytes: usize| part.repeat(bytes / part.len());
            assert_linear(part, (50_000, text), |html| drop(without_hidden_blocks(html)));
        }
        let ends = |bytes: usize| {
            let half = |mark: &str| mark.repeat(bytes / 2 / mark.len());
            format!("<!-- {}{}", half("<!-- wp:a -->"), half("<!-- /wp:b -->"))
        };
        assert_linear("ends", (50_000, ends), |html| drop(without_hidden_blocks(html)));
    }
}
