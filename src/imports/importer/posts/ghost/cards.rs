//! Cards of Ghost as HTML. Both of its editors give them the same fields.

use super::values::is_true;
use crate::text::html::escape;
use serde_json::Value;
use std::fmt::Write as _;

/// A part of a card.
enum Part {
    /// Field of HTML.
    Html(&'static str),
    /// Field of plain text.
    Plain(&'static str),
    /// Field of a picture.
    Picture(&'static str),
    /// Fields of the text and the address of a link.
    Link(&'static str, &'static str),
    /// Fields of a number of stars, and of whether the card shows them.
    Stars(&'static str, &'static str),
}

use Part::{Html, Link, Picture, Plain, Stars};

/// Maximum number of stars.
const MAX_STARS: usize = 5;

/// The parts of each card, in the order in which it shows them. A dot leads to an inner field.
const CARDS: [(&str, &[Part]); 14] = [
    ("audio", &[Picture("thumbnailSrc"), Link("title", "src"), Html("caption")]),
    (
        "bookmark",
        &[
            Link("metadata.title", "url"),
            Plain("metadata.description"),
            Plain("metadata.author"),
            Plain("metadata.publisher"),
            Picture("metadata.thumbnail"),
            Html("caption"),
        ],
    ),
    ("button", &[Link("buttonText", "buttonUrl")]),
    (
        "call-to-action",
        &[Html("sponsorLabel"), Picture("imageUrl"), Html("textValue"), Link("buttonText", "buttonUrl")],
    ),
    ("callout", &[Plain("calloutEmoji"), Html("calloutText")]),
    ("embed", &[Link("metadata.title", "url"), Html("caption")]),
    ("file", &[Link("fileTitle", "src"), Plain("fileCaption"), Plain("fileName")]),
    (
        "header",
        &[Picture("backgroundImageSrc"), Html("header"), Html("subheader"), Link("buttonText", "buttonUrl")],
    ),
    ("html", &[Html("html")]),
    (
        "product",
        &[
            Picture("productImageSrc"),
            Html("productTitle"),
            Stars("productStarRating", "productRatingEnabled"),
            Html("productDescription"),
            Link("productButton", "productUrl"),
        ],
    ),
    (
        "signup",
        &[
            Picture("backgroundImageSrc"),
            Html("header"),
            Html("subheader"),
            Plain("buttonText"),
            Html("disclaimer"),
        ],
    ),
    ("toggle", &[Html("heading"), Html("content")]),
    ("transistor", &[Link("title", "url")]),
    ("video", &[Link("fileName", "src"), Html("caption")]),
];

/// Appends a card. Returns whether it is known.
pub fn card(kind: &str, fields: &Value, out: &mut String) -> bool {
    match kind {
        "hr" | "horizontalrule" => out.push_str("<hr>"),
        "paywall" => out.push_str("<!--members-only-->"),
        "image" => figure(fields, out),
        "gallery" => {
            let images = fields.get("images").and_then(Value::as_array);
            images.into_iter().flatten().for_each(|image| figure(image, out));
            let _ = write!(out, "<p>{}</p>", text(fields, "caption"));
        }
        "code" | "codeblock" => {
            let (language, code) = (text(fields, "language"), text(fields, "code"));
            let _ = write!(
                out,
                "<pre><code class=\"language-{}\">{}</code></pre><p>{}</p>",
                escape(language),
                escape(code),
                text(fields, "caption")
            );
        }
        "markdown" | "card-markdown" => {
            // Its HTML stays, as in every other card: it is converted later.
            let mut options = comrak::Options::default();
            options.render.r#unsafe = true;
            out.push_str(&comrak::markdown_to_html(text(fields, "markdown"), &options));
        }
        _ => {
            let Some((_, parts)) = CARDS.iter().find(|(known, _)| *known == kind) else { return false };
            parts.iter().for_each(|part| push(part, fields, out));
        }
    }
    true
}

/// Whether a card is not for strangers.
pub fn is_gated(fields: &Value) -> bool {
    let visibility = fields.get("visibility");
    let is_off = |value: Option<&Value>| value.and_then(Value::as_bool) == Some(false);
    is_off(visibility.and_then(|all| all.get("web")).and_then(|web| web.get("nonMember")))
        || is_off(visibility.and_then(|all| all.get("showOnWeb")))
}

/// Returns a field; empty: there is none.
pub fn text<'v>(fields: &'v Value, name: &str) -> &'v str {
    let found = name.split('.').try_fold(fields, |value, name| value.get(name));
    found.and_then(Value::as_str).unwrap_or_default()
}

fn push(part: &Part, fields: &Value, out: &mut String) {
    let _ = match part {
        Html(name) => write!(out, "<div>{}</div>", text(fields, name)),
        Plain(name) => write!(out, "<p>{}</p>", escape(text(fields, name))),
        Picture(name) if text(fields, name).is_empty() => Ok(()),
        Picture(name) => write!(out, "<p><img src=\"{}\"></p>", escape(text(fields, name))),
        Stars(_, shown) if !fields.get(shown).is_some_and(is_true) => Ok(()),
        Stars(name, _) => {
            let count = fields.get(name).and_then(Value::as_u64).unwrap_or_default();
            let count = usize::try_from(count).map_or(MAX_STARS, |count| count.min(MAX_STARS));
            write!(out, "<p>{}{}</p>", "★".repeat(count), "☆".repeat(MAX_STARS - count))
        }
        Link(name, address) => {
            let (words, address) = (text(fields, name), text(fields, address));
            let words = if words.is_empty() { address } else { words };
            write!(out, "<p><a href=\"{}\">{}</a></p>", escape(address), escape(words))
        }
    };
}

/// A picture with its link and caption.
fn figure(fields: &Value, out: &mut String) {
    let image =
        format!("<img src=\"{}\" alt=\"{}\">", escape(text(fields, "src")), escape(text(fields, "alt")));
    let image = match text(fields, "href") {
        "" => image,
        address => format!("<a href=\"{}\">{image}</a>", escape(address)),
    };
    let caption = text(fields, "caption");
    let _ = write!(out, "<figure>{image}<figcaption>{caption}</figcaption></figure>");
}
