//! Converts the HTML of a post to Markdown. Elements without a counterpart lose their tags, never
//! their text; what cannot be kept is named.

mod block;
mod caption;
mod card;
mod inline;
mod marks;
mod node;
mod parse;
mod table;
#[cfg(test)]
mod tests;

pub use node::{FOOTNOTE, LINES, MARK};

use crate::text::render::Budget;
use block::blocks;
use markup5ever_rcdom::Handle;
use parse::{Parsed, parse};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    rc::Rc,
};
use url::Url;

/// Maximum size of the HTML of a post, bytes.
pub const MAX_HTML_BYTES: usize = 2_000_000;
/// Depth from which elements are read as plain text.
const MAX_DEPTH: usize = 48;
/// Maximum number of characters of the scheme of an address that is named.
const MAX_SCHEME_CHARS: usize = 20;

/// The time for a text was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooSlow;

/// The limit that the HTML of a post exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Its size.
    Size,
    /// Its depth.
    Depth,
    /// The time for its conversion.
    Time,
}

impl From<TooSlow> for Limit {
    fn from(_: TooSlow) -> Self {
        Self::Time
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Size => "its HTML is larger than 2 MB",
            Self::Depth => "its HTML is nested too deeply",
            Self::Time => "converting its HTML takes too long",
        })
    }
}

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

/// Converts HTML. An error names the limit that it exceeds.
pub fn to_markdown(html: &str, reading: &Reading, budget: &Budget) -> Result<Converted, Limit> {
    let Parsed { document, has_cut } = parse(html, budget)?;
    let left_out = has_cut.then(|| "attributes beyond the 64th of a tag".to_owned()).into_iter().collect();
    let mut footnotes = node::find_all(&document.document, "div");
    footnotes.retain(|node| node::attribute(node, MARK) == FOOTNOTE);
    let mut writer = Writer {
        reading,
        budget,
        is_late: false,
        depth: 0,
        keeps_lines: reading.keeps_lines,
        is_in_table: false,
        footnotes: footnotes.iter().map(|node| node::attribute(node, "data-fn")).collect(),
        used_footnotes: BTreeSet::new(),
        left_out,
    };
    let mut out = Vec::new();
    blocks(&mut writer, &node::children(&document.document), &mut out);
    block::footnotes(&mut writer, &footnotes, &mut out);
    if writer.is_late {
        return Err(Limit::Time);
    }
    let mut markdown = out.join("\n\n");
    if !markdown.is_empty() {
        markdown.push('\n');
    }
    Ok(Converted { markdown, left_out: writer.left_out })
}

/// Returns the addresses of all pictures of a text, each once.
#[must_use]
pub fn pictures(html: &str, base: Option<&Url>, budget: &Budget) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if !html.contains("<img") && !html.contains("<IMG") {
        return found;
    }
    let Ok(Parsed { document, .. }) = parse(html, budget) else { return found };
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

/// Returns the text of HTML in one line, such as a caption; empty: it exceeds a limit.
#[must_use]
pub fn plain_text(html: &str, budget: &Budget) -> String {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if !html.contains(['<', '&', '\0']) {
        return one_line(html);
    }
    parse(html, budget).map(|parsed| one_line(&node::text(&parsed.document.document))).unwrap_or_default()
}

/// State of a conversion.
struct Writer<'r> {
    reading: &'r Reading,
    budget: &'r Budget,
    /// Whether the time was over; then nothing more is written.
    is_late: bool,
    depth: usize,
    /// Whether blank lines separate paragraphs.
    keeps_lines: bool,
    is_in_table: bool,
    /// Ids of the footnotes.
    footnotes: Vec<String>,
    /// Places of the footnotes to which the text refers.
    used_footnotes: BTreeSet<usize>,
    left_out: BTreeSet<String>,
}

impl Writer<'_> {
    /// Whether the time is over.
    fn is_late(&mut self) -> bool {
        self.is_late = self.is_late || self.budget.check().is_err();
        self.is_late
    }

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

    /// Returns the address of a link. One that a text cannot have is named.
    fn named_link(&mut self, href: &str) -> Option<String> {
        let address = self.link(href);
        if address.is_none() && !href.trim().is_empty() {
            let scheme = href.split_once(':').map(|(scheme, _)| scheme.trim());
            let scheme = scheme.filter(|scheme| scheme.chars().all(|letter| letter.is_ascii_alphanumeric()));
            self.left_out.insert(match scheme {
                Some(scheme) if scheme.len() <= MAX_SCHEME_CHARS => {
                    format!("addresses of links with {scheme}:")
                }
                _ => "addresses of links that are not complete".to_owned(),
            });
        }
        address
    }

    /// Appends the blocks of these nodes.
    fn blocks(&mut self, nodes: &[Handle], out: &mut Vec<String>) {
        blocks(self, nodes, out);
    }

    /// Returns the number of the footnote to which an element refers.
    fn footnote(&mut self, at: &Handle) -> Option<usize> {
        let id = node::attribute(at, "data-fn");
        if id.is_empty() {
            return None;
        }
        let place = self.footnotes.iter().position(|known| *known == id)?;
        self.used_footnotes.insert(place);
        Some(place + 1)
    }

    /// Names an element that is left out with what it may show.
    fn leave_out(&mut self, at: &Handle) {
        if let Some(name @ ("script" | "svg")) = node::name(at) {
            self.left_out.insert(format!("<{name}>"));
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
