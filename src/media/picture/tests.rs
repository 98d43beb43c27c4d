//! What becomes of a picture's pixels.

use super::*;
use image::{ImageEncoder as _, Luma, Rgb, RgbImage, Rgba, RgbaImage, codecs::png::PngEncoder};
use std::{fs, time::Duration};
use tokio_util::sync::CancellationToken;

fn convert(bytes: Vec<u8>) -> Result<Processed, MediaProblem> {
    super::convert(bytes, &Budget::new(Duration::from_secs(60), CancellationToken::new()))
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    picture.write_to(&mut out, format).unwrap();
    out.into_inner()
}

fn decoded(file: &(String, Vec<u8>)) -> DynamicImage {
    let format = if file.0.ends_with("webp") { ImageFormat::WebP } else { ImageFormat::Png };
    image::load_from_memory_with_format(&file.1, format).unwrap()
}

#[test]
fn transparency_is_kept_in_all_versions() {
    let picture = RgbaImage::from_fn(600, 60, |x, _| Rgba([200, 10, 10, if x < 300 { 0 } else { 255 }]));
    let made = convert(encoded(&picture.into(), ImageFormat::Png)).unwrap();
    let names: Vec<&str> = made.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["600x60.png", "480.webp"]);
    for file in &made.files {
        let shown = decoded(file).to_rgba8();
        assert_eq!(
            (shown.get_pixel(5, 5)[3], shown.get_pixel(shown.width() - 5, 5)[3]),
            (0, 255),
            "{}",
            file.0
        );
    }
}

#[test]
fn deep_and_grey_pictures_are_accepted() {
    let deep =
        image::ImageBuffer::<Luma<u16>, _>::from_fn(500, 5, |x, _| Luma([u16::try_from(x * 100).unwrap()]));
    let made = convert(encoded(&DynamicImage::ImageLuma16(deep), ImageFormat::Png)).unwrap();
    assert_eq!((made.size, decoded(&made.files[0]).color()), (Some((500, 5)), image::ColorType::L8));
    let grey = image::GrayImage::from_pixel(20, 20, Luma([100]));
    let made = convert(encoded(&grey.into(), ImageFormat::Jpeg)).unwrap();
    assert_eq!((made.kind, made.files.len()), (MediaType::Jpeg, 1));
}

#[test]
fn a_tall_picture_has_only_versions_that_webp_can_hold() {
    let tall = image::GrayImage::from_pixel(1_000, 20_000, Luma([100]));
    let made = convert(encoded(&tall.into(), ImageFormat::Png)).unwrap();
    let names: Vec<&str> = made.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["1000x20000.png", "480.webp"]);
}

#[test]
fn colours_of_a_wide_profile_become_srgb() {
    let green = RgbImage::from_pixel(8, 8, Rgb([100, 200, 100]));
    let mut out = Vec::new();
    let mut encoder = PngEncoder::new(&mut out);
    encoder.set_icc_profile(moxcms::ColorProfile::new_display_p3().encode().unwrap()).unwrap();
    encoder.write_image(&green, 8, 8, image::ExtendedColorType::Rgb8).unwrap();
    let made = convert(out).unwrap();
    let shown = decoded(&made.files[0]).to_rgb8();
    let Rgb([red, green, _]) = *shown.get_pixel(0, 0);
    // The same colour needs less red in the smaller space.
    assert!(red < 95 && green >= 198, "{red} {green}");
    assert!(!made.files[0].1.windows(4).any(|part| part == b"iCCP"));
}

#[test]
fn an_incomplete_jpeg_is_recognised_even_with_a_preview_in_it() {
    let jpeg = encoded(&RgbImage::from_pixel(64, 64, Rgb([1, 2, 3])).into(), ImageFormat::Jpeg);
    // A small picture inside of the metadata has an end of its own.
    let preview = [&b"\xff\xe1\0\x08"[..], b"\xff\xd8\xff\xd9ab"].concat();
    let with_preview = [&jpeg[..2], &preview, &jpeg[2..]].concat();
    assert!(jpeg_end::is_complete(&jpeg) && jpeg_end::is_complete(&with_preview));
    assert!(jpeg_end::is_complete(&[&jpeg[..], b"more"].concat()));
    for length in [2, 20, with_preview.len() - 30, with_preview.len() - 1] {
        assert!(!jpeg_end::is_complete(&with_preview[..length]), "{length}");
    }
    assert_eq!(convert(with_preview[..with_preview.len() - 30].to_vec()), Err(MediaProblem::Damaged));
}

#[test]
fn a_side_that_is_too_long_is_refused_before_anything_is_decoded() {
    for (width, height) in [(1, MAX_SIDE + 1), (MAX_SIDE + 1, 2)] {
        let long = image::GrayImage::from_pixel(width, height, Luma([100]));
        let refused = convert(encoded(&long.into(), ImageFormat::Png));
        assert_eq!(refused, Err(MediaProblem::SideTooLong { width, height }));
    }
    let long = image::GrayImage::from_pixel(1, MAX_SIDE, Luma([100]));
    assert_eq!(convert(encoded(&long.into(), ImageFormat::Png)).unwrap().size, Some((1, MAX_SIDE)));
}

/// A PNG with one more chunk after its header.
fn with_chunk(png: &[u8], kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let crc = [&kind[..], content].concat().iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    });
    let length = u32::try_from(content.len()).unwrap().to_be_bytes();
    // The signature has 8 bytes, the header 25.
    [&png[..33], &length, kind, content, &(!crc).to_be_bytes(), &png[33..]].concat()
}

/// A PNG whose colour profile has this size when it is unpacked.
fn with_profile(bytes: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = PngEncoder::new(&mut out);
    encoder.set_icc_profile(vec![0; bytes]).unwrap();
    encoder
        .write_image(&RgbImage::from_pixel(4, 4, Rgb([1, 2, 3])), 4, 4, image::ExtendedColorType::Rgb8)
        .unwrap();
    out
}

/// Peak memory of this process, kB; `None`: the system does not say.
fn peak_kb() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().split(' ').next()?.parse().ok()
}

#[test]
fn a_packed_colour_profile_is_not_unpacked_beyond_four_megabytes() {
    let bomb = with_profile(200_000_000);
    assert!(bomb.len() < 1_000_000, "{}", bomb.len());
    // Resets the peak (Linux).
    let _ = fs::write("/proc/self/clear_refs", "5");
    let before = peak_kb();
    let made = convert(bomb).unwrap();
    let after = peak_kb();
    assert_eq!(made.size, Some((4, 4)));
    if let (Some(before), Some(after)) = (before, after) {
        assert!(after.saturating_sub(before) < 100_000, "{before} kB, then {after} kB");
    }
}

#[test]
fn large_texts_of_a_png_do_not_prevent_its_upload() {
    let picture = RgbImage::from_pixel(20, 20, Rgb([1, 2, 3]));
    let png = encoded(&picture.into(), ImageFormat::Png);
    let large = with_chunk(&png, b"tEXt", &[&b"Comment\0"[..], &vec![b'x'; 6_000_000]].concat());
    assert_eq!(convert(large).unwrap().size, Some((20, 20)));
}

#[test]
fn an_animated_png_is_refused_and_one_picture_that_says_so_is_not() {
    let png = encoded(&RgbImage::from_pixel(20, 20, Rgb([1, 2, 3])).into(), ImageFormat::Png);
    let animated = |frames: u8| with_chunk(&png, b"acTL", &[0, 0, 0, frames, 0, 0, 0, 0]);
    assert_eq!(convert(animated(3)), Err(MediaProblem::Animated));
    assert!(convert(animated(1)).is_ok());
}

/// A GIF with this many frames.
fn gif(frames: usize, (width, height): (u16, u16)) -> Vec<u8> {
    let mut encoder = ::gif::Encoder::new(Vec::new(), width, height, &[0, 0, 0, 255, 255, 255]).unwrap();
    let pixels = vec![0; usize::from(width) * usize::from(height)];
    let mut frame = ::gif::Frame::from_indexed_pixels(width, height, pixels, None);
    frame.make_lzw_pre_encoded();
    for _ in 0..frames {
        encoder.write_lzw_pre_encoded_frame(&frame).unwrap();
    }
    encoder.into_inner().unwrap()
}

#[test]
fn frames_of_an_animation_cost_their_pixels_and_their_number() {
    assert!(convert(gif(20, (200, 200))).is_ok());
    assert_eq!(convert(gif(20_000, (1, 1))), Err(MediaProblem::TooManyFrames));
    assert_eq!(convert(gif(200, (2_000, 1_000))), Err(MediaProblem::TooManyFrames));
}

#[test]
fn work_on_a_picture_ends_with_its_time() {
    let picture = encoded(&RgbImage::from_pixel(600, 600, Rgb([1, 2, 3])).into(), ImageFormat::Png);
    let animation = gif(3, (100, 100));
    let gone = CancellationToken::new();
    gone.cancel();
    for bytes in [picture, animation] {
        for budget in [
            Budget::new(Duration::ZERO, CancellationToken::new()),
            Budget::new(Duration::from_secs(60), gone.clone()),
        ] {
            assert_eq!(super::convert(bytes.clone(), &budget), Err(MediaProblem::TooSlow));
        }
    }
}
