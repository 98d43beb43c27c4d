//! Comments of HTML, and the marks of blocks of WordPress, which are comments.

use std::borrow::Cow;

/// Begin of every comment.
const BEGIN: &str = "<!--";

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
/// of a text before a browser looks for the end of a comment, so readers do not see those blocks.
#[must_use]
pub fn without_hidden_blocks(html: &str) -> (Cow<'_, str>, bool) {
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(found) = html.get(at..).and_then(|rest| rest.find(BEGIN)) {
        let start = at + found;
        if is_mark(html, start) {
            at = comment_end(html, start + 2).map_or(html.len(), |(_, end)| end);
            continue;
        }
        let (end, has_blocks) = end_around_blocks(html, start);
        if has_blocks {
            out.push_str(html.get(copied..start).unwrap_or_default());
            copied = end;
        }
        at = end;
    }
    if copied == 0 {
        return (Cow::Borrowed(html), false);
    }
    out.push_str(html.get(copied..).unwrap_or_default());
    (Cow::Owned(out), true)
}

/// Returns where a comment ends that is no mark of a block, and whether it has blocks inside.
fn end_around_blocks(html: &str, start: usize) -> (usize, bool) {
    let (mut from, mut has_blocks) = (start + 2, false);
    loop {
        let end = comment_end(html, from).map_or(html.len(), |(_, end)| end);
        let searched = from.max(start + BEGIN.len());
        let inside = html.get(searched..end).unwrap_or_default();
        let mut begins = inside.match_indices(BEGIN).map(|(found, _)| searched + found);
        let Some(mark) = begins.find(|mark| is_mark(html, *mark)) else { return (end, has_blocks) };
        has_blocks = true;
        from = comment_end(html, mark + 2).map_or(html.len(), |(_, end)| end);
    }
}

/// Whether the comment that begins here is the mark of a block.
fn is_mark(html: &str, start: usize) -> bool {
    let inside = html.get(start + BEGIN.len()..).unwrap_or_default().trim_start();
    inside.starts_with("wp:") || inside.starts_with("/wp:")
}

#[cfg(test)]
mod tests {
    use super::without_hidden_blocks;

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
}
