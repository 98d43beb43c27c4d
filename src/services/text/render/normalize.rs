//! Normalises HTML before it is sanitised: only known elements, all closed, with limited depth and
//! quoted attributes. The parser of the sanitiser then has nothing to repair and runs in linear
//! time, and its serialiser too (`clean::split`).

use super::{
    ast::{ALERT_CLASSES, BARE_LINK_CLASS},
    clean::TextSplitter,
    heading_ids,
    limited_writer::{Budget, LimitedWriter},
    script::begins_right_to_left,
    tags::{Tag, Token, Tokenizer},
};
use domain::error::TextLimit;
use domain::text::slice_text;
use std::{collections::HashSet, fmt::Write as _};

/// Maximum nesting depth of elements.
pub const MAX_NESTING: usize = 200;
/// Number of bytes read to determine the direction of a block or the label of a checkbox.
const LOOKAHEAD_BYTES: usize = 600;
/// Maximum length of the label of a checkbox, characters.
const MAX_LABEL_CHARS: usize = 100;

/// Elements without an end tag.
const VOID: &[&str] = &["area", "br", "col", "hr", "img", "input", "wbr"];
/// Elements whose content is not text.
const RAW_TEXT: &[&str] = &["script", "style"];
/// Elements that end a paragraph.
const BLOCKS: &[&str] = &[
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "div",
    "dl",
    "figcaption",
    "figure",
    "footer",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "li",
    "dd",
    "dt",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "ul",
];
/// Inline elements.
const INLINES: &[&str] = &[
    "a", "abbr", "acronym", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "i", "ins", "kbd",
    "map", "mark", "q", "rp", "rt", "rtc", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub",
    "sup", "time", "tt", "u", "var",
];
/// Parts of tables.
const TABLE_PARTS: &[&str] = &["caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "td", "th"];
const HEADINGS: &[&str] = &["h2", "h3", "h4", "h5", "h6"];
/// Elements that may contain only parts of a table, no text.
const TABLE_CONTAINERS: &[&str] = &["table", "thead", "tbody", "tfoot", "tr", "colgroup"];
/// Elements that may have an id.
const WITH_ID: &[&str] = &["a", "li", "h2", "h3", "h4", "h5", "h6"];
/// Blocks with their own text direction.
const WITH_DIRECTION: &[&str] =
    &["p", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "dt", "dd", "summary", "caption", "figcaption"];
/// Blocks whose text direction is that of their content.
const CONTENT_DIRECTION: &[&str] = &["ul", "ol", "dl", "blockquote", "table"];

/// Returns the normalised HTML. `has_rtl`: whether blocks need a `dir` attribute.
pub fn normalize(
    html: &str,
    max_bytes: usize,
    budget: &Budget,
    has_rtl: bool,
) -> Result<String, (TextLimit, usize)> {
    let out = LimitedWriter::new(max_bytes, budget);
    let mut normalizer = Normalizer {
        out,
        splitter: TextSplitter::default(),
        open: Vec::new(),
        ids: HashSet::new(),
        has_rtl,
        is_too_deep: false,
    };
    let mut tokens = Tokenizer::of(html);
    while let Some(token) = tokens.next() {
        let written = match token {
            Token::Text(text) => normalizer.text(text),
            Token::Close(name) => normalizer.close(renamed(&name)),
            Token::Open(tag) if RAW_TEXT.contains(&tag.name.as_str()) => {
                tokens.skip_element(&tag.name);
                Ok(())
            }
            Token::Open(tag) => normalizer.open(&tag, tokens.rest()),
        };
        if normalizer.is_too_deep {
            return Err((TextLimit::Nested, MAX_NESTING));
        }
        if written.is_err() {
            break;
        }
    }
    let _ = normalizer.close_to(0);
    normalizer.out.finish()
}

struct Normalizer<'b> {
    out: LimitedWriter<'b>,
    splitter: TextSplitter,
    open: Vec<String>,
    ids: HashSet<String>,
    has_rtl: bool,
    is_too_deep: bool,
}

/// Returns the name of an element; a raw `h1` becomes `h2`, like headings in Markdown.
fn renamed(name: &str) -> &str {
    if name == "h1" { "h2" } else { name }
}

fn is(names: &[&str], name: &str) -> bool {
    names.contains(&name)
}

impl Normalizer<'_> {
    fn text(&mut self, text: &str) -> std::fmt::Result {
        if self.top().is_some_and(|top| is(TABLE_CONTAINERS, top)) {
            if text.trim_ascii().is_empty() {
                return Ok(());
            }
            self.leave_table()?;
        }
        self.splitter.write(&mut self.out, text)
    }

    fn open(&mut self, tag: &Tag<'_>, rest: &str) -> std::fmt::Result {
        let name = renamed(&tag.name);
        let is_known = is(VOID, name) || is(BLOCKS, name) || is(INLINES, name) || is(TABLE_PARTS, name);
        if !is_known || !self.close_for(name)? {
            return Ok(());
        }
        if self.open.len() >= MAX_NESTING {
            self.is_too_deep = true;
            return Ok(());
        }
        if name == "table" {
            self.out.write_str("<div class=\"table-scroll\" tabindex=\"0\"")?;
            self.attribute("dir", self.direction(name, tag, rest))?;
            self.out.write_str(">")?;
        }
        self.write_tag(name, tag, rest)?;
        if !is(VOID, name) {
            self.open.push(name.to_owned());
        }
        Ok(())
    }

    /// Closes elements that cannot contain `name`. Returns whether `name` is allowed here.
    fn close_for(&mut self, name: &str) -> Result<bool, std::fmt::Error> {
        if is(TABLE_PARTS, name) {
            return self.close_for_table_part(name);
        }
        if self.top().is_some_and(|top| is(TABLE_CONTAINERS, top)) {
            self.leave_table()?;
        }
        if is(BLOCKS, name) {
            self.close_nearest(&["p"], &[])?;
        }
        match name {
            "li" => self.close_nearest(&["li"], &["ul", "ol"])?,
            "dd" | "dt" => self.close_nearest(&["dd", "dt"], &["dl"])?,
            "a" => self.close_nearest(&["a"], &[])?,
            "rt" | "rp" | "rtc" => self.close_nearest(&["rt", "rp", "rtc"], &["ruby"])?,
            _ if is(HEADINGS, name) => self.close_nearest(HEADINGS, &["blockquote", "li", "div"])?,
            _ => {}
        }
        Ok(true)
    }

    fn close_for_table_part(&mut self, name: &str) -> Result<bool, std::fmt::Error> {
        let parents: &[&str] = match name {
            "td" | "th" => &["tr"],
            "tr" => &["thead", "tbody", "tfoot", "table"],
            "col" => &["colgroup", "table"],
            _ => &["table"],
        };
        let Some(table) = self.open.iter().rposition(|open| open == "table") else { return Ok(false) };
        let inside = self.open.iter().skip(table);
        let Some(place) = inside.rev().position(|open| is(parents, open)) else { return Ok(false) };
        let kept = self.open.len() - place;
        self.close_to(kept)?;
        Ok(true)
    }

    /// Closes the nearest of these elements, unless one of `bounds` or a table cell is in between.
    fn close_nearest(&mut self, names: &[&str], bounds: &[&str]) -> std::fmt::Result {
        let bounded = |open: &&String| is(bounds, open) || is(&["td", "th", "caption", "table"], open);
        let inner = self.open.iter().rev().take_while(|open| !bounded(open));
        match inner.clone().position(|open| is(names, open)) {
            Some(place) => self.close_to(self.open.len() - place - 1),
            None => Ok(()),
        }
    }

    fn close(&mut self, name: &str) -> std::fmt::Result {
        let is_part = is(TABLE_PARTS, name) || name == "table";
        let bounded = |open: &&String| {
            if is_part {
                *open == "table" && name != "table"
            } else {
                is(&["td", "th", "caption", "table"], open)
            }
        };
        match self.open.iter().rev().take_while(|open| !bounded(open)).position(|open| open == name) {
            Some(place) => self.close_to(self.open.len() - place - 1),
            None => Ok(()),
        }
    }

    fn leave_table(&mut self) -> std::fmt::Result {
        match self.open.iter().rposition(|open| open == "table") {
            Some(table) => self.close_to(table),
            None => Ok(()),
        }
    }

    /// Closes elements until `kept` are open.
    fn close_to(&mut self, kept: usize) -> std::fmt::Result {
        while self.open.len() > kept {
            let Some(name) = self.open.pop() else { break };
            write!(self.out, "</{name}>")?;
            if name == "table" {
                self.out.write_str("</div>")?;
            }
        }
        Ok(())
    }

    fn top(&self) -> Option<&str> {
        self.open.last().map(String::as_str)
    }

    fn write_tag(&mut self, name: &str, tag: &Tag<'_>, rest: &str) -> std::fmt::Result {
        write!(self.out, "<{name}")?;
        for (attribute, value) in &tag.attributes {
            match attribute.as_str() {
                "id" | "tabindex" | "aria-label" => {}
                _ if name == "input" && attribute != "checked" => {}
                "class" if name == "code" => self.attribute("class", language(value))?,
                "class" if name == "p" => self.attribute("class", paragraph_class(value))?,
                "class" if value.split_ascii_whitespace().any(|class| class == "table-scroll") => {}
                _ => self.attribute(attribute, Some(value))?,
            }
        }
        let id = tag.get("id").or_else(|| tag.get("name").filter(|_| name == "a"));
        if let Some(id) = id.filter(|id| is(WITH_ID, name) && heading_ids::is_valid_id(id))
            && self.ids.insert(id.to_owned())
        {
            self.attribute("id", Some(id))?;
        }
        if name == "pre" {
            self.attribute("tabindex", Some("0"))?;
        }
        if name == "input" {
            let label = label(rest);
            self.out.write_str(" type=\"checkbox\" disabled=\"\"")?;
            self.attribute("aria-label", Some(&label))?;
        }
        self.attribute("dir", self.direction(name, tag, rest))?;
        self.out.write_str(">")
    }

    /// Returns the text direction of an element that has none of its own; `None`: that of its parent.
    fn direction(&self, name: &str, tag: &Tag<'_>, rest: &str) -> Option<&'static str> {
        if !self.has_rtl || tag.get("dir").is_some() {
            return None;
        }
        match name {
            // "auto" looks at no text in elements with a direction of their own.
            _ if is(WITH_DIRECTION, name) => (!begins_with_block(rest)).then_some("auto"),
            _ if is(CONTENT_DIRECTION, name) && begins_right_to_left(lookahead(rest).chars()) => Some("rtl"),
            _ => None,
        }
    }

    fn attribute(&mut self, name: &str, value: Option<&str>) -> std::fmt::Result {
        let Some(value) = value else { return Ok(()) };
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return Ok(());
        }
        let value = value.replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;");
        write!(self.out, " {name}=\"{value}\"")
    }
}

/// Returns the language class of a code block.
fn language(class: &str) -> Option<&str> {
    let class = class.split_ascii_whitespace().find(|class| class.starts_with("language-"))?;
    let is_safe = |letter: char| letter.is_ascii_alphanumeric() || "-+#._".contains(letter);
    let end = class.find(|letter| !is_safe(letter)).unwrap_or(class.len()).min(40);
    class.get(..end).filter(|class| class.len() > "language-".len())
}

/// Returns the class of a paragraph that is the label of an alert, or only an address.
fn paragraph_class(class: &str) -> Option<&str> {
    let is_known = |class: &&str| ALERT_CLASSES.contains(class) || *class == BARE_LINK_CLASS;
    class.split_ascii_whitespace().find(is_known)
}

/// Whether a block comes first, after a checkbox at most.
fn begins_with_block(rest: &str) -> bool {
    let rest = rest.get(..rest.floor_char_boundary(LOOKAHEAD_BYTES)).unwrap_or_default();
    let is_skipped = |token: &Token<'_>| match token {
        Token::Text(text) => text.trim().is_empty(),
        Token::Open(tag) => tag.name == "input",
        Token::Close(_) => false,
    };
    let first = Tokenizer::of(rest).find(|token| !is_skipped(token));
    matches!(first, Some(Token::Open(tag)) if is(BLOCKS, renamed(&tag.name)))
}

/// Returns the text of the first few hundred bytes.
fn lookahead(rest: &str) -> String {
    let rest = rest.get(..rest.floor_char_boundary(LOOKAHEAD_BYTES)).unwrap_or_default();
    Tokenizer::of(rest)
        .filter_map(|token| if let Token::Text(text) = token { Some(text) } else { None })
        .collect()
}

/// Returns the label of a checkbox: the text of its list item.
fn label(rest: &str) -> String {
    let rest = rest.get(..rest.floor_char_boundary(LOOKAHEAD_BYTES)).unwrap_or_default();
    let is_end = |token: &Token<'_>| match token {
        Token::Open(tag) => is(BLOCKS, &tag.name) && tag.name != "p",
        Token::Close(name) => is(&["li", "p", "ul", "ol"], name),
        Token::Text(_) => false,
    };
    let words = Tokenizer::of(rest).take_while(|token| !is_end(token));
    let words: String =
        words.filter_map(|token| if let Token::Text(text) = token { Some(text) } else { None }).collect();
    let words: String =
        words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_LABEL_CHARS).collect();
    // Removes an incomplete entity at the end.
    let words = words
        .rfind('&')
        .filter(|at| !slice_text(&words, *at..).contains(';'))
        .map_or(words.as_str(), |at| slice_text(&words, ..at));
    if words.is_empty() { "☐".to_owned() } else { words.to_owned() }
}
