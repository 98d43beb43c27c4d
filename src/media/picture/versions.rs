//! Encodes a picture: in its own format, and in smaller widths as WebP.

use super::{Processed, check_time};
use crate::text::render::Budget;
use domain::media::{MediaProblem, MediaType, address};
use image::{
    DynamicImage, ImageEncoder,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
    imageops::FilterType as Resampling,
};
use std::borrow::Cow;

/// Quality of JPEG, of 100.
const JPEG_QUALITY: u8 = 88;
/// Maximum number of pixels for the better filter.
const MAX_FILTERED_PIXELS: u64 = 16_000_000;
/// Quality of WebP, of 100.
const WEBP_QUALITY: f32 = 82.0;

/// Makes the files of a picture, unless the time ends before.
pub fn encode(
    picture: &DynamicImage,
    kind: MediaType,
    is_lossless: bool,
    budget: &Budget,
) -> Result<Processed, MediaProblem> {
    let size = (picture.width(), picture.height());
    let own = match kind {
        MediaType::Jpeg => jpeg(picture)?,
        MediaType::Png => png(picture)?,
        _ => webp(picture, is_lossless)?,
    };
    let mut files = vec![(address::file_name(kind, Some(size)), own)];
    let widths: Vec<u32> = address::widths(kind, size).collect();
    let mut larger = Cow::Borrowed(picture);
    for width in widths.into_iter().rev() {
        check_time(budget)?;
        let smaller = shrink(&larger, width, address::height_at(size, width));
        files.push((address::width_name(width), webp(&smaller, false)?));
        larger = Cow::Owned(smaller);
    }
    Ok(Processed { kind, size: Some(size), files })
}

/// Makes a picture smaller. A much larger one is first averaged to twice the size, and a huge one
/// only averaged: the better filter needs up to twelve bytes for each pixel it reads.
fn shrink(picture: &DynamicImage, width: u32, height: u32) -> DynamicImage {
    let (between, its_height) = (2 * width, 2 * height);
    if picture.width() > between && picture.height() > its_height {
        return picture.thumbnail_exact(between, its_height).resize_exact(
            width,
            height,
            Resampling::CatmullRom,
        );
    }
    if u64::from(picture.width()) * u64::from(picture.height()) > MAX_FILTERED_PIXELS {
        return picture.thumbnail_exact(width, height);
    }
    picture.resize_exact(width, height, Resampling::CatmullRom)
}

fn jpeg(picture: &DynamicImage) -> Result<Vec<u8>, MediaProblem> {
    let mut out = Vec::new();
    let opaque = match picture {
        DynamicImage::ImageLuma8(_) | DynamicImage::ImageRgb8(_) => Cow::Borrowed(picture),
        other => Cow::Owned(other.to_rgb8().into()),
    };
    JpegEncoder::new_with_quality(&mut out, JPEG_QUALITY)
        .write_image(opaque.as_bytes(), opaque.width(), opaque.height(), opaque.color().into())
        .map_err(|_| MediaProblem::Damaged)?;
    Ok(out)
}

fn png(picture: &DynamicImage) -> Result<Vec<u8>, MediaProblem> {
    let mut out = Vec::new();
    PngEncoder::new_with_quality(&mut out, CompressionType::Default, FilterType::Adaptive)
        .write_image(picture.as_bytes(), picture.width(), picture.height(), picture.color().into())
        .map_err(|_| MediaProblem::Damaged)?;
    Ok(out)
}

fn webp(picture: &DynamicImage, is_lossless: bool) -> Result<Vec<u8>, MediaProblem> {
    let (width, height) = (picture.width(), picture.height());
    let coloured = match picture {
        DynamicImage::ImageRgb8(_) | DynamicImage::ImageRgba8(_) => Cow::Borrowed(picture),
        other => Cow::Owned(other.to_rgb8().into()),
    };
    let encoder = match coloured.color().has_alpha() {
        true => webp::Encoder::from_rgba(coloured.as_bytes(), width, height),
        false => webp::Encoder::from_rgb(coloured.as_bytes(), width, height),
    };
    let written = encoder.encode_simple(is_lossless, WEBP_QUALITY).map_err(|_| MediaProblem::Damaged)?;
    Ok(written.to_vec())
}
