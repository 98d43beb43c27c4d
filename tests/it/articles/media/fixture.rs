//! Pictures with metadata, and a count of the metadata in a file.

use image::{DynamicImage, ImageEncoder as _, Rgb, RgbImage, codecs::webp::WebPEncoder};
use std::io::Cursor;

/// A text that stands for a place or a name in the metadata.
pub const SECRET: &[u8] = b"48.8584 N 2.2945 E, phone of Ada";

/// A picture without metadata.
pub fn picture(width: u32, height: u32, seed: u32) -> DynamicImage {
    RgbImage::from_fn(width, height, |x, y| {
        let of = |shift: u32| u8::try_from((x * 3 + y * 5 + seed * 37 + shift * 11) % 256).unwrap();
        Rgb([of(0), of(x / 16), of(y / 16)])
    })
    .into()
}

/// A small PNG without metadata.
pub fn png(seed: u32) -> Vec<u8> {
    encoded(&picture(40, 30, seed), image::ImageFormat::Png)
}

pub fn encoded(picture: &DynamicImage, format: image::ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    picture.write_to(&mut out, format).unwrap();
    out.into_inner()
}

/// EXIF that turns the picture by 90 degrees and holds the secret.
fn exif() -> Vec<u8> {
    let mut exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0".to_vec();
    exif.extend(SECRET);
    exif
}

fn xmp() -> Vec<u8> {
    [&b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>"[..], SECRET, b"</x:xmpmeta>"].concat()
}

/// A JPEG with EXIF, XMP and a comment.
pub fn jpeg_with_metadata(picture: &DynamicImage) -> Vec<u8> {
    let plain = encoded(picture, image::ImageFormat::Jpeg);
    let segment = |marker: u8, content: &[u8]| {
        let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
        [&[0xff, marker][..], &length, content].concat()
    };
    [
        &plain[..2],
        &segment(0xe1, &[b"Exif\0\0", &exif()[..]].concat()),
        &segment(0xe1, &[b"http://ns.adobe.com/xap/1.0/\0", &xmp()[..]].concat()),
        &segment(0xed, &[b"Photoshop 3.0\0", SECRET].concat()),
        &segment(0xfe, SECRET),
        &plain[2..],
    ]
    .concat()
}

/// A PNG with EXIF, XMP and texts.
pub fn png_with_metadata(picture: &DynamicImage) -> Vec<u8> {
    let plain = encoded(picture, image::ImageFormat::Png);
    let chunk = |name: &[u8; 4], content: &[u8]| {
        let length = u32::try_from(content.len()).unwrap().to_be_bytes();
        let checked = [&name[..], content].concat();
        [&length[..], &checked, &crc32(&checked).to_be_bytes()].concat()
    };
    // After the signature and the header.
    let (head, rest) = plain.split_at(33);
    [
        head,
        &chunk(b"tEXt", &[b"Comment\0", SECRET].concat()),
        &chunk(b"iTXt", &[b"XML:com.adobe.xmp\0\0\0\0\0", &xmp()[..]].concat()),
        &chunk(b"eXIf", &exif()),
        rest,
    ]
    .concat()
}

/// A WebP with EXIF.
pub fn webp_with_metadata(picture: &DynamicImage) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = WebPEncoder::new_lossless(&mut out);
    encoder.set_exif_metadata(exif()).unwrap();
    let pixels = picture.to_rgb8();
    encoder.write_image(&pixels, pixels.width(), pixels.height(), image::ExtendedColorType::Rgb8).unwrap();
    out
}

/// An animation of `frames` frames with a comment and XMP.
pub fn gif_with_metadata(frames: u8) -> Vec<u8> {
    let palette: Vec<u8> = (0..=255).flat_map(|grey| [grey, grey, grey]).collect();
    let mut encoder = gif::Encoder::new(Vec::new(), 40, 30, &palette).unwrap();
    encoder.set_repeat(gif::Repeat::Infinite).unwrap();
    encoder.write_raw_extension(gif::AnyExtension(0xfe), &[SECRET]).unwrap();
    encoder
        .write_raw_extension(gif::AnyExtension(0xff), &[b"XMP DataXMP", &xmp()[..200.min(xmp().len())]])
        .unwrap();
    for number in 0..frames {
        let pixels = (0..40 * 30_usize).map(|at| u8::try_from((at + usize::from(number) * 7) % 256).unwrap());
        let frame = gif::Frame {
            width: 40,
            height: 30,
            delay: 10 + u16::from(number),
            buffer: pixels.collect::<Vec<u8>>().into(),
            ..gif::Frame::default()
        };
        encoder.write_frame(&frame).unwrap();
    }
    encoder.into_inner().unwrap()
}

/// Checksum of a PNG chunk.
pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    })
}

/// Number of bytes of a file that are neither pixels nor needed to show them.
pub fn metadata_bytes(file: &[u8]) -> usize {
    let hidden = file.windows(SECRET.len()).filter(|part| *part == SECRET).count() * SECRET.len();
    let listed = match file {
        [0xff, 0xd8, ..] => jpeg_metadata(file),
        [0x89, b'P', ..] => png_metadata(file),
        [b'R', b'I', ..] => webp_metadata(file),
        [b'G', ..] => gif_metadata(file),
        _ => panic!("no picture: {:?}", &file[..file.len().min(12)]),
    };
    hidden + listed
}

fn jpeg_metadata(file: &[u8]) -> usize {
    let (mut at, mut found) = (2, 0);
    while file[at + 1] != 0xda {
        let length = usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]));
        // APP0 is the JFIF header.
        if matches!(file[at + 1], 0xe1..=0xef | 0xfe) {
            found += length;
        }
        at += 2 + length;
    }
    let end = file.windows(2).rposition(|pair| pair == [0xff, 0xd9]).unwrap();
    found + file.len() - end - 2
}

fn png_metadata(file: &[u8]) -> usize {
    let (mut at, mut found) = (8, 0);
    while at < file.len() {
        let length = u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        if !matches!(&file[at + 4..at + 8], b"IHDR" | b"PLTE" | b"tRNS" | b"IDAT" | b"IEND") {
            found += length;
        }
        at += 12 + length;
    }
    found
}

fn webp_metadata(file: &[u8]) -> usize {
    let (mut at, mut found) = (12, 0);
    while at < file.len() {
        let length = u32::from_le_bytes(file[at + 4..at + 8].try_into().unwrap()) as usize;
        if !matches!(&file[at..at + 4], b"VP8 " | b"VP8L" | b"VP8X" | b"ALPH") {
            found += length;
        }
        at += 8 + length + length % 2;
    }
    found
}

fn gif_metadata(file: &[u8]) -> usize {
    let count = |what: &[u8]| file.windows(what.len()).filter(|part| *part == what).count();
    count(b"XMP DataXMP") + count(&[0x21, 0xfe, u8::try_from(SECRET.len()).unwrap()])
}
