//! Reads nodes of the document tree.

use super::Writer;
use markup5ever_rcdom::{Handle, NodeData};
use std::rc::Rc;
use url::Url;

/// Attributes with the address of a picture that a script loads later.
const PICTURE_ATTRIBUTES: [&str; 4] = ["data-orig-file", "data-lazy-src", "data-src", "src"];

/// Classes of controls in cards of Ghost, which scripts show: players and icons.
const CONTROLS: [&str; 6] = [
    "kg-audio-player",
    "kg-audio-thumbnail",
    "kg-file-card-icon",
    "kg-toggle-card-icon",
    "kg-video-overlay",
    "kg-video-player-container",
];
/// Attribute of elements that importers add.
pub const MARK: &str = "data-presstime";
/// Value of [`MARK`] of an element in which blank lines separate paragraphs.
pub const LINES: &str = "lines";
/// Value of [`MARK`] of a footnote, whose id is in `data-fn`.
pub const FOOTNOTE: &str = "footnote";

/// Returns the children of a node.
pub fn children(node: &Handle) -> Vec<Handle> {
    node.children.borrow().iter().map(Rc::clone).collect()
}

/// Returns the name of an element; `None`: it is none.
pub fn name(node: &Handle) -> Option<&str> {
    match &node.data {
        NodeData::Element { name, .. } => Some(&name.local),
        _ => None,
    }
}

/// Returns the value of an attribute; empty: there is none.
pub fn attribute(node: &Handle, wanted: &str) -> String {
    let NodeData::Element { attrs, .. } = &node.data else { return String::new() };
    let attrs = attrs.borrow();
    let found = attrs.iter().find(|attribute| &*attribute.name.local == wanted);
    found.map(|attribute| attribute.value.trim().to_owned()).unwrap_or_default()
}

/// Returns the text below a node as it is, without scripts and styles.
pub fn text(node: &Handle) -> String {
    let (mut out, mut waiting) = (String::new(), vec![Rc::clone(node)]);
    while let Some(next) = waiting.pop() {
        match &next.data {
            NodeData::Text { contents } => out.push_str(&contents.borrow()),
            NodeData::Element { .. } if is_dropped(&next) => continue,
            NodeData::Element { name, .. } if &*name.local == "br" => out.push('\n'),
            _ => {}
        }
        waiting.extend(next.children.borrow().iter().rev().map(Rc::clone));
    }
    out
}

/// Returns the texts below a node, each without blanks around it.
pub fn texts(node: &Handle) -> Vec<String> {
    let (mut texts, mut waiting) = (Vec::new(), vec![Rc::clone(node)]);
    while let Some(next) = waiting.pop() {
        if let NodeData::Text { contents } = &next.data {
            let text = contents.borrow().trim().to_owned();
            texts.extend(Some(text).filter(|text| !text.is_empty()));
        }
        waiting.extend(next.children.borrow().iter().rev().map(Rc::clone));
    }
    texts
}

/// Whether an element has no text for readers.
pub fn is_dropped(node: &Handle) -> bool {
    match name(node) {
        Some("script" | "style" | "noscript" | "template" | "head" | "svg" | "title") => true,
        Some("div" | "button") => CONTROLS.iter().any(|class| has_class(node, class)),
        _ => false,
    }
}

/// Whether an element has a class.
pub fn has_class(node: &Handle, wanted: &str) -> bool {
    attribute(node, "class").split_whitespace().any(|class| class == wanted)
}

/// Returns the first element with a class below a node.
pub fn find_class(node: &Handle, wanted: &str) -> Option<Handle> {
    let mut waiting = vec![Rc::clone(node)];
    while let Some(next) = waiting.pop() {
        if has_class(&next, wanted) {
            return Some(next);
        }
        waiting.extend(next.children.borrow().iter().rev().map(Rc::clone));
    }
    None
}

/// Returns the elements with this name below a node, in their order.
pub fn find_all(node: &Handle, wanted: &str) -> Vec<Handle> {
    let (mut found, mut waiting) = (Vec::new(), vec![Rc::clone(node)]);
    while let Some(next) = waiting.pop() {
        if name(&next) == Some(wanted) {
            found.push(Rc::clone(&next));
        }
        waiting.extend(next.children.borrow().iter().rev().map(Rc::clone));
    }
    found
}

/// Returns the absolute address of a picture; `None`: it has none that can be fetched.
pub fn picture_address(node: &Handle, base: Option<&Url>) -> Option<String> {
    let source = PICTURE_ATTRIBUTES.iter().map(|name| attribute(node, name)).find(|value| {
        let is_inline = value.starts_with("data:");
        !value.is_empty() && !is_inline
    })?;
    let url = match Url::parse(&source) {
        Ok(url) => url,
        Err(_) => match base {
            Some(base) => base.join(&source).ok()?,
            None => return source.starts_with('/').then_some(source),
        },
    };
    matches!(url.scheme(), "http" | "https").then(|| url.to_string())
}

/// Whether elements of this name begin a block.
pub fn is_block(name: &str) -> bool {
    matches!(
        name,
        "html"
            | "body"
            | "p"
            | "div"
            | "section"
            | "article"
            | "main"
            | "header"
            | "footer"
            | "aside"
            | "nav"
            | "address"
            | "fieldset"
            | "form"
            | "details"
            | "summary"
            | "figure"
            | "figcaption"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "ul"
            | "ol"
            | "li"
            | "dl"
            | "dt"
            | "dd"
            | "blockquote"
            | "pre"
            | "hr"
            | "table"
            | "caption"
            | "tr"
            | "td"
            | "th"
            | "tbody"
            | "thead"
            | "tfoot"
            | "center"
    )
}

/// Returns a link to embedded media. Media without an address are named.
pub fn media(writer: &mut Writer<'_>, at: &Handle) -> Option<String> {
    let address = media_address(writer, at);
    if address.is_none() {
        writer.left_out.insert(format!("<{}> without an address", name(at).unwrap_or_default()));
    }
    address.map(|address| format!("<{address}>"))
}

/// Returns the address of embedded media: a link replaces what a script would show.
fn media_address(writer: &mut Writer<'_>, at: &Handle) -> Option<String> {
    let own = [attribute(at, "src"), attribute(at, "data")];
    let inside = find_all(at, "source").into_iter().map(|source| attribute(&source, "src"));
    let address = own.into_iter().chain(inside).find(|address| !address.is_empty())?;
    let address = if address.starts_with("//") { format!("https:{address}") } else { address };
    let address = match address.split_once("youtube.com/embed/") {
        Some((_, video)) => {
            let video = video.split(['?', '&', '/']).next().unwrap_or_default();
            format!("https://www.youtube.com/watch?v={video}")
        }
        None => address,
    };
    writer.link(&address).filter(|address| address.contains("://"))
}
