//! The beginning of a text in plain words.

use super::{
    place::decoded,
    tags::{Piece, Pieces},
};

/// Characters of an excerpt.
const CHARS: usize = 240;
/// Bytes of HTML looked at.
const AHEAD: usize = 16 * 1024;

/// The first words of sanitised HTML, cut between words where that is possible.
#[must_use]
pub fn excerpt(html: &str) -> String {
    let html = html.get(..html.floor_char_boundary(AHEAD)).unwrap_or_default();
    let mut words = String::new();
    for piece in Pieces::of(html) {
        match piece {
            Piece::Text(text) => words.push_str(&decoded(text)),
            // A block ends a word, an element within a line does not.
            Piece::Open(tag) if is_break(&tag.name) => words.push(' '),
            Piece::Close(name) if is_break(&name) => words.push(' '),
            _ => {}
        }
        if words.len() > 8 * CHARS {
            break;
        }
    }
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(CHARS) {
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
