//! Pictures of the media library: their size, so that nothing moves while they load, and smaller
//! versions. Both follow from the path, so that most texts are rendered without a query. Addresses with
//! a host are resolved afterwards: only the library knows whether a file is its own.

use super::{
    rewrite::decode_entities,
    tags::{Tag, Token, Tokenizer},
};
use crate::text::html::escape;
use domain::media::address::{self, MediaAddress};
use std::{
    collections::{BTreeSet, HashMap},
    fmt::Write as _,
};

/// Width of a picture on a page: that of the text, or of the screen.
const SIZES: &str = "(min-width: 44rem) 42rem, 100vw";

/// Completes the pictures of sanitised HTML that are named by their path.
pub fn complete(html: String) -> String {
    if !html.contains(address::PREFIX) {
        return html;
    }
    rewritten(&html, |found| (!found.is_unresolved()).then(|| found.path()))
}

/// Returns the hashes of the addresses that only the library can resolve.
pub fn unresolved(html: &str) -> BTreeSet<String> {
    let mut hashes = BTreeSet::new();
    if !html.contains(address::PREFIX) {
        return hashes;
    }
    for token in Tokenizer::of(html) {
        let Token::Open(tag) = token else { continue };
        let url = address_attribute(&tag.name).and_then(|name| tag.get(name)).map(decode_entities);
        let found = url.as_deref().and_then(address::parse).filter(MediaAddress::is_unresolved);
        if let Some(found) = found {
            hashes.insert(found.hash.to_owned());
        }
        if hashes.len() == address::MAX_REFERENCES {
            break;
        }
    }
    hashes
}

/// Replaces the unresolved addresses of files of this library by their paths and completes their
/// pictures. `files`: path of each file by its hash.
pub fn resolve(html: &str, files: &HashMap<String, String>) -> String {
    rewritten(html, |found| found.is_unresolved().then(|| files.get(found.hash).cloned()).flatten())
}

/// Returns the attributes of the picture at this path besides `src` and `alt`; `None`: it is none of the
/// library.
pub fn attributes(path: &str) -> Option<String> {
    let (hash, kind, width, height) = address::picture_of(path)?;
    let mut smaller: Vec<(u32, String)> = address::widths(kind, (width, height))
        .map(|width| (width, address::path(hash, &address::width_name(width))))
        .collect();
    let largest = smaller.last().map(|(width, _)| *width);
    let mut added = String::new();
    if let Some(largest) = largest {
        // The file itself may be much larger than any screen.
        if address::widths(kind, (u32::MAX, 1)).last() != Some(largest) {
            let own = address::file_name(kind, Some((width, height)));
            smaller.push((width, address::path(hash, &own)));
        }
        let candidates: Vec<String> =
            smaller.into_iter().map(|(width, path)| format!("{path} {width}w")).collect();
        let _ = write!(added, " srcset=\"{}\" sizes=\"{SIZES}\"", candidates.join(", "));
    }
    let _ = write!(added, " width=\"{width}\" height=\"{height}\" loading=\"lazy\" decoding=\"async\"");
    Some(added)
}

/// Name of the attribute with the address of an element that may name a file.
fn address_attribute(element: &str) -> Option<&'static str> {
    match element {
        "img" => Some("src"),
        "a" => Some("href"),
        _ => None,
    }
}

/// Replaces addresses by the paths that `path_of` returns for them, and completes their pictures.
fn rewritten(html: &str, path_of: impl Fn(&MediaAddress<'_>) -> Option<String>) -> String {
    let mut out = String::with_capacity(html.len() + html.len() / 4);
    for token in Tokenizer::of(html) {
        match token {
            Token::Text(text) => out.push_str(text),
            Token::Close(name) => {
                let _ = write!(out, "</{name}>");
            }
            Token::Open(tag) => write_tag(&mut out, &tag, &path_of),
        }
    }
    out
}

fn write_tag(out: &mut String, tag: &Tag<'_>, path_of: &impl Fn(&MediaAddress<'_>) -> Option<String>) {
    let addressed = address_attribute(&tag.name).unwrap_or_default();
    let url = tag.get(addressed).map(decode_entities);
    let found = url.as_deref().and_then(address::parse);
    let path = found.as_ref().and_then(path_of);
    let is_picture = tag.name == "img";
    let added = path.as_deref().filter(|_| is_picture).and_then(attributes).unwrap_or_default();
    let fragment = found.filter(|_| !is_picture).map_or("", |found| found.fragment);
    let _ = write!(out, "<{}", tag.name);
    for (name, value) in &tag.attributes {
        match &path {
            Some(path) if name == addressed => {
                let _ = write!(out, " {name}=\"{path}{}\"", escape(fragment));
            }
            _ if added.is_empty() || !matches!(name.as_str(), "width" | "height") => {
                let _ = write!(out, " {name}=\"{value}\"");
            }
            _ => {}
        }
    }
    if !added.is_empty() && tag.get("alt").is_none() {
        out.push_str(" alt=\"\"");
    }
    let _ = write!(out, "{added}>");
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
        assert!(!large.contains("4000w") && large.contains("alt=\"\""), "{large}");
        let gif = complete(format!(r#"<img src="/media/{hash}/4000x3000.gif">"#));
        assert!(!gif.contains("srcset") && gif.contains(r#"width="4000""#), "{gif}");
        let query = complete(format!(r#"<img alt="" src="/media/{hash}/400x300.png?a=&quot;#b">"#));
        assert!(
            query.starts_with(&format!(r#"<img alt="" src="/media/{hash}/400x300.png" width="400""#)),
            "{query}"
        );
    }

    #[test]
    fn an_address_with_a_host_becomes_a_path_if_the_library_has_the_file() {
        let (own, other) = ("0a".repeat(32), "0b".repeat(32));
        let html = format!(
            r#"<img src="https://old.example/media/{own}/600x300.png?v=1" alt="a"><img src="//x.example/media/{own}/480.webp"><a href="http://old.example/media/{own}/600x300.png#a&amp;b">c</a><img src="https://x.example/media/{other}/600x300.png"><img src="/media/{own}/600x300.png" srcset="x 1w">"#
        );
        assert_eq!(unresolved(&html).into_iter().collect::<Vec<_>>(), [own.clone(), other.clone()]);
        let path = format!("/media/{own}/600x300.png");
        let added = attributes(&path).unwrap();
        let resolved = resolve(&html, &[(own.clone(), path.clone())].into());
        assert_eq!(
            resolved,
            format!(
                r#"<img src="{path}" alt="a"{added}><img src="{path}" alt=""{added}><a href="{path}#a&amp;b">c</a><img src="https://x.example/media/{other}/600x300.png"><img src="{path}" srcset="x 1w">"#
            )
        );
        assert_eq!(unresolved(&resolved).into_iter().collect::<Vec<_>>(), [other]);
    }

    #[test]
    fn other_pictures_stay_as_they_are() {
        for html in [
            r#"<img src="/media/none/1x1.png" width="5">"#,
            r#"<img src="https://example.org/media/x.png" alt="">"#,
            r#"<a href="/media/x">y</a>"#,
        ] {
            assert_eq!(complete(html.to_owned()), html);
            assert!(unresolved(html).is_empty(), "{html}");
        }
    }
}
