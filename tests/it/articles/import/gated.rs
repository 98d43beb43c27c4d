//! What another system does not show to everyone becomes a draft, and parts that it does not show are left
//! out. What it shows already never waits for a time.

use super::{NoProgress, articles, ghost, put, upload, wordpress};
use crate::{on_both, test_server::TestServer};
use presstime::{
    imports::importer::{
        Report,
        posts::{self, PictureSource, PostImport, System},
    },
    zone::Zone,
};
use serde_json::{Value, json};
use std::path::Path;

on_both!(
    parts_for_members_of_ghost_never_enter_the_text,
    posts_of_ghost_that_strangers_do_not_see_are_drafts,
    what_limits_a_post_of_wordpress_makes_it_a_draft,
    a_post_that_is_public_there_is_never_scheduled,
    a_time_without_a_zone_is_in_that_of_the_site_or_it_is_asked_for,
    the_report_says_which_article_took_an_address,
);

async fn import(server: &TestServer, system: System, file: &Path, zone: Option<Zone>) -> Report {
    let import = PostImport {
        system,
        file: file.to_path_buf(),
        pictures: PictureSource::default(),
        zone,
        is_drafts: false,
        is_dry_run: false,
    };
    posts::run(&server.app.importer, &server.creator.actor, &import, &NoProgress).await.expect("it runs")
}

async fn import_wordpress(server: &TestServer, items: &[String], zone: Option<Zone>) -> Report {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "export.xml", wordpress::file(items));
    import(server, System::Wordpress, &folder.path().join("export.xml"), zone).await
}

async fn import_ghost(server: &TestServer, export: &Value) -> Report {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "ghost.json", export.to_string());
    import(server, System::Ghost(None), &folder.path().join("ghost.json"), None).await
}

/// An export with these posts: public ones of 2020, changed by the second value.
fn ghost_export(posts: &[(&str, Value)]) -> Value {
    let mut export = ghost::export("5.130.0");
    let rows = posts.iter().map(|(slug, changes)| {
        let mut row = json!({"id": slug, "title": slug, "slug": slug, "status": "published", "type": "post",
                             "html": "<p>Text.</p>", "published_at": "2020-02-03T04:05:06.000Z",
                             "visibility": "public"});
        for (name, value) in changes.as_object().expect("an object") {
            row[name] = value.clone();
        }
        row
    });
    export["db"][0]["data"]["posts"] = rows.collect();
    export
}

/// Slug and state of all articles, by slug.
async fn states(server: &TestServer) -> Vec<(String, &'static str)> {
    articles(server).await.into_iter().map(|(slug, _, state)| (slug, state)).collect()
}

fn all(expected: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
    expected.iter().map(|(slug, state)| ((*slug).to_owned(), *state)).collect()
}

/// The texts of all articles, as their authors see them.
pub(super) async fn bodies(server: &TestServer) -> Vec<String> {
    let list = server.as_creator().get("/api/v1/articles?limit=200").await.expect(200);
    let mut bodies = Vec::new();
    for article in list["items"].as_array().expect("items") {
        let path = format!("/api/v1/articles/{}", article["id"].as_str().expect("an id"));
        bodies.push(server.as_creator().get(&path).await.expect(200)["body"].to_string());
    }
    bodies
}

/// Whether the report has a line with all of these words.
fn says(report: &Report, words: &[&str]) -> bool {
    report.lines().iter().any(|line| words.iter().all(|word| line.contains(word)))
}

async fn parts_for_members_of_ghost_never_enter_the_text(server: TestServer) {
    let begin = |settings: &str| format!("<!--kg-gated-block:begin {settings} -->");
    let end = "<!--kg-gated-block:end-->";
    let paid = begin("nonMember:false memberSegment:\"status:-free\"");
    let strangers = begin("nonMember:true memberSegment:\"\"");
    let html = |html: String| json!({ "html": html });
    let report = import_ghost(
        &server,
        &ghost_export(&[
            ("block", html(format!("<p>Free.</p>{paid}<div><p>SECRET 4711</p></div>{end}<p>The end.</p>"))),
            ("endless", html(format!("<p>Free.</p>{paid}<p>SECRET</p>"))),
            ("line", html("<p>Before.</p><!--members-only--><p>SECRET</p>".to_owned())),
            ("strangers", html(format!("<p>Free.</p>{strangers}<p>Join us.</p>{end}"))),
            ("draft", json!({"status": "draft", "html": format!("<p>Free.</p>{paid}<p>SECRET</p>{end}")})),
            (
                "soon",
                json!({"status": "scheduled", "published_at": "2027-06-01T09:00:00.000Z",
                       "html": format!("{paid}<p>SECRET</p>{end}<p>Free.</p>")}),
            ),
        ]),
    )
    .await;
    let expected = ["block", "draft", "endless", "line", "soon"]
        .map(|slug| (slug, "draft"))
        .into_iter()
        .chain([("strangers", "published")]);
    let mut expected: Vec<_> = expected.collect();
    expected.sort_unstable();
    assert_eq!(states(&server).await, all(&expected), "{report:?}");
    let bodies = bodies(&server).await;
    assert!(bodies.iter().all(|body| !body.contains("SECRET")), "{bodies:?}");
    assert!(bodies.iter().any(|body| body.contains("Free.") && body.contains("The end.")), "{bodies:?}");
    assert!(server.as_anonymous().get("/site/strangers").await.text.contains("Join us."));
    for id in ["ghost:block", "ghost:line", "ghost:soon"] {
        assert!(says(&report, &["held back", id, "not for everyone"]), "{:?}", report.lines());
    }
    assert!(says(&report, &["warning", "ghost:draft", "left out of the text"]), "{:?}", report.lines());
}

async fn posts_of_ghost_that_strangers_do_not_see_are_drafts(server: TestServer) {
    let soon = json!("2027-06-01T09:00:00.000Z");
    let mut export = ghost_export(&[
        ("mail-soon", json!({"status": "scheduled", "published_at": soon})),
        ("mail-own-field", json!({"email_only": true})),
        ("sent", json!({"status": "sent"})),
        ("tiers", json!({"visibility": "tiers"})),
        ("filter", json!({"visibility": "label:vip"})),
        ("soon", json!({"status": "scheduled", "published_at": soon, "newsletter_id": "n"})),
        ("missed", json!({"status": "scheduled", "published_at": "2027-01-01T09:00:00.000Z"})),
        ("plain", json!({"html": null, "plaintext": "Text, and SECRET."})),
        ("blank", json!({"html": " ", "plaintext": "Words of the blank one."})),
        ("public", json!({})),
    ]);
    export["db"][0]["data"]["posts_meta"] = json!([{"post_id": "mail-soon", "email_only": 1}]);
    let report = import_ghost(&server, &export).await;
    let expected = [
        ("blank", "draft"),
        ("filter", "draft"),
        ("mail-own-field", "draft"),
        ("mail-soon", "draft"),
        ("missed", "draft"),
        ("plain", "draft"),
        ("public", "published"),
        ("sent", "draft"),
        ("soon", "scheduled"),
        ("tiers", "draft"),
    ];
    assert_eq!(states(&server).await, all(&expected), "{report:?}");
    assert!(says(&report, &["ghost:mail-soon", "sent by mail only"]), "{:?}", report.lines());
    let bodies = bodies(&server).await;
    assert!(bodies.iter().any(|body| body.contains("Words of the blank one.")), "{bodies:?}");
    assert!(says(&report, &["ghost:missed", "has passed"]), "{:?}", report.lines());
    // The clock starts on 1 March at 08:00 UTC.
    server.advance(92 * 86_400_000 + 3_600_000).await;
    assert_eq!(server.as_anonymous().get("/site/mail-soon").await.status, 404);
    assert_eq!(server.as_anonymous().get("/site/soon").await.status, 200);
    // A second import of the same file says nothing about what was published at its time.
    let again = import_ghost(&server, &export).await;
    assert!(!says(&again, &["ghost:soon"]), "{:?}", again.lines());
    // A site with a password shows nothing to strangers.
    let mut export = ghost_export(&[("private-site", json!({}))]);
    export["db"][0]["data"]["settings"] = json!([{"key": "is_private", "value": "true"}]);
    let report = import_ghost(&server, &export).await;
    assert!(says(&report, &["held back", "the whole site is private"]), "{:?}", report.lines());
    assert_eq!(server.as_anonymous().get("/site/private-site").await.status, 404);
}

async fn what_limits_a_post_of_wordpress_makes_it_a_draft(server: TestServer) {
    let past = "2018-09-13 10:00:00";
    let field = |name: &str, value: &str| {
        format!(
            "<wp:postmeta><wp:meta_key>{name}</wp:meta_key><wp:meta_value>{value}</wp:meta_value></wp:postmeta>"
        )
    };
    let password = |text: &str| format!("<wp:post_password><![CDATA[{text}]]></wp:post_password>");
    let sticky = "<wp:is_sticky>1</wp:is_sticky>";
    let twice = "<wp:status>draft</wp:status>";
    let items = [
        wordpress::item((1, "Blank password", "publish", past), &password(" "), "SECRET"),
        wordpress::item((2, "Empty password", "publish", past), &password(""), "Open"),
        wordpress::item((3, "Sticky draft", "draft", past), sticky, "Text"),
        wordpress::item((4, "Two states", "publish", past), twice, "Text"),
        wordpress::item((5, "Embargo", "publish", past), &field("embargo_until", "2030-01-01"), "Text"),
        wordpress::item(
            (6, "Newsletter", "publish", past),
            &field("_jetpack_newsletter_access", "paid_subscribers"),
            "Text",
        ),
        wordpress::item(
            (7, "Everybody", "publish", past),
            &field("_jetpack_newsletter_access", "everybody"),
            "Open",
        ),
        wordpress::item((8, "Role", "publish", past), &field("_members_access_role", "editor"), "Text"),
        wordpress::item(
            (9, "Paywall", "publish", past),
            "",
            "<p>Open</p><!-- wp:jetpack/paywall /--><p>SECRET</p>",
        ),
        wordpress::item(
            (10, "Shortcode", "publish", past),
            "",
            "Open [restrict userlevel=\"1\"]SECRET[/restrict] end",
        ),
        wordpress::item((11, "Missed", "future", "2027-02-01 09:00:00"), "", "Text"),
    ];
    let report = import_wordpress(&server, &items, None).await;
    let expected = [
        ("blank-password", "draft"),
        ("embargo", "draft"),
        ("empty-password", "published"),
        ("everybody", "published"),
        ("missed", "draft"),
        ("newsletter", "draft"),
        ("paywall", "draft"),
        ("role", "draft"),
        ("shortcode", "draft"),
        ("sticky-draft", "draft"),
        ("two-states", "draft"),
    ];
    assert_eq!(states(&server).await, all(&expected), "{report:?}");
    assert_eq!(report.held.len(), 9, "each has its reason: {report:?}");
    assert!(says(&report, &["held back", "embargo_until is 2030-01-01"]), "{:?}", report.lines());
    let bodies = bodies(&server).await;
    let gated = bodies.iter().filter(|body| body.contains("SECRET")).count();
    assert_eq!(gated, 1, "the draft with a password is whole: {bodies:?}");
}

async fn a_post_that_is_public_there_is_never_scheduled(server: TestServer) {
    // The manual clock starts on 2027-03-01 at 08:00 UTC.
    let local = |time: &str| format!("<wp:post_date>{time}</wp:post_date>");
    let none = "0000-00-00 00:00:00";
    let items = [
        wordpress::item((1, "Old", "publish", "2026-03-02 01:00:00"), &local("2026-03-02 09:00:00"), "Tea"),
        wordpress::item((2, "This afternoon", "publish", none), &local("2027-03-01 15:30:00"), "Tea"),
        wordpress::item((3, "Ahead", "publish", "2027-05-01 01:00:00"), &local("2027-05-01 09:00:00"), "Tea"),
    ];
    let report = import_wordpress(&server, &items, None).await;
    assert_eq!((report.published, report.scheduled), (3, 0), "{report:?}");
    assert!(says(&report, &["wordpress:old.invalid/3", "in the future", "public"]), "{:?}", report.lines());
    let list = server.as_creator().get("/api/v1/articles").await.expect(200);
    let published = |slug: &str| {
        let all = list["items"].as_array().expect("items");
        all.iter().find(|article| article["slug"] == slug).expect("an article")["published_at"].clone()
    };
    assert_eq!(published("this-afternoon"), "2027-03-01T07:30:00.000Z");
    assert_eq!(published("ahead"), server.time_after(0));
    for slug in ["old", "this-afternoon", "ahead"] {
        assert_eq!(server.as_anonymous().get(&format!("/site/{slug}")).await.status, 200, "{slug}");
    }
    let soon = json!("2027-06-01T09:00:00.000Z");
    let report = import_ghost(&server, &ghost_export(&[("g", json!({"published_at": soon}))])).await;
    assert_eq!((report.published, report.scheduled), (1, 0), "{report:?}");
}

async fn a_time_without_a_zone_is_in_that_of_the_site_or_it_is_asked_for(server: TestServer) {
    let local = |time: &str| format!("<wp:post_date>{time}</wp:post_date>");
    let future = |id: usize, title: &str, gmt: &str| {
        wordpress::item((id, title, "future", gmt), &local("2027-03-05 09:00:00"), "Tea")
    };
    let public =
        wordpress::item((1, "Old", "publish", "2026-03-02 01:00:00"), &local("2026-03-02 09:00:00"), "Tea");
    let report = import_wordpress(&server, &[public, future(2, "Known", "0000-00-00 00:00:00")], None).await;
    assert_eq!((report.published, report.scheduled), (1, 1), "{report:?}");
    let tasks = server.as_creator().get("/api/v1/tasks").await.expect(200);
    assert_eq!(tasks["items"][0]["due_at"], "2027-03-05T01:00:00.000Z", "{tasks}");
    // Nothing shows the zone: held, then imported again with the zone that was asked for.
    let file = wordpress::file(&[future(3, "Unknown", "-0001-11-30 00:00:00")]);
    let held = upload::upload(&server, "system=wordpress", file.clone()).await;
    assert_eq!(held["report"]["scheduled"], 0, "{held}");
    assert!(held["report"]["held"]["items"][0]["why"].to_string().contains("give the time zone"), "{held}");
    let held = upload::run(&server, &held).await;
    assert_eq!((&held["report"]["created"], &held["report"]["scheduled"]), (&json!(1), &json!(0)), "{held}");
    let given = upload::upload(&server, "system=wordpress&zone=asia/shanghai", file).await;
    assert_eq!(
        (&given["zone"], &given["report"]["scheduled"]),
        (&json!("Asia/Shanghai"), &json!(1)),
        "{given}"
    );
    let given = upload::run(&server, &given).await;
    assert_eq!(given["report"]["scheduled"], 1, "{given}");
    let tasks = server.as_admin().get("/api/v1/tasks").await.expect(200);
    let due: Vec<_> = tasks["items"].as_array().expect("items").iter().map(|task| &task["due_at"]).collect();
    assert_eq!(due, ["2027-03-05T01:00:00.000Z", "2027-03-05T01:00:00.000Z"], "{tasks}");
    let admin = server.as_admin();
    let wrong = admin.request(reqwest::Method::POST, "/api/v1/imports?system=wordpress&zone=Atlantis");
    let wrong = crate::http_client::Reply::of(wrong.body(wordpress::example())).await;
    assert_eq!(wrong.status, 422, "{}", wrong.text);
}

async fn the_report_says_which_article_took_an_address(server: TestServer) {
    let past = "2026-03-02 01:00:00";
    let kind = |kind: &str| format!("<wp:post_type>{kind}</wp:post_type><wp:post_name>about</wp:post_name>");
    let items = [
        wordpress::item((1, "About, a post", "publish", past), &kind("post"), "Post"),
        wordpress::item((2, "About, a page", "publish", past), &kind("page"), "Page"),
        wordpress::item((3, "Draft one", "draft", past), "<wp:post_name></wp:post_name>", "d"),
        wordpress::item((4, "Draft one", "draft", past), "<wp:post_name></wp:post_name>", "d"),
    ];
    let report = import_wordpress(&server, &items, None).await;
    let words = ["warning wordpress:old.invalid/2", "about is taken by “About, a post”", "about-2"];
    assert!(says(&report, &words), "{:?}", report.lines());
    assert_eq!(report.warnings.len(), 1, "drafts without an address have none to lose: {report:?}");
    assert!(server.as_anonymous().get("/site/about").await.text.contains("Post"));
    assert!(server.as_anonymous().get("/site/about-2").await.text.contains("Page"));
}
