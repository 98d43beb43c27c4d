//! Import of Ghost exports.

use super::{NoProgress, articles, put, wordpress::words};
use crate::{on_both, test_server::TestServer};
use presstime::imports::importer::posts::{self, PictureSource, PostImport, System};
use serde_json::{Value, json};
use std::path::Path;

on_both!(
    posts_of_ghost_are_imported_and_a_second_run_changes_nothing,
    cards_excerpt_canonical_address_and_code_injection_are_kept_or_named,
    exports_of_other_versions_are_refused_with_a_sentence,
);

fn import(at: &Path) -> PostImport {
    PostImport {
        system: System::Ghost("https://old.example/".parse().ok()),
        file: at.to_path_buf(),
        pictures: PictureSource::default(),
        zone: None,
        is_drafts: false,
        is_dry_run: false,
    }
}

pub fn export(version: &str) -> Value {
    let post = |id: &str, title: &str, status: &str, at: Value| {
        json!({"id": id, "title": title, "slug": title.to_lowercase(), "status": status, "type": "post",
               "html": "<p>See <a href=\"__GHOST_URL__/x/\">x</a></p><pre><code class=\"language-js\">a</code></pre>",
               "published_at": at, "updated_at": at, "visibility": "public", "featured": 0})
    };
    let past = json!("2020-02-03T04:05:06.000Z");
    let mut members = post("m", "Members", "published", past.clone());
    members["visibility"] = json!("members");
    let mut page = post("p", "About", "published", past.clone());
    page["type"] = json!("page");
    let mut plain = post("t", "Plain", "draft", Value::Null);
    (plain["html"], plain["plaintext"]) = (Value::Null, json!("One\n\n<Two>"));
    let posts = json!([
        post("a", "Public", "published", past),
        post("b", "Soon", "scheduled", json!("2027-06-01T09:00:00.000Z")),
        post("c", "Draft", "draft", Value::Null),
        members,
        page,
        plain,
    ]);
    json!({"db": [{"meta": {"version": version, "exported_on": 1}, "data": {
        "posts": posts,
        "posts_meta": [{"post_id": "a", "feature_image_alt": "x"}],
        "tags": [{"id": "1", "name": "News", "visibility": "public"}, {"id": "2", "name": "#internal", "visibility": "internal"}],
        "posts_tags": [{"post_id": "a", "tag_id": "1", "sort_order": 0}, {"post_id": "a", "tag_id": "2", "sort_order": 1}],
        "users": [{"id": "u", "name": "Jo Roe"}],
        "posts_authors": [{"post_id": "a", "author_id": "u", "sort_order": 0}],
    }}]})
}

async fn posts_of_ghost_are_imported_and_a_second_run_changes_nothing(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "ghost.json", export("5.80.1").to_string());
    let import = import(&folder.path().join("ghost.json"));
    let run = async || {
        posts::run(&server.app.importer, &server.creator.actor, &import, &NoProgress).await.expect("it runs")
    };
    let report = run().await;
    assert_eq!((report.created, report.published, report.scheduled), (6, 2, 1), "{report:?}");
    let states: Vec<_> = articles(&server).await.into_iter().map(|(slug, _, state)| (slug, state)).collect();
    let expected = [
        ("about", "published"),
        ("draft", "draft"),
        ("members", "draft"),
        ("plain", "draft"),
        ("public", "published"),
        ("soon", "scheduled"),
    ];
    assert_eq!(states, expected.map(|(slug, state)| (slug.to_owned(), state)));
    let page = server.as_anonymous().get("/site/public").await.text;
    assert!(page.contains("https://old.example/x/") && page.contains("language-js"), "{page}");
    assert!(page.contains("/site/tag/news") && !page.contains("internal"), "{page}");
    let again = run().await;
    assert_eq!((again.created, again.updated, again.unchanged), (0, 0, 6), "{again:?}");
}

async fn cards_excerpt_canonical_address_and_code_injection_are_kept_or_named(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut export = export("5.80.1");
    let data = &mut export["db"][0]["data"];
    data["settings"] = json!([{"key": "codeinjection_foot", "value": "<script>1</script>"}]);
    data["posts_meta"][0]["feature_image_caption"] = json!("By <a href=\"https://ines.example\">Ines</a>");
    let post = &mut data["posts"][0];
    post["custom_excerpt"] = json!("What it is about");
    post["canonical_url"] = json!("https://first.example/cup");
    post["codeinjection_head"] = json!("<style>p { color: red }</style>");
    post["feature_image"] = json!("https://old.example/cover.png");
    post["html"] = json!(
        "<figure class=\"kg-card kg-bookmark-card\"><a class=\"kg-bookmark-container\" href=\"https://clay.example/kiln\">\
         <div class=\"kg-bookmark-title\">The kiln</div></a></figure><div class=\"kg-card kg-button-card\"><a href=\"__GHOST_URL__/join/\">Join</a></div>"
    );
    put(folder.path(), "ghost.json", export.to_string());
    let import = import(&folder.path().join("ghost.json"));
    let report =
        posts::run(&server.app.importer, &server.creator.actor, &import, &NoProgress).await.expect("it runs");
    let bodies = words::bodies(&server, &["public"]).await;
    let body = bodies.get("public").expect("the article");
    let source = export["db"][0]["data"]["posts"][0]["html"].as_str().expect("HTML");
    assert_eq!(words::missing(source, body), [""; 0], "{body}");
    let page = server.as_anonymous().get("/site/public").await.text;
    for part in [
        "href=\"https://clay.example/kiln\"",
        ">The kiln</a>",
        "href=\"https://old.example/join/\"",
        "What it is about",
        "https://first.example/cup",
        "By Ines",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let lines = report.lines().join("\n");
    for part in
        ["code injection in the head", "links in the caption of the cover", "codeinjection_foot", "#internal"]
    {
        assert!(lines.contains(part), "{part}: {lines}");
    }
}

async fn exports_of_other_versions_are_refused_with_a_sentence(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let import = import(&folder.path().join("ghost.json"));
    for (text, why) in [
        (export("3.42.5").to_string(), "Ghost 3.42.5; exports of Ghost 4, 5 and 6"),
        (export("7.0.0").to_string(), "Ghost 7.0.0"),
        (json!({"db": [{"meta": {}, "data": {}}]}).to_string(), "an unknown version"),
        (json!({"posts": []}).to_string(), "not an export of Ghost"),
        ("{\"db\": [".to_owned(), "not an export of Ghost"),
    ] {
        put(folder.path(), "ghost.json", text);
        let refused = posts::run(&server.app.importer, &server.creator.actor, &import, &NoProgress).await;
        let refused = refused.expect_err("it is refused").to_string();
        assert!(refused.contains(why), "{refused}");
    }
    assert_eq!(articles(&server).await.len(), 0);
}
