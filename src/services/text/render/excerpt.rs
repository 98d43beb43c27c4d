//! Excerpts: the beginning of a text as plain text, without its headings.

use super::{
    rewrite::decode_entities,
    tags::{Token, Tokenizer},
};
use unicode_segmentation::UnicodeSegmentation as _;

/// Maximum length of an excerpt, characters.
const MAX_CHARS: usize = 240;
/// Maximum length of the HTML that is read, bytes.
const MAX_HTML_BYTES: usize = 16 * 1024;

/// Returns the first words of sanitised HTML, cut between words if possible, never inside a
/// visible character. Headings are left out, unless
/// there is nothing else.
#[must_use]
pub fn excerpt(html: &str) -> String {
    let html = html.get(..html.floor_char_boundary(MAX_HTML_BYTES)).unwrap_or_default();
    let words = Some(words_of(html, false)).filter(|words| !words.is_empty());
    let words = words.unwrap_or_else(|| words_of(html, true));
    match words.char_indices().nth(MAX_CHARS) {
        None => words,
        Some((cut, _)) => {
            let clusters = words.grapheme_indices(true).map(|(begin, cluster)| begin + cluster.len());
            let cut = clusters.take_while(|end| *end <= cut).last().unwrap_or(cut);
            let short = words.get(..cut).unwrap_or_default();
            let end = short.rfind(' ').filter(|end| *end > cut / 2).unwrap_or(cut);
            format!("{}…", short.get(..end).unwrap_or_default())
        }
    }
}

/// The first words, separated by single blanks.
fn words_of(html: &str, with_headings: bool) -> String {
    let (mut words, mut is_in_heading) = (String::new(), false);
    for token in Tokenizer::of(html) {
        match token {
            Token::Text(text) if with_headings || !is_in_heading => words.push_str(&decode_entities(text)),
            // A block ends a word; an inline element does not.
            Token::Open(tag) if is_break(&tag.name) => {
                is_in_heading |= is_heading(&tag.name);
                words.push(' ');
            }
            Token::Close(name) if is_break(&name) => {
                is_in_heading &= !is_heading(&name);
                words.push(' ');
            }
            _ => {}
        }
        if words.len() > 8 * MAX_CHARS {
            break;
        }
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_heading(name: &str) -> bool {
    ["h1", "h2", "h3", "h4", "h5", "h6"].contains(&name)
}

fn is_break(name: &str) -> bool {
    is_heading(name) || ["p", "br", "li", "td", "th", "div", "pre", "dt", "dd", "blockquote"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn a_heading_is_no_part_of_an_excerpt() {
        let html =
            "<p>The ferry <em>left</em>.</p><h2 id=\"x\">Why <a href=\"#\">it</a> was late</h2><p>Fog.</p>";
        assert_eq!(excerpt(html), "The ferry left. Fog.");
        assert_eq!(excerpt("<h2>Only<br>a heading</h2><p></p>"), "Only a heading");
    }

    #[test]
    fn an_excerpt_is_cut_between_visible_characters() {
        let thai = format!("<p>ก{}</p>", "ที่".repeat(100));
        assert_eq!(excerpt(&thai), format!("ก{}…", "ที่".repeat(79)));
        let chinese = format!("<p>{}</p>", "中".repeat(300));
        assert_eq!(excerpt(&chinese), format!("{}…", "中".repeat(240)));
    }
}
