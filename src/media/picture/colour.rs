//! Colour profiles: pixels are converted to sRGB, so that no profile has to be stored.

use crate::text::render::Budget;
use domain::media::MediaProblem;
use image::DynamicImage;
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

/// Pixels converted at once: a second copy of the whole picture would double its memory.
const CHUNK_PIXELS: usize = 16 * 1024;

/// Converts the colours of a picture with this ICC profile to sRGB. A profile that cannot be used is
/// ignored, as browsers do.
pub fn to_srgb(
    mut picture: DynamicImage,
    profile: Option<&[u8]>,
    budget: &Budget,
) -> Result<DynamicImage, MediaProblem> {
    let Some(profile) = profile else { return Ok(picture) };
    let Ok(source) = ColorProfile::new_from_slice(profile) else { return Ok(picture) };
    if source.color_space != DataColorSpace::Rgb {
        return Ok(picture);
    }
    let (pixels, channels, layout) = match &mut picture {
        DynamicImage::ImageRgb8(picture) => (&mut **picture, 3, Layout::Rgb),
        DynamicImage::ImageRgba8(picture) => (&mut **picture, 4, Layout::Rgba),
        _ => return Ok(picture),
    };
    let srgb = ColorProfile::new_srgb();
    let Ok(transform) = source.create_transform_8bit(layout, &srgb, layout, TransformOptions::default())
    else {
        return Ok(picture);
    };
    let mut converted = vec![0; CHUNK_PIXELS * channels];
    for chunk in pixels.chunks_mut(CHUNK_PIXELS * channels) {
        super::check_time(budget)?;
        let Some(converted) = converted.get_mut(..chunk.len()) else { break };
        if transform.transform(chunk, converted).is_ok() {
            chunk.copy_from_slice(converted);
        }
    }
    Ok(picture)
}
