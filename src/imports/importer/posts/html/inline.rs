//! Elements within a line of text.

use super::{
    Writer,
    marks::{DELETED, EMPHASIS, Mark, STRONG},
    node,
};
use domain::text::slice_text;
use markup5ever_rcdom::{Handle, NodeData};

/// Line end inside of a paragraph.
pub const BREAK: &str = "\\\n";

/// Appends nodes to a line. Blocks among them become part of it.
pub fn append_all(writer: &mut Writer<'_>, nodes: &[Handle], line: &mut String) {
    for node in nodes {
        append(writer, node, line);
    }
}

/// Appends a node to a line.
pub fn append(writer: &mut Writer<'_>, at: &Handle, line: &mut String) {
    if writer.is_late() {
        return;
    }
    match &at.data {
        NodeData::Text { contents } => text(writer, &contents.borrow(), line),
        NodeData::Element { .. } if node::is_dropped(at) => writer.leave_out(at),
        NodeData::Element { name, .. } => {
            if writer.depth >= super::MAX_DEPTH {
                let flat = node::text(at);
                text(writer, &flat, line);
                return;
            }
            writer.depth += 1;
            element(writer, at, &name.local, line);
            writer.depth -= 1;
        }
        _ => {}
    }
}

fn element(writer: &mut Writer<'_>, at: &Handle, name: &str, line: &mut String) {
    match name {
        "strong" | "b" => wrapped(writer, at, STRONG, line),
        "em" | "i" | "cite" | "dfn" => wrapped(writer, at, EMPHASIS, line),
        "del" | "s" | "strike" => wrapped(writer, at, DELETED, line),
        "code" | "tt" | "samp" => code(writer, at, line),
        "a" => link(writer, at, line),
        "img" => picture(writer, at, line),
        "br" => {
            let end = line.trim_end_matches(' ').len();
            line.truncate(end);
            line.push_str(if writer.is_in_table { "<br>" } else { BREAK });
        }
        "sup" | "sub" | "kbd" | "mark" => {
            if let Some(number) = writer.footnote(at) {
                line.push_str(&format!("[^{number}]"));
                return;
            }
            let inner = inner(writer, at);
            line.push_str(&format!("<{name}>{}</{name}>", inner.trim()));
        }
        "q" => {
            line.push('“');
            append_all(writer, &node::children(at), line);
            line.push('”');
        }
        "iframe" | "embed" | "video" | "audio" | "object" => {
            line.push_str(&node::media(writer, at).unwrap_or_default());
        }
        "math" => formula(writer, at, line),
        "input" | "select" | "textarea" | "canvas" => {
            writer.left_out.insert(format!("<{name}>"));
        }
        "button" => {
            writer.left_out.insert("the function of <button>".to_owned());
            append_all(writer, &node::children(at), line);
        }
        // Ratings of Ghost are drawn.
        "span" if node::has_class(at, "kg-product-card-rating-star") => {
            line.push(if node::has_class(at, "kg-product-card-rating-active") { '★' } else { '☆' });
        }
        "div" if node::attribute(at, node::MARK) == node::FOOTNOTE => {}
        _ if node::is_block(name) => {
            separate(line);
            append_all(writer, &node::children(at), line);
            separate(line);
        }
        _ => append_all(writer, &node::children(at), line),
    }
}

fn inner(writer: &mut Writer<'_>, at: &Handle) -> String {
    let mut inner = String::new();
    append_all(writer, &node::children(at), &mut inner);
    inner
}

/// Appends marked text: blanks stay outside of the marks, each paragraph has its own.
fn wrapped(writer: &mut Writer<'_>, at: &Handle, mark: Mark, line: &mut String) {
    let inner = inner(writer, at);
    for (place, part) in inner.split("\n\n").enumerate() {
        if place > 0 {
            line.push_str("\n\n");
        }
        let bare = without_break(part.trim());
        if bare.is_empty() {
            line.push_str(if part.is_empty() { "" } else { " " });
            continue;
        }
        if part.starts_with(char::is_whitespace) && !line.ends_with(char::is_whitespace) {
            line.push(' ');
        }
        line.push(mark.begin);
        line.push_str(bare);
        line.push(mark.end);
        if part.ends_with(char::is_whitespace) {
            line.push(' ');
        }
    }
}

/// Leaves out line ends at the end. An escaped backslash is text.
pub fn without_break(text: &str) -> &str {
    let mut text = text;
    while text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1 {
        text = text.strip_suffix('\\').unwrap_or_default().trim_end();
    }
    text
}

fn code(writer: &mut Writer<'_>, at: &Handle, line: &mut String) {
    code_text(writer, &node::text(at), line);
}

/// A formula as its source, else as its words: Markdown has none.
fn formula(writer: &mut Writer<'_>, at: &Handle, line: &mut String) {
    writer.left_out.insert("the layout of formulas; their source or words stay".to_owned());
    let sources = node::find_all(at, "annotation").into_iter();
    let source =
        sources.filter(|one| node::attribute(one, "encoding").contains("tex")).map(|one| node::text(&one));
    let source = source.chain([node::attribute(at, "alttext")]).find(|source| !source.trim().is_empty());
    code_text(writer, &source.unwrap_or_else(|| node::texts(at).join(" ")), line);
}

fn code_text(writer: &Writer<'_>, text: &str, line: &mut String) {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return;
    }
    let text = if writer.is_in_table { text.replace('|', "\\|") } else { text };
    let longest = longest_run(&text, '`');
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    line.push_str(&format!("{fence}{pad}{text}{pad}{fence}"));
}

/// Length of the longest run of a letter.
pub fn longest_run(text: &str, of: char) -> usize {
    text.split(|letter| letter != of).map(str::len).max().unwrap_or_default()
}

fn link(writer: &mut Writer<'_>, at: &Handle, line: &mut String) {
    let (inner, href) = (inner(writer, at), node::attribute(at, "href"));
    let address = if href.is_empty() { None } else { writer.named_link(&href) };
    let bare = inner.trim().replace("\n\n", " ");
    let Some(address) = address else {
        line.push_str(&inner);
        return;
    };
    if bare.is_empty() {
        if !inner.is_empty() {
            space(line);
        }
        // A link that shows an icon.
        if at.children.borrow().iter().any(|child| node::name(child).is_some()) && address.contains("://") {
            space(line);
            line.push_str(&format!("<{address}> "));
        }
        return;
    }
    if inner.starts_with(char::is_whitespace) {
        line.push(' ');
    }
    line.push_str(&format!("[{bare}]({address})"));
    if inner.ends_with(char::is_whitespace) {
        line.push(' ');
    }
}

fn picture(writer: &mut Writer<'_>, at: &Handle, line: &mut String) {
    let Some(address) = node::picture_address(at, writer.reading.base.as_ref()) else {
        writer.left_out.insert("pictures without an address".to_owned());
        return;
    };
    let mut alt = String::new();
    let words = node::attribute(at, "alt").split_whitespace().collect::<Vec<_>>().join(" ");
    escape(&words, writer.is_in_table, &mut alt);
    line.push_str(&format!("![{alt}]({})", writer.picture(&address)));
}

/// Appends text with its blanks collapsed and its special characters escaped.
fn text(writer: &Writer<'_>, contents: &str, line: &mut String) {
    let mut rest = contents;
    while !rest.is_empty() {
        let blank = rest.len() - rest.trim_start_matches(is_blank).len();
        if blank > 0 {
            let ends = slice_text(rest, ..blank).matches('\n').count();
            match ends {
                _ if line.ends_with("\n\n") => {}
                0 => space(line),
                _ if !writer.keeps_lines || writer.is_in_table => space(line),
                1 if line.is_empty() || line.ends_with('\n') => {}
                1 => line.push_str(BREAK),
                _ => separate(line),
            }
            rest = slice_text(rest, blank..);
            continue;
        }
        let end = rest.find(is_blank).unwrap_or(rest.len());
        escape(slice_text(rest, ..end), writer.is_in_table, line);
        rest = slice_text(rest, end..);
    }
}

fn is_blank(letter: char) -> bool {
    matches!(letter, ' ' | '\n' | '\t' | '\r' | '\u{c}')
}

fn space(line: &mut String) {
    if !line.is_empty() && !line.ends_with([' ', '\n']) {
        line.push(' ');
    }
}

/// Ends the paragraph.
fn separate(line: &mut String) {
    let end = line.trim_end_matches([' ', '\n', '\\']).len();
    // A backslash that escapes nothing belongs to a line end; an escaped one does not.
    if slice_text(line, end..).contains('\n') {
        line.truncate(end);
    }
    if !line.is_empty() {
        line.push_str("\n\n");
    }
}

/// Appends a word with escapes, so that Markdown shows it as it is.
pub fn escape(word: &str, is_in_table: bool, line: &mut String) {
    let letters: Vec<char> = word.chars().collect();
    let is_address = word.contains("://");
    for (place, letter) in letters.iter().copied().enumerate() {
        let before = place.checked_sub(1).and_then(|before| letters.get(before));
        let after = letters.get(place + 1);
        let is_inside = before.is_some_and(|letter| letter.is_alphanumeric())
            && after.is_some_and(|letter| letter.is_alphanumeric());
        let is_special = match letter {
            '\\' | '`' | '*' | '[' | ']' | '<' => true,
            '_' => !is_inside,
            '~' => !is_address,
            '&' => after.is_some_and(|letter| letter.is_ascii_alphanumeric() || *letter == '#'),
            '!' => after == Some(&'['),
            '|' => is_in_table,
            _ => false,
        };
        if is_special {
            line.push('\\');
        }
        line.push(letter);
    }
}
