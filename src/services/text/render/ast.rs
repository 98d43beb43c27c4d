//! Adjusts the parsed Markdown: bare links before Chinese punctuation, line breaks between
//! characters without spaces, and the labels of alerts.

use super::script::{self, is_unspaced, is_wide_mark};
use crate::text::html::escape;
use comrak::{
    Arena,
    html::escape_href,
    nodes::{AlertType, Ast, AstNode, LineColumn, NodeHtmlBlock, NodeLink, NodeValue},
};
use std::collections::HashSet;
use texts::{Language, articles::AlertTexts};

/// Classes of the labels of alerts.
pub const ALERT_CLASSES: [&str; 5] =
    ["alert-note", "alert-tip", "alert-important", "alert-warning", "alert-caution"];
/// Class of a paragraph that is only an address, where a card may be.
pub const BARE_LINK_CLASS: &str = "bare-link";
/// Number of bytes of a text from which the language of its labels is detected.
const SAMPLE_BYTES: usize = 2_000;

/// Applies all adjustments.
pub fn adjust<'a>(arena: &'a Arena<'a>, root: &'a AstNode<'a>) {
    let links: Vec<_> = root.descendants().filter(|node| is_to_be_cut(node)).collect();
    for link in links {
        cut_link(arena, link);
    }
    mark_bare_links(arena, root);
    join_lines(root);
    label_alerts(arena, root);
}

/// Makes each alert a quote that begins with its label: the author's, else one in the language of the
/// text. Without our styles, as in a feed, it is still a quote with a label.
fn label_alerts<'a>(arena: &'a Arena<'a>, root: &'a AstNode<'a>) {
    let alerts: Vec<_> =
        root.descendants().filter(|node| matches!(node.data().value, NodeValue::Alert(_))).collect();
    if alerts.is_empty() {
        return;
    }
    let texts = AlertTexts(language(root));
    for node in alerts {
        let start = node.data().sourcepos.start;
        let value = std::mem::replace(&mut node.data_mut().value, NodeValue::BlockQuote);
        let NodeValue::Alert(alert) = value else { continue };
        let [note, tip, important, warning, caution] = ALERT_CLASSES;
        let (class, label) = match alert.alert_type {
            AlertType::Note => (note, texts.note()),
            AlertType::Tip => (tip, texts.tip()),
            AlertType::Important => (important, texts.important()),
            AlertType::Warning => (warning, texts.warning()),
            AlertType::Caution => (caution, texts.caution()),
        };
        let label = escape(alert.title.as_deref().unwrap_or(label));
        let literal = format!("<p class=\"{class}\"><strong>{label}</strong></p>\n");
        let html = NodeValue::HtmlBlock(NodeHtmlBlock { block_type: 6, literal });
        node.prepend(arena.alloc(Ast::new(html, start).into()));
    }
}

/// Detects the language of a text without its code.
fn language<'a>(root: &'a AstNode<'a>) -> Language {
    let mut sample = String::new();
    for node in root.descendants() {
        if let NodeValue::Text(text) = &node.data().value {
            sample.push_str(text);
        }
        if sample.len() > SAMPLE_BYTES {
            break;
        }
    }
    script::language(&sample).and_then(|tag| tag.parse().ok()).unwrap_or(Language::En)
}

/// Returns the ids of footnotes, which no heading may use.
pub fn footnote_ids<'a>(root: &'a AstNode<'a>) -> HashSet<String> {
    let mut ids = HashSet::new();
    for node in root.descendants() {
        match &node.data().value {
            NodeValue::FootnoteDefinition(note) => {
                ids.insert(format!("fn-{}", note.name));
            }
            NodeValue::FootnoteReference(note) => {
                ids.insert(match note.ref_num {
                    0 | 1 => format!("fnref-{}", note.name),
                    number => format!("fnref-{}-{number}", note.name),
                });
            }
            _ => {}
        }
    }
    ids
}

/// Removes line breaks between two Han or kana characters; elsewhere they remain spaces.
fn join_lines<'a>(root: &'a AstNode<'a>) {
    let mut last = None;
    let mut waiting: Option<&'a AstNode<'a>> = None;
    for node in root.descendants() {
        let data = node.data();
        match &data.value {
            NodeValue::Text(text) => {
                let joins = last.is_some_and(is_unspaced) && text.chars().next().is_some_and(is_unspaced);
                if let Some(end) = text.chars().next_back() {
                    if let (Some(line_end), true) = (waiting.take(), joins) {
                        line_end.data_mut().value = NodeValue::Text("".into());
                    }
                    last = Some(end);
                }
            }
            NodeValue::SoftBreak => waiting = Some(node),
            NodeValue::Emph | NodeValue::Strong | NodeValue::Strikethrough | NodeValue::Link(_) => {}
            _ => (last, waiting) = (None, None),
        }
    }
}

/// Marks the paragraphs of a text that are only an address.
fn mark_bare_links<'a>(arena: &'a Arena<'a>, root: &'a AstNode<'a>) {
    let found: Vec<_> = root.children().filter_map(|node| Some((node, only_address(node)?))).collect();
    for (node, url) in found {
        let start = node.data().sourcepos.start;
        let mut href = String::new();
        // Writing to a string does not fail.
        let _ = escape_href(&mut href, &url, false);
        let url = escape(&url);
        let literal = format!("<p class=\"{BARE_LINK_CLASS}\"><a href=\"{href}\">{url}</a></p>\n");
        let html = NodeValue::HtmlBlock(NodeHtmlBlock { block_type: 6, literal });
        node.insert_before(arena.alloc(Ast::new(html, start).into()));
        node.detach();
    }
}

/// Returns the address that is all of a paragraph. `None`: it has something else, or the address has a text
/// or angle brackets.
fn only_address<'a>(node: &'a AstNode<'a>) -> Option<String> {
    if !matches!(node.data().value, NodeValue::Paragraph) {
        return None;
    }
    let link = node.first_child().filter(|link| link.next_sibling().is_none())?;
    let text = bare_text(link)?;
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    let data = link.data();
    let NodeValue::Link(found) = &data.value else { return None };
    (is_web && found.url == text).then_some(text)
}

/// Whether the node is a bare URL that became a link, with punctuation that ends it.
fn is_to_be_cut<'a>(node: &'a AstNode<'a>) -> bool {
    bare_text(node).is_some_and(|text| text.contains(is_wide_mark))
}

/// Returns the text of a bare URL that became a link. `None`: the node is something else.
fn bare_text<'a>(node: &'a AstNode<'a>) -> Option<String> {
    let data = node.data();
    let NodeValue::Link(link) = &data.value else { return None };
    let position = data.sourcepos;
    if !link.title.is_empty() || position.start.line != position.end.line {
        return None;
    }
    let child = node.first_child().filter(|child| child.next_sibling().is_none())?;
    let child = child.data();
    let NodeValue::Text(text) = &child.value else { return None };
    // In angle brackets the source is longer than the text: then its end is explicit.
    let is_plain = (position.end.column + 1).saturating_sub(position.start.column) == text.len();
    (is_plain && link.url.ends_with(&**text)).then(|| text.to_string())
}

/// Ends a bare link before the first punctuation that cannot be part of a URL. The rest may contain
/// further URLs.
fn cut_link<'a>(arena: &'a Arena<'a>, node: &'a AstNode<'a>) {
    let Some(child) = node.first_child() else { return };
    let NodeValue::Text(text) = child.data().value.clone() else { return };
    let end = url_end(&text);
    let (url, rest) = text.split_at(end);
    let start = node.data().sourcepos.start;
    if let NodeValue::Link(link) = &mut node.data_mut().value {
        let kept = link.url.len().saturating_sub(text.len() - end);
        link.url.truncate(link.url.floor_char_boundary(kept));
    }
    child.data_mut().value = NodeValue::Text(url.to_owned().into());
    let mut last = node;
    for part in split(rest) {
        let new = match part {
            (text, false) => text_node(arena, text, start),
            (url, true) => {
                let link = NodeLink { url: url.to_owned(), title: String::new() };
                let new: &'a AstNode<'a> =
                    arena.alloc(Ast::new(NodeValue::Link(Box::new(link)), start).into());
                new.append(text_node(arena, url, start));
                new
            }
        };
        last.insert_after(new);
        last = new;
    }
}

fn text_node<'a>(arena: &'a Arena<'a>, text: &str, start: LineColumn) -> &'a AstNode<'a> {
    arena.alloc(Ast::new(NodeValue::Text(text.to_owned().into()), start).into())
}

/// Returns the end of a URL: before the first wide punctuation, without the punctuation of the
/// sentence.
fn url_end(text: &str) -> usize {
    let url = text.split(is_wide_mark).next().unwrap_or_default();
    let mut kept = url.trim_end_matches(['.', ',', ':', ';', '!', '?', '\'', '"', '*', '_', '~']);
    while kept.ends_with(')') && kept.matches(')').count() > kept.matches('(').count() {
        kept = kept.trim_end_matches(')');
    }
    kept.len()
}

/// Splits a text into parts. Returns whether each is a URL.
fn split(mut text: &str) -> Vec<(&str, bool)> {
    let mut parts = Vec::new();
    while !text.is_empty() {
        let begin = ["https://", "http://"].iter().filter_map(|scheme| text.find(scheme)).min();
        let Some(begin) = begin else {
            parts.push((text, false));
            break;
        };
        let (before, rest) = text.split_at(begin);
        if !before.is_empty() {
            parts.push((before, false));
        }
        let length = url_end(rest).max("http://".len());
        let (url, after) = rest.split_at(length);
        parts.push((url, url.len() > "https://".len()));
        text = after;
    }
    parts
}
