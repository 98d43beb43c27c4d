//! Comments on paragraphs of a revision.

use crate::{AccountId, ArticleId, LocalizedTime, text::slice_text};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Maximum characters of a comment.
pub const MAX_COMMENT_CHARS: u32 = 2_000;
/// Maximum number of comments of one article.
pub const MAX_COMMENTS: u32 = 500;
/// Maximum characters of a paragraph that are kept with its comment.
pub const MAX_QUOTE_CHARS: usize = 200;

/// A comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewComment {
    /// Its id.
    pub id: Uuid,
    /// The article.
    pub article_id: ArticleId,
    /// Number of the revision.
    pub revision: i32,
    /// Number of the paragraph, from 1; see [`paragraphs`].
    pub paragraph: u32,
    /// The first characters of the paragraph.
    pub quote: String,
    /// Text.
    pub text: String,
    /// Account that wrote it.
    pub author_id: AccountId,
    /// Name of that account.
    pub author: String,
    /// When it was written.
    pub created: LocalizedTime,
    /// When it was resolved; `None`: it is open.
    pub resolved: Option<LocalizedTime>,
    /// Name of the account that resolved it.
    pub resolved_by: Option<String>,
    /// Whether the user may resolve it and open it again.
    pub may_resolve: bool,
}

/// A new comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewComment {
    /// Number of the revision.
    pub revision: i32,
    /// Number of the paragraph, from 1.
    pub paragraph: u32,
    /// Text.
    pub text: String,
}

/// Returns the paragraphs of a Markdown text: blocks between blank lines. Fenced code is one
/// paragraph, whatever it contains.
#[must_use]
pub fn paragraphs(body: &str) -> Vec<&str> {
    let (mut found, mut start, mut end, mut fence) = (Vec::new(), None, 0, None);
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let text = line.trim();
        if text.is_empty() && fence.is_none() {
            found.extend(start.take().map(|start| slice_text(body, start..end).trim()));
        } else {
            start.get_or_insert(at);
            end = at + line.len();
            fence = match fence {
                None => ["```", "~~~"].into_iter().find(|mark| text.starts_with(mark)),
                Some(mark) if text.starts_with(mark) => None,
                Some(mark) => Some(mark),
            };
        }
        at += line.len();
    }
    found.extend(start.map(|start| slice_text(body, start..end).trim()));
    found
}

/// The first characters of a paragraph, on one line.
#[must_use]
pub fn quote(paragraph: &str) -> String {
    let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(MAX_QUOTE_CHARS).collect();
    if cut.len() < line.len() { format!("{cut}…") } else { cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_blocks_between_blank_lines() {
        assert_eq!(paragraphs(""), [""; 0]);
        assert_eq!(paragraphs("\n \none\ntwo\n\n\nthree"), ["one\ntwo", "three"]);
        assert_eq!(paragraphs("a\n\n```\nx\n\ny\n```\n\nb\n"), ["a", "```\nx\n\ny\n```", "b"]);
        assert_eq!(paragraphs("~~~\nnever closed\n\nend"), ["~~~\nnever closed\n\nend"]);
        assert_eq!(paragraphs("一\r\n\r\n二\r\n"), ["一", "二"]);
    }

    #[test]
    fn a_quote_is_one_line() {
        assert_eq!(quote("one\n  two"), "one two");
        let long = quote(&"字".repeat(300));
        assert_eq!((long.chars().count(), long.chars().last()), (MAX_QUOTE_CHARS + 1, Some('…')));
    }
}
