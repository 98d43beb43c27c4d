//! The checklist of a desk: what a text should have before it is scheduled.

use super::render;
use crate::services::hex;
use comrak::{
    Arena, Options,
    nodes::{AstNode, NodeValue, Sourcepos},
    parse_document,
};
use domain::review::workflow::checklist::{
    CheckItem, CheckMode, CheckedItem, Checklist, Finding, MAX_FINDINGS, MAX_LINKS,
};
use domain::text::slice_text;
use std::collections::HashSet;

/// Maximum length of a quote, in characters.
const MAX_QUOTE_CHARS: usize = 60;
/// The mark of a missing piece.
const MARK: &str = "TK";

/// What is checked of an article.
#[derive(Debug, Clone, Copy)]
pub struct Checked<'t> {
    /// The title.
    pub title: &'t str,
    /// Whether it has a summary.
    pub has_summary: bool,
    /// Markdown.
    pub body: &'t str,
    /// The links that answered lately, by their [`link_hash`], and the own ones that lead somewhere, by
    /// their [`OwnTarget::key`].
    pub answered: &'t HashSet<String>,
}

/// Checks a text against the items that are switched on. A text that cannot be rendered has no
/// pictures and headings.
#[must_use]
pub fn check(checklist: &Checklist, text: Checked<'_>) -> Vec<CheckedItem> {
    let places = Places::of(text.body);
    let is_on = |item| checklist.mode(item) != CheckMode::Off;
    let (pictures, headings) = if is_on(CheckItem::AltTexts) || is_on(CheckItem::Headings) {
        parsed(text.body, &places)
    } else {
        (Vec::new(), Vec::new())
    };
    let mut checked = Vec::new();
    for item in CheckItem::ALL.iter().copied().filter(|item| is_on(*item)) {
        let mut findings = match item {
            CheckItem::Title => missing(text.title.trim().is_empty()),
            CheckItem::Summary => missing(!text.has_summary),
            CheckItem::AltTexts => pictures.clone(),
            CheckItem::Marks => marks(text, &places),
            CheckItem::Headings => headings.clone(),
            CheckItem::Links => silent_links(text),
            CheckItem::OwnLinks => broken_links(text),
        };
        findings.truncate(MAX_FINDINGS);
        checked.push(CheckedItem { item, mode: checklist.mode(item), findings });
    }
    checked
}

/// The items that are required and not fulfilled.
#[must_use]
pub fn missing_items(checklist: &Checklist, text: Checked<'_>) -> Vec<CheckItem> {
    let required = check(checklist, text).into_iter().filter(|checked| checked.mode == CheckMode::Require);
    required.filter(|checked| !checked.findings.is_empty()).map(|checked| checked.item).collect()
}

fn missing(is_missing: bool) -> Vec<Finding> {
    if is_missing { vec![Finding { line: 0, start: 0, end: 0, quote: String::new() }] } else { Vec::new() }
}

/// Begin of each line in a text, in bytes.
struct Places<'t> {
    text: &'t str,
    lines: Vec<usize>,
}

impl<'t> Places<'t> {
    fn of(text: &'t str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self { text, lines: std::iter::once(0).chain(ends.map(|(place, _)| place + 1)).collect() }
    }

    /// A finding between two bytes.
    fn finding(&self, from: usize, to: usize) -> Finding {
        let (from, to) = (self.text.floor_char_boundary(from), self.text.ceil_char_boundary(to));
        let chars = |text: &str| text.chars().count();
        let start = chars(slice_text(self.text, ..from));
        let found = slice_text(self.text, from..to);
        let line = self.lines.partition_point(|begin| *begin <= from);
        let quote: String = found.chars().take(MAX_QUOTE_CHARS).collect();
        let quote = quote.replace('\n', " ");
        Finding { line: u32::try_from(line).unwrap_or(u32::MAX), start, end: start + chars(found), quote }
    }

    /// A finding at the place of a node.
    fn node(&self, place: Sourcepos) -> Finding {
        let byte = |line: usize, column: usize| {
            let begin = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len());
            (begin + column).min(self.text.len())
        };
        let from = byte(place.start.line, place.start.column.saturating_sub(1));
        let to = byte(place.end.line, place.end.column);
        self.finding(from, to.max(from))
    }
}

/// The pictures without a description, and the headings that skip a level.
fn parsed(body: &str, places: &Places<'_>) -> (Vec<Finding>, Vec<Finding>) {
    if render::check(body).is_err() {
        return (Vec::new(), Vec::new());
    }
    let arena = Arena::new();
    let root = parse_document(&arena, body, &Options::default());
    let (mut pictures, mut headings, mut level) = (Vec::new(), Vec::new(), None);
    for node in root.descendants() {
        let data = node.data.borrow();
        match &data.value {
            NodeValue::Image(_) if !has_text(node) => pictures.push(places.node(data.sourcepos)),
            NodeValue::Heading(heading) => {
                if level.is_some_and(|before| heading.level > before + 1) {
                    headings.push(places.node(data.sourcepos));
                }
                level = Some(heading.level);
            }
            _ => {}
        }
    }
    (pictures, headings)
}

/// The links that did not answer lately, of those that are opened.
fn silent_links(text: Checked<'_>) -> Vec<Finding> {
    let links = web_links(text.body).into_iter().take(MAX_LINKS);
    let silent = links.filter(|link| !text.answered.contains(&link_hash(&link.url)));
    silent.map(|link| link.place).collect()
}

/// The links to articles and files of this desk that lead nowhere.
fn broken_links(text: Checked<'_>) -> Vec<Finding> {
    let broken = own_links(text.body).into_iter().filter(|link| !text.answered.contains(&link.target.key()));
    broken.map(|link| link.place).collect()
}

/// What answers are stored by: SHA-256 of the address, in hex.
#[must_use]
pub fn link_hash(url: &str) -> String {
    hex::sha256(url.as_bytes())
}

/// A link of a text to the web.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebLink {
    /// Its first place; the quote is its address, shortened.
    pub place: Finding,
    /// Its address, without the part after `#`.
    pub url: String,
}

/// The links of a text to the web, each address once, by their place.
#[must_use]
pub fn web_links(body: &str) -> Vec<WebLink> {
    if render::check(body).is_err() {
        return Vec::new();
    }
    let arena = Arena::new();
    let mut options = Options::default();
    options.extension.autolink = true;
    let root = parse_document(&arena, body, &options);
    let places = Places::of(body);
    let (mut links, mut known) = (Vec::new(), HashSet::new());
    for node in root.descendants() {
        let data = node.data.borrow();
        let (NodeValue::Link(link) | NodeValue::Image(link)) = &data.value else { continue };
        let url = link.url.split('#').next().unwrap_or_default();
        let is_web = ["http://", "https://"]
            .iter()
            .any(|scheme| url.get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme)));
        if is_web && known.insert(url.to_owned()) {
            let quote = url.chars().take(MAX_QUOTE_CHARS).collect();
            let place = Finding { quote, ..places.node(data.sourcepos) };
            links.push(WebLink { place, url: url.to_owned() });
        }
    }
    links
}

/// What a link to this desk leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnTarget {
    /// The public page of the article with this slug.
    Article(String),
    /// The file with this hash.
    File(String),
}

impl OwnTarget {
    /// Reads a path such as `/site/spring` or `/media/HASH/name.png`; `None`: it is another address.
    fn of(url: &str) -> Option<Self> {
        let path = url.split(['?', '#']).next()?;
        let (kind, rest) = path.strip_prefix('/')?.split_once('/')?;
        let first = rest.split('/').next().filter(|first| !first.is_empty())?;
        match kind {
            "media" => Some(Self::File(first.to_owned())),
            // Lists and feeds have longer paths, or an ending.
            "site" if first == rest && !first.contains('.') => Some(Self::Article(unescaped(first))),
            _ => None,
        }
    }

    /// Key of a target in [`Checked::answered`].
    #[must_use]
    pub fn key(&self) -> String {
        match self {
            Self::Article(slug) => link_hash(&format!("/site/{slug}")),
            Self::File(hash) => link_hash(&format!("/media/{hash}")),
        }
    }
}

/// A part of a path without percent escapes. No slug contains a NUL, which a database may refuse: its escape
/// stays.
fn unescaped(part: &str) -> String {
    let (mut bytes, mut rest) = (Vec::with_capacity(part.len()), part);
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        match after.get(..2).map(|digits| u8::from_str_radix(digits, 16)) {
            Some(Ok(byte)) if byte != 0 => {
                bytes.push(byte);
                rest = slice_text(after, 2..);
            }
            _ => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).unwrap_or_else(|_| part.to_owned())
}

/// A link of a text to an article or a file of this desk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnLink {
    /// Its place; the quote is its address, shortened.
    pub place: Finding,
    /// What it leads to.
    pub target: OwnTarget,
}

/// The links and pictures of a text that name an article or a file of this desk, by their place.
#[must_use]
pub fn own_links(body: &str) -> Vec<OwnLink> {
    if render::check(body).is_err() {
        return Vec::new();
    }
    let arena = Arena::new();
    let root = parse_document(&arena, body, &Options::default());
    let (places, mut links) = (Places::of(body), Vec::new());
    for node in root.descendants() {
        let data = node.data.borrow();
        let (NodeValue::Link(link) | NodeValue::Image(link)) = &data.value else { continue };
        if let Some(target) = OwnTarget::of(&link.url) {
            let quote = link.url.chars().take(MAX_QUOTE_CHARS).collect();
            links.push(OwnLink { place: Finding { quote, ..places.node(data.sourcepos) }, target });
        }
    }
    links
}

/// Whether a node contains visible text.
fn has_text<'a>(node: &'a AstNode<'a>) -> bool {
    node.descendants().skip(1).any(|inner| match &inner.data.borrow().value {
        NodeValue::Text(text) => !text.trim().is_empty(),
        NodeValue::Code(code) => !code.literal.trim().is_empty(),
        _ => false,
    })
}

/// The marks of missing pieces: `TK` as a word.
fn marks(text: Checked<'_>, places: &Places<'_>) -> Vec<Finding> {
    let in_title = missing(words(text.title).any(|(_, word)| word == MARK))
        .into_iter()
        .map(|finding| Finding { quote: text.title.chars().take(MAX_QUOTE_CHARS).collect(), ..finding });
    let in_body = words(text.body).filter(|(_, word)| *word == MARK);
    in_title.chain(in_body.map(|(from, word)| places.finding(from, from + word.len()))).collect()
}

/// The words of ASCII letters and digits, with their first byte.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_separator = |letter: char| !letter.is_ascii_alphanumeric();
    let begin = text.as_ptr() as usize;
    text.split(is_separator).map(move |word| (word.as_ptr() as usize - begin, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mode: CheckMode) -> Checklist {
        let mut checklist = Checklist::default();
        for item in CheckItem::ALL {
            checklist.set(*item, mode);
        }
        checklist
    }

    fn quotes(body: &str, item: CheckItem) -> Vec<(u32, String)> {
        let text = Checked { title: "Title", has_summary: true, body, answered: &HashSet::new() };
        let checked = check(&all(CheckMode::Warn), text);
        let findings = checked.into_iter().find(|one| one.item == item).unwrap().findings;
        findings.into_iter().map(|finding| (finding.line, finding.quote)).collect()
    }

    #[test]
    fn a_picture_needs_a_description() {
        let body = "Ein Bild: ![](/media/1) und ![ ](/media/2).\n\nä ![A cat](/media/3) ![`x`](/media/4)\n";
        let found = quotes(body, CheckItem::AltTexts);
        assert_eq!(found, [(1, "![](/media/1)".to_owned()), (1, "![ ](/media/2)".to_owned())]);
        assert!(quotes("`![](code)`", CheckItem::AltTexts).is_empty());
    }

    #[test]
    fn no_level_of_the_headings_is_skipped() {
        let body =
            "## One\n\n#### Skipped\n\n## Two\n\n### Three\n\n#### Four\n\n# Top\n\n### Skipped again\n";
        let found: Vec<u32> = quotes(body, CheckItem::Headings).into_iter().map(|(line, _)| line).collect();
        assert_eq!(found, [3, 13]);
    }

    #[test]
    fn a_mark_is_a_word_and_has_its_place() {
        let body = "ATKINS, TKs.\n补充TK。 More TK";
        let text = Checked { title: "TK", has_summary: false, body, answered: &HashSet::new() };
        let checked = check(&all(CheckMode::Require), text);
        let marks = &checked.iter().find(|one| one.item == CheckItem::Marks).unwrap().findings;
        let places: Vec<(u32, usize, usize)> =
            marks.iter().map(|one| (one.line, one.start, one.end)).collect();
        assert_eq!(places, [(0, 0, 0), (2, 15, 17), (2, 24, 26)]);
        assert_eq!(missing_items(&all(CheckMode::Require), text), [CheckItem::Summary, CheckItem::Marks]);
        assert!(missing_items(&all(CheckMode::Warn), text).is_empty());
        assert!(check(&Checklist::default(), text).is_empty());
    }

    #[test]
    fn web_links_are_named_once() {
        let body = "[a](https://a.example/#x) https://b.example/ ![](HTTP://c.example/p.png)\n\n[a](https://a.example/#y) \
                    [m](mailto:a@b.example) [i](/site/x) `https://code.example`\n";
        let found = web_links(body);
        let found: Vec<(u32, &str)> = found.iter().map(|link| (link.place.line, link.url.as_str())).collect();
        assert_eq!(
            found,
            [(1, "https://a.example/"), (1, "https://b.example/"), (1, "HTTP://c.example/p.png")]
        );
    }

    #[test]
    fn a_link_counts_if_it_answered() {
        let body = "[a](https://a.example/x#y)\n\n[b](https://b.example/)";
        assert_eq!(
            quotes(body, CheckItem::Links),
            [(1, "https://a.example/x".to_owned()), (3, "https://b.example/".to_owned())]
        );
        let answered = HashSet::from([link_hash("https://a.example/x"), link_hash("https://b.example/")]);
        let text = Checked { title: "Title", has_summary: true, body, answered: &answered };
        assert!(missing_items(&all(CheckMode::Require), text).is_empty());
    }

    #[test]
    fn own_links_must_lead_to_an_article_or_a_file() {
        let body = "[a](/site/spring#top) [b](/site/%E6%98%A5?x=1) ![c](/media/ab/c.png)\n\n\
                    [d](/site/tag/sea) [e](/site/feed.xml) [f](/articles/1) [g](https://a.example/site/x) [h](/media)";
        let targets: Vec<OwnTarget> = own_links(body).into_iter().map(|link| link.target).collect();
        let article = |slug: &str| OwnTarget::Article(slug.to_owned());
        assert_eq!(targets, [article("spring"), article("春"), OwnTarget::File("ab".to_owned())]);
        let found = quotes(body, CheckItem::OwnLinks);
        assert_eq!(found[0], (1, "/site/spring#top".to_owned()));
        assert_eq!(found.len(), 3);
        let nul = own_links("[a](/site/a%00b)").pop().unwrap();
        assert_eq!(nul.target, article("a%00b"), "a database may refuse a NUL");
        let answered: HashSet<String> = targets.iter().map(OwnTarget::key).collect();
        let text = Checked { title: "Title", has_summary: true, body, answered: &answered };
        let checklist = Checklist { own_links: CheckMode::Require, ..Checklist::default() };
        assert!(missing_items(&checklist, text).is_empty());
    }

    #[test]
    fn many_findings_are_cut() {
        assert_eq!(quotes(&"TK ".repeat(100), CheckItem::Marks).len(), MAX_FINDINGS);
    }
}
