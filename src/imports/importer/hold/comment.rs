//! Blocks of WordPress that their author has put into a comment.

use super::gate::comment_end;
use std::borrow::Cow;

/// Begin of every comment.
const BEGIN: &str = "<!--";

/// Returns a text without comments around whole blocks, and whether there was one. WordPress takes the marks of blocks out
/// of a text before a browser looks for the end of a comment, so readers do not see those blocks. A comment without an end of
/// its own, with another comment inside, or with a part of a block is not touched: what it hides is unclear.
#[must_use]
pub fn without_hidden_blocks(html: &str) -> (Cow<'_, str>, bool) {
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(found) = html.get(at..).and_then(|rest| rest.find(BEGIN)) {
        let start = at + found;
        let end = comment_end(html, start + 2).map_or(html.len(), |(_, end)| end);
        at = end;
        if !is_mark(html, start)
            && let Some(end) = end_around_blocks(html, start)
        {
            out.push_str(html.get(copied..start).unwrap_or_default());
            (copied, at) = (end, end);
        }
    }
    if copied == 0 {
        return (Cow::Borrowed(html), false);
    }
    out.push_str(html.get(copied..).unwrap_or_default());
    (Cow::Owned(out), true)
}

/// Returns where a comment ends that has whole blocks inside and nothing unclear.
fn end_around_blocks(html: &str, start: usize) -> Option<usize> {
    let (mut at, mut open, mut has_blocks) = (start + BEGIN.len(), Vec::new(), false);
    // `<!-->` is a whole comment.
    comment_end(html, start + 2).filter(|(inside_end, _)| *inside_end >= at)?;
    loop {
        let (inside_end, end) = comment_end(html, at)?;
        let Some(found) = html.get(at..inside_end)?.find(BEGIN) else {
            return (has_blocks && open.is_empty()).then_some(end);
        };
        let mark = at + found;
        let inside = html.get(mark + BEGIN.len()..inside_end)?;
        if !is_mark(html, mark) || inside.contains(BEGIN) {
            return None;
        }
        let block = inside.trim();
        if let Some(ended) = block.strip_prefix("/wp:") {
            open.pop().filter(|open| ended.split_whitespace().next() == Some(*open))?;
        } else if !block.ends_with('/') {
            open.push(block.strip_prefix("wp:")?.split_whitespace().next()?);
        }
        has_blocks = true;
        at = end;
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

    const P: &str = "<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph -->";

    #[test]
    fn whole_blocks_inside_of_a_comment_are_left_out_with_it() {
        for (html, shown) in [
            (format!("a<!-- {P} -->b"), "ab".to_owned()),
            (format!("a<!--{P}<!-- wp:spacer /-->{P}--!>b{P}"), format!("ab{P}")),
            (format!("a<!-- c --><!-- {P} -->b"), "a<!-- c -->b".to_owned()),
        ] {
            let (text, is_changed) = without_hidden_blocks(&html);
            assert_eq!((text.as_ref(), is_changed), (shown.as_str(), true), "{html}");
        }
    }

    #[test]
    fn a_comment_that_hides_something_unclear_is_not_touched() {
        for html in [
            format!("a{P}<!-- c -->{P}<!-->{P}<!--more-->"),
            format!("a<!-- {P}{P}"),
            format!("a<!-- {P}<!-- d -->b"),
            "a<!-- <!-- wp:paywall --> -->b".to_owned(),
            "a<!-- <!-- /wp:paywall --> -->b".to_owned(),
            format!("a<!-->{P} -->b"),
            "a <!-- b".to_owned(),
            String::new(),
        ] {
            assert_eq!(without_hidden_blocks(&html), (html.as_str().into(), false));
        }
    }
}
