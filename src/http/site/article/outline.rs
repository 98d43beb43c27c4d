//! The table of contents of an article, from its rendered headings.

use crate::text::{
    html::escape,
    render::{
        decode_entities,
        tags::{Token, Tokenizer},
    },
};
use std::fmt::Write as _;

/// Number of headings from which an article has a table of contents.
const MIN_HEADINGS: usize = 3;
/// Maximum number of entries; an article with more has none for its lower levels.
const MAX_ENTRIES: usize = 40;
/// Maximum length of an entry, in characters.
const MAX_ENTRY_CHARS: usize = 120;

/// A heading with its level (2 to 4) and id.
struct Heading {
    level: u8,
    id: String,
    text: String,
}

/// Returns the table of contents as HTML; empty: the article has too few headings.
pub fn contents(html: &str, label: &str) -> String {
    let mut headings = headings(html);
    for deepest in [3, 2] {
        if headings.len() > MAX_ENTRIES {
            headings.retain(|heading| heading.level <= deepest);
        }
    }
    headings.truncate(MAX_ENTRIES);
    if headings.len() < MIN_HEADINGS {
        return String::new();
    }
    let mut list = String::new();
    for Heading { level, id, text } in &headings {
        let (id, text) = (escape(id), escape(text));
        let _ = write!(list, "<li class=\"level-{level}\"><a href=\"#{id}\">{text}</a></li>");
    }
    format!(
        "<nav class=\"contents\"><details open><summary>{label}</summary>\
         <ol dir=\"auto\">{list}</ol></details></nav>"
    )
}

fn headings(html: &str) -> Vec<Heading> {
    let (mut headings, mut open) = (Vec::new(), None::<Heading>);
    for token in Tokenizer::of(html) {
        match token {
            Token::Open(tag) => {
                if let (Some(level), Some(id)) = (level(&tag.name), tag.get("id")) {
                    open = Some(Heading { level, id: decode_entities(id), text: String::new() });
                }
            }
            Token::Text(text) => {
                if let Some(heading) = &mut open {
                    heading.text.push_str(&decode_entities(text));
                }
            }
            Token::Close(name) if level(&name).is_some() => headings.extend(open.take().and_then(finished)),
            Token::Close(_) => {}
        }
    }
    headings
}

fn finished(heading: Heading) -> Option<Heading> {
    let text: String = heading.text.trim().chars().take(MAX_ENTRY_CHARS).collect();
    (!text.is_empty()).then_some(Heading { text, ..heading })
}

fn level(name: &str) -> Option<u8> {
    match name {
        "h2" => Some(2),
        "h3" => Some(3),
        "h4" => Some(4),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_headings_make_a_table_of_contents() {
        let html =
            "<h2 id=\"a\">One &amp; <em>two</em></h2><p>x</p><h3 id=\"b\">Deep</h3><h2 id=\"c\">Three</h2>";
        let list = contents(html, "Contents");
        assert!(list.contains("<li class=\"level-2\"><a href=\"#a\">One &amp; two</a></li>"), "{list}");
        assert!(list.contains("level-3") && list.contains("href=\"#c\""), "{list}");
        assert_eq!(contents("<h2 id=\"a\">One</h2><h2 id=\"b\">Two</h2>", "Contents"), "");
    }

    #[test]
    fn many_headings_are_cut_by_level() {
        let mut html = String::new();
        for number in 0..200 {
            let _ = write!(html, "<h3 id=\"x{number}\">{number}</h3>");
        }
        html.push_str("<h2 id=\"a\">A</h2><h2 id=\"b\">B</h2><h2 id=\"c\">C</h2>");
        assert_eq!(contents(&html, "Contents").matches("<li").count(), 3);
    }
}
