//! Backups in a bucket of S3-compatible storage: written, verified, thinned out, restored, and what stays of
//! an upload that failed.

use crate::{
    articles::media::{bucket::bucket, fixture},
    engine_page::assert_contains,
    program::{Answer, Program},
    test_server::TestServer,
};
use domain::engine::backups::BackupState;
use presstime::process::config::S3Bucket;
use serde_json::Value;
use std::fs;
use test_support::S3;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

async fn start(s3: &S3) -> TestServer {
    let bucket = S3Bucket { prefix: "copies".to_owned(), ..bucket(s3) };
    TestServer::start_with(|config| config.backup.bucket = Some(bucket)).await
}

fn backups(s3: &S3) -> Vec<String> {
    s3.objects().into_iter().filter(|name| name.ends_with(".backup")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_in_a_bucket_is_written_verified_and_thinned_out() {
    let s3 = S3::start().await;
    let server = start(&s3).await;
    server.as_creator().upload("a.png", &fixture::png(1)).await.expect(201);
    s3.put("copies/desk.backup", b"of another program");
    let report = server.advance_backups(DAY_MS).await;
    let run = report.last_written.clone().unwrap();
    let name = format!("copies/{}", run.file.as_ref().unwrap());
    assert_eq!(backups(&s3), [name.as_str(), "copies/desk.backup"]);
    assert_eq!(report.last_verified.unwrap().verification.unwrap().problem, None);
    assert!(s3.objects().iter().any(|name| name.starts_with("copies/auto.media/")), "{:?}", s3.objects());
    let page = server.page(&server.admin, "/engine").await;
    assert_contains(&page, &[&format!("s3://desk-media/copies at {}", s3.url())]);
    // Of one day the newest is kept, and the last one that could be restored.
    for _ in 0..2 {
        server.as_admin().post("/api/v1/backups", &Value::Null).await.expect(201);
    }
    assert_eq!((backups(&s3).len(), backups(&s3).contains(&name)), (3, true), "{:?}", backups(&s3));
    let local = fs::read_dir(&server.config.backup.to).unwrap().flatten().map(|entry| entry.file_name());
    assert_eq!(local.count(), 0, "temporary files are deleted");
    assert_eq!(s3.unfinished_uploads(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_that_fails_leaves_nothing_and_is_tried_again() {
    let mut s3 = S3::start().await;
    let server = start(&s3).await;
    s3.allow_puts(0);
    let report = server.advance_backups(DAY_MS).await;
    assert_eq!(report.runs[0].state, BackupState::Failed);
    let detail = report.runs[0].detail.clone().unwrap();
    assert!(detail.contains("the bucket s3://desk-media/copies at "), "{detail}");
    assert_eq!((s3.objects().len(), s3.unfinished_uploads()), (0, 0));
    let local = fs::read_dir(&server.config.backup.to).unwrap().count();
    assert_eq!(local, 0);
    s3.stop().await;
    let report = server.advance_backups(HOUR_MS).await;
    let detail = report.runs[0].detail.clone().unwrap();
    assert!(detail.contains("check s3-endpoint"), "{detail}");
    s3.allow_puts(usize::MAX);
    s3.restart().await;
    let report = server.advance_backups(HOUR_MS).await;
    assert_eq!((report.runs[0].state, backups(&s3).len()), (BackupState::Written, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_is_damaged_in_the_bucket_is_noticed_and_an_older_one_is_named() {
    let s3 = S3::start().await;
    let server = start(&s3).await;
    let older = server.advance_backups(DAY_MS).await.last_written.unwrap().file.unwrap();
    let newest = server.advance_backups(DAY_MS).await.last_written.unwrap().file.unwrap();
    s3.put(&format!("copies/{newest}"), b"cut short");
    let program = Program::new();
    for address in ["s3://desk-media/copies".to_owned(), format!("s3://desk-media/copies/{newest}")] {
        let restored = restore(&program, &s3, &address).await;
        assert_eq!(restored.code, 1, "{}", restored.out);
        restored.is_plain();
        let is_named = restored.out.contains(&format!("Older ones there: {older}"));
        assert_eq!(is_named, !address.ends_with(".backup"), "{}", restored.out);
        let left = fs::read_dir(program.data().join("backups")).unwrap();
        assert_eq!(left.count(), 0, "the copy is deleted");
    }
    let restored = restore(&program, &s3, &format!("s3://desk-media/copies/{older}")).await;
    assert_eq!(restored.code, 0, "{}", restored.err);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_takes_the_newest_backup_of_a_bucket_or_the_named_one() {
    let s3 = S3::start().await;
    let server = start(&s3).await;
    server.as_creator().upload("a.png", &fixture::png(1)).await.expect(201);
    let first = server.advance_backups(DAY_MS).await.last_written.unwrap().file.unwrap();
    server.create_draft("Later").await;
    let newest = server.advance_backups(DAY_MS).await.last_written.unwrap().file.unwrap();
    for (address, name, articles) in [
        ("s3://desk-media/copies".to_owned(), &newest, "1 articles"),
        (format!("s3://desk-media/copies/{first}"), &first, "0 articles"),
    ] {
        let program = Program::new();
        let restored = restore(&program, &s3, &address).await;
        assert_eq!(restored.code, 0, "{}", restored.err);
        assert!(restored.out.contains(name.as_str()) && restored.out.contains(articles), "{}", restored.out);
        assert!(!restored.out.contains("missing"), "{}", restored.out);
        assert_eq!(fs::read_dir(program.data().join("media")).unwrap().count(), 1);
        assert_eq!(fs::read_dir(program.data().join("backups")).unwrap().count(), 0);
    }
    let program = Program::new();
    fs::create_dir_all(program.data()).unwrap();
    let settings = "[backup]\nto = \"s3://desk-media/copies\"\n";
    fs::write(program.data().join("presstime.toml"), settings).unwrap();
    let doctor = run(&program, &s3, &["doctor"]).await;
    assert!(
        doctor.out.contains(&format!("{newest} is the newest in s3://desk-media/copies")),
        "{}",
        doctor.out
    );
    for (address, why) in [
        ("s3://desk-media/copies/auto-elsewhere.backup", "it has no object auto-elsewhere.backup"),
        ("s3://desk-media/elsewhere", "there is no backup in s3://desk-media/elsewhere"),
        ("s3://another-bucket/copies", "create it, or correct the address"),
        ("s3://another.backup", "the bucket s3://another.backup at "),
        ("s3://Desk", "write it like s3://bucket/prefix"),
    ] {
        let refused = restore(&program, &s3, address).await;
        assert!(refused.code != 0 && refused.err.contains(why), "{address}: {}", refused.err);
        refused.is_plain();
    }
}

async fn restore(program: &Program, s3: &S3, address: &str) -> Answer {
    run(program, s3, &["restore", address]).await
}

async fn run(program: &Program, s3: &S3, arguments: &[&str]) -> Answer {
    let keys = [("AWS_ACCESS_KEY_ID", S3::ACCESS_KEY_ID), ("AWS_SECRET_ACCESS_KEY", S3::SECRET_ACCESS_KEY)];
    program.run_with(&[arguments, &["--s3-endpoint", &s3.url()]].concat(), &keys, "").await
}
