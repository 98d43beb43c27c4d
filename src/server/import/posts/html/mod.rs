//! Converts the HTML of a post to Markdown. Elements without a counterpart lose their tags, never
//! their text; what cannot be kept is named.

mod block;
mod inline;
mod node;
mod table;
#[cfg(test)]
mod tests;

use block::blocks;
use html5ever::{ParseOpts, parse_document, tendril::TendrilSink as _};
use markup5ever_rcdom::RcDom;
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};
use url::Url;

/// Maximum size of the HTML of a post, bytes.
pub const MAX_HTML_BYTES: usize = 2_000_000;
/// Depth from which elements are read as plain text.
const MAX_DEPTH: usize = 48;
/// Maximum depth of the elements of a post; deeper HTML takes the parser too long.
const MAX_PARSED_DEPTH: usize = 1_000;
/// Elements whose end tag may be missing, or that have none.
const OPTIONAL_ENDS: [&str; 20] = [
    "p", "li", "br", "img", "hr", "input", "meta", "link", "td", "tr", "th", "dt", "dd", "option", "source",
    "embed", "col", "wbr", "area", "param",
];

/// How the HTML of a post is read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Whether blank lines separate paragraphs, as in texts of the classic editor of WordPress.
    pub keeps_lines: bool,
    /// Address of the post, for relative links.
    pub base: Option<Url>,
    /// Addresses of pictures, and the paths that replace them.
    pub pictures: BTreeMap<String, String>,
}

/// A converted text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Converted {
    /// The Markdown.
    pub markdown: String,
    /// Names of elements that were left out.
    pub left_out: BTreeSet<String>,
}

/// Converts HTML. `None`: it is too large or too deeply nested.
#[must_use]
pub fn to_markdown(html: &str, reading: &Reading) -> Option<Converted> {
    let document = parse(html)?;
    let mut writer = Writer { reading, depth: 0, is_in_table: false, left_out: BTreeSet::new() };
    let mut out = Vec::new();
    blocks(&mut writer, &node::children(&document.document), &mut out);
    let mut markdown = out.join("\n\n");
    if !markdown.is_empty() {
        markdown.push('\n');
    }
    Some(Converted { markdown, left_out: writer.left_out })
}

/// Returns the addresses of all pictures of a text, each once.
#[must_use]
pub fn pictures(html: &str, base: Option<&Url>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if !html.contains("<img") && !html.contains("<IMG") {
        return found;
    }
    let Some(document) = parse(html) else { return found };
    let mut waiting = node::children(&document.document);
    while let Some(next) = waiting.pop() {
        if node::name(&next) == Some("img")
            && let Some(address) = node::picture_address(&next, base)
        {
            found.insert(address);
        }
        waiting.extend(next.children.borrow().iter().map(Rc::clone));
    }
    found
}

/// Returns the text of HTML in one line, such as a caption.
#[must_use]
pub fn plain_text(html: &str) -> String {
    let Some(document) = parse(html) else { return String::new() };
    node::text(&document.document).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Parses HTML as a browser does. `None`: it is too large or too deeply nested.
fn parse(html: &str) -> Option<RcDom> {
    if html.len() > MAX_HTML_BYTES || depth(html) > MAX_PARSED_DEPTH {
        return None;
    }
    Some(parse_document(RcDom::default(), ParseOpts::default()).one(html))
}

/// Returns an upper bound of the depth of the elements.
fn depth(html: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for (at, _) in html.match_indices('<') {
        let rest = &html[at + 1..];
        let (is_end, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
        let end = rest.bytes().take(20).take_while(u8::is_ascii_alphanumeric).count();
        let name = rest[..end].to_ascii_lowercase();
        if name.is_empty() || OPTIONAL_ENDS.contains(&name.as_str()) {
            continue;
        }
        depth = if is_end { depth.saturating_sub(1) } else { depth + 1 };
        deepest = deepest.max(depth);
    }
    deepest
}

/// State of a conversion.
struct Writer<'r> {
    reading: &'r Reading,
    depth: usize,
    is_in_table: bool,
    left_out: BTreeSet<String>,
}

impl Writer<'_> {
    /// Returns the address of a link; `None`: it is none that a text may have.
    fn link(&self, href: &str) -> Option<String> {
        let href = href.trim();
        let parsed = match Url::parse(href) {
            Ok(url) => Ok(url),
            Err(_) if href.starts_with('#') => return Some(escaped_address(href)),
            Err(_) => self.reading.base.as_ref().map_or_else(|| Url::parse(href), |base| base.join(href)),
        };
        match parsed {
            Ok(url) if matches!(url.scheme(), "http" | "https" | "mailto") => {
                Some(escaped_address(url.as_str()))
            }
            Ok(_) => None,
            Err(_) => (href.starts_with('/') && !href.starts_with("//")).then(|| escaped_address(href)),
        }
    }

    /// Returns the path or address of a picture.
    fn picture(&self, address: &str) -> String {
        escaped_address(self.reading.pictures.get(address).map_or(address, String::as_str))
    }
}

/// Escapes an address so that Markdown reads it whole.
fn escaped_address(address: &str) -> String {
    let mut escaped = String::with_capacity(address.len());
    for letter in address.chars() {
        match letter {
            '(' => escaped.push_str("%28"),
            ')' => escaped.push_str("%29"),
            '<' => escaped.push_str("%3C"),
            '>' => escaped.push_str("%3E"),
            '"' => escaped.push_str("%22"),
            '\\' => escaped.push_str("%5C"),
            '*' => escaped.push_str("%2A"),
            letter if letter.is_whitespace() => escaped.push_str("%20"),
            letter => escaped.push(letter),
        }
    }
    escaped
}
