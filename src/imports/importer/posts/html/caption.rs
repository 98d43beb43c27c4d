//! Pictures with a caption, and inline HTML where Markdown is not read.

use super::{Writer, node};
use crate::{imports::importer::posts::pictures::full_size, text::html::escape};
use markup5ever_rcdom::{Handle, NodeData};

/// Returns a picture with a caption; `None`: the picture has no address.
pub fn figure(writer: &mut Writer<'_>, at: &Handle, picture: &Handle, caption: &Handle) -> Option<String> {
    let address = node::picture_address(picture, writer.reading.base.as_ref())?;
    let alt = node::attribute(picture, "alt").split_whitespace().collect::<Vec<_>>().join(" ");
    let image = format!("<img src=\"{}\" alt=\"{}\">", escape(&writer.picture(&address)), escape(&alt));
    let links = node::find_all(at, "a");
    let around = links.iter().find(|link| !node::find_all(link, "img").is_empty());
    let target = around.and_then(|link| writer.named_link(&node::attribute(link, "href")));
    let image = match target.filter(|target| !is_same_picture(target, &address)) {
        Some(target) => format!("<a href=\"{}\">{image}</a>", escape(&target)),
        None => image,
    };
    let mut words = String::new();
    for child in node::children(caption) {
        inline_html(writer, &child, &mut words);
    }
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(format!("<figure>\n{image}\n<figcaption>{words}</figcaption>\n</figure>"))
}

/// Whether a picture only links to itself in full size.
fn is_same_picture(target: &str, address: &str) -> bool {
    let full = |address: &str| full_size(address).unwrap_or_else(|| address.to_owned());
    full(target) == full(address)
}

/// Appends text with its links and marks as HTML.
fn inline_html(writer: &mut Writer<'_>, at: &Handle, out: &mut String) {
    let name = match &at.data {
        NodeData::Text { contents } => {
            out.push_str(&escape(&contents.borrow()));
            return;
        }
        NodeData::Element { .. } if node::is_dropped(at) => {
            writer.leave_out(at);
            return;
        }
        NodeData::Element { name, .. } => name.local.to_string(),
        _ => return,
    };
    if writer.depth >= super::MAX_DEPTH {
        out.push_str(&escape(&node::text(at)));
        return;
    }
    let tag = match name.as_str() {
        "strong" | "b" => Some("strong"),
        "em" | "i" | "cite" | "dfn" => Some("em"),
        "del" | "s" | "strike" => Some("del"),
        "code" | "tt" | "samp" => Some("code"),
        "sup" => Some("sup"),
        "sub" => Some("sub"),
        "kbd" => Some("kbd"),
        "mark" => Some("mark"),
        "a" => Some("a"),
        _ => None,
    };
    let target = if tag == Some("a") { writer.named_link(&node::attribute(at, "href")) } else { None };
    let tag = tag.filter(|tag| *tag != "a" || target.is_some());
    match (tag, &target) {
        (Some(_), Some(target)) => out.push_str(&format!("<a href=\"{}\">", escape(target))),
        (Some(tag), None) => out.push_str(&format!("<{tag}>")),
        (None, _) if name == "br" => out.push_str("<br>"),
        (None, _) if node::is_block(&name) => out.push(' '),
        (None, _) => {}
    }
    writer.depth += 1;
    for child in node::children(at) {
        inline_html(writer, &child, out);
    }
    writer.depth -= 1;
    match tag {
        Some(tag) => out.push_str(&format!("</{tag}>")),
        None if node::is_block(&name) => out.push(' '),
        None => {}
    }
}
