//! Elements within a line of text.

use super::{Writer, node};
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
        NodeData::Element { .. } if node::is_dropped(at) => {}
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
        "strong" | "b" => wrapped(writer, at, "**", line),
        "em" | "i" | "cite" | "dfn" => wrapped(writer, at, "*", line),
        "del" | "s" | "strike" => wrapped(writer, at, "~~", line),
        "code" | "tt" | "samp" => code(writer, at, line),
        "a" => link(writer, at, line),
        "img" => picture(writer, at, line),
        "br" => {
            let end = line.trim_end_matches(' ').len();
            line.truncate(end);
            line.push_str(if writer.is_in_table { "<br>" } else { BREAK });
        }
        "sup" | "sub" | "kbd" | "mark" => {
            let inner = inner(writer, at);
            line.push_str(&format!("<{name}>{}</{name}>", inner.trim()));
        }
        "q" => {
            line.push('“');
            append_all(writer, &node::children(at), line);
            line.push('”');
        }
        "iframe" | "embed" | "video" | "audio" | "object" => {
            if let Some(address) = node::media_address(writer, at) {
                line.push_str(&format!("<{address}>"));
            }
        }
        "input" | "select" | "textarea" | "button" | "canvas" => {
            writer.left_out.insert(format!("<{name}>"));
        }
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
fn wrapped(writer: &mut Writer<'_>, at: &Handle, mark: &str, line: &mut String) {
    let inner = inner(writer, at);
    for (place, part) in inner.split("\n\n").enumerate() {
        if place > 0 {
            line.push_str("\n\n");
        }
        let bare = part.trim();
        let bare = bare.trim_end_matches(BREAK.trim_end()).trim_end();
        if bare.is_empty() {
            line.push_str(if part.is_empty() { "" } else { " " });
            continue;
        }
        if part.starts_with(char::is_whitespace) && !line.ends_with(char::is_whitespace) {
            line.push(' ');
        }
        line.push_str(&format!("{mark}{bare}{mark}"));
        if part.ends_with(char::is_whitespace) {
            line.push(' ');
        }
    }
}

fn code(writer: &mut Writer<'_>, at: &Handle, line: &mut String) {
    let text = node::text(at);
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
    let address = if href.is_empty() { None } else { writer.link(&href) };
    let bare = inner.trim().replace("\n\n", " ");
    let (Some(address), false) = (address, bare.is_empty()) else {
        line.push_str(&inner);
        return;
    };
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
                _ if !writer.reading.keeps_lines || writer.is_in_table => space(line),
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
    for (place, letter) in letters.iter().copied().enumerate() {
        let before = place.checked_sub(1).and_then(|before| letters.get(before));
        let after = letters.get(place + 1);
        let is_inside = before.is_some_and(|letter| letter.is_alphanumeric())
            && after.is_some_and(|letter| letter.is_alphanumeric());
        let is_special = match letter {
            '\\' | '`' | '*' | '[' | ']' | '<' => true,
            '_' => !is_inside,
            '~' => after == Some(&'~') || before == Some(&'~'),
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
