//! Archives of Markdown files and pictures that are uploaded.

use super::{
    articles, export,
    upload::{files, find, path, run, send, upload},
};
use crate::{
    articles::media::fixture,
    http_client::Reply,
    on_both,
    test_server::{Backend, TestServer},
};
use reqwest::Method;
use serde_json::{Value, json};
use std::io::{Cursor, Write as _};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

on_both!(an_archive_is_checked_imported_with_its_pictures_and_undone, an_archive_of_an_export_restores_it,);

const PAGE: &str = "/settings/import";

/// An archive with these files.
fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in entries {
        zip.start_file(*name, options).expect("an entry");
        zip.write_all(bytes).expect("its content");
    }
    zip.finish().expect("an archive").into_inner()
}

/// Replaces bytes everywhere; both are equally long.
fn patched(mut archive: Vec<u8>, old: &[u8], new: &[u8]) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    for at in 0..archive.len() - old.len() {
        if archive[at..].starts_with(old) {
            archive[at..at + new.len()].copy_from_slice(new);
        }
    }
    archive
}

/// Changes bytes of every entry in the list at the end of the archive.
fn patched_list(mut archive: Vec<u8>, offset: usize, new: &[u8]) -> Vec<u8> {
    for at in 0..archive.len() - 46 {
        if archive[at..].starts_with(b"PK\x01\x02") {
            archive[at + offset..at + offset + new.len()].copy_from_slice(new);
        }
    }
    archive
}

async fn media(server: &TestServer) -> Vec<Value> {
    server.as_admin().get("/api/v1/media").await.expect(200)["items"].as_array().unwrap().clone()
}

async fn an_archive_is_checked_imported_with_its_pictures_and_undone(server: TestServer) {
    let png = fixture::png(1);
    let text = "---\ntitle: Old\ndate: 2018-09-13\ncover: img/a.png\n---\n![A](img/a.png) ![Again](img/a.png \"t\") ![B](/b.png)\n";
    let archive = zipped(&[
        ("blog/posts/old.md", text.as_bytes()),
        ("blog/posts/img/a.png", &png),
        ("blog/static/b.png", &fixture::png(2)),
        ("blog/posts/soon.md", b"---\ntitle: Soon\ndate: 2027-06-01\n---\nText.\n"),
        ("blog/posts/draft.md", b"---\ntitle: Draft\ndraft: true\ndate: 2018-01-01\n---\nText.\n"),
        ("__MACOSX/blog/._old.md", b"x"),
    ]);
    let import = upload(&server, "system=markdown", archive.clone()).await;
    let report = &import["report"];
    assert_eq!(
        (&import["state"], &report["created"], &report["published"], &report["scheduled"]),
        (&json!("ready"), &json!(3), &json!(1), &json!(1)),
        "{import}"
    );
    assert_eq!(report["pictures"], 2, "{import}");
    assert_eq!((articles(&server).await.len(), media(&server).await.len(), files(&server)), (0, 0, 1));
    let import = run(&server, &import).await;
    assert_eq!((&import["state"], &import["report"]["created"]), (&json!("done"), &json!(3)), "{import}");
    assert_eq!((media(&server).await.len(), files(&server)), (2, 0));
    let states: Vec<_> = articles(&server).await.into_iter().map(|(slug, _, state)| (slug, state)).collect();
    let expected = [("draft", "draft"), ("old", "published"), ("soon", "scheduled")];
    assert_eq!(states, expected.map(|(slug, state)| (slug.to_owned(), state)));
    let page = server.as_anonymous().get("/site/old").await.expect_page();
    assert!(page.matches("<img").count() >= 3, "{page}");
    assert!(page.contains("/media/") && !page.contains("img/a.png"), "{page}");
    let list = server.as_admin().get("/api/v1/articles?q=old").await.expect(200);
    let article = format!("/api/v1/articles/{}", list["items"][0]["id"].as_str().unwrap());
    let article = server.as_admin().get(&article).await.expect(200);
    assert!(article["details"]["cover"].as_str().unwrap().starts_with("/media/"), "{article}");
    // The same archive once more changes nothing.
    let again = upload(&server, "system=markdown", archive).await;
    assert_eq!(run(&server, &again).await["report"]["unchanged"], 3);
    assert_eq!(media(&server).await.len(), 2);
    let undone = server.as_admin().post(&path(&import, "/undo?unpublish=true"), &json!({})).await.expect(200);
    assert_eq!(
        (&undone["undo"]["moved"], &undone["undo"]["unpublished"]),
        (&json!(3), &json!(1)),
        "{undone}"
    );
    assert!(articles(&server).await.is_empty());
}

async fn an_archive_of_an_export_restores_it(server: TestServer) {
    export::fill(&server).await;
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("export");
    presstime::server::export::run(&server.app, &at).await.expect("it is written");
    let content = export::files(&at);
    let entries: Vec<(&str, &[u8])> =
        content.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    let archive = zipped(&entries);
    let other = TestServer::start(server.backend).await;
    other.advance(60_000).await;
    let import = upload(&other, "system=markdown", archive).await;
    assert_eq!(import["report"]["created"], 4, "{import}");
    assert!(media(&other).await.is_empty(), "the check stores nothing");
    let import = run(&other, &import).await;
    assert_eq!((&import["state"], &import["report"]["created"]), (&json!("done"), &json!(4)), "{import}");
    assert_eq!((media(&other).await.len(), files(&other)), (media(&server).await.len(), 0));
    let slugs =
        |all: Vec<(String, String, &'static str)>| all.into_iter().map(|(slug, ..)| slug).collect::<Vec<_>>();
    assert_eq!(slugs(articles(&other).await), slugs(articles(&server).await));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_archives_are_refused_with_a_sentence_and_leave_nothing() {
    let server = TestServer::start(Backend::Embedded).await;
    let browser = server.log_in_browser(&server.admin).await;
    let plain = || zipped(&[("aa/one.md", b"# One\n")]);
    let zeros = vec![0; 5_000_000];
    let large = vec![7; 21_000_000];
    let many: Vec<String> = (0..10_001).map(|number| format!("{number}.md")).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    let cut = plain();
    for (why, archive) in [
        ("not a zip archive", b"PK".to_vec()),
        ("not a zip archive", b"# Markdown".to_vec()),
        ("no complete zip archive", cut[..cut.len() - 30].to_vec()),
        ("no complete zip archive", b"PK\x03\x04 and nothing else".to_vec()),
        ("contains no files", zipped(&[])),
        ("leads out of the archive", patched(plain(), b"aa/", b"../")),
        ("is absolute", patched(plain(), b"aa/", b"/a/")),
        ("is encrypted", patched_list(plain(), 8, &[1, 0])),
        ("is a link", patched_list(plain(), 38, &(0o120_777_u32 << 16).to_le_bytes())),
        ("200 times larger than packed", zipped(&[("a.md", &zeros)])),
        ("larger than", zipped(&[("a.md", &large)])),
        ("an archive inside of the archive", zipped(&[("a.md", b"# A"), ("b.zip", &plain())])),
        ("more than 10000 files", zipped(&many)),
    ] {
        let fields = [("system", "markdown"), ("from", PAGE)];
        let refused = send(&browser, &fields, "files.zip", &archive).await;
        assert_eq!(refused.status, 422, "{why}: {}", refused.text);
        assert!(refused.text.contains(why), "{why}: {}", refused.text);
        let request = server.as_admin().request(Method::POST, "/api/v1/imports?system=markdown");
        assert_eq!(Reply::of(request.body(archive)).await.status, 422, "{why}");
        assert_eq!(files(&server), 0, "{why}");
    }
    // Archives that lie about their content: seen while they are unpacked.
    let hidden = zipped(&[("a.md", b"# A"), ("b.png", &plain())]);
    let bomb = patched_list(zipped(&[("a.md", &zeros)]), 24, &10_u32.to_le_bytes());
    for archive in [hidden, bomb] {
        let failed = upload(&server, "system=markdown", archive).await;
        let failed = find(&server, &failed).await;
        assert_eq!((&failed["state"], failed["why"].is_string()), (&json!("failed"), true), "{failed}");
        assert_eq!((files(&server), articles(&server).await.len()), (0, 0));
    }
}
