//! Which files are imported, and how the others are reported.

use super::{articles, export::files as export_files, put, run, settings};
use crate::{articles::media::fixture, on_both, test_server::TestServer};
use std::{fs, os::unix::fs::symlink, process::Command};

on_both!(
    links_pipes_and_oversized_files_are_refused_unread,
    every_markdown_extension_is_imported_and_other_files_are_listed,
    a_file_name_in_another_unicode_form_or_case_is_the_same_file,
    a_heading_used_as_the_title_is_not_repeated,
    template_tags_left_in_a_text_cause_a_warning,
    links_to_files_of_the_import_are_named,
    a_file_of_an_export_with_other_content_is_left_out,
);

async fn links_pipes_and_oversized_files_are_refused_unread(server: TestServer) {
    let outside = tempfile::tempdir().expect("a folder");
    put(outside.path(), "secret.md", "# Secret\n");
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    put(at, "good.md", "# Good\n");
    symlink("/etc/passwd", at.join("2020-01-01-passwd.md")).expect("a link");
    symlink(outside.path().join("secret.md"), at.join("link.markdown")).expect("a link");
    symlink(outside.path(), at.join("linked")).expect("a link");
    symlink("nowhere", at.join("dangling.md")).expect("a link");
    assert!(Command::new("mkfifo").arg(at.join("pipe.md")).status().expect("mkfifo").success());
    let giant = fs::File::create(at.join("giant.md")).expect("a file");
    giant.set_len(3 << 30).expect("a sparse file");
    put(at, "front.md", format!("---\ntitle: A\nx: {}\n---\n", "y".repeat(100_000)));
    let report = run(&server, &settings(at)).await;
    let mut refused: Vec<_> = report.refused.iter().map(|(path, _)| path.as_str()).collect();
    refused.sort_unstable();
    let expected =
        ["2020-01-01-passwd.md", "dangling.md", "front.md", "giant.md", "link.markdown", "linked", "pipe.md"];
    assert_eq!(refused, expected, "{report:?}");
    assert_eq!(articles(&server).await.len(), 1);
    // The folder itself may be a link.
    let link = outside.path().join("posts");
    symlink(at, &link).expect("a link");
    assert_eq!(run(&server, &settings(&link)).await.unchanged, 1);
}

async fn every_markdown_extension_is_imported_and_other_files_are_listed(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    for name in ["a.md", "b.MD", "c.markdown", "d.Markdown", "e.mdown", "f.mkd", "2026-01-05-g/index.md"] {
        put(at, name, "Text\n");
    }
    for name in ["_index.md", "sub/_index.markdown", "x.mdx", "y.txt", "z.png", "LICENSE", ".git/h.md"] {
        put(at, name, "Text\n");
    }
    let report = run(&server, &settings(at)).await;
    assert_eq!((report.created, report.refused.len()), (7, 0), "{report:?}");
    let slugs: Vec<_> = articles(&server).await.into_iter().map(|article| article.0).collect();
    assert_eq!(slugs, ["a", "b", "c", "d", "e", "f", "g"]);
    let left_out: usize = report.left_out.values().map(|files| files.count).sum();
    assert_eq!(left_out, 7, "{report:?}");
    let lines = report.lines().join("\n");
    for name in ["_index.md", "sub/_index.markdown", "x.mdx", "y.txt", "z.png", "LICENSE", ".git"] {
        assert!(lines.contains(name), "{name}: {lines}");
    }
    assert!(report.to_string().contains("7 other files left out"), "{report}");
}

async fn a_file_name_in_another_unicode_form_or_case_is_the_same_file(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    put(at, "Caf\u{e9}/U\u{308}ber.md", "# One\n");
    put(at, "Two.md", "# Two\n");
    assert_eq!(run(&server, &settings(at)).await.created, 2);
    let moved = tempfile::tempdir().expect("a folder");
    let at = moved.path();
    put(at, "Cafe\u{301}/\u{dc}ber.md", "# One\n");
    put(at, "two.MD", "# Two\n");
    let again = run(&server, &settings(at)).await;
    assert_eq!((again.created, again.updated, again.unchanged), (0, 0, 2), "{again:?}");
    // On a case-sensitive file system these are two files.
    put(at, "A.md", "# Big\n");
    put(at, "a.md", "# Small\n");
    if fs::read_dir(at).expect("a folder").count() == 4 {
        assert_eq!(run(&server, &settings(at)).await.created, 2);
        let again = run(&server, &settings(at)).await;
        assert_eq!((again.created, again.updated, again.unchanged), (0, 0, 4), "{again:?}");
    }
}

async fn a_heading_used_as_the_title_is_not_repeated(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    put(at, "2018-01-01-a.md", "# 商业观察 ｜ 区块链\n\n正文。\n");
    put(at, "2018-01-01-b.md", "---\ntitle: Given\n---\n\n# Given\n\nText.\n");
    let report =
        run(&server, &presstime::imports::importer::Import { publish_past: true, ..settings(at) }).await;
    assert_eq!(report.published, 2, "{report:?}");
    for (slug, title) in [("a", "商业观察 ｜ 区块链"), ("b", "Given")] {
        let page = server.as_anonymous().get(&format!("/site/{slug}")).await;
        let body = page.text.split("<body").nth(1).expect("a body");
        let headings = body.matches(&format!(">{title}</h")).count();
        assert_eq!(headings, 1, "{}", page.text);
    }
}

async fn template_tags_left_in_a_text_cause_a_warning(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "a.md", "---\ntitle: A\n---\nText\n\n{{< youtube x >}} {% include b.html %}\n");
    put(folder.path(), "b.md", "# B\n\n`{{ code }}`\n");
    let report = run(&server, &settings(folder.path())).await;
    assert_eq!(report.warnings.len(), 1, "{report:?}");
    let (path, problem) = &report.warnings[0];
    assert_eq!((path.as_str(), problem.line), ("a.md", 6));
    assert!(problem.why.contains("youtube, include"), "{problem:?}");
}

async fn links_to_files_of_the_import_are_named(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let text = "# A\n\n[B](sub/b.md#part) and [C](/c.pdf)\n\n[D](https://a.example/d.md) [E](e.md) [up](../../etc/hosts) [here](#a)\n";
    put(at, "a.md", text);
    put(at, "sub/b.md", "# B\n\n[A](../a.md)\n");
    put(at, "c.pdf", "%PDF");
    let report = run(&server, &settings(at)).await;
    let mut warnings: Vec<_> = report
        .warnings
        .iter()
        .map(|(path, problem)| (path.as_str(), problem.line, problem.why.as_str()))
        .collect();
    warnings.sort_unstable();
    let article = "leads to a file of this import; give it the address of the article";
    let expected = [
        ("a.md", 3, "the file /c.pdf, to which a link leads, is not imported".to_owned()),
        ("a.md", 3, format!("the link sub/b.md {article}")),
        ("sub/b.md", 3, format!("the link ../a.md {article}")),
    ];
    let expected: Vec<_> = expected.iter().map(|(path, line, why)| (*path, *line, why.as_str())).collect();
    assert_eq!(warnings, expected, "{report:?}");
}

async fn a_file_of_an_export_with_other_content_is_left_out(server: TestServer) {
    let admin = server.as_admin();
    let pdf = b"%PDF-1.4\n%%EOF\n".to_vec();
    admin.upload("a.pdf", &pdf).await.expect(201);
    admin.upload("b.png", &fixture::png(1)).await.expect(201);
    let folder = tempfile::tempdir().expect("a folder");
    let desk = folder.path().join("desk");
    assert_eq!(presstime::server::export::run(&server.app, &desk).await.expect("it is written").media, 2);
    let name = export_files(&desk).into_keys().find(|name| name.ends_with(".pdf")).expect("the file");
    fs::write(desk.join(name), b"%PDF-1.4\n%%EVIL").expect("it is written");
    let other = TestServer::start(server.backend).await;
    other.advance(60_000).await;
    let report = run(&other, &settings(&desk)).await;
    assert_eq!((report.refused.len(), report.pictures), (1, 1), "{report:?}");
    let list = other.as_admin().get("/api/v1/media").await.expect(200);
    let names: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| item["name"].clone()).collect();
    assert_eq!(names, ["b.png"]);
}
