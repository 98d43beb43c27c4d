//! The public site: lists by tag and month, search, metadata, navigation, sitemap.

use crate::{engine::engine_page::assert_contains, http_client::Reply, on_both, test_server::TestServer};
use serde_json::{Value, json};

on_both!(
    a_tag_has_a_page_and_a_feed_of_public_articles,
    an_author_has_a_page_of_public_articles,
    the_archive_lists_months_and_tags,
    a_search_finds_only_what_is_public,
    a_search_is_paged_and_finds_the_public_text_of_a_changed_article,
    an_article_has_metadata_for_search_engines_and_cards,
    an_article_without_a_picture_has_a_drawn_card_while_it_is_public,
    an_article_has_the_direction_of_its_language,
    an_article_links_to_its_neighbours_and_related_ones,
    three_headings_make_a_table_of_contents,
    a_page_is_in_the_navigation_and_not_in_lists,
    a_featured_article_is_first_until_it_is_unpublished,
    the_sitemap_leaves_out_what_is_not_to_be_listed,
);

async fn create(server: &TestServer, title: &str, body: &str, details: Value) -> Value {
    let new = json!({"title": title, "body": body, "details": details});
    server.as_creator().post("/api/v1/articles", &new).await.expect(201)
}

async fn run(server: &TestServer, article: &Value, kind: &str) {
    let task = json!({"kind": kind, "target_id": article["id"], "due_at": server.time_after(1_000)});
    server.as_creator().post("/api/v1/tasks", &task).await.expect(201);
    server.advance(1_000).await;
}

async fn publish(server: &TestServer, title: &str, body: &str, details: Value) -> Value {
    let article = create(server, title, body, details).await;
    run(server, &article, "article.publish").await;
    article
}

async fn get(server: &TestServer, path: &str) -> Reply {
    server.as_anonymous().get(path).await
}

async fn a_tag_has_a_page_and_a_feed_of_public_articles(server: TestServer) {
    create(&server, "Draft", "text", json!({"tags": ["Hidden", "C++ & 新闻"]})).await;
    assert_eq!(get(&server, "/site/tag/hidden").await.status, 404, "a draft reveals no tag");
    let article = publish(&server, "One", "text", json!({"tags": ["c++ & 新闻"]})).await;
    publish(&server, "Other", "text", json!({})).await;
    let path = "/site/tag/c%2B%2B%20%26%20%E6%96%B0%E9%97%BB";
    let page = get(&server, path).await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert!(
        page.text.contains("One") && !page.text.contains("Other") && !page.text.contains("Draft"),
        "{}",
        page.text
    );
    assert!(
        page.text.contains(&format!("{path}/feed.xml")) && page.text.contains("C++ &amp; 新闻"),
        "{}",
        page.text
    );
    assert_eq!(get(&server, "/site/tag/C%2B%2B%20%26%20%E6%96%B0%E9%97%BB").await.status, 200, "in any case");
    let feed = get(&server, &format!("{path}/feed.xml")).await;
    assert_eq!(feed.header("content-type"), "application/atom+xml; charset=utf-8");
    assert!(feed.text.contains("One") && !feed.text.contains("Other"), "{}", feed.text);
    assert!(feed.text.contains("term=\"C++ &amp; 新闻\""), "{}", feed.text);
    assert!(get(&server, "/site/one").await.text.contains(path));
    run(&server, &article, "article.unpublish").await;
    assert_eq!(get(&server, path).await.status, 404);
    assert_eq!(get(&server, &format!("{path}/feed.xml")).await.status, 404);
}

async fn the_archive_lists_months_and_tags(server: TestServer) {
    assert_eq!(get(&server, "/site/archive/all").await.status, 200, "an empty desk has an archive");
    publish(&server, "Old", "text", json!({"dated": "2019-05-03", "tags": ["Sea"]})).await;
    publish(&server, "Older", "text", json!({"dated": "2019-05-01"})).await;
    publish(&server, "New", "text", json!({})).await;
    let all = get(&server, "/site/archive/all").await.text;
    assert!(all.contains("href=\"/site/archive/2019-05\">May 2019</a> <small>2</small>"), "{all}");
    assert!(all.contains("href=\"/site/tag/sea\""), "{all}");
    let month = get(&server, "/site/archive/2019-05").await;
    assert!(
        month.text.contains("Old") && month.text.contains("Older") && !month.text.contains(">New<"),
        "{}",
        month.text
    );
    let missing = get(&server, "/site/never-was").await.text;
    for path in ["/site/archive/2018-05", "/site/archive/2019-13", "/site/archive/x", "/site/tag/none"] {
        let reply = get(&server, path).await;
        assert_eq!((reply.status, reply.text == missing), (404, true), "{path}");
    }
}

async fn an_author_has_a_page_of_public_articles(server: TestServer) {
    create(&server, "Draft", "text", json!({})).await;
    assert_eq!(get(&server, "/site/author/creator").await.status, 404, "a draft reveals no author");
    let article = publish(&server, "One", "text", json!({})).await;
    let front = get(&server, "/site").await.text;
    assert!(front.contains("<a href=\"/site/author/creator\" rel=\"author\">"), "{front}");
    assert!(get(&server, "/site/one").await.text.contains("href=\"/site/author/creator\""));
    let page = get(&server, "/site/author/creator").await;
    assert!(page.text.contains("One") && !page.text.contains("Draft"), "{}", page.text);
    for path in ["/site/author/admin", "/site/author/none", "/site/author/%00"] {
        assert_eq!(get(&server, path).await.status, 404, "{path}");
    }
    run(&server, &article, "article.unpublish").await;
    assert_eq!(get(&server, "/site/author/creator").await.status, 404);
}

async fn a_search_finds_only_what_is_public(server: TestServer) {
    let article =
        publish(&server, "Ships", "About lighthouses at the coast.", json!({"tags": ["Küste"]})).await;
    create(&server, "Secret lighthouses", "x", json!({})).await;
    let path = format!("/api/v1/articles/{}", article["id"].as_str().unwrap());
    let edit = json!({"body": "About kingfishers and lighthouses.", "seen_revision": 1});
    server.as_creator().patch(&path, &edit).await.expect(200);
    let found =
        async |q: &str| get(&server, &format!("/site?q={q}")).await.text.contains("href=\"/site/ships\"");
    assert!(found("lighthouses").await && found("LIGHTHOUSE").await && found("kuste").await);
    assert!(!found("kingfishers").await, "the text of a draft is not found");
    let page = get(&server, "/site?q=%22%3E%3Cscript%3Elighthouses").await;
    assert!(!page.text.contains("<script>") && page.text.contains("noindex"), "{}", page.text);
    let page = get(&server, "/site?q=lighthouses").await;
    assert!(!page.text.contains("Secret") && page.text.contains("value=\"lighthouses\""), "{}", page.text);
    assert_contains(&page.text, &["Results for “lighthouses”</h1>", "<p class=\"list-note\">1 article</p>"]);
    assert_eq!(get(&server, &format!("/site?q={}", "x".repeat(1_000))).await.status, 200);
    let none = get(&server, "/site?q=!!!").await.text;
    assert_contains(&none, &["Results for “!!!”</h1>", "No article has all these words"]);
}

async fn a_search_is_paged_and_finds_the_public_text_of_a_changed_article(server: TestServer) {
    let mut changed = json!(null);
    for number in 0..22 {
        let article = create(&server, &format!("Piece {number:02}"), "A lantern.", json!({})).await;
        let due_at = server.time_after(1_000 + number);
        let task = json!({"kind": "article.publish", "target_id": article["id"], "due_at": due_at});
        server.as_creator().post("/api/v1/tasks", &task).await.expect(201);
        changed = article;
    }
    server.advance(2_000).await;
    let path = format!("/api/v1/articles/{}", changed["id"].as_str().unwrap());
    let edit = json!({"body": "A candle.", "seen_revision": 1});
    server.as_creator().patch(&path, &edit).await.expect(200);
    assert!(!get(&server, "/site?q=candle").await.text.contains("class=\"entry\""));
    let first = get(&server, "/site?q=lantern").await.text;
    let count = |page: &str| page.matches("class=\"entry\"").count();
    assert!(count(&first) == 20 && first.contains("Piece 21"), "{first}");
    assert!(first.contains("At least 20 articles"), "{first}");
    let link = "href=\"/site?q=lantern&amp;after=";
    let next = first.split(link).nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let second = get(&server, &format!("/site?q=lantern&after={next}")).await.text;
    assert!(count(&second) == 2 && !second.contains("Piece 21") && !second.contains(link), "{second}");
    for number in 0..22 {
        let title = format!("Piece {number:02}");
        assert!(first.contains(&title) != second.contains(&title), "{title}");
    }
}

async fn an_article_has_metadata_for_search_engines_and_cards(server: TestServer) {
    let details = json!({"summary": "A \"short\" summary", "tags": ["Sea"], "cover": "/media/a.webp", "cover_alt": "A ship",
                         "cover_caption": "By <me>", "language": "fr", "is_noindex": true});
    publish(&server, "Les </script> navires", "Texte.", details).await;
    let feed = get(&server, "/site/feed.json").await.expect(200);
    assert_eq!(feed["items"][0]["language"], "fr");
    assert!(get(&server, "/site/feed.xml").await.text.contains("xml:lang=\"fr\""));
    let page = get(&server, "/site/les-script-navires").await;
    let (text, url) = (&page.text, &server.url);
    for part in [
        "<html lang=\"fr\">",
        &format!("<link rel=\"canonical\" href=\"{url}/site/les-script-navires\">"),
        "<meta name=\"description\" content=\"A &quot;short&quot; summary\">",
        "<meta name=\"robots\" content=\"noindex\">",
        &format!("<meta property=\"og:image\" content=\"{url}/media/a.webp\">"),
        "<meta name=\"twitter:card\" content=\"summary_large_image\">",
        "<img src=\"/media/a.webp\" alt=\"A ship\" loading=\"lazy\"",
        "By &lt;me&gt;",
        "min read",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let data = text.split("<script type=\"application/ld+json\">").nth(1).unwrap();
    let data: Value = serde_json::from_str(data.split("</script>").next().unwrap()).expect("JSON");
    assert_eq!((&data["headline"], &data["inLanguage"]), (&json!("Les </script> navires"), &json!("fr")));
    assert_eq!(text.matches("<script").count(), 1, "only the data block: {text}");
    assert!(text.len() < 30_000, "{} bytes", text.len());
    publish(&server, "Copy", "x", json!({"canonical": "https://a.example/first"})).await;
    let copy = get(&server, "/site/copy").await.text;
    assert!(copy.contains("<link rel=\"canonical\" href=\"https://a.example/first\">"), "{copy}");
}

/// The path of the picture for networks in a page, without the public URL.
fn card_of(server: &TestServer, page: &str) -> String {
    let address = page.split("<meta property=\"og:image\" content=\"").nth(1).expect("a picture");
    let address = address.split('"').next().unwrap();
    address.strip_prefix(&server.url).expect("an absolute address").to_owned()
}

async fn an_article_without_a_picture_has_a_drawn_card_while_it_is_public(server: TestServer) {
    let later = create(&server, "Later", "Text.", json!({})).await;
    let article = publish(&server, "Tea & 茶", "Text.", json!({})).await;
    let path = format!("/site/{}", article["slug"].as_str().unwrap());
    let page = get(&server, &path).await.text;
    for part in [
        "<meta property=\"og:image:width\" content=\"1200\">",
        "<meta property=\"og:image:height\" content=\"630\">",
        "<meta property=\"og:image:alt\" content=\"Tea &amp; 茶\">",
        "<meta name=\"twitter:card\" content=\"summary_large_image\">",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let card = card_of(&server, &page);
    let picture = get(&server, &card).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/png"));
    assert_eq!(picture.text.get(3..6).or(picture.text.get(1..4)), Some("PNG"));
    assert_eq!(get(&server, &card).await.header("etag"), picture.header("etag"));
    // Its address changes with its text, and the earlier one leads there.
    let id = article["id"].as_str().unwrap();
    let edit = json!({"title": "Coffee", "seen_revision": article["revision"]});
    server.as_creator().patch(&format!("/api/v1/articles/{id}"), &edit).await.expect(200);
    assert_eq!(get(&server, &card).await.status, 200, "the new title is not public yet");
    run(&server, &article, "article.publish").await;
    let next = card_of(&server, &get(&server, &path).await.text);
    assert_ne!(next, card);
    let moved = get(&server, &card).await;
    assert_eq!((moved.status, moved.header("location")), (301, next.as_str()));
    // What is not public has none.
    let name = next.rsplit('/').next().unwrap();
    let hidden = format!("/site/card/{}/{name}", later["slug"].as_str().unwrap());
    assert_eq!(get(&server, &hidden).await.status, 404);
    run(&server, &article, "article.unpublish").await;
    assert_eq!(get(&server, &next).await.status, 404);
}

async fn an_article_has_the_direction_of_its_language(server: TestServer) {
    let body = "مرحبا بالعالم\n\n> سلام\n\n```\nlet x = 1;\n```";
    publish(&server, "مرحبا بالعالم", body, json!({"language": "ar"})).await;
    publish(&server, "שלום", "שלום", json!({})).await;
    publish(&server, "Hello", "world", json!({})).await;
    let arabic = get(&server, "/site/مرحبا-بالعالم").await.text;
    assert!(arabic.contains("<html lang=\"ar\">"), "{arabic}");
    assert!(arabic.contains("<article class=\"prose\" dir=\"rtl\">"), "{arabic}");
    assert!(arabic.contains("<blockquote dir=\"rtl\">"), "{arabic}");
    let hebrew = get(&server, "/site/שלום").await.text;
    assert!(hebrew.contains("<article class=\"prose\" dir=\"rtl\">"), "by its title: {hebrew}");
    let english = get(&server, "/site/hello").await.text;
    assert!(english.contains("<article class=\"prose\"><header>"), "{english}");
    let list = get(&server, "/site").await.text;
    assert!(list.contains("<article class=\"entry\" lang=\"ar\" dir=\"rtl\">"), "{list}");
    assert!(list.contains("<article class=\"entry\" dir=\"rtl\">"), "{list}");
}

async fn an_article_links_to_its_neighbours_and_related_ones(server: TestServer) {
    publish(&server, "First", "x", json!({"tags": ["Sea"]})).await;
    let middle = publish(&server, "Middle", "x", json!({})).await;
    publish(&server, "Last", "x", json!({"tags": ["sea", "Other"]})).await;
    let page = get(&server, "/site/middle").await.text;
    assert!(
        page.contains("href=\"/site/first\" rel=\"prev\"")
            && page.contains("href=\"/site/last\" rel=\"next\""),
        "{page}"
    );
    let first = get(&server, "/site/first").await.text;
    assert!(first.contains("class=\"related\"") && first.contains("rel=\"next\""), "{first}");
    run(&server, &middle, "article.unpublish").await;
    let first = get(&server, "/site/first").await.text;
    assert!(!first.contains("Middle") && first.contains("href=\"/site/last\" rel=\"next\""), "{first}");
}

async fn three_headings_make_a_table_of_contents(server: TestServer) {
    publish(&server, "Long", "# One\n\nx\n\n## Two `code`\n\nx\n\n# Three\n\nx", json!({})).await;
    let page = get(&server, "/site/long").await.text;
    assert!(
        page.contains("<nav class=\"contents\">") && page.contains("href=\"#two-code\">Two code</a>"),
        "{page}"
    );
    publish(&server, "Short", "# One\n\n# Two", json!({})).await;
    assert!(!get(&server, "/site/short").await.text.contains("class=\"contents\""));
}

async fn a_page_is_in_the_navigation_and_not_in_lists(server: TestServer) {
    publish(&server, "Article", "x", json!({})).await;
    let about = publish(&server, "About us", "We write.", json!({"template": "page"})).await;
    let article = get(&server, "/site/article").await.text;
    assert!(article.contains("<a href=\"/site/about-us\" dir=\"auto\">About us</a>"), "{article}");
    assert!(!article.contains("rel=\"next\""), "a page is no neighbour: {article}");
    assert_eq!(get(&server, "/site").await.text.matches("class=\"entry\"").count(), 1);
    assert!(!get(&server, "/site/feed.xml").await.text.contains("About us"));
    let page = get(&server, "/site/about-us").await.text;
    assert!(page.contains("We write.") && !page.contains("class=\"byline\""), "{page}");
    run(&server, &about, "article.unpublish").await;
    assert!(!get(&server, "/site/article").await.text.contains("About us"), "it vanishes at once");
}

async fn a_featured_article_is_first_until_it_is_unpublished(server: TestServer) {
    let featured = publish(&server, "Featured", "x", json!({"is_featured": true})).await;
    publish(&server, "Newer", "x", json!({})).await;
    let page = get(&server, "/site").await.text;
    assert!(page.find("Featured").unwrap() < page.find("Newer").unwrap(), "{page}");
    assert_eq!(page.matches("href=\"/site/featured\"").count(), 1, "once: {page}");
    run(&server, &featured, "article.unpublish").await;
    assert!(!get(&server, "/site").await.text.contains("Featured"));
}

async fn the_sitemap_leaves_out_what_is_not_to_be_listed(server: TestServer) {
    create(&server, "Draft", "x", json!({})).await;
    publish(&server, "Public", "x", json!({})).await;
    publish(&server, "Quiet", "x", json!({"is_noindex": true})).await;
    let map = get(&server, "/site/sitemap.xml").await;
    assert!(map.text.contains(&format!("<loc>{}/site/public</loc>", server.url)), "{}", map.text);
    assert!(!map.text.contains("quiet") && !map.text.contains("draft"), "{}", map.text);
    let robots = get(&server, "/robots.txt").await;
    assert!(robots.text.contains(&format!("Sitemap: {}/site/sitemap.xml", server.url)), "{}", robots.text);
}
