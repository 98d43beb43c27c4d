//! Import of WordPress exports.

mod nesting;
pub mod words;

use super::{NoProgress, articles, put};
use crate::{articles::media::fixture, on_both, test_server::TestServer};
use presstime::imports::importer::{
    Report,
    posts::{self, PictureSource, PostImport, System},
};
use std::{fmt::Write as _, fs, path::Path, time::Instant};

on_both!(
    posts_pages_tags_slugs_and_dates_are_imported_and_a_second_run_changes_nothing,
    reused_blocks_and_what_is_not_imported_are_put_in_or_named,
    pictures_come_from_the_folder_or_through_the_egress_rules,
    a_changed_post_is_a_new_revision_and_changes_at_the_desk_are_kept,
    two_thousand_posts_are_imported_within_a_minute,
    invalid_exports_are_refused_with_a_sentence,
);

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- An export -->\n<rss version=\"2.0\" \
    xmlns:excerpt=\"http://wordpress.org/export/1.2/excerpt/\" xmlns:wp=\"http://wordpress.org/export/1.2/\">\
    <channel><title>Old &amp; new</title><link>https://old.invalid</link><wp:wxr_version>1.2</wp:wxr_version>\
    <wp:base_blog_url>https://old.invalid</wp:base_blog_url><wp:author><wp:author_login><![CDATA[jo]]></wp:author_login>\
    <wp:author_display_name><![CDATA[Jo Roe]]></wp:author_display_name></wp:author>";

/// One item: id, title, status, date, more elements, and content.
pub fn item((id, title, status, date): (usize, &str, &str, &str), more: &str, content: &str) -> String {
    let kind = if more.contains("<wp:post_type>") { "" } else { "<wp:post_type>post</wp:post_type>" };
    let name = title.to_lowercase().replace(' ', "-");
    format!(
        "<item><title><![CDATA[{title}]]></title><link>https://old.invalid/{name}/</link><dc:creator>jo</dc:creator>\
         <content:encoded><![CDATA[{content}]]></content:encoded><wp:post_id>{id}</wp:post_id>\
         <wp:post_date_gmt>{date}</wp:post_date_gmt><wp:post_name>{name}</wp:post_name>\
         <wp:status>{status}</wp:status>{kind}{more}</item>"
    )
}

pub fn file(items: &[String]) -> String {
    format!("{HEAD}{}</channel></rss>", items.concat())
}

pub async fn run(server: &TestServer, at: &Path, pictures: Option<&Path>, is_dry_run: bool) -> Report {
    let import = PostImport {
        system: System::Wordpress,
        file: at.to_path_buf(),
        pictures: PictureSource { folder: pictures.map(Path::to_path_buf), is_fetching: false },
        zone: None,
        is_drafts: false,
        is_dry_run,
    };
    posts::run(&server.app.importer, &server.creator.actor, &import, &NoProgress)
        .await
        .expect("the import runs")
}

pub fn example() -> String {
    let terms = "<category domain=\"category\" nicename=\"news\"><![CDATA[News]]></category>\
                 <category domain=\"post_tag\" nicename=\"sea\"><![CDATA[Sea &amp; ports]]></category>\
                 <category domain=\"category\">Uncategorized</category><excerpt:encoded><![CDATA[<b>Short</b>]]></excerpt:encoded>\
                 <wp:postmeta><wp:meta_key>_wp_old_slug</wp:meta_key><wp:meta_value>older-name</wp:meta_value></wp:postmeta>\
                 <wp:comment><wp:comment_content>Hi</wp:comment_content></wp:comment>";
    let text = "First line\nsecond.\n\n<h2>Part</h2>\n[gallery2 x=\"1\"] <em>End</em>\n\n<pre>a &lt; b</pre>";
    let password = "<wp:post_password>x</wp:post_password>";
    let page = "<wp:post_type>page</wp:post_type>";
    file(&[
        item((1, "Hello World", "publish", "2018-09-13 10:00:00"), terms, text),
        item((2, "A draft", "draft", "0000-00-00 00:00:00"), "", "Later"),
        item((3, "Soon", "future", "2027-06-01 09:00:00"), "", "<!-- wp:paragraph --><p>Soon</p>"),
        item((4, "Secret", "private", "2018-01-01 00:00:00"), "", "x"),
        item((5, "Locked", "publish", "2018-01-01 00:00:00"), password, "x"),
        item((6, "About", "publish", "2017-01-01 00:00:00"), page, "About us"),
        item((7, "Gone", "trash", "2017-01-01 00:00:00"), "", "x"),
        item(
            (8, "Menu", "publish", "2017-01-01 00:00:00"),
            "<wp:post_type>nav_menu_item</wp:post_type>",
            "x",
        ),
    ])
}

async fn posts_pages_tags_slugs_and_dates_are_imported_and_a_second_run_changes_nothing(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("export.xml");
    put(folder.path(), "export.xml", example());
    let dry = run(&server, &at, None, true).await;
    assert_eq!((dry.created, dry.published, dry.scheduled), (6, 2, 1), "{dry:?}");
    assert_eq!(articles(&server).await.len(), 0, "a dry run changes nothing");
    let report = run(&server, &at, None, false).await;
    assert_eq!((report.created, report.published, report.scheduled), (6, 2, 1), "{report:?}");
    assert_eq!((report.held.len(), report.refused.len()), (3, 0), "{report:?}");
    assert!(report.lines().iter().any(|line| line.contains("gallery2")), "{report:?}");
    assert!(report.lines().iter().any(|line| line.contains("Jo Roe (5)") || line.contains("Jo Roe (6)")));
    assert!(report.left_out.contains_key("comments") && report.left_out.len() == 5, "{report:?}");
    let states: Vec<_> = articles(&server).await.into_iter().map(|(slug, _, state)| (slug, state)).collect();
    let expected = [
        ("a-draft", "draft"),
        ("about", "published"),
        ("hello-world", "published"),
        ("locked", "draft"),
        ("secret", "draft"),
        ("soon", "scheduled"),
    ];
    assert_eq!(states, expected.map(|(slug, state)| (slug.to_owned(), state)));
    let page = server.as_anonymous().get("/site/hello-world").await;
    for part in ["First line<br", "<h3", "<em>End</em>", "a &lt; b", "Sea &amp; ports", "2018"] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
    for old in ["/site/older-name", "/2018/09/13/hello-world/", "/older-name", "/hello-world.html"] {
        let moved = server.as_anonymous().get(old).await;
        assert_eq!((moved.status, moved.header("location")), (301, "/site/hello-world"), "{old}");
    }
    assert_eq!(server.as_anonymous().get("/2027/06/soon/").await.status, 404, "as any other address");
    assert_eq!(server.as_anonymous().get("/site/tag/news").await.status, 200);
    let again = run(&server, &at, None, false).await;
    assert_eq!((again.created, again.updated, again.published, again.scheduled), (0, 0, 0, 0), "{again:?}");
    assert_eq!(again.unchanged, 6, "{again:?}");
    server.advance(92 * 86_400_000 + 3_600_000).await;
    assert!(server.as_anonymous().get("/site/soon").await.text.contains("Soon"));
}

async fn reused_blocks_and_what_is_not_imported_are_put_in_or_named(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("export.xml");
    let block = "<wp:post_type>wp_block</wp:post_type>";
    let terms = "<category domain=\"category\"><![CDATA[News]]></category><category domain=\"series\"><![CDATA[Kilns]]></category>\
                 <wp:comment><wp:comment_content>Hi</wp:comment_content></wp:comment>";
    let text = "<!-- wp:paragraph --><p>Before</p><!-- /wp:paragraph --><!-- wp:block {\"ref\":7} /--><!-- wp:block {\"ref\":99} /-->\
                <!-- wp:acme/rates /-->[gallery ids=\"404\"]";
    let items = [
        item((1, "With block", "publish", "2018-09-13 10:00:00"), terms, text),
        item(
            (7, "Opening hours", "publish", "2018-09-13 10:00:00"),
            block,
            "<!-- wp:paragraph --><p>Open at nine</p><!-- /wp:paragraph -->",
        ),
        item((8, "Unused", "publish", "2018-09-13 10:00:00"), block, "Nowhere"),
    ];
    put(folder.path(), "export.xml", file(&items));
    let report = run(&server, &at, None, false).await;
    assert_eq!((report.created, report.published), (1, 1), "{report:?}");
    let page = server.as_anonymous().get("/site/with-block").await.text;
    assert!(page.contains("<p>Before</p>") && page.contains("<p>Open at nine</p>"), "{page}");
    let lines = report.lines().join("\n");
    for part in [
        "With block (1)",
        "taxonomy series: Kilns",
        "so they become tags: News",
        "Unused",
        "99",
        "acme/rates",
        "gallery",
    ] {
        assert!(lines.contains(part), "{part}: {lines}");
    }
    assert!(!lines.contains("Opening hours"), "{lines}");
}

async fn pictures_come_from_the_folder_or_through_the_egress_rules(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("export.xml");
    let uploads = folder.path().join("uploads");
    fs::create_dir_all(uploads.join("2018")).expect("a folder");
    fs::write(uploads.join("2018/a.png"), fixture::png(1)).expect("a picture");
    let address = "https://old.invalid/wp-content/uploads/2018/a-300x200.png";
    let text = format!(
        "[caption id=\"x\"]<a href=\"{address}\"><img src=\"{address}\" alt=\"A cup\" /></a> Our cup[/caption]\n\n\
         <img src=\"http://127.0.0.1:9/b.png\">[gallery ids=\"9\"]"
    );
    let attachment = "<wp:post_type>attachment</wp:post_type>\
         <wp:attachment_url>https://old.invalid/wp-content/uploads/2018/a.png</wp:attachment_url>";
    let thumbnail =
        "<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta>";
    let items = [
        item((1, "Cups", "publish", "2018-09-13 10:00:00"), thumbnail, &text),
        item((9, "a", "inherit", "2018-09-13 10:00:00"), attachment, ""),
    ];
    put(folder.path(), "export.xml", file(&items));
    let import = PostImport {
        system: System::Wordpress,
        file: at.clone(),
        pictures: PictureSource { folder: Some(uploads.clone()), is_fetching: true },
        zone: None,
        is_drafts: false,
        is_dry_run: false,
    };
    let report =
        posts::run(&server.app.importer, &server.creator.actor, &import, &NoProgress).await.expect("it runs");
    assert_eq!((report.created, report.pictures), (1, 2), "{report:?}");
    let warnings = report.lines().join("\n");
    assert!(warnings.contains("http://127.0.0.1:9/b.png stays there: the address"), "{warnings}");
    let page = server.as_anonymous().get("/site/cups").await.text;
    assert!(page.contains("<figcaption>Our cup</figcaption>") && page.contains("class=\"cover\""), "{page}");
    assert_eq!(page.matches("src=\"/media/").count(), 3, "{page}");
    let again =
        posts::run(&server.app.importer, &server.creator.actor, &import, &NoProgress).await.expect("it runs");
    assert_eq!((again.created, again.updated, again.unchanged), (0, 0, 1), "{again:?}");
}

async fn a_changed_post_is_a_new_revision_and_changes_at_the_desk_are_kept(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("export.xml");
    let one = |text: &str| file(&[item((1, "One", "publish", "2018-09-13 10:00:00"), "", text)]);
    put(folder.path(), "export.xml", one("First"));
    assert_eq!(run(&server, &at, None, false).await.published, 1);
    put(folder.path(), "export.xml", one("Second"));
    let report = run(&server, &at, None, false).await;
    assert_eq!((report.updated, report.published), (1, 1), "{report:?}");
    assert!(server.as_anonymous().get("/site/one").await.text.contains("Second"));
    let list = server.as_creator().get("/api/v1/articles").await.expect(200);
    let path = format!("/api/v1/articles/{}", list["items"][0]["id"].as_str().expect("an id"));
    let edit = serde_json::json!({"body": "By hand", "seen_revision": 2});
    server.as_creator().patch(&path, &edit).await.expect(200);
    put(folder.path(), "export.xml", one("Third"));
    let report = run(&server, &at, None, false).await;
    assert_eq!((report.updated, report.kept.len()), (0, 1), "{report:?}");
}

async fn two_thousand_posts_are_imported_within_a_minute(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("export.xml");
    let mut text = HEAD.to_owned();
    let words = "Some words in <b>a paragraph</b> of a post.\n\n".repeat(20);
    for number in 0..2_000 {
        let title = format!("Post {number}");
        let _ = write!(text, "{}", item((number + 1, &title, "publish", "2018-09-13 10:00:00"), "", &words));
    }
    text.push_str("</channel></rss>");
    put(folder.path(), "export.xml", text);
    let start = Instant::now();
    let report = run(&server, &at, None, false).await;
    assert_eq!((report.created, report.published), (2_000, 2_000));
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    let again = run(&server, &at, None, false).await;
    assert_eq!((again.created, again.unchanged), (0, 2_000));
}

async fn invalid_exports_are_refused_with_a_sentence(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("export.xml");
    let bomb =
        "<?xml version=\"1.0\"?><!DOCTYPE rss [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><rss>&b;</rss>";
    let huge = format!("{HEAD}<item><title>{}</title></item></channel></rss>", "x".repeat(9 * 1024 * 1024));
    let whole = example();
    for (text, why) in [
        (bomb.to_owned(), "DOCTYPE"),
        (huge, "larger than 8 MB"),
        (whole[..whole.len() / 2].to_owned(), "before it is complete"),
        ("<rss><channel></channel></rss>".to_owned(), "no WXR version"),
        ("no xml at all".to_owned(), "before it is complete"),
        (HEAD.replace("</title>", "</titel>"), "cannot be read as XML"),
    ] {
        put(folder.path(), "export.xml", text);
        let import = PostImport {
            system: System::Wordpress,
            file: at.clone(),
            pictures: PictureSource::default(),
            zone: None,
            is_drafts: false,
            is_dry_run: false,
        };
        let refused = posts::run(&server.app.importer, &server.creator.actor, &import, &NoProgress).await;
        let refused = refused.expect_err("it is refused").to_string();
        assert!(refused.contains(why), "{refused}");
    }
    assert_eq!(articles(&server).await.len(), 0);
}
