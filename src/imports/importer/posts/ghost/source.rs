//! Reads the source of a text, as the editors of Ghost store it: Lexical or Mobiledoc. Only for posts of
//! which the export has no HTML.

use super::cards::{self, text};
use crate::text::html::escape;
use serde_json::Value;
use std::{collections::BTreeSet, fmt::Write as _};

/// Bits of the format of a text in Lexical, and their elements.
const FORMATS: [(u64, &str); 6] =
    [(1, "strong"), (2, "em"), (4, "del"), (16, "code"), (32, "sub"), (64, "sup")];

/// A text that was read from its source.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// HTML. Parts that are not for everyone have the marks of Ghost.
    pub html: String,
    /// Names of what is left out.
    pub left_out: BTreeSet<String>,
}

/// Reads a source. `None`: there is none, or it has no text.
pub fn read(lexical: Option<&str>, mobiledoc: Option<&str>) -> Option<Source> {
    let parsed = |text: Option<&str>| text.and_then(|text| serde_json::from_str::<Value>(text).ok());
    let mut source = Source::default();
    if let Some(value) = parsed(lexical) {
        source.node(value.get("root")?);
    } else {
        source.sections(&parsed(mobiledoc)?);
    }
    let has_text = !source.html.trim().is_empty() || !source.left_out.is_empty();
    has_text.then_some(source)
}

impl Source {
    /// Appends a node of Lexical. The parser bounds their depth.
    fn node(&mut self, node: &Value) {
        let kind = text(node, "type");
        let tag = match kind {
            "root" => return self.children(node),
            "text" | "extended-text" => return self.formatted(node),
            "linebreak" => return self.html.push_str("<br>"),
            "link" | "autolink" => {
                let _ = write!(self.html, "<a href=\"{}\">", escape(text(node, "url")));
                self.children(node);
                return self.html.push_str("</a>");
            }
            "paragraph" => "p",
            "quote" | "extended-quote" | "aside" => "blockquote",
            "listitem" => "li",
            "list" if text(node, "listType") == "number" => "ol",
            "list" => "ul",
            "heading" | "extended-heading" => match text(node, "tag") {
                tag @ ("h1" | "h2" | "h3" | "h4" | "h5" | "h6") => tag,
                _ => "h2",
            },
            _ => return self.card(kind, node),
        };
        let _ = write!(self.html, "<{tag}>");
        self.children(node);
        let _ = write!(self.html, "</{tag}>");
    }

    fn children(&mut self, node: &Value) {
        let children = node.get("children").and_then(Value::as_array);
        children.into_iter().flatten().for_each(|child| self.node(child));
    }

    fn formatted(&mut self, node: &Value) {
        let format = node.get("format").and_then(Value::as_u64).unwrap_or_default();
        let tags =
            FORMATS.iter().filter(|(bit, _)| format & bit != 0).map(|(_, tag)| *tag).collect::<Vec<_>>();
        for tag in &tags {
            let _ = write!(self.html, "<{tag}>");
        }
        self.html.push_str(&escape(text(node, "text")));
        for tag in tags.iter().rev() {
            let _ = write!(self.html, "</{tag}>");
        }
    }

    /// Appends a card, with the marks of Ghost if it is not for strangers.
    fn card(&mut self, kind: &str, fields: &Value) {
        let is_gated = cards::is_gated(fields);
        if is_gated {
            self.html.push_str("<!--kg-gated-block:begin nonMember:false -->");
        }
        if !cards::card(kind, fields, &mut self.html) {
            self.left_out.insert(format!("the card {kind}"));
            self.children(fields);
        }
        if is_gated {
            self.html.push_str("<!--kg-gated-block:end-->");
        }
    }

    /// Appends the sections of Mobiledoc.
    fn sections(&mut self, document: &Value) {
        for section in list(document.get("sections")) {
            match section.get(0).and_then(Value::as_u64) {
                Some(1) => {
                    let tag = match section.get(1).and_then(Value::as_str) {
                        Some(tag @ ("h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "blockquote")) => tag,
                        Some("aside" | "pull-quote") => "blockquote",
                        _ => "p",
                    };
                    self.markers(document, section.get(2), tag);
                }
                Some(3) => {
                    let tag = if section.get(1).and_then(Value::as_str) == Some("ol") { "ol" } else { "ul" };
                    let _ = write!(self.html, "<{tag}>");
                    list(section.get(2)).iter().for_each(|item| self.markers(document, Some(item), "li"));
                    let _ = write!(self.html, "</{tag}>");
                }
                Some(2) => {
                    let address = section.get(1).and_then(Value::as_str).unwrap_or_default();
                    let _ = write!(self.html, "<p><img src=\"{}\"></p>", escape(address));
                }
                Some(10) => {
                    let Some(card) = indexed(document, "cards", section.get(1)) else { continue };
                    let kind = card.get(0).and_then(Value::as_str).unwrap_or_default();
                    self.card(kind, card.get(1).unwrap_or(&Value::Null));
                }
                _ => {
                    self.left_out.insert("a section of an unknown kind".to_owned());
                }
            }
        }
    }

    /// Appends the texts of a section of Mobiledoc.
    fn markers(&mut self, document: &Value, markers: Option<&Value>, tag: &str) {
        let _ = write!(self.html, "<{tag}>");
        let mut open: Vec<&str> = Vec::new();
        for marker in list(markers) {
            for place in list(marker.get(1)) {
                let Some(markup) = indexed(document, "markups", Some(place)) else { continue };
                open.push(self.open(markup));
            }
            match (marker.get(0).and_then(Value::as_u64), marker.get(3)) {
                (Some(1), place) => {
                    let atom = indexed(document, "atoms", place);
                    let is_break =
                        atom.and_then(|atom| atom.get(0)).and_then(Value::as_str) == Some("soft-return");
                    let words = atom.and_then(|atom| atom.get(1)).and_then(Value::as_str).unwrap_or_default();
                    self.html.push_str(if is_break { "<br>" } else { "" });
                    self.html.push_str(&escape(words));
                }
                (_, words) => self.html.push_str(&escape(words.and_then(Value::as_str).unwrap_or_default())),
            }
            for _ in 0..marker.get(2).and_then(Value::as_u64).unwrap_or_default() {
                let Some(tag) = open.pop() else { break };
                let _ = write!(self.html, "</{tag}>");
            }
        }
        for tag in open.iter().rev() {
            let _ = write!(self.html, "</{tag}>");
        }
        let _ = write!(self.html, "</{tag}>");
    }

    /// Opens a markup such as `["a", ["href", "https://…"]]`. Returns its element.
    fn open(&mut self, markup: &Value) -> &'static str {
        let tag = match markup.get(0).and_then(Value::as_str) {
            Some("a") => {
                let values = list(markup.get(1));
                let place = values.iter().position(|value| value.as_str() == Some("href"));
                let address = place.and_then(|place| values.get(place + 1)).and_then(Value::as_str);
                let _ = write!(self.html, "<a href=\"{}\">", escape(address.unwrap_or_default()));
                return "a";
            }
            Some("strong" | "b") => "strong",
            Some("em" | "i") => "em",
            Some("s" | "del" | "strike") => "del",
            Some("code") => "code",
            Some("sub") => "sub",
            Some("sup") => "sup",
            _ => "span",
        };
        let _ = write!(self.html, "<{tag}>");
        tag
    }
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Returns the entry of a table of the document at a place.
fn indexed<'v>(document: &'v Value, table: &str, place: Option<&Value>) -> Option<&'v Value> {
    let place = usize::try_from(place?.as_u64()?).ok()?;
    document.get(table)?.get(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_editors_give_the_same_text() {
        let lexical = json!({"root": {"type": "root", "children": [
            {"type": "extended-heading", "tag": "h2", "children": [{"type": "extended-text", "text": "Kiln"}]},
            {"type": "paragraph", "children": [
                {"type": "extended-text", "text": "Hot ", "format": 0},
                {"type": "extended-text", "text": "& dry", "format": 3},
                {"type": "link", "url": "https://a.example/", "children": [{"type": "text", "text": "here"}]},
            ]},
            {"type": "list", "listType": "bullet", "children": [{"type": "listitem", "children": [{"type": "text", "text": "One"}]}]},
            {"type": "button", "buttonText": "Buy", "buttonUrl": "https://a.example/b"},
        ]}});
        let mobiledoc = json!({"version": "0.3.1", "atoms": [], "markups": [["strong"], ["em"], ["a", ["href", "https://a.example/"]]],
        "cards": [["button", {"buttonText": "Buy", "buttonUrl": "https://a.example/b"}]],
        "sections": [
            [1, "h2", [[0, [], 0, "Kiln"]]],
            [1, "p", [[0, [], 0, "Hot "], [0, [0, 1], 2, "& dry"], [0, [2], 1, "here"]]],
            [3, "ul", [[[0, [], 0, "One"]]]],
            [10, 0],
        ]});
        let html = "<h2>Kiln</h2><p>Hot <strong><em>&amp; dry</em></strong><a href=\"https://a.example/\">here</a></p>\
                    <ul><li>One</li></ul><p><a href=\"https://a.example/b\">Buy</a></p>";
        let expected = Some(Source { html: html.to_owned(), left_out: BTreeSet::new() });
        assert_eq!(read(Some(&lexical.to_string()), None), expected);
        assert_eq!(read(None, Some(&mobiledoc.to_string())), expected);
    }

    #[test]
    fn cards_keep_words_and_addresses_and_those_for_members_are_marked() {
        let cards = json!({"root": {"type": "root", "children": [
            {"type": "bookmark", "url": "https://a.example/k", "metadata": {"title": "Kilns", "description": "All"}},
            {"type": "image", "src": "https://a.example/x.png", "href": "https://a.example/y", "caption": "A <em>cup</em>"},
            {"type": "html", "html": "<p>Secret</p>", "visibility": {"web": {"nonMember": false}}},
            {"type": "email", "html": "<p>By mail</p>"},
            {"type": "markdown", "markdown": "*One* <b>two</b>\n\n<div>three</div>"},
            {"type": "product", "productTitle": "Cup", "productStarRating": 4, "productRatingEnabled": true},
            {"type": "product", "productTitle": "Plate", "productStarRating": 1, "productRatingEnabled": false},
            {"type": "signup", "header": "Letters", "buttonText": "Join us", "backgroundImageSrc": "https://a.example/s.png"},
            {"type": "paywall"},
        ]}});
        let Source { html, left_out } = read(Some(&cards.to_string()), None).unwrap();
        for part in [
            "<a href=\"https://a.example/k\">Kilns</a>",
            "All",
            "<a href=\"https://a.example/y\"><img",
            "A <em>cup</em>",
            "<em>One</em> <b>two</b>",
            "<div>three</div>",
            "<div>Cup</div><p>★★★★☆</p>",
            "<img src=\"https://a.example/s.png\">",
            "<p>Join us</p>",
            "<!--members-only-->",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        let gate =
            "<!--kg-gated-block:begin nonMember:false --><div><p>Secret</p></div><!--kg-gated-block:end-->";
        assert!(html.contains(gate) && !html.contains("By mail"), "{html}");
        assert_eq!(html.matches(['★', '☆']).count(), 5, "a rating that a card does not show: {html}");
        assert_eq!(left_out, ["the card email".to_owned()].into());
        assert_eq!(read(Some("{\"root\":{\"type\":\"root\",\"children\":[]}}"), None), None);
        assert_eq!(read(None, Some("no JSON")), None);
    }
}
