//! Blocks: paragraphs, headings, lists, quotes, code, figures.

use super::{
    Writer, caption, card, inline,
    inline::{BREAK, longest_run},
    marks, node, table,
};
use domain::text::slice_text;
use markup5ever_rcdom::{Handle, NodeData};
use std::rc::Rc;

/// Appends the blocks of these nodes.
pub fn blocks(writer: &mut Writer<'_>, nodes: &[Handle], out: &mut Vec<String>) {
    let mut line = String::new();
    for node in nodes {
        if writer.is_late() {
            return;
        }
        if node::is_dropped(node) {
            writer.leave_out(node);
            continue;
        }
        if !begins_block(node) || writer.depth >= super::MAX_DEPTH {
            inline::append(writer, node, &mut line);
            continue;
        }
        flush(&mut line, out);
        writer.depth += 1;
        block(writer, node, out);
        writer.depth -= 1;
    }
    flush(&mut line, out);
}

/// Whether a node is a block, or only wraps blocks.
fn begins_block(at: &Handle) -> bool {
    match node::name(at) {
        None => false,
        Some("span" | "font" | "a" | "ins" | "strong" | "b" | "em" | "i" | "u" | "big" | "small") => {
            at.children.borrow().iter().any(|child| node::name(child).is_some_and(node::is_block))
        }
        Some("iframe" | "embed" | "video" | "audio" | "object") => true,
        Some(name) => node::is_block(name),
    }
}

/// Ends a paragraph.
fn flush(line: &mut String, out: &mut Vec<String>) {
    for part in marks::resolved(&std::mem::take(line)).split("\n\n") {
        let mut part = inline::without_break(part.trim());
        while let Some(rest) = part.strip_prefix(BREAK) {
            part = rest.trim_start();
        }
        if !part.is_empty() {
            out.push(part.lines().map(escaped_start).collect::<Vec<_>>().join("\n"));
        }
    }
}

/// Escapes a mark at the start of a line that would begin another block.
fn escaped_start(line: &str) -> String {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let after = slice_text(line, digits..);
    if (1..=9).contains(&digits)
        && after.starts_with(['.', ')'])
        && !slice_text(after, 1..).starts_with(char::is_alphanumeric)
    {
        return format!("{}\\{after}", slice_text(line, ..digits));
    }
    let is_list = ["- ", "+ "].iter().any(|mark| line.starts_with(mark)) || matches!(line, "-" | "+");
    let is_rule = line.len() >= 2 && line.trim_end().bytes().all(|byte| matches!(byte, b'-' | b'='));
    let is_heading = line.trim_start_matches('#').len() < line.len();
    if is_list || is_rule || is_heading || line.starts_with('>') || line.starts_with("~~~") || line == "=" {
        return format!("\\{line}");
    }
    line.to_owned()
}

fn block(writer: &mut Writer<'_>, at: &Handle, out: &mut Vec<String>) {
    let children = node::children(at);
    match node::name(at).unwrap_or_default() {
        "h1" => heading(writer, &children, 1, out),
        "h2" => heading(writer, &children, 2, out),
        "h3" => heading(writer, &children, 3, out),
        "h4" => heading(writer, &children, 4, out),
        "h5" => heading(writer, &children, 5, out),
        "h6" => heading(writer, &children, 6, out),
        "a" => card::linked(writer, at, out),
        "hr" => out.push("---".to_owned()),
        "pre" => out.push(code(at)),
        "table" => out.extend(table::table(writer, at)),
        "ul" | "ol" => list(writer, at, out),
        "figure" => figure(writer, at, out),
        "blockquote" => {
            let mut inner = Vec::new();
            blocks(writer, &children, &mut inner);
            if !inner.is_empty() {
                out.push(indented(&inner.join("\n\n"), "> ", "> "));
            }
        }
        // Footnotes follow the text.
        "div" if node::attribute(at, node::MARK) == node::FOOTNOTE => {}
        "div" if node::attribute(at, node::MARK) == node::LINES => {
            let kept_lines = std::mem::replace(&mut writer.keeps_lines, true);
            blocks(writer, &children, out);
            writer.keeps_lines = kept_lines;
        }
        "dt" | "summary" => {
            let mut line = String::new();
            inline::append_all(writer, &children, &mut line);
            let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
            if !line.is_empty() {
                let (begin, end) = (marks::STRONG.begin, marks::STRONG.end);
                out.push(marks::resolved(&format!("{begin}{line}{end}")));
            }
        }
        "iframe" | "embed" | "video" | "audio" | "object" => {
            out.extend(node::media(writer, at));
        }
        _ => blocks(writer, &children, out),
    }
}

fn heading(writer: &mut Writer<'_>, children: &[Handle], level: usize, out: &mut Vec<String>) {
    let mut line = String::new();
    inline::append_all(writer, children, &mut line);
    let line = line.replace(BREAK, " ").split_whitespace().collect::<Vec<_>>().join(" ");
    if !line.is_empty() {
        out.push(format!("{} {}", "#".repeat(level), marks::resolved(&line)));
    }
}

/// Puts marks before the first and before the other lines; blank lines get no trailing blanks.
fn indented(text: &str, first: &str, other: &str) -> String {
    let line = |(place, line): (usize, &str)| {
        format!("{}{line}", if place == 0 { first } else { other }).trim_end().to_owned()
    };
    text.lines().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

fn list(writer: &mut Writer<'_>, at: &Handle, out: &mut Vec<String>) {
    let is_ordered = node::name(at) == Some("ol");
    let start: usize = node::attribute(at, "start").parse().unwrap_or(1);
    let (mut items, mut is_tight) = (Vec::new(), true);
    for child in node::children(at) {
        let is_text =
            matches!(&child.data, NodeData::Text { contents } if contents.borrow().trim().is_empty());
        if is_text || !matches!(child.data, NodeData::Text { .. } | NodeData::Element { .. }) {
            continue;
        }
        let mut inner = Vec::new();
        match node::name(&child) {
            Some("li") => blocks(writer, &node::children(&child), &mut inner),
            _ => blocks(writer, &[Rc::clone(&child)], &mut inner),
        }
        if inner.is_empty() {
            continue;
        }
        let is_simple = inner.len() == 1 || (inner.len() == 2 && begins_list(&inner[1]));
        is_tight &= is_simple;
        let mark =
            if is_ordered { format!("{}. ", (start + items.len()).min(999_999)) } else { "- ".to_owned() };
        let text = inner.join(if is_simple { "\n" } else { "\n\n" });
        items.push(indented(&text, &mark, &" ".repeat(mark.len())));
    }
    if !items.is_empty() {
        out.push(items.join(if is_tight { "\n" } else { "\n\n" }));
    }
}

fn begins_list(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text.starts_with("- ") || (digits > 0 && slice_text(text, digits..).starts_with(". "))
}

/// A code block with its language.
fn code(at: &Handle) -> String {
    let text = node::text(at);
    let text = text.trim_start_matches('\n').trim_end();
    let inner = node::find_all(at, "code");
    let classes = std::iter::once(at).chain(&inner).map(|node| node::attribute(node, "class"));
    let language = classes.map(|classes| language_of(&classes)).find(|name| !name.is_empty());
    let fence = "`".repeat(longest_run(text, '`').max(2) + 1);
    format!("{fence}{}\n{text}\n{fence}", language.unwrap_or_default())
}

/// Returns the language that classes name; empty: none.
fn language_of(classes: &str) -> String {
    let classes = classes.replace("brush:", "language-").replace("language- ", "language-");
    let found = classes.split([' ', ';']).find_map(|class| {
        let name = class.strip_prefix("language-").or_else(|| class.strip_prefix("lang-"))?;
        let is_name = !name.is_empty()
            && name.len() <= 30
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-#.".contains(&byte));
        is_name.then(|| name.to_owned())
    });
    found.unwrap_or_default()
}

/// Appends the footnotes. One to which the text does not refer becomes a paragraph.
pub fn footnotes(writer: &mut Writer<'_>, all: &[Handle], out: &mut Vec<String>) {
    for (place, footnote) in all.iter().enumerate() {
        let mut inner = Vec::new();
        blocks(writer, &node::children(footnote), &mut inner);
        if inner.is_empty() {
            continue;
        }
        let text = inner.join("\n\n");
        let is_used = writer.used_footnotes.contains(&place);
        out.push(if is_used { indented(&text, &format!("[^{}]: ", place + 1), "    ") } else { text });
    }
}

/// A figure: a picture with its caption, a gallery, or something else with a caption.
fn figure(writer: &mut Writer<'_>, at: &Handle, out: &mut Vec<String>) {
    if node::has_class(at, "kg-bookmark-card") {
        card::bookmark(writer, at, out);
        return;
    }
    let (pictures, figures) = (node::find_all(at, "img"), node::find_all(at, "figure"));
    let captions = node::find_all(at, "figcaption");
    let is_empty = |node: &Handle| node::text(node).trim().is_empty();
    let words = |node: &Handle| node::text(node).split_whitespace().map(str::len).sum::<usize>();
    if let ([picture], [_], [caption]) = (&pictures[..], &figures[..], &captions[..])
        && !is_empty(caption)
        && words(at) == words(caption)
        && let Some(figure) = caption::figure(writer, at, picture, caption)
    {
        out.push(figure);
        return;
    }
    blocks(writer, &node::children(at), out);
}
