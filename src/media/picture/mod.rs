//! Pictures: decoded and encoded again, so that nothing but pixels is stored. Metadata (EXIF, XMP,
//! places, comments) and whatever else a file hides are lost on the way.

mod colour;
mod gif;
mod jpeg_end;
mod memory;
mod png;
mod shares;
#[cfg(test)]
mod tests;
mod versions;
mod worker;

pub use worker::process;

use crate::text::render::Budget;
use domain::media::{MAX_PIXELS, MAX_SIDE, MediaProblem, MediaType};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, codecs::png::PngDecoder};
use std::io::{BufRead, Cursor, Read, Seek, SeekFrom};

/// Maximum memory of a decoded picture, bytes: 50 million pixels of 8 bytes.
const MAX_DECODED_BYTES: u64 = 8 * MAX_PIXELS;
/// Maximum memory of a picture's metadata, bytes. A larger colour profile is ignored.
const MAX_METADATA_BYTES: u64 = 4 * 1024 * 1024;
/// Memory for a second copy of a picture, bytes a pixel: colours and orientation are changed in copies.
const COPY_BYTES: u64 = 4;

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

/// Checks an upload and makes the files to store, unless the time of `budget` ends before.
fn convert(bytes: Vec<u8>, budget: &Budget) -> Result<Processed, MediaProblem> {
    let kind = MediaType::of_bytes(&bytes).ok_or(MediaProblem::UnknownType)?;
    let format = match kind {
        MediaType::Png => ImageFormat::Png,
        MediaType::Webp => ImageFormat::WebP,
        MediaType::Jpeg => ImageFormat::Jpeg,
        MediaType::Gif => return gif::convert(&bytes, budget),
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
    let (picture, _reserved) = decode(bytes, format, budget)?;
    versions::encode(&picture, kind, is_lossless, budget)
}

/// Refuses a picture with too many pixels or a side that is too long, by its header. A row costs time
/// besides its pixels.
fn check_size(width: u32, height: u32) -> Result<(), MediaProblem> {
    match u64::from(width) * u64::from(height) {
        0 => Err(MediaProblem::Damaged),
        pixels if pixels > MAX_PIXELS => Err(MediaProblem::TooManyPixels { width, height }),
        _ if width.max(height) > MAX_SIDE => Err(MediaProblem::SideTooLong { width, height }),
        _ => Ok(()),
    }
}

/// Refuses to go on when the time is over.
fn check_time(budget: &Budget) -> Result<(), MediaProblem> {
    budget.check().map_err(|_| MediaProblem::TooSlow)
}

/// Decodes a picture: in its orientation, with 8 bits a channel, in sRGB.
fn decode(
    bytes: Vec<u8>,
    format: ImageFormat,
    budget: &Budget,
) -> Result<(DynamicImage, memory::ReservedBytes), MediaProblem> {
    if format == ImageFormat::Png {
        let bytes = png::without_metadata(&bytes)?;
        let size = bytes.len();
        let limits = with_max_alloc(MAX_METADATA_BYTES);
        let decoder = PngDecoder::with_limits(Timed::new(bytes, budget), limits);
        return decode_with(decoder.map_err(|_| damaged(budget))?, size, budget);
    }
    let size = bytes.len();
    let mut reader = ImageReader::with_format(Timed::new(bytes, budget), format);
    reader.limits(with_max_alloc(MAX_DECODED_BYTES));
    decode_with(reader.into_decoder().map_err(|_| damaged(budget))?, size, budget)
}

fn with_max_alloc(bytes: u64) -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(bytes);
    limits
}

/// Why a decoder failed: the picture is damaged, or the time was over.
fn damaged(budget: &Budget) -> MediaProblem {
    check_time(budget).err().unwrap_or(MediaProblem::Damaged)
}

fn decode_with(
    mut decoder: impl ImageDecoder,
    size: usize,
    budget: &Budget,
) -> Result<(DynamicImage, memory::ReservedBytes), MediaProblem> {
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    let pixels = u64::from(width) * u64::from(height);
    let reserved = memory::reserve(decoder.total_bytes() + COPY_BYTES * pixels + size as u64);
    check_time(budget)?;
    let orientation = decoder.orientation().map_err(|_| damaged(budget))?;
    let profile = decoder.icc_profile().unwrap_or_default();
    let profile = profile.filter(|profile| profile.len() as u64 <= MAX_METADATA_BYTES);
    let picture = DynamicImage::from_decoder(decoder).map_err(|_| damaged(budget))?;
    check_time(budget)?;
    let mut picture = colour::to_srgb(with_8_bits(picture), profile.as_deref(), budget)?;
    picture.apply_orientation(orientation);
    Ok((picture, reserved))
}

/// Bytes of a picture whose reading ends when the time is over: decoders cannot be interrupted otherwise.
struct Timed<'b> {
    bytes: Cursor<Vec<u8>>,
    budget: &'b Budget,
}

impl<'b> Timed<'b> {
    fn new(bytes: Vec<u8>, budget: &'b Budget) -> Self {
        Self { bytes: Cursor::new(bytes), budget }
    }

    fn check(&self) -> std::io::Result<()> {
        self.budget.check().map_err(|_| std::io::ErrorKind::TimedOut.into())
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        self.check()?;
        self.bytes.read(out)
    }
}

/// Number of bytes that a decoder gets between two checks of the time.
const TIMED_BYTES: usize = 16 * 1024;

impl BufRead for Timed<'_> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.check()?;
        let rest = self.bytes.fill_buf()?;
        Ok(rest.get(..TIMED_BYTES).unwrap_or(rest))
    }

    fn consume(&mut self, bytes: usize) {
        self.bytes.consume(bytes);
    }
}

impl Seek for Timed<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.bytes.seek(to)
    }
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
