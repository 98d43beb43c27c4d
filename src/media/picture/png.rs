//! PNG: which chunks reach the decoder. Metadata may be packed a thousandfold, so what does not decide how
//! a picture looks is left out before anything is unpacked.

use domain::media::MediaProblem;
use std::ops::Range;

/// Length of the signature, bytes.
const SIGNATURE_BYTES: usize = 8;
/// Length of a chunk without its content, bytes: length, type and checksum.
const FRAME_BYTES: usize = 12;
/// Maximum size of packed metadata, bytes; larger ones are left out.
const MAX_PACKED_BYTES: usize = 1024 * 1024;
/// Optional chunks that decide how a picture looks: transparency, colours and orientation.
const KEPT: [&[u8; 4]; 6] = [b"tRNS", b"iCCP", b"sRGB", b"gAMA", b"cHRM", b"eXIf"];

/// Returns the picture without metadata. An animation is refused, because it would become its first
/// picture.
pub fn without_metadata(bytes: &[u8]) -> Result<Vec<u8>, MediaProblem> {
    let mut kept = Vec::with_capacity(bytes.len());
    kept.extend_from_slice(bytes.get(..SIGNATURE_BYTES).unwrap_or(bytes));
    for Chunk { kind, content, whole } in chunks(bytes) {
        let content = bytes.get(content).unwrap_or_default();
        if &kind == b"acTL" && frames(content) > 1 {
            return Err(MediaProblem::Animated);
        }
        // The first letter of a chunk that every decoder must understand is upper-case.
        let is_needed = kind.first().is_some_and(u8::is_ascii_uppercase);
        if is_needed || (KEPT.contains(&&kind) && content.len() <= MAX_PACKED_BYTES) {
            kept.extend_from_slice(bytes.get(whole).unwrap_or_default());
        }
        if &kind == b"IEND" {
            break;
        }
    }
    Ok(kept)
}

/// Number of pictures of an animation.
fn frames(content: &[u8]) -> u32 {
    content.first_chunk().map_or(u32::MAX, |count: &[u8; 4]| u32::from_be_bytes(*count))
}

struct Chunk {
    kind: [u8; 4],
    content: Range<usize>,
    whole: Range<usize>,
}

/// The chunks of a file; the last one may be incomplete.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = Chunk> {
    let mut at = SIGNATURE_BYTES;
    std::iter::from_fn(move || {
        let (length, rest) = bytes.get(at..)?.split_first_chunk::<4>()?;
        let kind = *rest.first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        let start = at + 8;
        let end = at.saturating_add(length).saturating_add(FRAME_BYTES).min(bytes.len());
        let content = start..start.saturating_add(length).min(bytes.len());
        let whole = at..end;
        at = end;
        Some(Chunk { kind, content, whole })
    })
}
