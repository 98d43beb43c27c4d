//! Addresses of files: `/media/HASH/NAME`.
//!
//! The name of a picture contains its size (`4000x3000.jpg`), so that a text can be rendered without
//! a query. Smaller versions are named by their width (`960.webp`), other files `file.pdf`.

use super::media_type::MediaType;
use std::collections::BTreeSet;

/// Widths of the smaller versions of a picture, in pixels.
pub const WIDTHS: [u32; 3] = [480, 960, 1600];
/// Path prefix of all files.
pub const PREFIX: &str = "/media/";
/// Length of a hash, in hexadecimal digits.
pub const HASH_CHARS: usize = 64;
/// Maximum number of files that one text may use.
pub const MAX_REFERENCES: usize = 1_000;

/// Maximum height of a WebP picture.
const MAX_WEBP_SIDE: u32 = 16_383;

/// Path of a file.
#[must_use]
pub fn path(hash: &str, name: &str) -> String {
    format!("{PREFIX}{hash}/{name}")
}

/// Name of the stored file of an upload.
#[must_use]
pub fn file_name(kind: MediaType, size: Option<(u32, u32)>) -> String {
    match size {
        Some((width, height)) => format!("{width}x{height}.{kind}"),
        None => format!("file.{kind}"),
    }
}

/// Name of a smaller version.
#[must_use]
pub fn width_name(width: u32) -> String {
    format!("{width}.{}", MediaType::Webp)
}

/// Widths of the smaller versions of a picture of this size.
pub fn widths(kind: MediaType, size: (u32, u32)) -> impl Iterator<Item = u32> {
    let is_made = move |smaller: &u32| *smaller < size.0 && height_at(size, *smaller) <= MAX_WEBP_SIDE;
    WIDTHS.into_iter().filter(move |smaller| kind.has_widths() && is_made(smaller))
}

/// Path of a small version of a picture for lists; the picture itself if it has none.
#[must_use]
pub fn preview_path(hash: &str, kind: MediaType, size: (u32, u32)) -> String {
    match widths(kind, size).next() {
        Some(smallest) => path(hash, &width_name(smallest)),
        None => path(hash, &file_name(kind, Some(size))),
    }
}

/// Height of the smaller version with this width.
#[must_use]
pub fn height_at((width, height): (u32, u32), smaller: u32) -> u32 {
    let scaled = (u64::from(height) * u64::from(smaller) + u64::from(width) / 2) / u64::from(width.max(1));
    u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
}

/// Whether this is a hash as in an address.
#[must_use]
pub fn is_hash(text: &str) -> bool {
    text.len() == HASH_CHARS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Parses the name of a file: its type, and for a picture its size. A smaller version has no height.
#[must_use]
pub fn parse_name(name: &str) -> Option<(MediaType, Option<u32>, Option<u32>)> {
    let (stem, ending) = name.split_once('.')?;
    let kind: MediaType = ending.parse().ok()?;
    let number = |digits: &str| {
        let is_plain = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_plain.then(|| digits.parse::<u32>().ok()).flatten()
    };
    match stem.split_once('x') {
        Some((width, height)) if kind.is_picture() => {
            Some((kind, Some(number(width)?), Some(number(height)?)))
        }
        None if stem == "file" && !kind.is_picture() => Some((kind, None, None)),
        None if kind == MediaType::Webp => {
            let width = number(stem).filter(|width| WIDTHS.contains(width))?;
            Some((kind, Some(width), None))
        }
        _ => None,
    }
}

/// Address of a file in a media library, in any form: a path, or with scheme and host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MediaAddress<'a> {
    /// Scheme and host, such as `https://desk.example`, or `//desk.example`; empty: a path of this desk.
    pub origin: &'a str,
    /// Hash of the file.
    pub hash: &'a str,
    /// Name of the file or of its smaller version.
    pub name: &'a str,
    /// Type of the file.
    pub kind: MediaType,
    /// Width in pixels; `None`: it is no picture.
    pub width: Option<u32>,
    /// Height in pixels; `None`: it is no picture, or a smaller version.
    pub height: Option<u32>,
    /// The part after the file, with its `#`; empty: none.
    pub fragment: &'a str,
}

impl MediaAddress<'_> {
    /// Whether it is a path of this desk.
    #[must_use]
    pub const fn is_path(&self) -> bool {
        self.origin.is_empty()
    }

    /// Whether only the library knows the path of its file: it has a host, which may be any earlier one
    /// of this desk, or it is a smaller version, which does not name the size of the picture.
    #[must_use]
    pub const fn is_unresolved(&self) -> bool {
        !self.is_path() || (self.width.is_some() && self.height.is_none())
    }

    /// Path of what it names on this desk.
    #[must_use]
    pub fn path(&self) -> String {
        path(self.hash, self.name)
    }
}

/// Parses an address of a file in any form. The one function that decides whether an address is one of
/// a media library. A query is left out. `None`: it is none.
#[must_use]
pub fn parse(url: &str) -> Option<MediaAddress<'_>> {
    let url = url.trim();
    let (url, fragment) = url.split_at(url.find('#').unwrap_or(url.len()));
    let (origin, path) = split_origin(url.split('?').next()?)?;
    let (hash, name) = path.strip_prefix(PREFIX)?.split_once('/')?;
    let (kind, width, height) = parse_name(name).filter(|_| is_hash(hash))?;
    Some(MediaAddress { origin, hash, name, kind, width, height, fragment })
}

/// Splits an address before its path. `None`: its host is no plain name.
fn split_origin(url: &str) -> Option<(&str, &str)> {
    let is_web = |scheme: &str| {
        scheme.is_empty() || ["http:", "https:"].iter().any(|web| scheme.eq_ignore_ascii_case(web))
    };
    let Some((scheme, rest)) = url.split_once("//").filter(|(scheme, _)| is_web(scheme)) else {
        return Some(("", url));
    };
    let (host, _) = rest.split_once('/')?;
    let is_plain = |letter: char| letter.is_alphanumeric() || "-._:[]".contains(letter);
    let is_host = !host.is_empty() && host.chars().all(is_plain);
    is_host.then(|| url.split_at(scheme.len() + "//".len() + host.len()))
}

/// Returns the picture that this path names: hash, type, width and height.
#[must_use]
pub fn picture_of(url: &str) -> Option<(&str, MediaType, u32, u32)> {
    let found = parse(url).filter(MediaAddress::is_path)?;
    Some((found.hash, found.kind, found.width?, found.height?))
}

/// Returns the hashes of all files that a text names, each once.
#[must_use]
pub fn references(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices(PREFIX) {
        let start = at + PREFIX.len();
        let Some(hash) = text.get(start..start + HASH_CHARS).filter(|hash| is_hash(hash)) else { continue };
        if text.as_bytes().get(start + HASH_CHARS) == Some(&b'/') {
            found.insert(hash);
        }
        if found.len() == MAX_REFERENCES {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_written_and_read() {
        let hash = "0a".repeat(32);
        let url = path(&hash, &file_name(MediaType::Jpeg, Some((4000, 3000))));
        assert_eq!(picture_of(&url), Some((hash.as_str(), MediaType::Jpeg, 4000, 3000)));
        assert_eq!(parse_name("960.webp"), Some((MediaType::Webp, Some(960), None)));
        assert_eq!(parse_name("file.pdf"), Some((MediaType::Pdf, None, None)));
        for wrong in
            ["961.webp", "960.png", "file.png", "file.exe", "../x.png", "1x.png", "01x2.png", "1x2", "x.webp"]
        {
            assert_eq!(parse_name(wrong), None, "{wrong}");
        }
        assert_eq!(picture_of("/media/abc/1x2.png"), None);
        let of = |kind, size| widths(kind, size).collect::<Vec<u32>>();
        assert_eq!(of(MediaType::Jpeg, (1000, 10)), [480, 960]);
        assert_eq!(of(MediaType::Gif, (1000, 10)), [0; 0]);
        assert_eq!(preview_path(&hash, MediaType::Jpeg, (4000, 3000)), path(&hash, "480.webp"));
        assert_eq!(preview_path(&hash, MediaType::Jpeg, (480, 360)), path(&hash, "480x360.jpg"));
        // A tall picture: WebP has a maximum height.
        assert_eq!(of(MediaType::Png, (1601, 31_000)), [480]);
        assert_eq!((height_at((4000, 3000), 480), height_at((4000, 1), 480)), (360, 1));
    }

    #[test]
    fn an_address_is_read_in_any_form() {
        let path = path(&"0a".repeat(32), "1000x500.jpg");
        for (url, origin) in [
            (path.clone(), ""),
            (format!(" {path}\n"), ""),
            (format!("{path}?v=1&w=2"), ""),
            (format!("https://desk.example{path}"), "https://desk.example"),
            (format!("HTTPS://Desk.Example:8443{path}?a"), "HTTPS://Desk.Example:8443"),
            (format!("http://[::1]:3000{path}"), "http://[::1]:3000"),
            (format!("https://新闻.example{path}"), "https://新闻.example"),
            (format!("//old.example{path}#top"), "//old.example"),
        ] {
            let found = parse(&url).unwrap();
            assert_eq!((found.origin, found.path()), (origin, path.clone()), "{url}");
            assert_eq!((found.width, found.height), (Some(1_000), Some(500)), "{url}");
            assert_eq!(found.is_unresolved(), !origin.is_empty(), "{url}");
            assert_eq!(picture_of(&url).is_some(), origin.is_empty(), "{url}");
        }
        let hash = "0a".repeat(32);
        let smaller = format!("/media/{hash}/480.webp");
        assert!(parse(&smaller).unwrap().is_unresolved() && picture_of(&smaller).is_none());
        let file = format!("https://desk.example/media/{hash}/file.pdf?x#page=2");
        assert_eq!(parse(&file).unwrap().fragment, "#page=2");
    }

    #[test]
    fn other_addresses_are_none_of_a_library() {
        let path = path(&"0a".repeat(32), "1000x500.jpg");
        for url in [
            String::new(),
            "//".to_owned(),
            format!("media{path}"),
            format!("../{path}"),
            format!("/site{path}"),
            format!("/{path}"),
            format!("ftp://desk.example{path}"),
            format!("https://user@desk.example{path}"),
            format!("https://desk.example\\@other.example{path}"),
            format!("https://desk.example/site{path}"),
            format!("https://desk.example?{path}"),
            format!("https:/desk.example{path}"),
            path.to_uppercase(),
            format!("{path}/x"),
            format!("{path}.exe"),
            path.replace("0a", "%30a"),
        ] {
            assert_eq!(parse(&url), None, "{url}");
        }
    }

    #[test]
    fn references_are_found_once_each() {
        let (one, other) = ("ab".repeat(32), "cd".repeat(32));
        let text = format!(
            "![a](/media/{one}/1x2.png) <img src='https://desk.example/media/{other}/file.pdf'> \
             字/media/{one}/960.webp /media/{}字/x /media/{}/1x2.png /media/{one}",
            "ef".repeat(31),
            "AB".repeat(32)
        );
        assert_eq!(references(&text).into_iter().collect::<Vec<_>>(), [one.as_str(), &other]);
    }
}
