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

/// Returns the picture that this path or address names: hash, type, width and height.
#[must_use]
pub fn picture_of(url: &str) -> Option<(&str, MediaType, u32, u32)> {
    let (hash, name) = url.strip_prefix(PREFIX)?.split_once('/')?;
    let (kind, width, height) = parse_name(name).filter(|_| is_hash(hash))?;
    Some((hash, kind, width?, height?))
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
