//! HTML made regular before it is cleaned: known elements alone, each closed where it ends, no deeper than a limit, attributes in
//! quotes. The cleaner's parser then has nothing to repair, and works in proportion to the length.

use super::{
    names,
    script::begins_right_to_left,
    tags::{Piece, Pieces, Tag},
    writer::{Budget, Writer},
};
use domain::refusal::TextLimit;
use std::{collections::HashSet, fmt::Write as _};

/// Most elements within each other.
pub const NESTED: usize = 200;
/// Bytes looked at to tell in which direction a list is written, or what an item says.
const AHEAD: usize = 600;
/// Longest name of a checkbox, in characters.
const LABEL_CHARS: usize = 100;

const VOID: &[&str] = &["area", "br", "col", "hr", "img", "input", "wbr"];
/// Elements whose content is no text.
const SILENT: &[&str] = &["script", "style"];
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
const INLINES: &[&str] = &[
    "a", "abbr", "acronym", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "i", "ins", "kbd",
    "map", "mark", "q", "rp", "rt", "rtc", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub",
    "sup", "time", "tt", "u", "var",
];
const PARTS: &[&str] = &["caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "td", "th"];
const HEADINGS: &[&str] = &["h2", "h3", "h4", "h5", "h6"];
/// Where text may not stand: only parts of the table may.
const FRAMES: &[&str] = &["table", "thead", "tbody", "tfoot", "tr", "colgroup"];
/// Elements that a name leads to.
const NAMED: &[&str] = &["a", "li", "h2", "h3", "h4", "h5", "h6"];
/// Blocks that have a direction of their own.
const DIRECTED: &[&str] =
    &["p", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "dt", "dd", "summary", "caption", "figcaption"];
/// Blocks whose direction is that of what they hold.
const HOLDERS: &[&str] = &["ul", "ol", "dl", "blockquote", "table"];

/// The same HTML, regular. `has_directions`: whether blocks say in which direction they are written.
pub fn regular(
    html: &str,
    most: usize,
    budget: &Budget,
    has_directions: bool,
) -> Result<String, (TextLimit, usize)> {
    let out = Writer::new(most, budget);
    let mut nest = Nest { out, open: Vec::new(), names: HashSet::new(), has_directions, is_too_deep: false };
    let mut pieces = Pieces::of(html);
    while let Some(piece) = pieces.next() {
        let written = match piece {
            Piece::Text(text) => nest.text(text),
            Piece::Close(name) => nest.close(renamed(&name)),
            Piece::Open(tag) if SILENT.contains(&tag.name.as_str()) => {
                pieces.skip_element(&tag.name);
                Ok(())
            }
            Piece::Open(tag) => nest.open(&tag, pieces.rest()),
        };
        if nest.is_too_deep {
            return Err((TextLimit::Nested, NESTED));
        }
        if written.is_err() {
            break;
        }
    }
    let _ = nest.close_to(0);
    nest.out.finish()
}

struct Nest<'b> {
    out: Writer<'b>,
    open: Vec<String>,
    names: HashSet<String>,
    has_directions: bool,
    is_too_deep: bool,
}

/// Raw `h1` is one level lower, as written headings are.
fn renamed(name: &str) -> &str {
    if name == "h1" { "h2" } else { name }
}

fn is(names: &[&str], name: &str) -> bool {
    names.contains(&name)
}

impl Nest<'_> {
    fn text(&mut self, text: &str) -> std::fmt::Result {
        if self.top().is_some_and(|top| is(FRAMES, top)) {
            if text.trim_ascii().is_empty() {
                return Ok(());
            }
            self.leave_table()?;
        }
        let mut rest = text;
        while let Some(place) = rest.find('<') {
            self.out.write_str(rest.get(..place).unwrap_or_default())?;
            self.out.write_str("&lt;")?;
            rest = rest.get(place + 1..).unwrap_or_default();
        }
        self.out.write_str(rest)
    }

    fn open(&mut self, tag: &Tag<'_>, rest: &str) -> std::fmt::Result {
        let name = renamed(&tag.name);
        let is_known = is(VOID, name) || is(BLOCKS, name) || is(INLINES, name) || is(PARTS, name);
        if !is_known || !self.make_place(name)? {
            return Ok(());
        }
        if self.open.len() >= NESTED {
            self.is_too_deep = true;
            return Ok(());
        }
        if name == "table" {
            self.out.write_str("<div class=\"table-scroll\" tabindex=\"0\">")?;
        }
        self.write_tag(name, tag, rest)?;
        if !is(VOID, name) {
            self.open.push(name.to_owned());
        }
        Ok(())
    }

    /// Ends what cannot hold `name`; whether it may stand there now.
    fn make_place(&mut self, name: &str) -> Result<bool, std::fmt::Error> {
        if is(PARTS, name) {
            return self.make_place_in_table(name);
        }
        if self.top().is_some_and(|top| is(FRAMES, top)) {
            self.leave_table()?;
        }
        if is(BLOCKS, name) {
            self.end(&["p"], &[])?;
        }
        match name {
            "li" => self.end(&["li"], &["ul", "ol"])?,
            "dd" | "dt" => self.end(&["dd", "dt"], &["dl"])?,
            "a" => self.end(&["a"], &[])?,
            "rt" | "rp" | "rtc" => self.end(&["rt", "rp", "rtc"], &["ruby"])?,
            _ if is(HEADINGS, name) => self.end(HEADINGS, &["blockquote", "li", "div"])?,
            _ => {}
        }
        Ok(true)
    }

    fn make_place_in_table(&mut self, name: &str) -> Result<bool, std::fmt::Error> {
        let holders: &[&str] = match name {
            "td" | "th" => &["tr"],
            "tr" => &["thead", "tbody", "tfoot", "table"],
            "col" => &["colgroup", "table"],
            _ => &["table"],
        };
        let Some(table) = self.open.iter().rposition(|open| open == "table") else { return Ok(false) };
        let inside = self.open.iter().skip(table);
        let Some(place) = inside.rev().position(|open| is(holders, open)) else { return Ok(false) };
        let kept = self.open.len() - place;
        self.close_to(kept)?;
        Ok(true)
    }

    /// Ends the nearest of these elements, unless one of `bounds` or a cell lies between.
    fn end(&mut self, names: &[&str], bounds: &[&str]) -> std::fmt::Result {
        let bounded = |open: &&String| is(bounds, open) || is(&["td", "th", "caption", "table"], open);
        let inner = self.open.iter().rev().take_while(|open| !bounded(open));
        match inner.clone().position(|open| is(names, open)) {
            Some(place) => self.close_to(self.open.len() - place - 1),
            None => Ok(()),
        }
    }

    fn close(&mut self, name: &str) -> std::fmt::Result {
        let is_part = is(PARTS, name) || name == "table";
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

    /// Ends elements until `kept` are open.
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
                "class" if value.split_ascii_whitespace().any(|class| class == "table-scroll") => {}
                _ => self.attribute(attribute, Some(value))?,
            }
        }
        let id = tag.get("id").or_else(|| tag.get("name").filter(|_| name == "a"));
        if let Some(id) = id.filter(|id| is(NAMED, name) && names::is_usable(id))
            && self.names.insert(id.to_owned())
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
        if self.has_directions && tag.get("dir").is_none() {
            let direction = match name {
                _ if is(DIRECTED, name) => Some("auto"),
                _ if is(HOLDERS, name) && begins_right_to_left(ahead(rest).chars()) => Some("rtl"),
                _ => None,
            };
            self.attribute("dir", direction)?;
        }
        self.out.write_str(">")
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

/// The class of a code block: its language alone.
fn language(class: &str) -> Option<&str> {
    let class = class.split_ascii_whitespace().find(|class| class.starts_with("language-"))?;
    let is_safe = |letter: char| letter.is_ascii_alphanumeric() || "-+#._".contains(letter);
    let end = class.find(|letter| !is_safe(letter)).unwrap_or(class.len()).min(40);
    class.get(..end).filter(|class| class.len() > "language-".len())
}

/// The words that follow, of the first few hundred bytes.
fn ahead(rest: &str) -> String {
    let rest = rest.get(..rest.floor_char_boundary(AHEAD)).unwrap_or_default();
    Pieces::of(rest)
        .filter_map(|piece| if let Piece::Text(text) = piece { Some(text) } else { None })
        .collect()
}

/// What a checkbox is called: the words of its item.
fn label(rest: &str) -> String {
    let rest = rest.get(..rest.floor_char_boundary(AHEAD)).unwrap_or_default();
    let is_end = |piece: &Piece<'_>| match piece {
        Piece::Open(tag) => is(BLOCKS, &tag.name) && tag.name != "p",
        Piece::Close(name) => is(&["li", "p", "ul", "ol"], name),
        Piece::Text(_) => false,
    };
    let words = Pieces::of(rest).take_while(|piece| !is_end(piece));
    let words: String =
        words.filter_map(|piece| if let Piece::Text(text) = piece { Some(text) } else { None }).collect();
    let words: String =
        words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LABEL_CHARS).collect();
    // An entity that was cut in two would be read as text.
    let words =
        words.rfind('&').filter(|at| !words[*at..].contains(';')).map_or(words.as_str(), |at| &words[..at]);
    if words.is_empty() { "☐".to_owned() } else { words.to_owned() }
}
