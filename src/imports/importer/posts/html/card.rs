//! Links around blocks, and cards of Ghost.

use super::{Writer, inline, marks, node};
use markup5ever_rcdom::Handle;

/// Appends blocks inside of a link: its address goes to the first text or picture that can have it.
pub fn linked(writer: &mut Writer<'_>, at: &Handle, out: &mut Vec<String>) {
    let mut inner = Vec::new();
    writer.blocks(&node::children(at), &mut inner);
    let href = node::attribute(at, "href");
    let address = if href.is_empty() { None } else { writer.named_link(&href) };
    if let Some(address) = address {
        match inner.iter_mut().find(|text| link_text(text).is_some()) {
            Some(text) => {
                let words = link_text(text).unwrap_or_default();
                let begin = text.strip_suffix(words).unwrap_or_default();
                *text = format!("{begin}[{words}]({address})");
            }
            None if address.contains("://") => inner.push(format!("<{address}>")),
            None => {}
        }
    }
    out.append(&mut inner);
}

/// Returns the part of a block that can be the text of a link: a heading or a paragraph without links.
fn link_text(block: &str) -> Option<&str> {
    let text = block.trim_start_matches('#');
    let is_heading = text.len() < block.len() && text.starts_with(' ');
    let text = if is_heading { text.trim_start() } else { block };
    let digits = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_list = digits.len() < text.len() && digits.starts_with(". ");
    let is_other = ["> ", "- ", "```", "| ", "---", "<"].iter().any(|mark| text.starts_with(mark));
    let unescaped = text.replace("\\\\", "").replace("\\[", "");
    let has_link = unescaped.replace("![", "").contains('[');
    (!is_list && !is_other && !has_link && !text.is_empty()).then_some(text)
}

/// Appends a bookmark of Ghost: title with address, description, author and publisher, picture, caption.
pub fn bookmark(writer: &mut Writer<'_>, at: &Handle, out: &mut Vec<String>) {
    let links = node::find_all(at, "a");
    let href = links.first().map(|link| node::attribute(link, "href")).unwrap_or_default();
    let address = writer.named_link(&href);
    let title = words(writer, at, "kg-bookmark-title");
    out.extend(match (address, title.is_empty()) {
        (Some(address), false) => Some(format!("[{title}]({address})")),
        (Some(address), true) => Some(format!("<{address}>")),
        (None, false) => Some(title),
        (None, true) => None,
    });
    let description = words(writer, at, "kg-bookmark-description");
    let source = ["kg-bookmark-author", "kg-bookmark-publisher"].map(|class| words(writer, at, class));
    let source = source.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" · ");
    out.extend([description, source].into_iter().filter(|words| !words.is_empty()));
    if node::find_class(at, "kg-bookmark-icon").is_some() {
        writer.left_out.insert("icons of bookmarks".to_owned());
    }
    let thumbnail = node::find_class(at, "kg-bookmark-thumbnail");
    let pictures = thumbnail.map(|thumbnail| node::find_all(&thumbnail, "img")).unwrap_or_default();
    writer.blocks(&pictures, out);
    for caption in node::find_all(at, "figcaption") {
        writer.blocks(&node::children(&caption), out);
    }
}

/// The text of the first element with a class, in one line.
fn words(writer: &mut Writer<'_>, at: &Handle, class: &str) -> String {
    let mut line = String::new();
    if let Some(found) = node::find_class(at, class) {
        inline::append_all(writer, &node::children(&found), &mut line);
    }
    marks::resolved(&line.split_whitespace().collect::<Vec<_>>().join(" "))
}
