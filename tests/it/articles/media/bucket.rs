//! The library in a bucket of S3-compatible storage: the same as in the data folder, and what happens
//! when the storage is unavailable.

use super::{draft_with, fixture, path_of, schedule};
use crate::{http_client::HttpClient, program::Program, test_server::TestServer};
use domain::{Clock as _, clock::SystemClock};
use presstime::{
    media::sweep,
    process::config::{MediaPlace, S3Bucket, S3Credentials, SecretText},
    server::export,
};
use reqwest::Method;
use serde_json::Value;
use std::fs;
use test_support::S3;

const KEY: [&str; 2] = ["--secret-key", "a long text that encrypts the secrets of channels"];
const TWO_HOURS_MS: i64 = 7_200_000;

fn key(secret: &str) -> S3Credentials {
    let secret = SecretText(secret.to_owned());
    S3Credentials::Key { id: S3::ACCESS_KEY_ID.to_owned(), secret, session_token: None }
}

/// The bucket of a test server.
pub(crate) fn bucket(s3: &S3) -> S3Bucket {
    S3Bucket {
        name: S3::BUCKET.to_owned(),
        prefix: "library".to_owned(),
        endpoint: Some(s3.url()),
        region: "us-east-1".to_owned(),
        credentials: key(S3::SECRET_ACCESS_KEY),
    }
}

async fn start(bucket: S3Bucket) -> TestServer {
    TestServer::start_with(|config| config.media = MediaPlace::Bucket(bucket)).await
}

/// A picture with two smaller versions. It is turned when it is stored.
fn picture(seed: u32) -> Vec<u8> {
    fixture::jpeg_with_metadata(&fixture::picture(600, 1_000, seed))
}

/// Name of the object of a file.
fn object_of(media: &Value) -> String {
    let path = path_of(media);
    let (outer, rest) = path["/media/".len()..].split_at(2);
    format!("library/{outer}/{rest}")
}

async fn sweep_after_two_hours(server: &TestServer) -> usize {
    sweep::once(&server.app.parts, SystemClock.now().plus(TWO_HOURS_MS)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_picture_is_stored_and_served_with_its_smaller_versions() {
    let s3 = S3::start().await;
    let server = start(bucket(&s3)).await;
    let creator = server.as_creator();
    let media = creator.upload("a.jpeg", &picture(1)).await.expect(201);
    let path = path_of(&media);
    let folder = path.rsplit_once('/').unwrap().0;
    let object = object_of(&media);
    let of_width = |width: u32| format!("{}/{width}.webp", object.rsplit_once('/').unwrap().0);
    assert_eq!(s3.objects(), [object.clone(), of_width(480), of_width(960)]);
    assert!(!server.config.data.join("media").exists());
    let file = creator.read_file(&path).await;
    assert_eq!((file.status, file.header("content-type")), (200, "image/jpeg"));
    assert_eq!(file.header("content-length"), media["bytes"].to_string());
    assert_eq!(file.header("x-content-type-options"), "nosniff");
    assert_eq!(file.header("cache-control"), "private, no-cache");
    let tag = file.header("etag").to_owned();
    let again = creator.request(Method::GET, &path).header("if-none-match", tag).send().await.unwrap();
    assert_eq!(again.status().as_u16(), 304);
    let small = creator.read_file(&format!("{folder}/480.webp")).await;
    assert_eq!((small.status, small.header("content-type")), (200, "image/webp"));
    assert_eq!(image::load_from_memory(&small.bytes).unwrap().width(), 480);
    // The same bytes again, also of another account, are the same objects.
    assert_eq!(creator.upload("b.jpeg", &picture(1)).await.expect(201)["id"], media["id"]);
    let other = server.as_colleague().upload("c.jpeg", &picture(1)).await.expect(201);
    assert_eq!((&other["url"], s3.objects().len()), (&media["url"], 3));
    // A file of many chunks.
    let pdf: Vec<u8> =
        b"%PDF-1.7\n".iter().copied().chain((0..3_000_000_u32).map(|at| at.to_le_bytes()[1])).collect();
    let media = creator.upload("a.pdf", &pdf).await.expect(201);
    let file = creator.read_file(&path_of(&media)).await;
    assert_eq!((file.status, file.header("content-type")), (200, "application/pdf"));
    assert!(file.bytes == pdf, "{} bytes", file.bytes.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_public_with_its_article_and_deleted_when_nothing_uses_it() {
    let s3 = S3::start().await;
    let server = start(bucket(&s3)).await;
    let (creator, stranger) = (server.as_creator(), server.as_anonymous());
    let media = creator.upload("a.jpeg", &picture(1)).await.expect(201);
    let (path, page) = (path_of(&media), format!("/api/v1/media/{}", media["id"].as_str().unwrap()));
    let article = draft_with(&server, "Tea", &media).await;
    schedule(&server, "article.publish", &article, 1_000).await;
    assert_eq!(stranger.read_file(&path).await.status, 404);
    assert_eq!(creator.delete(&page).await.status, 409);
    server.advance(1_000).await;
    let public = stranger.read_file(&path).await;
    assert_eq!((public.status, public.bytes.len() as u64), (200, media["bytes"].as_u64().unwrap()));
    assert_eq!(public.header("cache-control"), "public, no-cache");
    schedule(&server, "article.unpublish", &article, 1_000).await;
    server.advance(1_000).await;
    assert_eq!(creator.delete(&page).await.status, 204);
    assert!(s3.objects().is_empty());
    assert_eq!(creator.read_file(&path).await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn objects_without_a_row_are_swept_after_an_hour() {
    let s3 = S3::start().await;
    let server = start(bucket(&s3)).await;
    let media = server.as_creator().upload("a.png", &fixture::png(1)).await.expect(201);
    let orphan = format!("library/ab/{}/1x1.png", "cd".repeat(31));
    let of_others = [format!("other/ab/{}/1x1.png", "cd".repeat(31)), "library/notes.txt".to_owned()];
    s3.put(&orphan, b"x");
    for name in &of_others {
        s3.put(name, b"x");
    }
    assert_eq!(sweep::once(&server.app.parts, SystemClock.now()).await.unwrap(), 0);
    assert!(s3.objects().contains(&orphan));
    assert_eq!(sweep_after_two_hours(&server).await, 1);
    let mut left = [object_of(&media), of_others[0].clone(), of_others[1].clone()];
    left.sort();
    assert_eq!(s3.objects(), left);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_storage_that_stops_in_the_middle_of_an_upload_has_no_half_file() {
    let s3 = S3::start().await;
    let server = start(bucket(&s3)).await;
    let creator = server.as_creator();
    s3.allow_puts(1);
    assert_eq!(creator.upload("a.jpeg", &picture(1)).await.refused(503), "storage_unavailable");
    let left = s3.objects();
    // The picture itself is stored after its smaller versions.
    assert!(left.len() <= 1 && left.iter().all(|name| name.ends_with(".webp")), "{left:?}");
    let list = creator.get("/api/v1/media").await.expect(200);
    assert_eq!(list["items"].as_array().unwrap().len(), 0);
    assert_eq!(sweep_after_two_hours(&server).await, left.len());
    s3.allow_puts(usize::MAX);
    let media = creator.upload("a.jpeg", &picture(1)).await.expect(201);
    assert_eq!((s3.objects().len(), creator.read_file(&path_of(&media)).await.status), (3, 200));
    // The next upload stores a lost file again.
    s3.delete(&object_of(&media));
    assert_eq!(creator.read_file(&path_of(&media)).await.status, 404);
    creator.upload("a.jpeg", &picture(1)).await.expect(201);
    assert_eq!(creator.read_file(&path_of(&media)).await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unavailable_bucket_refuses_uploads_and_nothing_else() {
    let mut s3 = S3::start().await;
    let server = start(bucket(&s3)).await;
    let (creator, stranger) = (server.as_creator(), server.as_anonymous());
    let media = creator.upload("a.jpeg", &picture(1)).await.expect(201);
    let unused = creator.upload("b.jpeg", &picture(2)).await.expect(201);
    let article = draft_with(&server, "Tea", &media).await;
    s3.stop().await;
    let refused = creator.upload("c.jpeg", &picture(3)).await;
    assert!(!refused.header("retry-after").is_empty());
    assert!(refused.text.contains("everything else keeps working"), "{}", refused.text);
    assert_eq!(refused.refused(503), "storage_unavailable");
    let page =
        server.log_in_browser(&server.creator).await.upload_form(&[], Some(("c.jpg", &picture(3)))).await;
    assert!(page.text.contains("The storage of files is unavailable"), "{} {}", page.status, page.text);
    schedule(&server, "article.publish", &article, 1_000).await;
    server.advance(1_000).await;
    stranger.get("/site/tea").await.expect_page();
    assert_eq!(stranger.read_file(&path_of(&media)).await.status, 503);
    let id = unused["id"].as_str().unwrap();
    assert_eq!(creator.delete(&format!("/api/v1/media/{id}")).await.status, 204);
    assert!(sweep::once(&server.app.parts, SystemClock.now()).await.is_err());
    s3.restart().await;
    assert_eq!(stranger.read_file(&path_of(&media)).await.status, 200);
    creator.upload("c.jpeg", &picture(3)).await.expect(201);
    // Objects that could not be deleted.
    assert_eq!((s3.objects().len(), sweep_after_two_hours(&server).await), (9, 1));
    assert_eq!(s3.objects().len(), 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_keys_refuse_uploads() {
    let s3 = S3::start().await;
    let wrong = key("another secret, another secret");
    let server = start(S3Bucket { credentials: wrong, ..bucket(&s3) }).await;
    let refused = server.as_creator().upload("a.png", &fixture::png(1)).await;
    assert_eq!(refused.refused(503), "storage_unavailable");
    assert!(s3.objects().is_empty());
    server.create_draft("Tea").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_contains_the_files() {
    let s3 = S3::start().await;
    let server = start(bucket(&s3)).await;
    let media = server.as_creator().upload("a.jpeg", &picture(1)).await.expect(201);
    let folder = tempfile::tempdir().unwrap();
    let written = export::run(&server.app, &folder.path().join("desk")).await.unwrap();
    assert_eq!(written.media, 1);
    let object = object_of(&media);
    let file = folder.path().join("desk/media").join(object.strip_prefix("library/").unwrap());
    assert_eq!(fs::read(file).unwrap().len() as u64, media["bytes"].as_u64().unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_restores_the_files_into_another_bucket_or_a_folder() {
    let mut s3 = S3::start().await;
    let url = s3.url();
    let flags = ["--s3-endpoint", &url, KEY[0], KEY[1], "--media-url"];
    let with = |place: &'static str| [&flags[..], &[place]].concat();
    let (here, there) = (with("s3://desk-media/library"), with("s3://desk-media"));
    let keys = [("AWS_ACCESS_KEY_ID", S3::ACCESS_KEY_ID), ("AWS_SECRET_ACCESS_KEY", S3::SECRET_ACCESS_KEY)];
    let (old, new, plain) = (Program::new(), Program::new(), Program::new());
    let token = old.admin(&KEY).await;
    for program in [&old, &new] {
        let settings = format!(
            "s3_access_key_id = \"{}\"\ns3_secret_access_key = \"{}\"\n",
            S3::ACCESS_KEY_ID,
            S3::SECRET_ACCESS_KEY
        );
        fs::create_dir_all(program.data()).unwrap();
        fs::write(program.data().join("presstime.toml"), settings).unwrap();
    }
    let serving = old.serve(&here).await;
    let caller = HttpClient { token: Some(token.clone()), ..serving.client() };
    let media = caller.upload("a.jpg", &picture(1)).await.expect(201);
    let file = caller.read_file(&path_of(&media)).await;
    let backup = old.folder().join("desk.backup");
    let name = backup.to_str().unwrap();
    // The keys by the environment, as by the file.
    let answer = old.run_with(&[&["backup", name][..], &here].concat(), &keys, "").await;
    assert!(answer.code == 0 && answer.out.contains("1 uploaded files"), "{} {}", answer.out, answer.err);
    let answer = new.run(&[&["restore", name][..], &there].concat()).await;
    assert!(answer.code == 0 && !answer.out.contains("missing"), "{} {}", answer.out, answer.err);
    let object = object_of(&media).trim_start_matches("library/").to_owned();
    assert!(s3.objects().len() == 6 && s3.objects().contains(&object), "{:?}", s3.objects());
    let answer = plain.run(&["restore", name, KEY[0], KEY[1]]).await;
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(fs::read(plain.data().join("media").join(&object)).unwrap() == file.bytes);
    let restored = new.serve(&there).await;
    let caller = HttpClient { token: Some(token), ..restored.client() };
    let again = caller.read_file(&path_of(&media)).await;
    assert_eq!((again.status, again.bytes == file.bytes), (200, true));
    assert_eq!(restored.end().await, 0);
    let doctor = new.run(&[&["doctor"][..], &there].concat()).await;
    assert!(doctor.out.contains("1 uploaded files exist in s3://desk-media at http"), "{}", doctor.out);
    s3.delete(&object);
    let doctor = new.run(&[&["doctor"][..], &there].concat()).await;
    assert!(doctor.out.contains("1 of 1 uploaded files are missing"), "{}", doctor.out);
    s3.stop().await;
    let doctor = new.run(&[&["doctor"][..], &there].concat()).await;
    assert!(doctor.code == 1 && doctor.out.contains("check s3-endpoint"), "{}", doctor.out);
    let second = new.folder().join("second.backup");
    let answer = new.run(&[&["backup", second.to_str().unwrap()][..], &there].concat()).await;
    assert!(answer.code == 1 && answer.err.contains("no backup was written"), "{}", answer.err);
    answer.is_plain();
    let left = fs::read_dir(new.folder()).unwrap().flatten().map(|entry| entry.file_name());
    assert_eq!(left.collect::<Vec<_>>(), ["data"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_names_a_bucket_that_is_missing_or_refuses_the_key() {
    let (s3, program) = (S3::start().await, Program::new());
    let url = s3.url();
    let check = async |place: &str, secret: &str| {
        let keys = [("AWS_ACCESS_KEY_ID", S3::ACCESS_KEY_ID), ("AWS_SECRET_ACCESS_KEY", secret)];
        program.run_with(&["doctor", "--media-url", place, "--s3-endpoint", &url], &keys, "").await
    };
    let well = check("s3://desk-media", S3::SECRET_ACCESS_KEY).await;
    assert!(well.out.contains("0 uploaded files exist in s3://desk-media"), "{}", well.out);
    let missing = check("s3://another-bucket", S3::SECRET_ACCESS_KEY).await;
    assert!(missing.code == 1 && missing.out.contains("it does not exist; create it"), "{}", missing.out);
    let refused = check("s3://desk-media", "another secret").await;
    assert!(refused.code == 1 && refused.out.contains("it refuses the access key"), "{}", refused.out);
    assert!(!refused.out.contains("another secret"), "{}", refused.out);
}
