//! Files are uploaded, encoded again without metadata, listed, changed and deleted.

use super::{draft_with, fixture, path_of, schedule};
use crate::{on_both, test_server::TestServer};
use domain::Timestamp;
use image::ImageFormat;
use serde_json::{Value, json};
use std::pin::pin;
use store::{
    PoolRole,
    media_content::{self, MediaContent},
    media_lock, retention,
};
use uuid::Uuid;

on_both!(
    a_picture_is_stored_with_its_smaller_versions,
    the_list_is_searched_and_paged,
    the_alternative_text_is_changed_by_its_owner,
    a_file_in_use_is_not_deleted,
    the_quota_refuses_what_does_not_fit,
    a_lock_of_a_file_holds_over_nodes_and_expires,
    an_upload_waits_for_a_node_that_changes_the_same_bytes,
    an_upload_does_not_get_the_address_of_what_is_replaced_meanwhile,
);

/// Takes the lock of a hash for a minute, as another node does.
async fn take(server: &TestServer, hash: &str, holder: Uuid, now: Timestamp) -> bool {
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    let is_taken = media_lock::take(tx.conn(), hash, holder, (now, now.plus(60_000))).await.unwrap();
    tx.commit().await.unwrap();
    is_taken
}

async fn release(server: &TestServer, holder: Uuid) {
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    media_lock::release(tx.conn(), holder).await.unwrap();
    tx.commit().await.unwrap();
}

fn hash_of(media: &Value) -> String {
    let path = path_of(media);
    path["/media/".len()..].split('/').next().unwrap().chars().filter(char::is_ascii_hexdigit).collect()
}

async fn a_lock_of_a_file_holds_over_nodes_and_expires(server: TestServer) {
    let (one, other, now) = (Uuid::now_v7(), Uuid::now_v7(), server.now());
    assert!(take(&server, "ab", one, now).await);
    assert!(!take(&server, "ab", other, now.plus(59_999)).await, "another change has it");
    assert!(take(&server, "cd", other, now).await, "of other bytes");
    release(&server, other).await;
    assert!(take(&server, "ab", other, now.plus(60_000)).await, "its node died");
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    assert_eq!(media_lock::keep(tx.conn(), one, now.plus(120_000)).await.unwrap(), 0, "it is lost");
    assert_eq!(media_lock::keep(tx.conn(), other, now.plus(120_000)).await.unwrap(), 1);
    tx.commit().await.unwrap();
    // Of a node that died for good nothing is left.
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    retention::delete_expired(tx.conn(), now.plus(2 * 86_400_000)).await.unwrap();
    assert_eq!(media_lock::keep(tx.conn(), other, now.plus(120_000)).await.unwrap(), 0);
    tx.rollback().await.unwrap();
}

async fn an_upload_waits_for_a_node_that_changes_the_same_bytes(server: TestServer) {
    let creator = server.as_creator();
    let picture = fixture::png(7);
    let first = creator.upload("a.png", &picture).await.expect(201);
    let hash = hash_of(&first);
    let holder = Uuid::now_v7();
    assert!(take(&server, &hash, holder, server.now()).await);
    let colleague = server.as_colleague();
    let mut upload = pin!(colleague.upload("b.png", &picture));
    let meanwhile = async {
        for number in 0..50 {
            server.create_draft(&format!("Draft {number}")).await;
        }
    };
    let early = tokio::select! {
        reply = &mut upload => Some(reply),
        () = meanwhile => None,
    };
    // On a slow machine the timeout may come first.
    assert!(early.as_ref().is_none_or(|reply| reply.status == 409), "it waits");
    release(&server, holder).await;
    let second = match early {
        None => upload.await,
        Some(_) => colleague.upload("b.png", &picture).await,
    };
    assert_eq!(second.expect(201)["url"], first["url"]);
    // Each change releases its lock.
    assert!(take(&server, &hash, holder, server.now()).await);
}

async fn an_upload_does_not_get_the_address_of_what_is_replaced_meanwhile(server: TestServer) {
    let picture = fixture::png(7);
    let first = server.as_creator().upload("a.png", &picture).await.expect(201);
    let (hash, holder) = (hash_of(&first), Uuid::now_v7());
    assert!(take(&server, &hash, holder, server.now()).await);
    let colleague = server.as_colleague();
    let mut upload = pin!(colleague.upload("b.png", &picture));
    let meanwhile = async {
        for number in 0..50 {
            server.create_draft(&format!("Draft {number}")).await;
        }
    };
    let early = tokio::select! {
        reply = &mut upload => Some(reply),
        () = meanwhile => None,
    };
    // As another node does that has the lock.
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    let contents = media_content::find(tx.conn(), &hash).await.unwrap().unwrap();
    let new = MediaContent { folder: "0".repeat(64), ..contents.current.clone() };
    assert_eq!(media_content::put(tx.conn(), &hash, &new, &contents.current).await.unwrap(), 1);
    tx.commit().await.unwrap();
    release(&server, holder).await;
    let second = match early {
        None => upload.await,
        Some(reply) => reply,
    };
    // Refused, or at another address if it had not begun.
    assert!(!second.text.contains(first["url"].as_str().unwrap()), "{}", second.text);
}

async fn a_picture_is_stored_with_its_smaller_versions(server: TestServer) {
    let creator = server.as_creator();
    let sent = fixture::jpeg_with_metadata(&fixture::picture(600, 1_000, 1));
    let media = creator.upload("%E8%8C%B6 a.jpeg", &sent).await.expect(201);
    // The picture is turned as its metadata says.
    assert_eq!((media["width"].as_u64(), media["height"].as_u64()), (Some(1_000), Some(600)), "{media}");
    assert_eq!((media["type"].as_str(), media["name"].as_str()), (Some("image/jpeg"), Some("茶 a.jpeg")));
    assert_eq!((media["alt"].as_str(), media["version"].as_i64()), (Some(""), Some(1)));
    let path = path_of(&media);
    let folder = path.rsplit_once('/').unwrap().0;
    assert!(path.ends_with("/1000x600.jpg"), "{path}");
    let file = creator.read_file(&path).await;
    assert_eq!((file.status, file.header("content-type")), (200, "image/jpeg"));
    assert_eq!(file.bytes.len() as u64, media["bytes"].as_u64().unwrap());
    assert_eq!(file.header("content-length"), media["bytes"].to_string());
    assert_eq!(file.header("x-content-type-options"), "nosniff");
    assert!(file.header("content-security-policy").contains("sandbox"));
    assert_eq!(file.header("cache-control"), "private, no-cache");
    let tag = file.header("etag").to_owned();
    let again =
        creator.request(reqwest::Method::GET, &path).header("if-none-match", tag).send().await.unwrap();
    assert_eq!(again.status().as_u16(), 304);
    for width in [480, 960] {
        let small = creator.read_file(&format!("{folder}/{width}.webp")).await;
        assert_eq!((small.status, small.header("content-type")), (200, "image/webp"));
        let decoded = image::load_from_memory_with_format(&small.bytes, ImageFormat::WebP).unwrap();
        assert_eq!((decoded.width(), decoded.height()), (width, width * 6 / 10));
    }
    for name in ["1600.webp", "1000x601.jpg", "1000x600.png", "480.png", "file.pdf"] {
        assert_eq!(creator.read_file(&format!("{folder}/{name}")).await.status, 404, "{name}");
    }
    // The same file of the same account is stored once; another account has its own row.
    let same = creator.upload("other.jpg", &sent).await.expect(201);
    assert_eq!(same["id"], media["id"]);
    let other = server.as_colleague().upload("b.jpg", &sent).await.expect(201);
    assert_eq!((&other["url"], other["id"] == media["id"]), (&media["url"], false));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_metadata_is_left_in_fifty_pictures() {
    let server = TestServer::start(crate::test_server::Backend::Embedded).await;
    let creator = server.as_creator();
    for number in 0..50_u32 {
        let picture = fixture::picture(500 + number, 300 + 2 * number, number);
        let sent = match number % 4 {
            0 | 1 => fixture::jpeg_with_metadata(&picture),
            2 => fixture::png_with_metadata(&picture),
            _ if number % 8 == 3 => fixture::webp_with_metadata(&picture),
            _ => fixture::gif_with_metadata(u8::try_from(1 + number / 8).unwrap()),
        };
        assert!(fixture::metadata_bytes(&sent) > 0, "the fixture {number} has metadata");
        let media = creator.upload("holiday", &sent).await.expect(201);
        let path = path_of(&media);
        let folder = path.rsplit_once('/').unwrap().0;
        let mut paths = vec![path.clone()];
        if !path.ends_with(".gif") && media["width"].as_u64().unwrap() > 480 {
            paths.push(format!("{folder}/480.webp"));
        }
        for path in paths {
            let file = creator.read_file(&path).await;
            assert_eq!((file.status, fixture::metadata_bytes(&file.bytes)), (200, 0), "{number}: {path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_animation_keeps_its_frames_and_times() {
    let server = TestServer::start(crate::test_server::Backend::Embedded).await;
    let creator = server.as_creator();
    let media = creator.upload("a.gif", &fixture::gif_with_metadata(3)).await.expect(201);
    let file = creator.read_file(&path_of(&media)).await;
    let mut decoder = gif::DecodeOptions::new().read_info(&file.bytes[..]).unwrap();
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    assert_eq!((delays, decoder.repeat()), (vec![10, 11, 12], gif::Repeat::Infinite));
}

async fn the_list_is_searched_and_paged(server: TestServer) {
    let creator = server.as_creator();
    for number in 0..5 {
        creator.upload(&format!("Tea {number}_.png"), &fixture::png(number)).await.expect(201);
    }
    creator.upload("coffee.png", &fixture::png(9)).await.expect(201);
    let names = |page: &serde_json::Value| -> Vec<String> {
        page["items"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    let first = creator.get("/api/v1/media?q=tea&limit=3").await.expect(200);
    assert_eq!(names(&first), ["Tea 4_.png", "Tea 3_.png", "Tea 2_.png"]);
    let next = format!("/api/v1/media?q=tea&limit=3&cursor={}", first["next_cursor"].as_str().unwrap());
    let second = creator.get(&next).await.expect(200);
    assert_eq!(
        (names(&second), second["next_cursor"].is_null()),
        (vec!["Tea 1_.png".into(), "Tea 0_.png".into()], true)
    );
    assert_eq!(names(&creator.get("/api/v1/media?q=%25").await.expect(200)).len(), 0);
    assert_eq!(creator.get("/api/v1/media?cursor=x").await.refused(422), "invalid");
    // Others see nothing of it, admins everything.
    assert_eq!(names(&server.as_colleague().get("/api/v1/media").await.expect(200)).len(), 0);
    let all = server.as_admin().get("/api/v1/media").await.expect(200);
    assert_eq!(names(&all).len(), 6);
    assert!(all["used_bytes"].as_u64().unwrap() > 0 && all["quota_bytes"] == 5_368_709_120_u64, "{all}");
}

async fn the_alternative_text_is_changed_by_its_owner(server: TestServer) {
    let creator = server.as_creator();
    let media = creator.upload("a.png", &fixture::png(1)).await.expect(201);
    let path = format!("/api/v1/media/{}", media["id"].as_str().unwrap());
    let edit = json!({"alt": " A cup\nof [tea] ", "seen_version": 1});
    let changed = creator.patch(&path, &edit).await.expect(200);
    assert_eq!((changed["alt"].as_str(), changed["version"].as_i64()), (Some("A cup of [tea]"), Some(2)));
    assert!(changed["markdown"].as_str().unwrap().starts_with("![A cup of \\[tea\\]](/media/"), "{changed}");
    assert_eq!(creator.patch(&path, &json!({"alt": "x", "seen_version": 1})).await.refused(409), "changed");
    assert_eq!(creator.patch(&path, &json!({"alt": "x".repeat(501)})).await.refused(422), "invalid");
    assert_eq!(server.as_colleague().patch(&path, &edit).await.refused(404), "no_such");
    server.as_admin().patch(&path, &json!({"alt": ""})).await.expect(200);
    let events = server.as_admin().get("/api/v1/events?limit=1000").await.expect(200);
    let verbs: Vec<_> =
        events["items"].as_array().unwrap().iter().filter(|one| one["entity"] == "media").collect();
    assert_eq!(verbs.len(), 3, "{verbs:?}");
}

async fn a_file_in_use_is_not_deleted(server: TestServer) {
    let creator = server.as_creator();
    let media = creator.upload("a.png", &fixture::png(1)).await.expect(201);
    let path = format!("/api/v1/media/{}", media["id"].as_str().unwrap());
    let article = draft_with(&server, "Tea", &media).await;
    let task = schedule(&server, "article.publish", &article, 60_000).await;
    let refused = creator.delete(&path).await.expect(409);
    assert_eq!((&refused["error"]["code"], &refused["uses"][0]["title"]), (&json!("in_use"), &json!("Tea")));
    assert_eq!(refused["uses"][0]["is_scheduled"], true);
    server.advance(60_000).await;
    assert_eq!(server.task(&task).await["state"], "executed");
    let refused = creator.delete(&path).await.expect(409);
    assert_eq!(refused["uses"][0]["is_public"], true, "{refused}");
    let detail = creator.get(&path).await.expect(200);
    assert_eq!((&detail["used_by"], &detail["uses"][0]["is_current"]), (&json!(1), &json!(true)));
    assert_eq!(server.as_colleague().delete(&path).await.refused(403), "not_allowed");
    schedule(&server, "article.unpublish", &article, 1_000).await;
    assert_eq!(creator.delete(&path).await.status, 409);
    server.advance(1_000).await;
    assert_eq!(creator.delete(&path).await.status, 204);
    assert_eq!(creator.get(&path).await.status, 404);
    assert_eq!(creator.read_file(&path_of(&media)).await.status, 404);
    let folder = server.config.data.join("media");
    let left = std::fs::read_dir(folder).unwrap().flatten().filter(|entry| entry.file_name().len() == 2);
    assert_eq!(left.map(|outer| std::fs::read_dir(outer.path()).unwrap().count()).sum::<usize>(), 0);
}

async fn the_quota_refuses_what_does_not_fit(server: TestServer) {
    let media = &server.app.services.media;
    let usage = media.set_quota(&server.admin.actor, 1).await.unwrap();
    assert_eq!(usage.quota, 1_048_576);
    assert!(media.set_quota(&server.creator.actor, 2).await.is_err());
    let creator = server.as_creator();
    creator.upload("small.png", &fixture::png(1)).await.expect(201);
    // Noise does not become smaller.
    let noise = image::RgbImage::from_fn(700, 700, |x, y| {
        let mixed = (x * 1_000 + y + 1).wrapping_mul(2_654_435_761);
        let hash = (mixed ^ (mixed >> 15)).wrapping_mul(2_246_822_519).to_le_bytes();
        image::Rgb([hash[0], hash[1], hash[2]])
    });
    let noise = fixture::encoded(&noise.into(), ImageFormat::Png);
    assert_eq!(creator.upload("large.png", &noise).await.refused(409), "quota_reached");
    let list = creator.get("/api/v1/media").await.expect(200);
    assert_eq!(list["items"].as_array().unwrap().len(), 1);
    media.set_quota(&server.admin.actor, 100).await.unwrap();
    creator.upload("large.png", &noise).await.expect(201);
}
