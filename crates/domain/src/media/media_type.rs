//! Types of files that may be uploaded, recognised by their content.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Type of a file. Everything else is refused, SVG and HTML included: they can contain scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaType {
    /// A PNG picture.
    Png,
    /// A JPEG picture.
    Jpeg,
    /// A WebP picture without animation.
    Webp,
    /// A GIF picture, with its animation.
    Gif,
    /// A PDF document.
    Pdf,
    /// MP3 audio.
    Mp3,
    /// Ogg audio: Vorbis or Opus.
    Ogg,
    /// WAV audio.
    Wav,
    /// FLAC audio.
    Flac,
    /// MPEG-4 audio.
    M4a,
}

impl MediaType {
    const ALL: [Self; 10] = [
        Self::Png,
        Self::Jpeg,
        Self::Webp,
        Self::Gif,
        Self::Pdf,
        Self::Mp3,
        Self::Ogg,
        Self::Wav,
        Self::Flac,
        Self::M4a,
    ];

    /// Recognises a file by its first bytes. The name and the type that the client sends are never
    /// trusted.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let is = |at: usize, magic: &[u8]| bytes.get(at..at + magic.len()) == Some(magic);
        let found = match () {
            () if is(0, b"\x89PNG\r\n\x1a\n") => Self::Png,
            () if is(0, b"\xff\xd8\xff") => Self::Jpeg,
            () if is(0, b"RIFF") && is(8, b"WEBP") => Self::Webp,
            () if is(0, b"GIF87a") || is(0, b"GIF89a") => Self::Gif,
            () if is(0, b"%PDF-") => Self::Pdf,
            () if is(0, b"OggS") => Self::Ogg,
            () if is(0, b"RIFF") && is(8, b"WAVE") => Self::Wav,
            () if is(0, b"fLaC") => Self::Flac,
            () if is(4, b"ftypM4A ") || is(4, b"ftypM4B ") => Self::M4a,
            () if is(0, b"ID3") || is_mpeg_audio(bytes) => Self::Mp3,
            () => return None,
        };
        Some(found)
    }

    /// Whether it is shown as a picture; other files are downloaded.
    #[must_use]
    pub const fn is_picture(self) -> bool {
        matches!(self, Self::Png | Self::Jpeg | Self::Webp | Self::Gif)
    }

    /// Whether smaller versions are made. A GIF may be animated.
    #[must_use]
    pub const fn has_widths(self) -> bool {
        matches!(self, Self::Png | Self::Jpeg | Self::Webp)
    }

    /// Ending of file names, also the word in SQL and in addresses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Webp => "webp",
            Self::Gif => "gif",
            Self::Pdf => "pdf",
            Self::Mp3 => "mp3",
            Self::Ogg => "ogg",
            Self::Wav => "wav",
            Self::Flac => "flac",
            Self::M4a => "m4a",
        }
    }

    /// The MIME type.
    #[must_use]
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
            Self::Gif => "image/gif",
            Self::Pdf => "application/pdf",
            Self::Mp3 => "audio/mpeg",
            Self::Ogg => "audio/ogg",
            Self::Wav => "audio/wav",
            Self::Flac => "audio/flac",
            Self::M4a => "audio/mp4",
        }
    }
}

impl fmt::Display for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Not one of the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownType;

impl FromStr for MediaType {
    type Err = UnknownType;

    fn from_str(word: &str) -> Result<Self, UnknownType> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or(UnknownType)
    }
}

/// Whether the bytes begin with the header of a frame of MPEG audio, layer III.
fn is_mpeg_audio(bytes: &[u8]) -> bool {
    let [0xff, second, third, ..] = *bytes else { return false };
    let is_synchronised = second & 0xe0 == 0xe0 && second & 0x18 != 0x08 && second & 0x06 == 0x02;
    is_synchronised && third >> 4 != 0x0f && third & 0x0c != 0x0c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_recognised_by_their_content() {
        let of = MediaType::of_bytes;
        assert_eq!(of(b"\x89PNG\r\n\x1a\n...."), Some(MediaType::Png));
        assert_eq!(of(b"\xff\xd8\xff\xe0"), Some(MediaType::Jpeg));
        assert_eq!(of(b"RIFF....WEBPVP8 "), Some(MediaType::Webp));
        assert_eq!(of(b"RIFF....WAVEfmt "), Some(MediaType::Wav));
        assert_eq!(of(b"GIF89a"), Some(MediaType::Gif));
        assert_eq!(of(b"%PDF-1.7"), Some(MediaType::Pdf));
        assert_eq!(of(b"\xff\xfb\x90\x00"), Some(MediaType::Mp3));
        for refused in [
            &b"PK\x03\x04"[..],
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            b"<!doctype html>",
            b" \xff\xd8\xff",
            b"\xff\xff\xff\xff",
            b"",
        ] {
            assert_eq!(of(refused), None, "{refused:?}");
        }
    }

    #[test]
    fn every_type_is_read_from_its_word() {
        for kind in MediaType::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
        }
        assert_eq!("svg".parse::<MediaType>(), Err(UnknownType));
    }
}
