//! The outermost elements of sanitised HTML, which become the blocks or cards of a site.

use crate::text::render::tags::{Tag, Token, Tokenizer};

/// Elements without an end tag.
const VOID: [&str; 7] = ["br", "col", "hr", "img", "input", "source", "wbr"];

/// An element of the text that is in no other.
pub struct Piece<'h> {
    /// Its first tag; `None`: it is text, or an element without an end.
    pub tag: Option<Tag<'h>>,
    /// All of it.
    pub html: &'h str,
}

/// Splits a text into its outermost elements and the texts between them.
#[must_use]
pub fn pieces(html: &str) -> Vec<Piece<'_>> {
    let (mut found, mut tokens) = (Vec::new(), Tokenizer::of(html));
    let (mut depth, mut begin, mut outer) = (0_usize, 0, None);
    loop {
        let before = html.len() - tokens.rest().len();
        let Some(token) = tokens.next() else { break };
        let after = html.len() - tokens.rest().len();
        let is_start = depth == 0;
        match token {
            Token::Text(text) if is_start && text.trim().is_empty() => continue,
            Token::Text(_) => {}
            Token::Open(tag) => {
                depth += usize::from(!VOID.contains(&tag.name.as_str()));
                if is_start {
                    outer = Some(tag);
                }
            }
            Token::Close(_) if is_start => continue,
            Token::Close(_) => depth -= 1,
        }
        if is_start {
            begin = before;
        }
        if depth == 0 {
            found.push(Piece { tag: outer.take(), html: html.get(begin..after).unwrap_or_default() });
        }
    }
    if depth > 0 {
        found.push(Piece { tag: None, html: html.get(begin..).unwrap_or_default() });
    }
    found
}

/// Returns what is between the first and the last tag of an element.
#[must_use]
pub fn inner(html: &str) -> &str {
    let mut tokens = Tokenizer::of(html);
    tokens.next();
    let rest = tokens.rest();
    rest.rfind("</").and_then(|end| rest.get(..end)).unwrap_or_default()
}
