//! Pictures: decoded and encoded again, so that nothing but pixels is stored. Metadata (EXIF, XMP,
//! places, comments) and whatever else a file hides are lost on the way.

mod colour;
mod gif;
mod jpeg_end;
mod memory;
#[cfg(test)]
mod tests;
mod versions;
mod worker;

pub use worker::process;

use domain::media::{MAX_PIXELS, MediaProblem, MediaType};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use std::io::Cursor;

/// Maximum memory of a decoded picture, bytes: 50 million pixels of 8 bytes.
const MAX_DECODED_BYTES: u64 = 8 * MAX_PIXELS;

/// An upload as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Processed {
    /// Its type.
    pub kind: MediaType,
    /// Width and height in pixels; `None`: it is no picture.
    pub size: Option<(u32, u32)>,
    /// Names and contents of its files; the first is the file itself.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Checks an upload and makes the files to store.
fn convert(bytes: Vec<u8>) -> Result<Processed, MediaProblem> {
    let kind = MediaType::of_bytes(&bytes).ok_or(MediaProblem::UnknownType)?;
    let format = match kind {
        MediaType::Png => ImageFormat::Png,
        MediaType::Webp => ImageFormat::WebP,
        MediaType::Jpeg => ImageFormat::Jpeg,
        MediaType::Gif => return gif::convert(&bytes),
        _ => {
            let name = domain::media::address::file_name(kind, None);
            return Ok(Processed { kind, size: None, files: vec![(name, bytes)] });
        }
    };
    if kind == MediaType::Jpeg && !jpeg_end::is_complete(&bytes) {
        return Err(MediaProblem::Damaged);
    }
    if kind == MediaType::Webp && is_animated(&bytes) {
        return Err(MediaProblem::Animated);
    }
    let is_lossless = kind == MediaType::Png || bytes.get(12..16) == Some(b"VP8L");
    let (picture, _reserved) = decode(bytes, format)?;
    versions::encode(&picture, kind, is_lossless)
}

/// Refuses a picture with too many pixels, by its header.
fn check_size(width: u32, height: u32) -> Result<(), MediaProblem> {
    match u64::from(width) * u64::from(height) {
        0 => Err(MediaProblem::Damaged),
        pixels if pixels > MAX_PIXELS => Err(MediaProblem::TooManyPixels { width, height }),
        _ => Ok(()),
    }
}

/// Decodes a picture: in its orientation, with 8 bits a channel, in sRGB.
fn decode(
    bytes: Vec<u8>,
    format: ImageFormat,
) -> Result<(DynamicImage, memory::ReservedPixels), MediaProblem> {
    let damaged = |_| MediaProblem::Damaged;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    let reserved = memory::reserve(u64::from(width) * u64::from(height));
    let orientation = decoder.orientation().map_err(damaged)?;
    let profile = decoder.icc_profile().unwrap_or_default();
    let picture = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    let mut picture = colour::to_srgb(with_8_bits(picture), profile.as_deref());
    picture.apply_orientation(orientation);
    Ok((picture, reserved))
}

/// Returns the picture with one byte a channel, grey or in colours, with transparency if it has any.
fn with_8_bits(picture: DynamicImage) -> DynamicImage {
    match picture {
        DynamicImage::ImageLuma8(_) | DynamicImage::ImageRgb8(_) | DynamicImage::ImageRgba8(_) => picture,
        DynamicImage::ImageLuma16(_) => picture.into_luma8().into(),
        other if other.color().has_alpha() => other.into_rgba8().into(),
        other => other.into_rgb8().into(),
    }
}

/// Whether a WebP file announces an animation.
fn is_animated(bytes: &[u8]) -> bool {
    const ANIMATION: u8 = 0b10;
    bytes.get(12..16) == Some(b"VP8X") && bytes.get(20).is_some_and(|flags| flags & ANIMATION != 0)
}
