//! What becomes of a picture's pixels.

use super::*;
use image::{ImageEncoder as _, Luma, Rgb, RgbImage, Rgba, RgbaImage, codecs::png::PngEncoder};

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
