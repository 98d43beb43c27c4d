//! Shortcodes of WordPress: captions, galleries, code and embedded media become HTML; the others
//! stay in the text as written, and are named.

use crate::text::html::escape;
use std::{collections::BTreeSet, fmt::Write as _};

/// Maximum length of a tag, bytes; longer ones are text in brackets.
const MAX_TAG_BYTES: usize = 2_000;
/// Shortcodes with code inside of them.
const CODE: [&str; 5] = ["code", "sourcecode", "highlight", "pre", "crayon"];
/// Shortcodes of embedded media, and the attributes with the address.
const MEDIA: [&str; 6] = ["embed", "youtube", "vimeo", "audio", "video", "playlist"];
const MEDIA_ADDRESSES: [&str; 9] = ["src", "url", "mp3", "mp4", "m4a", "ogg", "wav", "webm", ""];

/// A picture of a gallery.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GalleryPicture {
    /// Address.
    pub address: String,
    /// Alternative text.
    pub alt: String,
    /// Caption.
    pub caption: String,
}

/// Returns the pictures of a gallery: those with these ids, or those attached to the post.
pub type Gallery<'g> = &'g dyn Fn(Option<&str>) -> Vec<GalleryPicture>;

/// Replaces shortcodes. Adds the names of those that stay in the text.
#[must_use]
pub fn replace(text: &str, gallery: Gallery<'_>, left: &mut BTreeSet<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("[[") {
            // An escaped shortcode is text.
            out.push('[');
            rest = after;
            let end = rest.find("]]").filter(|end| *end < MAX_TAG_BYTES);
            if let Some(end) = end {
                out.push_str(&rest[..=end]);
                rest = &rest[end + 2..];
            }
            continue;
        }
        let Some(tag) = Tag::at_start(rest) else {
            out.push('[');
            rest = &rest[1..];
            continue;
        };
        rest = shortcode(rest, &tag, gallery, (&mut out, &mut *left));
    }
    out.push_str(rest);
    out
}

/// Replaces the shortcode at the start of a text. Returns the text after it.
fn shortcode<'t>(
    text: &'t str,
    tag: &Tag,
    gallery: Gallery<'_>,
    (out, left): (&mut String, &mut BTreeSet<String>),
) -> &'t str {
    let after = &text[tag.bytes..];
    let name = tag.name.as_str();
    let end = format!("[/{name}]");
    let inner =
        if tag.is_end { None } else { after.find(&end).map(|at| (&after[..at], &after[at + end.len()..])) };
    match (name, inner) {
        ("caption" | "wp_caption", Some((inner, after))) => {
            caption(tag, inner, out);
            after
        }
        ("gallery", _) if !tag.is_end => {
            let ids = tag.get("ids").or_else(|| tag.get("include"));
            out.push_str("\n\n<figure>");
            for picture in gallery(ids) {
                figure(&picture, out);
            }
            out.push_str("</figure>\n\n");
            after
        }
        (name, Some((inner, after))) if CODE.contains(&name) => {
            code(tag, inner, out);
            after
        }
        (name, inner) if MEDIA.contains(&name) && !tag.is_end => {
            let address = MEDIA_ADDRESSES.iter().find_map(|name| tag.get(name));
            let address = address.or_else(|| inner.map(|(inner, _)| inner.trim()));
            if let Some(address) = address.filter(|address| address.contains("://")) {
                let _ = write!(out, "\n\n<iframe src=\"{}\"></iframe>\n\n", escape(address));
            }
            inner.map_or(after, |(_, after)| after)
        }
        _ => {
            if tag.is_certain || inner.is_some() || tag.is_end {
                left.insert(name.to_owned());
            }
            out.push_str(&text[..tag.bytes]);
            after
        }
    }
}

/// `[caption …]<img …> The caption[/caption]`.
fn caption(tag: &Tag, inner: &str, out: &mut String) {
    let end = inner.find("<img").and_then(|at| Some(at + inner[at..].find('>')? + 1));
    let Some(mut end) = end else {
        out.push_str(inner);
        return;
    };
    if inner[end..].trim_start().starts_with("</a>") {
        end += inner[end..].find("</a>").unwrap_or_default() + 4;
    }
    let words = inner[end..].trim();
    let words =
        if words.is_empty() { escape(tag.get("caption").unwrap_or_default()) } else { words.to_owned() };
    let picture = &inner[..end];
    let _ = write!(out, "\n\n<figure>{picture}<figcaption>{words}</figcaption></figure>\n\n");
}

fn figure(picture: &GalleryPicture, out: &mut String) {
    let _ =
        write!(out, "<figure><img src=\"{}\" alt=\"{}\">", escape(&picture.address), escape(&picture.alt));
    if !picture.caption.is_empty() {
        let _ = write!(out, "<figcaption>{}</figcaption>", escape(&picture.caption));
    }
    out.push_str("</figure>");
}

fn code(tag: &Tag, inner: &str, out: &mut String) {
    let language =
        ["lang", "language", "title", ""].iter().find_map(|name| tag.get(name)).unwrap_or_default();
    let is_escaped = ["&lt;", "&gt;", "&amp;"].iter().any(|entity| inner.contains(entity));
    let code = if is_escaped { inner.to_owned() } else { escape(inner) };
    let _ = write!(out, "\n\n<pre class=\"language-{}\">{code}</pre>\n\n", escape(language));
}

/// A tag such as `[name a="b"]`.
struct Tag {
    name: String,
    is_end: bool,
    /// Attributes; a value without a name has an empty one.
    attributes: Vec<(String, String)>,
    /// Whether it cannot be a word in brackets.
    is_certain: bool,
    bytes: usize,
}

impl Tag {
    fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(own, value)| own == name && !value.is_empty());
        found.map(|(_, value)| value.as_str())
    }

    fn at_start(text: &str) -> Option<Self> {
        let inside = text.strip_prefix('[')?;
        let (is_end, inside) = inside.strip_prefix('/').map_or((false, inside), |rest| (true, rest));
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        let name = &inside[..inside.find(|letter| !is_name(letter))?];
        if !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) || name.len() > 40 {
            return None;
        }
        let rest = &inside[name.len()..];
        if !rest.starts_with([' ', '\t', '\n', ']', '/', '=', '\u{a0}']) {
            return None;
        }
        let (mut quote, mut end) = (None, None);
        for (at, letter) in rest.char_indices().take_while(|(at, _)| *at < MAX_TAG_BYTES) {
            match (quote, letter) {
                (None, ']') => {
                    end = Some(at);
                    break;
                }
                (None, '[') => return None,
                (None, '"' | '\'') => quote = Some(letter),
                (Some(open), letter) if open == letter => quote = None,
                _ => {}
            }
        }
        let end = end?;
        let attributes = attributes(rest[..end].trim_start_matches('=').trim_end_matches('/'));
        let has_names = attributes.iter().any(|(name, _)| !name.is_empty());
        Some(Self {
            name: name.to_ascii_lowercase(),
            is_end,
            is_certain: has_names || name.contains(['_', '-']),
            attributes,
            bytes: text.len() - rest.len() + end + 1,
        })
    }
}

fn attributes(text: &str) -> Vec<(String, String)> {
    let (mut found, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let name_end =
            rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-')));
        let name_end = name_end.unwrap_or(rest.len());
        let (name, after) = rest.split_at(name_end);
        let (name, value) = match after.trim_start().strip_prefix('=') {
            Some(value) if !name.is_empty() => (name.to_ascii_lowercase(), value.trim_start()),
            _ => (String::new(), rest),
        };
        let quoted = value.strip_prefix(['"', '\'']).and_then(|inside| {
            let quote = value.chars().next()?;
            inside.split_once(quote)
        });
        let (value, after) = quoted.unwrap_or_else(|| {
            let end = value.find(char::is_whitespace).unwrap_or(value.len());
            value.split_at(end)
        });
        found.push((name, value.replace("&amp;", "&")));
        rest = after.trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> (String, Vec<String>) {
        let gallery = |ids: Option<&str>| {
            let one = |id: &str| GalleryPicture { address: format!("/{id}"), ..GalleryPicture::default() };
            ids.unwrap_or("7").split(',').map(one).collect()
        };
        let mut left = BTreeSet::new();
        let text = replace(text, &gallery, &mut left);
        (text.trim().to_owned(), left.into_iter().collect())
    }

    #[test]
    fn known_shortcodes_become_html() {
        for (text, html) in [
            (
                "[caption id=\"x\" width=\"5\"]<a href=\"b\"><img src=\"a\"></a> A <i>cup</i>[/caption]",
                "<figure><a href=\"b\"><img src=\"a\"></a><figcaption>A <i>cup</i></figcaption></figure>",
            ),
            (
                "[gallery ids=\"1,2\"]",
                "<figure><figure><img src=\"/1\" alt=\"\"></figure><figure><img src=\"/2\" alt=\"\"></figure></figure>",
            ),
            ("[gallery]", "<figure><figure><img src=\"/7\" alt=\"\"></figure></figure>"),
            ("[code lang=\"php\"]a <b> [x][/code]", "<pre class=\"language-php\">a &lt;b&gt; [x]</pre>"),
            ("[embed]https://a.example/x[/embed]", "<iframe src=\"https://a.example/x\"></iframe>"),
            ("[youtube https://youtu.be/x]", "<iframe src=\"https://youtu.be/x\"></iframe>"),
            (
                "[audio mp3=\"https://a.example/x.mp3\"][/audio]",
                "<iframe src=\"https://a.example/x.mp3\"></iframe>",
            ),
        ] {
            assert_eq!(run(text), (html.to_owned(), Vec::new()), "{text}");
        }
    }

    #[test]
    fn other_shortcodes_are_named_and_words_in_brackets_are_not() {
        let text = "[contact-form-7 id=\"1\"] [sic] [1] [x](y) [[gallery]] [tabs]a[/tabs] [";
        let (html, names) = run(text);
        assert_eq!(html, "[contact-form-7 id=\"1\"] [sic] [1] [x](y) [gallery] [tabs]a[/tabs] [");
        assert_eq!(names, ["contact-form-7", "tabs"]);
    }
}
