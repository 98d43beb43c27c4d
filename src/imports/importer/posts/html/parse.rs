//! Parses HTML as a browser does, within limits of size, depth, attributes and time.

use super::{Limit, MAX_HTML_BYTES};
use crate::{imports::importer::hold::gate, text::render::Budget};
use html5ever::{ParseOpts, parse_document, tendril::TendrilSink as _};
use markup5ever_rcdom::RcDom;
use std::{borrow::Cow, collections::HashMap};

/// Maximum depth of the elements of a post; deeper HTML takes the parser too long.
const MAX_PARSED_DEPTH: usize = 1_000;
/// Maximum number of attributes of a tag: the parser compares each with all others.
const MAX_ATTRIBUTES: usize = 64;
/// Maximum number of elements that the parser adds by itself, to carry on bold text and the like in the
/// next block.
const MAX_REPEATED: usize = 500_000;
/// Number of bytes between two checks of the time.
const CHUNK_BYTES: usize = 2_048;
/// Elements whose end tag may be missing, or that have none.
const OPTIONAL_ENDS: [&str; 20] = [
    "p", "li", "br", "img", "hr", "input", "meta", "link", "td", "tr", "th", "dt", "dd", "option", "source",
    "embed", "col", "wbr", "area", "param",
];
/// Elements that the parser opens again in the next block if they are not closed.
const REPEATED: [&str; 14] =
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];
/// Elements whose content is text.
const RAW_TEXT: [&str; 9] =
    ["script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "textarea", "title"];

/// A parsed text.
pub struct Parsed {
    /// The document.
    pub document: RcDom,
    /// Whether attributes were left out.
    pub has_cut: bool,
}

/// Parses HTML.
pub fn parse(html: &str, budget: &Budget) -> Result<Parsed, Limit> {
    if html.len() > MAX_HTML_BYTES {
        return Err(Limit::Size);
    }
    let Scan { html, has_cut } = scan(html)?;
    let mut parser = parse_document(RcDom::default(), ParseOpts::default());
    let mut rest: &str = &html;
    while !rest.is_empty() {
        budget.check().map_err(|_| Limit::Time)?;
        let (chunk, more) = rest.split_at(rest.ceil_char_boundary(CHUNK_BYTES));
        parser.process(chunk.into());
        rest = more;
    }
    Ok(Parsed { document: parser.finish(), has_cut })
}

/// HTML whose tags have a limited number of attributes.
struct Scan<'h> {
    html: Cow<'h, str>,
    has_cut: bool,
}

/// Reads the tags of a text once: refuses what the parser would take too long for, and leaves out
/// attributes beyond the limit.
fn scan(html: &str) -> Result<Scan<'_>, Limit> {
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    let mut depth = Depth::default();
    while let Some(found) = html.get(at..).and_then(|rest| rest.find('<')) {
        at += found;
        let rest = html.get(at..).unwrap_or_default();
        if rest.starts_with("<!--") {
            at = gate::comment_end(html, at + 2).map_or(html.len(), |(_, end)| end);
            continue;
        }
        let Some(tag) = Tag::of(rest) else {
            at += 1;
            continue;
        };
        depth.add(&tag)?;
        if let Some(kept) = tag.kept {
            out.push_str(html.get(copied..at + kept).unwrap_or_default());
            out.push('>');
            copied = at + tag.bytes;
        }
        at += tag.bytes;
        if !tag.is_end && RAW_TEXT.contains(&tag.name.as_str()) {
            at += raw_text(html.get(at..).unwrap_or_default(), &tag.name);
        }
    }
    if copied == 0 {
        return Ok(Scan { html: Cow::Borrowed(html), has_cut: false });
    }
    out.push_str(html.get(copied..).unwrap_or_default());
    Ok(Scan { html: Cow::Owned(out), has_cut: true })
}

/// Length of the text up to the end tag of an element.
fn raw_text(rest: &str, name: &str) -> usize {
    let is_end = |at: usize| {
        let after = rest.get(at + 2..at + 2 + name.len());
        after.is_some_and(|after| after.eq_ignore_ascii_case(name))
    };
    rest.match_indices("</").map(|(at, _)| at).find(|at| is_end(*at)).unwrap_or(rest.len())
}

/// Upper bounds of the open elements.
#[derive(Default)]
struct Depth {
    open: usize,
    /// Number of open elements that are repeated, by name.
    repeated: HashMap<&'static str, usize>,
    /// Their sum.
    all_repeated: usize,
    /// Number of elements that the parser may have added.
    added: usize,
}

impl Depth {
    fn add(&mut self, tag: &Tag) -> Result<(), Limit> {
        self.added += self.all_repeated;
        if self.added > MAX_REPEATED {
            return Err(Limit::Depth);
        }
        if let Some(name) = REPEATED.iter().find(|name| **name == tag.name) {
            let open = self.repeated.entry(*name).or_default();
            if !tag.is_end {
                *open += 1;
                self.all_repeated += 1;
            } else if *open > 0 {
                *open -= 1;
                self.all_repeated -= 1;
            }
        }
        if OPTIONAL_ENDS.contains(&tag.name.as_str()) {
            return Ok(());
        }
        self.open = if tag.is_end { self.open.saturating_sub(1) } else { self.open + 1 };
        if self.open > MAX_PARSED_DEPTH { Err(Limit::Depth) } else { Ok(()) }
    }
}

/// A tag of HTML.
struct Tag {
    /// Name in lower case.
    name: String,
    is_end: bool,
    /// Its length.
    bytes: usize,
    /// Length of what stays if it has too many attributes.
    kept: Option<usize>,
}

impl Tag {
    /// Reads the tag at the beginning; `None`: it is none. One without an end goes to the end of the text.
    fn of(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let is_end = bytes.get(1) == Some(&b'/');
        let start = if is_end { 2 } else { 1 };
        bytes.get(start).filter(|first| first.is_ascii_alphabetic())?;
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'/';
        let rest = bytes.get(start..)?;
        let length = rest.iter().take_while(|byte| !is_blank(byte) && **byte != b'>').count();
        let name = text.get(start..start + length)?.to_ascii_lowercase();
        let (mut at, mut attributes, mut kept) = (start + length, 0, None);
        loop {
            at += bytes.get(at..)?.iter().take_while(|byte| is_blank(byte)).count();
            match bytes.get(at) {
                None => break,
                Some(b'>') => {
                    at += 1;
                    break;
                }
                Some(_) => {}
            }
            attributes += 1;
            if attributes > MAX_ATTRIBUTES {
                kept = kept.or(Some(at));
            }
            at += attribute(bytes.get(at..)?);
        }
        Some(Self { name, is_end, bytes: at, kept })
    }
}

/// Length of the attribute at the beginning, with its value.
fn attribute(bytes: &[u8]) -> usize {
    let count = |from: usize, is_part: &dyn Fn(&u8) -> bool| {
        bytes.get(from..).unwrap_or_default().iter().take_while(|byte| is_part(byte)).count()
    };
    // A name may begin with any character, even with an equals sign.
    let name = 1 + count(1, &|byte| !byte.is_ascii_whitespace() && !b"/>=".contains(byte));
    let equals = name + count(name, &u8::is_ascii_whitespace);
    if bytes.get(equals) != Some(&b'=') {
        return name;
    }
    let value = equals + 1 + count(equals + 1, &u8::is_ascii_whitespace);
    match bytes.get(value) {
        Some(quote @ (b'"' | b'\'')) => {
            let length = count(value + 1, &|byte| byte != quote);
            (value + length + 2).min(bytes.len())
        }
        Some(b'>') | None => value,
        Some(_) => value + count(value, &|byte| !byte.is_ascii_whitespace() && *byte != b'>'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(html: &str) -> Option<String> {
        scan(html).ok().map(|scan| scan.html.into_owned())
    }

    #[test]
    fn tags_keep_a_limited_number_of_attributes_and_everything_else_stays() {
        let many =
            |count: usize| (0..count).map(|number| format!(" a{number}='>{number}'")).collect::<String>();
        assert_eq!(cut(&format!("x<p{}>y", many(64))), Some(format!("x<p{}>y", many(64))));
        assert_eq!(cut(&format!("x<p{}>y", many(90_000))), Some(format!("x<p{} >y", many(64))));
        for html in [
            "a < b > c <!-- <p a b> --> <a href=x/y title = \"<p>\" disabled>x</a ><br/><p =x>",
            "<script>if (a <b && c> '\"') { }</script><p title='a'>x",
            "<textarea><b></textarea><p a",
            "<p 'a \"b>text",
            "é<ü>",
        ] {
            assert_eq!(cut(html).as_deref(), Some(html));
        }
    }

    #[test]
    fn elements_that_the_parser_repeats_are_limited() {
        let open: String = (0..300).map(|number| format!("<b a={number}>")).collect();
        assert_eq!(scan(&format!("{open}{}", "<p>x".repeat(10_000))).err(), Some(Limit::Depth));
        assert!(scan(&format!("{}{}", "<b>x</b>".repeat(10_000), "<p><i>x</i>".repeat(10_000))).is_ok());
        assert!(scan(&"<div>".repeat(999)).is_ok() && scan(&"<div>".repeat(1_001)).is_err());
        // Comments end where the parser ends them.
        let after = |comment: &str| scan(&format!("{comment}{}", "<div>".repeat(1_001))).is_err();
        assert!(after("<!-- a --!>") && after("<!-->") && after("<!--->") && !after("<!-- a "));
    }
}
