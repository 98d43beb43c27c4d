//! Changes of the parsed text before it is written as HTML: bare links beside Chinese marks, line breaks between characters that
//! are written without blanks, names of headings.

use super::script::{is_unspaced, is_wide_mark};
use comrak::{
    Arena,
    nodes::{Ast, AstNode, LineColumn, NodeLink, NodeValue},
};
use std::collections::HashSet;

/// Makes all changes.
pub fn adjust<'a>(arena: &'a Arena<'a>, root: &'a AstNode<'a>) {
    let links: Vec<_> = root.descendants().filter(|node| is_bare_link(node)).collect();
    for link in links {
        cut_link(arena, link);
    }
    join_lines(root);
}

/// Identities of footnotes, which no heading may take.
pub fn footnotes<'a>(root: &'a AstNode<'a>) -> HashSet<String> {
    let mut taken = HashSet::new();
    for node in root.descendants() {
        match &node.data().value {
            NodeValue::FootnoteDefinition(note) => {
                taken.insert(format!("fn-{}", note.name));
            }
            NodeValue::FootnoteReference(note) => {
                taken.insert(match note.ref_num {
                    0 | 1 => format!("fnref-{}", note.name),
                    number => format!("fnref-{}-{number}", note.name),
                });
            }
            _ => {}
        }
    }
    taken
}

/// Removes line breaks between two Han or kana characters; elsewhere they are a blank.
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

/// Whether the node is an address in plain text that became a link.
fn is_bare_link<'a>(node: &'a AstNode<'a>) -> bool {
    let data = node.data();
    let NodeValue::Link(link) = &data.value else { return false };
    let place = data.sourcepos;
    if !link.title.is_empty() || place.start.line != place.end.line {
        return false;
    }
    let Some(child) = node.first_child().filter(|child| child.next_sibling().is_none()) else { return false };
    let child = child.data();
    let NodeValue::Text(text) = &child.value else { return false };
    // Between angle brackets it is longer than its text: then its writer has said where it ends.
    let is_plain = (place.end.column + 1).saturating_sub(place.start.column) == text.len();
    is_plain && link.url.ends_with(&**text) && text.contains(is_wide_mark)
}

/// Ends a bare link before the first mark that cannot be part of an address; what follows may hold further addresses.
fn cut_link<'a>(arena: &'a Arena<'a>, node: &'a AstNode<'a>) {
    let Some(child) = node.first_child() else { return };
    let NodeValue::Text(text) = child.data().value.clone() else { return };
    let end = address_end(&text);
    let (address, rest) = text.split_at(end);
    let start = node.data().sourcepos.start;
    if let NodeValue::Link(link) = &mut node.data_mut().value {
        let kept = link.url.len().saturating_sub(text.len() - end);
        link.url.truncate(kept);
    }
    child.data_mut().value = NodeValue::Text(address.to_owned().into());
    let mut last = node;
    for piece in split(rest) {
        let new = match piece {
            (text, false) => leaf(arena, text, start),
            (address, true) => {
                let link = NodeLink { url: address.to_owned(), title: String::new() };
                let new: &'a AstNode<'a> =
                    arena.alloc(Ast::new(NodeValue::Link(Box::new(link)), start).into());
                new.append(leaf(arena, address, start));
                new
            }
        };
        last.insert_after(new);
        last = new;
    }
}

fn leaf<'a>(arena: &'a Arena<'a>, text: &str, start: LineColumn) -> &'a AstNode<'a> {
    arena.alloc(Ast::new(NodeValue::Text(text.to_owned().into()), start).into())
}

/// Where an address ends: before the first wide mark, without the punctuation that belongs to the sentence.
fn address_end(text: &str) -> usize {
    let address = text.split(is_wide_mark).next().unwrap_or_default();
    let mut kept = address.trim_end_matches(['.', ',', ':', ';', '!', '?', '\'', '"', '*', '_', '~']);
    while kept.ends_with(')') && kept.matches(')').count() > kept.matches('(').count() {
        kept = kept.trim_end_matches(')');
    }
    kept.len()
}

/// The pieces of a text, and whether each is an address.
fn split(mut text: &str) -> Vec<(&str, bool)> {
    let mut pieces = Vec::new();
    while !text.is_empty() {
        let begin = ["https://", "http://"].iter().filter_map(|scheme| text.find(scheme)).min();
        let Some(begin) = begin else {
            pieces.push((text, false));
            break;
        };
        let (before, rest) = text.split_at(begin);
        if !before.is_empty() {
            pieces.push((before, false));
        }
        let length = address_end(rest).max("http://".len());
        let (address, after) = rest.split_at(length);
        pieces.push((address, address.len() > "https://".len()));
        text = after;
    }
    pieces
}
