//! Settings of the public site: layout, colour, footer, navigation, and the preview.

use crate::{articles::media::fixture, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    an_admin_changes_how_the_site_looks,
    programs_change_how_the_site_looks,
    the_site_has_a_logo_and_an_icon,
    a_stylesheet_is_checked_previewed_and_published,
    invalid_settings_are_refused_and_keep_what_was_typed,
    the_navigation_follows_the_settings,
    a_preview_shows_the_site_as_it_will_be,
    a_preview_begins_with_featured_articles,
    a_preview_has_scheduled_pages_and_reverted_releases,
);

async fn create(server: &TestServer, title: &str, details: Value) -> Value {
    let new = json!({"title": title, "body": "Text.", "details": details});
    server.as_creator().post("/api/v1/articles", &new).await.expect(201)
}

async fn schedule(server: &TestServer, article: &Value, kind: &str, after: i64) {
    let task = json!({"kind": kind, "target_id": article["id"], "due_at": server.time_after(after)});
    server.as_creator().post("/api/v1/tasks", &task).await.expect(201);
}

async fn publish(server: &TestServer, title: &str, details: Value) -> Value {
    let article = create(server, title, details).await;
    schedule(server, &article, "article.publish", 1_000).await;
    server.advance(1_000).await;
    article
}

fn look<'a>(layout: &'a str, accent: &'a str, seen: &'a str) -> [(&'a str, &'a str); 8] {
    [
        ("from", "/settings/site"),
        ("seen", seen),
        ("description", "News of the coast"),
        ("accent", accent),
        ("footer", "© The desk <3"),
        ("links", "Mastodon https://social.example/@desk\r\nMail mailto:desk@a.example"),
        ("navigation", ""),
        ("layout", layout),
    ]
}

async fn an_admin_changes_how_the_site_looks(server: TestServer) {
    publish(&server, "One", json!({"cover": "https://a.example/x.png"})).await;
    let browser = server.log_in_browser(&server.admin).await;
    let saved = browser.form("/fn/save_site_look", &look("magazine", "#7A0D3F", "1")).await;
    assert!((300..400).contains(&saved.status), "{}", saved.text);
    let page = server.as_anonymous().get("/site").await.text;
    for part in [
        "layout-magazine",
        "/site/accent/7a0d3f.css",
        "<meta name=\"description\" content=\"News of the coast\">",
        "© The desk &lt;3",
        "href=\"https://social.example/@desk\"",
        "href=\"mailto:desk@a.example\"",
        "src=\"https://a.example/x.png\"",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let sheet = server.as_anonymous().get("/site/accent/7a0d3f.css").await;
    assert!(
        sheet.header("content-type").starts_with("text/css") && sheet.text.contains("light-dark(#7a0d3f,"),
        "{}",
        sheet.text
    );
    for bad in ["/site/accent/red.css", "/site/accent/7a0d3f", "/site/accent/%3B%7D.css"] {
        assert_eq!(server.as_anonymous().get(bad).await.status, 404, "{bad}");
    }
    let stale = browser.form("/fn/save_site_look", &look("notes", "", "1")).await;
    assert_eq!(stale.status, 409, "another admin changed it: {}", stale.text);
    let creator = server.log_in_browser(&server.creator).await;
    assert_eq!(creator.form("/fn/save_site_look", &look("notes", "", "2")).await.status, 403);
    assert!(server.as_anonymous().get("/site").await.text.contains("layout-magazine"));
}

async fn programs_change_how_the_site_looks(server: TestServer) {
    const PATH: &str = "/api/v1/settings/site";
    let admin = server.as_admin();
    let first = admin.get(PATH).await.expect(200);
    assert_eq!((&first["layout"], &first["version"]), (&json!("journal"), &json!(1)));
    let links = json!([{"name": "Social", "url": "https://social.example/@desk"}]);
    let edit = json!({"layout": "notes", "accent": "#7A0D3F", "links": links, "seen_version": 1});
    let changed = admin.patch(PATH, &edit).await.expect(200);
    assert_eq!((&changed["accent"], &changed["links"]), (&json!("#7a0d3f"), &links));
    assert_eq!(admin.patch(PATH, &edit).await.status, 409, "another version");
    // What is absent stays.
    let changed = admin.patch(PATH, &json!({"footer": "© The desk"})).await.expect(200);
    assert_eq!((&changed["layout"], &changed["version"]), (&json!("notes"), &json!(3)));
    assert!(server.as_anonymous().get("/site").await.text.contains("layout-notes"));
    for (wrong, field) in [
        (json!({"accent": "#ffcc00"}), "accent"),
        (json!({"layout": "poster"}), "layout"),
        (json!({"links": [{"name": "A", "url": "javascript:alert(1)"}]}), "links"),
        (json!({"navigation": vec!["a"; 13]}), "navigation"),
    ] {
        let refused = admin.patch(PATH, &wrong).await;
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(refused.text.contains(field), "{}", refused.text);
    }
    assert_eq!(server.as_creator().patch(PATH, &json!({"footer": ""})).await.status, 403);
}

async fn the_site_has_a_logo_and_an_icon(server: TestServer) {
    const PATH: &str = "/api/v1/settings/site";
    let (admin, anonymous) = (server.as_admin(), server.as_anonymous());
    let media = admin.upload("logo.png", &fixture::png(1)).await.expect(201);
    let url = media["url"].as_str().unwrap();
    let path = &url[url.find("/media/").unwrap()..];
    assert_eq!(anonymous.read_file(path).await.status, 404);
    let unknown = json!({"logo": format!("/media/{}/40x30.png", "0c".repeat(32))});
    assert_eq!(admin.patch(PATH, &unknown).await.status, 422);
    let changed = admin.patch(PATH, &json!({"logo": url, "favicon": path})).await.expect(200);
    assert_eq!((&changed["logo"], &changed["favicon"]), (&json!(path), &json!(path)));
    let page = anonymous.get("/site").await.text;
    for part in [
        format!("<img class=\"logo\" src=\"{path}\" alt=\""),
        format!("<link rel=\"icon\" href=\"{path}\" type=\"image/png\">"),
    ] {
        assert!(page.contains(&part), "{part} in {page}");
    }
    assert_eq!(anonymous.read_file(path).await.status, 200);
    // The settings show them, and lead to the library without JavaScript.
    let browser = server.log_in_browser(&server.admin).await;
    let settings = browser.get("/settings/site").await.expect_page();
    assert_eq!(settings.matches("class=\"cover-preview\"").count(), 2, "{settings}");
    assert!(settings.contains("Choose from the media library"), "{settings}");
    let file = format!("/api/v1/media/{}", media["id"].as_str().unwrap());
    assert_eq!(admin.delete(&file).await.refused(409), "on_site");
    admin.patch(PATH, &json!({"logo": "", "favicon": ""})).await.expect(200);
    assert!(anonymous.get("/site").await.text.contains("/favicon.svg"));
    assert_eq!(admin.delete(&file).await.status, 204);
}

async fn a_stylesheet_is_checked_previewed_and_published(server: TestServer) {
    let (browser, anonymous) = (server.log_in_browser(&server.admin).await, server.as_anonymous());
    let media = server.as_admin().upload("back.png", &fixture::png(1)).await.expect(201);
    let url = media["url"].as_str().unwrap();
    let path = &url[url.find("/media/").unwrap()..];
    let css = format!(".site-head {{ background: url({path}) }}");
    let keep = async |css: &str| {
        browser.form("/fn/keep_site_style", &[("from", "/settings/site"), ("css", css)]).await
    };
    let refused = keep("a {}\n@import 'https://a.example/x.css';").await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("@import") && refused.text.contains("line 2"), "{}", refused.text);
    let field = refused.text.split("<textarea").find(|rest| rest.contains("id=\"css\"")).unwrap();
    let (field, _) = field.split_once('>').unwrap();
    let is_tied =
        field.contains("aria-describedby=\"css-problem\"") && field.contains("aria-invalid=\"true\"");
    assert!(is_tied && refused.text.contains("id=\"css-problem\""), "{field}");
    assert_eq!(keep(&format!("/* {} */", "x".repeat(70_000))).await.status, 422);
    assert_eq!(keep(&css).await.status, 303);
    // Readers do not see the draft.
    assert!(!anonymous.get("/site").await.text.contains("/site/style/"));
    assert_eq!(anonymous.read_file(path).await.status, 404);
    let settings = browser.get("/settings/site").await.text;
    let hash = settings.split("preview?style=").nth(1).unwrap();
    let hash = &hash[..hash.find('"').unwrap()];
    let sheet = format!("/site/style/{hash}.css");
    let preview = browser.get(&format!("/settings/site/preview?style={hash}")).await;
    assert!(preview.text.contains(&sheet), "{}", preview.text);
    assert!(preview.header("content-security-policy").contains("style-src 'self';"));
    let publish = async |hash: &str| browser.form("/fn/publish_site_style", &[("hash", hash)]).await.status;
    assert_eq!(publish("0d").await, 409, "the draft is another one");
    assert_eq!(publish(hash).await, 303);
    assert!(anonymous.get("/site").await.text.contains(&sheet));
    let served = anonymous.get(&sheet).await;
    assert_eq!(
        (served.text.as_str(), served.header("content-type")),
        (css.as_str(), "text/css; charset=utf-8")
    );
    assert_eq!(served.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(anonymous.get("/site/style/0d.css").await.header("cache-control"), "no-store");
    assert_eq!(anonymous.read_file(path).await.status, 200);
    // Another change of the look keeps it.
    let footer = json!({"footer": "New"});
    server.as_admin().patch("/api/v1/settings/site", &footer).await.expect(200);
    assert!(anonymous.get("/site").await.text.contains(&sheet));
    assert_eq!(keep("").await.status, 303);
    assert_eq!(publish("").await, 303);
    assert!(!anonymous.get("/site").await.text.contains("/site/style/"));
    let creator = server.log_in_browser(&server.creator).await;
    assert_eq!(creator.form("/fn/keep_site_style", &[("css", "a {}")]).await.status, 403);
}

async fn invalid_settings_are_refused_and_keep_what_was_typed(server: TestServer) {
    let browser = server.log_in_browser(&server.admin).await;
    let refused = browser.form("/fn/save_site_look", &look("notes", "#ffcc00", "1")).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    for kept in ["#ffcc00", "News of the coast", "https://social.example/@desk", "contrast"] {
        assert!(refused.text.contains(kept), "{kept}: {}", refused.text);
    }
    assert!(server.as_anonymous().get("/site").await.text.contains("layout-journal"));
}

async fn the_navigation_follows_the_settings(server: TestServer) {
    for title in ["About", "Contact", "Legal"] {
        publish(&server, title, json!({"template": "page"})).await;
    }
    let browser = server.log_in_browser(&server.admin).await;
    let mut typed = look("journal", "", "1");
    typed[6].1 = "legal\r\nabout\r\nmissing";
    let refused = browser.form("/fn/save_site_look", &typed).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("names “missing”, which is not a page of the site"), "{}", refused.text);
    // A page may be named before it is public.
    create(&server, "Soon", json!({"template": "page"})).await;
    typed[6].1 = "legal\r\nabout\r\nsoon";
    let saved = browser.form("/fn/save_site_look", &typed).await;
    assert!((300..400).contains(&saved.status), "{}", saved.text);
    let page = server.as_anonymous().get("/site").await.text;
    let place = |slug: &str| page.find(&format!("href=\"/site/{slug}\""));
    assert!(place("legal").unwrap() < place("about").unwrap(), "{page}");
    assert_eq!((place("contact"), place("soon")), (None, None), "{page}");
}

async fn a_preview_shows_the_site_as_it_will_be(server: TestServer) {
    let old = publish(&server, "Old", json!({})).await;
    let new = create(&server, "New", json!({})).await;
    schedule(&server, &new, "article.publish", 2 * 86_400_000).await;
    schedule(&server, &old, "article.unpublish", 2 * 86_400_000).await;
    let admin = server.log_in_browser(&server.admin).await;
    let now = admin.get("/settings/site/preview").await.text;
    assert!(now.contains("Old") && !now.contains("New"), "{now}");
    let day = server.time_after(4 * 86_400_000);
    let day = &day[..10];
    let later = admin.get(&format!("/settings/site/preview?at={day}&layout=notes")).await.text;
    assert!(later.contains("New") && !later.contains("Old") && later.contains("layout-notes"), "{later}");
    assert_eq!(admin.get("/settings/site/preview?at=tomorrow").await.status, 422);
    let creator = server.log_in_browser(&server.creator).await;
    assert_eq!(creator.get("/settings/site/preview").await.status, 403);
    assert_eq!(server.as_anonymous().get("/settings/site/preview").await.status, 303);
}

async fn a_preview_has_scheduled_pages_and_reverted_releases(server: TestServer) {
    let soon = create(&server, "Soon", json!({"template": "page"})).await;
    schedule(&server, &soon, "article.publish", 2 * 86_400_000).await;
    let [new, gone] = [create(&server, "New", json!({})).await, publish(&server, "Gone", json!({})).await];
    let item = |article: &Value, action: &str| json!({"article_id": article["id"], "action": action});
    let release = json!({"name": "Issue", "items": [item(&new, "publish"), item(&gone, "unpublish")]});
    let creator = server.as_creator();
    let release = creator.post("/api/v1/releases", &release).await.expect(201);
    let path = format!("/api/v1/releases/{}", release["id"].as_str().unwrap());
    let at = json!({"due_at": server.time_after(1_000)});
    creator.post(&format!("{path}/schedule"), &at).await.expect(201);
    server.advance(1_000).await;
    let admin = server.log_in_browser(&server.admin).await;
    let shows = |page: &str| [">New</a>", ">Gone</a>", "href=\"/site/soon\""].map(|part| page.contains(part));
    let now = admin.get("/settings/site/preview").await.text;
    assert_eq!(shows(&now), [true, false, false], "{now}");
    creator.post(&format!("{path}/revert"), &json!({})).await.expect(200);
    let day = server.time_after(4 * 86_400_000);
    let later = admin.get(&format!("/settings/site/preview?at={}", &day[..10])).await.text;
    assert_eq!(shows(&later), [false, true, true], "{later}");
}

async fn a_preview_begins_with_featured_articles(server: TestServer) {
    publish(&server, "Marked", json!({"is_featured": true})).await;
    publish(&server, "Newer", json!({})).await;
    let coming = create(&server, "Coming", json!({"is_featured": true})).await;
    schedule(&server, &coming, "article.publish", 2 * 86_400_000).await;
    let admin = server.log_in_browser(&server.admin).await;
    let titles = async |path: &str| {
        let page = admin.get(path).await.text;
        let mut found: Vec<_> = ["Marked", "Newer", "Coming"]
            .into_iter()
            .filter_map(|title| Some((page.find(&format!(">{title}</a>"))?, title)))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, title)| title).collect::<Vec<_>>()
    };
    assert_eq!(titles("/settings/site/preview").await, ["Marked", "Newer"]);
    // A day that has passed is taken as now.
    let past = admin.get("/settings/site/preview?at=2020-03-01").await.text;
    assert!(past.contains(">Marked</a>") && !past.contains("March 2020"), "{past}");
    let day = server.time_after(4 * 86_400_000);
    let later = format!("/settings/site/preview?at={}", &day[..10]);
    assert_eq!(titles(&later).await, ["Coming", "Marked", "Newer"]);
}
