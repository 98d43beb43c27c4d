//! Pictures of the media library: their size, so that nothing moves while they load, and smaller
//! versions. Both follow from the address, so that a text is rendered without a query.

use super::{
    rewrite::decode_entities,
    tags::{Tag, Token, Tokenizer},
};
use domain::media::address;
use std::fmt::Write as _;

/// Width of a picture on a page: that of the text, or of the screen.
const SIZES: &str = "(min-width: 44rem) 42rem, 100vw";

/// Completes the pictures of sanitised HTML.
pub fn complete(html: String) -> String {
    if !html.contains(address::PREFIX) {
        return html;
    }
    let mut out = String::with_capacity(html.len() + html.len() / 4);
    for token in Tokenizer::of(&html) {
        match token {
            Token::Text(text) => out.push_str(text),
            Token::Close(name) => {
                let _ = write!(out, "</{name}>");
            }
            Token::Open(tag) => write_tag(&mut out, &tag),
        }
    }
    out
}

fn write_tag(out: &mut String, tag: &Tag<'_>) {
    let source = tag.get("src").filter(|_| tag.name == "img").map(decode_entities);
    let added = source.as_deref().and_then(attributes).unwrap_or_default();
    let _ = write!(out, "<{}", tag.name);
    for (name, value) in &tag.attributes {
        if added.is_empty() || !matches!(name.as_str(), "width" | "height") {
            let _ = write!(out, " {name}=\"{value}\"");
        }
    }
    let _ = write!(out, "{added}>");
}

/// The attributes of the picture at this path; `None`: it is none of the library.
fn attributes(source: &str) -> Option<String> {
    let (hash, kind, width, height) = address::picture_of(source)?;
    let mut smaller: Vec<(u32, String)> = address::widths(kind, (width, height))
        .map(|width| (width, address::path(hash, &address::width_name(width))))
        .collect();
    let largest = smaller.last().map(|(width, _)| *width);
    let mut added = String::new();
    if let Some(largest) = largest {
        // The file itself may be much larger than any screen.
        if address::widths(kind, (u32::MAX, 1)).last() != Some(largest) {
            smaller.push((width, source.to_owned()));
        }
        let candidates: Vec<String> =
            smaller.into_iter().map(|(width, path)| format!("{path} {width}w")).collect();
        let _ = write!(added, " srcset=\"{}\" sizes=\"{SIZES}\"", candidates.join(", "));
    }
    let _ = write!(added, " width=\"{width}\" height=\"{height}\" loading=\"lazy\" decoding=\"async\"");
    Some(added)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_of_the_library_gets_its_size_and_smaller_versions() {
        let hash = "0a".repeat(32);
        let html = format!(
            r#"<p title="<img"><img src="/media/{hash}/1000x500.jpg" alt="a &amp; b" width="5"></p>"#
        );
        assert_eq!(
            complete(html),
            format!(
                r#"<p title="<img"><img src="/media/{hash}/1000x500.jpg" alt="a &amp; b" srcset="/media/{hash}/480.webp 480w, /media/{hash}/960.webp 960w, /media/{hash}/1000x500.jpg 1000w" sizes="(min-width: 44rem) 42rem, 100vw" width="1000" height="500" loading="lazy" decoding="async"></p>"#
            )
        );
        let large = complete(format!(r#"<img src="/media/{hash}/4000x3000.png">"#));
        assert!(large.contains(&format!("/media/{hash}/1600.webp 1600w\"")), "{large}");
        assert!(!large.contains("4000w"), "{large}");
        let gif = complete(format!(r#"<img src="/media/{hash}/4000x3000.gif">"#));
        assert!(!gif.contains("srcset") && gif.contains(r#"width="4000""#), "{gif}");
    }

    #[test]
    fn other_pictures_stay_as_they_are() {
        for html in [
            r#"<img src="/media/none/1x1.png" width="5">"#,
            r#"<img src="https://example.org/media/x.png" alt="">"#,
            r#"<a href="/media/x">y</a>"#,
        ] {
            assert_eq!(complete(html.to_owned()), html);
        }
    }
}
