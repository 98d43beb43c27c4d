//! Excerpts: the beginning of a text as plain text.

use super::{
    rewrite::decode_entities,
    tags::{Token, Tokenizer},
};

/// Maximum length of an excerpt, characters.
const MAX_CHARS: usize = 240;
/// Maximum length of the HTML that is read, bytes.
const MAX_HTML_BYTES: usize = 16 * 1024;

/// Returns the first words of sanitised HTML, cut between words if possible.
#[must_use]
pub fn excerpt(html: &str) -> String {
    let html = html.get(..html.floor_char_boundary(MAX_HTML_BYTES)).unwrap_or_default();
    let mut words = String::new();
    for token in Tokenizer::of(html) {
        match token {
            Token::Text(text) => words.push_str(&decode_entities(text)),
            // A block ends a word; an inline element does not.
            Token::Open(tag) if is_break(&tag.name) => words.push(' '),
            Token::Close(name) if is_break(&name) => words.push(' '),
            _ => {}
        }
        if words.len() > 8 * MAX_CHARS {
            break;
        }
    }
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MAX_CHARS) {
        None => words,
        Some((cut, _)) => {
            let short = words.get(..cut).unwrap_or_default();
            let end = short.rfind(' ').filter(|end| *end > cut / 2).unwrap_or(cut);
            format!("{}…", short.get(..end).unwrap_or_default())
        }
    }
}

fn is_break(name: &str) -> bool {
    ["p", "br", "li", "td", "th", "div", "pre", "h2", "h3", "h4", "h5", "h6", "dt", "dd", "blockquote"]
        .contains(&name)
}
