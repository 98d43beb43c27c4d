//! What is no good picture is refused in a plain sentence, and nothing is stored.

use super::{fixture, path_of};
use crate::test_server::{Backend, TestServer};
use domain::media::{MAX_UPLOAD_BYTES, MediaQuery};
use image::ImageFormat;
use std::time::SystemTime;

/// A PNG that announces this size and contains almost nothing.
fn png_header(width: u32, height: u32) -> Vec<u8> {
    let header = [b"IHDR", &width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let crc = fixture::crc32(&header).to_be_bytes();
    let data = b"IDAT\x78\x9c\x03\x00\x00\x00\x00\x01";
    let data_crc = fixture::crc32(data).to_be_bytes();
    [b"\x89PNG\r\n\x1a\n\0\0\0\x0d", &header[..], &crc, b"\0\0\0\x08", data, &data_crc].concat()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_good_picture_is_refused() {
    let server = TestServer::start(Backend::Embedded).await;
    let creator = server.as_creator();
    let jpeg = fixture::jpeg_with_metadata(&fixture::picture(300, 200, 1));
    let png = fixture::png(1);
    let webp = fixture::webp_with_metadata(&fixture::picture(40, 30, 1));
    let gif = fixture::gif_with_metadata(2);
    let mut animated = webp.clone();
    animated[20] |= 2;
    let (head, rest) = png.split_at(33);
    let frames = [&b"acTL"[..], &[0, 0, 0, 2, 0, 0, 0, 0]].concat();
    let crc = fixture::crc32(&frames).to_be_bytes();
    let animated_png = [head, &[0, 0, 0, 8], &frames, &crc, rest].concat();
    let large = vec![b'x'; MAX_UPLOAD_BYTES + 1];
    let cases: [(&str, &[u8], u16, &str); 18] = [
        ("a zip", b"PK\x03\x04aaaaaaaaaaaaaaaa", 415, "unknown_type"),
        ("SVG", b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", 415, "unknown_type"),
        ("HTML", b"<!doctype html><script>alert(1)</script>", 415, "unknown_type"),
        ("a program", b"\x7fELF\x02\x01\x01", 415, "unknown_type"),
        ("a huge PNG", &png_header(30_000, 30_000), 422, "too_many_pixels"),
        ("a PNG of one column", &png_header(1, 49_000_000), 422, "side_too_long"),
        ("a PNG without pixels", &png_header(0, 10), 422, "damaged"),
        ("an empty PNG", &png_header(100, 100), 422, "damaged"),
        ("half a JPEG", &jpeg[..jpeg.len() / 2], 422, "damaged"),
        ("a JPEG without its end", &jpeg[..jpeg.len() - 2], 422, "damaged"),
        ("half a PNG", &png[..png.len() / 2], 422, "damaged"),
        ("half a WebP", &webp[..webp.len() / 2], 422, "damaged"),
        ("a beginning of a GIF", &gif[..gif.len() / 3], 422, "damaged"),
        ("an animated WebP", &animated, 415, "animated"),
        ("an animated PNG", &animated_png, 415, "animated"),
        ("an AVIF", b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf", 415, "unknown_type"),
        ("an animated AVIF", b"\0\0\0\x1cftypavis\0\0\0\0avismsf1miaf", 415, "unknown_type"),
        ("nothing", b"", 422, "no_file"),
    ];
    for (what, bytes, status, code) in cases {
        let reply = creator.upload("picture.png", bytes).await;
        assert_eq!(reply.status, status, "{what}: {}", reply.text);
        assert_eq!(reply.refused(status), code, "{what}");
    }
    assert_eq!(creator.upload("large.png", &large).await.refused(413), "too_large");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_hides_behind_a_picture_is_not_stored() {
    let server = TestServer::start(Backend::Embedded).await;
    let creator = server.as_creator();
    let script = b"<script>alert(1)</script>PK\x03\x04";
    for (name, picture) in [
        ("a.jpg", fixture::encoded(&fixture::picture(64, 64, 3), ImageFormat::Jpeg)),
        ("a.png", fixture::png(3)),
        ("a.gif", fixture::gif_with_metadata(1)),
    ] {
        let sent = [&picture[..], script].concat();
        let media = creator.upload(name, &sent).await.expect(201);
        let file = creator.read_file(&path_of(&media)).await;
        assert!(!file.bytes.windows(script.len()).any(|part| part == script), "{name}");
    }
    // A PDF is stored as it is, and only ever downloaded.
    let media =
        creator.upload("../../%E8%8C%B6.pdf", b"%PDF-1.7\n<script>alert(1)</script>").await.expect(201);
    assert_eq!((media["name"].as_str(), media["width"].is_null()), (Some("茶.pdf"), true), "{media}");
    let file = creator.read_file(&path_of(&media)).await;
    assert_eq!(file.header("content-disposition"), "attachment; filename*=UTF-8''%E8%8C%B6.pdf");
    assert_eq!(
        (file.header("content-type"), file.header("x-content-type-options")),
        ("application/pdf", "nosniff")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_are_never_paths() {
    let server = TestServer::start(Backend::Embedded).await;
    let creator = server.as_creator();
    for (number, (sent, name)) in [
        ("../../../etc/passwd", "passwd"),
        ("..%2f..%2fsecret.key", "secret.key"),
        ("C:\\a\\b.png", "b.png"),
        ("%00%0d%0a", "file"),
        (&"x".repeat(4_000), &"x".repeat(120)),
    ]
    .into_iter()
    .enumerate()
    {
        let media = creator.upload(sent, &fixture::png(u32::try_from(number).unwrap())).await.expect(201);
        assert_eq!(media["name"].as_str(), Some(name));
    }
    for path in
        ["/media/..%2f..%2fsecret.key", "/media/..%2f..%2fsecret.key/1x1.png", "/media/%2e%2e/secret.key/x"]
    {
        assert!(matches!(creator.read_file(path).await.status, 303 | 404), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_uploads_at_once_are_stored_or_refused_within_bounded_memory() {
    let server = TestServer::start(Backend::Embedded).await;
    let creator = server.as_creator();
    let free = || server.app.services.media.list(&server.creator.actor, MediaQuery::default());
    let uploads = (0..200_u32).map(|number| {
        let creator = creator.clone();
        async move {
            let reply = creator.upload("a.png", &fixture::png(number)).await;
            match reply.status {
                201 => true,
                503 => {
                    assert!(!reply.header("retry-after").is_empty());
                    false
                }
                other => panic!("{other}: {}", reply.text),
            }
        }
    });
    let stored = futures::future::join_all(uploads).await.into_iter().filter(|is_stored| *is_stored).count();
    assert!(stored >= 32, "{stored} were stored");
    let usage = free().await.unwrap().usage;
    assert!(usage.bytes > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_without_a_row_are_swept_after_an_hour() {
    let server = TestServer::start(Backend::Embedded).await;
    let creator = server.as_creator();
    let media = creator.upload("a.png", &fixture::png(1)).await.expect(201);
    let root = server.config.data.join("media");
    let orphan = root.join("ab").join("cd".repeat(31));
    let unfinished = root.join("unfinished").join("left");
    for folder in [&orphan, &unfinished] {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("1x1.png"), b"x").unwrap();
    }
    let parts = &server.app.parts;
    let written = unfinished.metadata().unwrap().modified().unwrap();
    let written = written.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
    let now = domain::Timestamp::from_millis(i64::try_from(written).unwrap());
    assert_eq!(presstime::media::sweep::once(parts, now).await.unwrap(), 0);
    assert_eq!(presstime::media::sweep::once(parts, now.plus(7_200_000)).await.unwrap(), 2);
    assert!(!orphan.exists() && !unfinished.exists());
    assert_eq!(creator.read_file(&path_of(&media)).await.status, 200);
    let mode = |path: &std::path::Path| {
        use std::os::unix::fs::PermissionsExt as _;
        path.metadata().unwrap().permissions().mode() & 0o777
    };
    let path = path_of(&media);
    let (hash, name) = path.trim_start_matches("/media/").split_once('/').unwrap();
    let file = root.join(&hash[..2]).join(&hash[2..]).join(name);
    assert_eq!((mode(&file), mode(&root)), (0o600, 0o700));
}
