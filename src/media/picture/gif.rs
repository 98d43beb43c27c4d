//! GIF: every frame is decoded and encoded again with its palette, so that the animation stays and
//! comments and other extensions are dropped. One frame is in memory at a time.

use super::{Processed, check_size, check_time, memory};
use crate::text::render::Budget;
use domain::media::{MAX_UPLOAD_BYTES, MediaProblem, MediaType, address};
use gif::{DecodeOptions, Encoder, MemoryLimit};
use std::num::NonZeroU64;

/// Maximum cost of all frames together, in pixels.
const MAX_FRAMES_COST: u64 = 300_000_000;
/// Cost of a frame besides its pixels, in pixels.
const FRAME_COST: u64 = 20_000;
/// Maximum memory for a frame, bytes.
const MAX_FRAME_BYTES: u64 = 64_000_000;

/// Checks a GIF and makes the file to store, unless the time ends before.
pub fn convert(bytes: &[u8], budget: &Budget) -> Result<Processed, MediaProblem> {
    let mut options = DecodeOptions::new();
    if let Some(limit) = NonZeroU64::new(MAX_FRAME_BYTES) {
        options.set_memory_limit(MemoryLimit::Bytes(limit));
    }
    let mut decoder = options.read_info(bytes).map_err(|_| MediaProblem::Damaged)?;
    let (width, height) = (decoder.width(), decoder.height());
    let size = (u32::from(width), u32::from(height));
    check_size(size.0, size.1)?;
    check_frames(bytes)?;
    let pixels = u64::from(size.0) * u64::from(size.1);
    let _reserved = memory::reserve(2 * MAX_FRAME_BYTES.min(pixels) + 3 * bytes.len() as u64);
    let palette = decoder.global_palette().unwrap_or_default().to_vec();
    let mut encoder = Encoder::new(Vec::new(), width, height, &palette).map_err(|_| MediaProblem::Damaged)?;
    let mut count = 0_u32;
    while let Some(frame) = decoder.read_next_frame().map_err(|_| MediaProblem::Damaged)?.cloned() {
        check_time(budget)?;
        if encoder.get_ref().len() > 2 * MAX_UPLOAD_BYTES {
            return Err(MediaProblem::TooLarge);
        }
        // The number of repetitions stands before the first frame.
        if count == 0 {
            encoder.set_repeat(decoder.repeat()).map_err(|_| MediaProblem::Damaged)?;
        }
        encoder.write_frame(&frame).map_err(|_| MediaProblem::Damaged)?;
        count += 1;
    }
    if count == 0 {
        return Err(MediaProblem::Damaged);
    }
    let written = encoder.into_inner().map_err(|_| MediaProblem::Damaged)?;
    let name = address::file_name(MediaType::Gif, Some(size));
    Ok(Processed { kind: MediaType::Gif, size: Some(size), files: vec![(name, written)] })
}

/// Refuses an animation whose frames cost too much, by their headers: nothing is unpacked.
fn check_frames(bytes: &[u8]) -> Result<(), MediaProblem> {
    let mut options = DecodeOptions::new();
    options.skip_frame_decoding(true);
    let mut decoder = options.read_info(bytes).map_err(|_| MediaProblem::Damaged)?;
    let mut cost = 0;
    while let Some(frame) = decoder.next_frame_info().map_err(|_| MediaProblem::Damaged)? {
        cost += u64::from(frame.width) * u64::from(frame.height) + FRAME_COST;
        if cost > MAX_FRAMES_COST {
            return Err(MediaProblem::TooManyFrames);
        }
    }
    Ok(())
}
