//! An import never makes public what its source does not show to a stranger: generated posts of Ghost and
//! WordPress and Markdown files, each with what a stranger sees of it.

use super::{
    NoProgress, articles,
    export::{article, edit},
    gated::bodies,
    ghost, put, settings, wordpress,
};
use crate::test_server::{Backend, TestServer};
use presstime::{
    imports::importer::{
        self, Import, Report,
        posts::{self, PictureSource, PostImport, System},
    },
    server::export,
    zone::Zone,
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::Path};

/// Number of posts of each system.
const POSTS: usize = 45;
/// A text that no stranger may see.
const HIDDEN: &str = "HIDDENPART";
/// The manual clock starts on 2027-03-01 at 08:00 UTC.
const PAST: &str = "2026-03-02 01:00:00";
const FUTURE: &str = "2027-03-05 01:00:00";
const HOURS_TO_FUTURE: i64 = 89;

/// Deterministic pseudo-random numbers (xorshift).
pub(super) struct Rng(pub(super) u64);

impl Rng {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }

    /// Returns the first more often than the others.
    pub(super) fn first_or<T: Clone>(&mut self, first: T, others: &[T]) -> T {
        if others.is_empty() || self.below(6) > 0 { first } else { self.of(others) }
    }

    pub(super) fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

/// What a stranger sees of a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Now,
    Later,
    Never,
}

impl Seen {
    /// The state of the article.
    fn state(self) -> &'static str {
        match self {
            Self::Now => "published",
            Self::Later => "scheduled",
            Self::Never => "draft",
        }
    }
}

/// What a stranger sees of all posts, by slug.
type Expected = BTreeMap<String, Seen>;

/// A text of Ghost, and whether a stranger sees all of it.
fn ghost_text(rng: &mut Rng) -> (String, bool) {
    let (mut html, mut is_whole) = (String::new(), true);
    let end = "<!--kg-gated-block:end-->";
    for _ in 0..=rng.below(3) {
        let gated = rng.first_or(
            "",
            &[
                "nonMember:false memberSegment:\"status:-free\"",
                "nonMember:false memberSegment:\"status:free,status:-free\"",
                "nonMember:false memberSegment:\"\"",
                "nonMember:true memberSegment:\"\"",
            ],
        );
        let is_for_all = gated.is_empty() || gated.contains("nonMember:true");
        is_whole &= is_for_all;
        let text = if is_for_all { "Words for all." } else { HIDDEN };
        html += &match gated {
            "" => format!("<p>{text}</p>"),
            gated => format!("<!--kg-gated-block:begin {gated} --><div><b>{text}</b></div>{end}"),
        };
    }
    if rng.below(6) == 0 {
        is_whole = false;
        html += &format!("<!--members-only--><p>{HIDDEN}</p>");
    }
    (html, is_whole)
}

fn ghost_posts(rng: &mut Rng, expected: &mut Expected) -> Value {
    let (mut posts, mut details) = (Vec::new(), Vec::new());
    for number in 0..POSTS {
        let slug = format!("ghost-{number}");
        let states =
            ["published", "published", "scheduled", "scheduled", "scheduled", "draft", "sent", "archived"];
        let status = rng.of(&states);
        let readers = rng.first_or("public", &["members", "paid", "tiers", "label:vip", ""]);
        let (html, is_whole) = ghost_text(rng);
        // A post for members is a draft with everything that follows the line.
        let html = match readers {
            "public" => html,
            _ => html.replace(&format!("<!--members-only--><p>{HIDDEN}</p>"), "<p>Words for members.</p>"),
        };
        let mail = rng.first_or(json!(0), &[json!(1), json!(true), json!("1"), json!(false), Value::Null]);
        let is_mail = mail == json!(1) || mail == json!(true) || mail == json!("1");
        let is_later = rng.below(3) > 0;
        let date = if is_later { FUTURE } else { PAST };
        let mut post = json!({
            "id": slug, "title": slug, "slug": slug, "status": status, "html": html, "visibility": readers,
            "type": rng.first_or("post", &["page"]), "published_at": date.replace(' ', "T") + ".000Z",
            "featured": rng.below(2)
        });
        match rng.below(3) {
            0 => post["email_only"] = mail,
            _ => details.push(json!({"post_id": slug, "email_only": mail})),
        }
        let is_open = readers == "public" && is_whole && !is_mail;
        let seen = match status {
            "published" if is_open => Seen::Now,
            "scheduled" if is_open && is_later => Seen::Later,
            _ => Seen::Never,
        };
        expected.insert(slug, seen);
        posts.push(post);
    }
    let mut export = ghost::export("6.1.0");
    export["db"][0]["data"]["posts"] = json!(posts);
    export["db"][0]["data"]["posts_meta"] = json!(details);
    export
}

/// A text of WordPress, and whether a stranger sees all of it.
fn wordpress_text(rng: &mut Rng) -> (String, bool) {
    let (mut text, mut is_whole) = (String::new(), true);
    for _ in 0..=rng.below(3) {
        let gate = rng.first_or(
            "{}",
            &[
                "<!-- wp:premium-content/container -->{}<!-- /wp:premium-content/container -->",
                "<!-- wp:group {\"blockVisibility\":{\"controlSets\":[{\"id\":1}]}} --><div>{}</div><!-- /wp:group -->",
                "[restrict userlevel=\"1\"]{}[/restrict]",
                "[caption]<img src=\"https://a.invalid/x.png\">[members_only]{}[/members_only][/caption]",
                "[wlm_private \"Gold\"]{}[/wlm_private]",
                "[team_member]Words for all.[/team_member]",
                "<!-- wp:acme/team-member -->Words for all.<!-- /wp:acme/team-member -->",
            ],
        );
        let is_for_all = gate == "{}" || !gate.contains("{}");
        is_whole &= is_for_all;
        text += &gate.replace("{}", if is_for_all { "Words for all." } else { HIDDEN });
        text.push_str("\n\n");
    }
    if rng.below(8) == 0 {
        is_whole = false;
        text += &format!("<!-- wp:jetpack/paywall /-->{HIDDEN}");
    }
    (text, is_whole)
}

/// The elements of a post's time, and whether it is later. Some have no UTC time: the site is in Shanghai.
fn wordpress_time(rng: &mut Rng) -> (String, String, bool) {
    let is_later = rng.below(3) > 0;
    let (utc, local) = match is_later {
        true => (FUTURE, "2027-03-05 09:00:00"),
        false => (PAST, "2026-03-02 09:00:00"),
    };
    let utc = rng.first_or(utc, &["0000-00-00 00:00:00", "-0001-11-30 00:00:00"]);
    (utc.to_owned(), format!("<wp:post_date>{local}</wp:post_date>"), is_later)
}

fn wordpress_posts(rng: &mut Rng, expected: &mut Expected) -> String {
    let first = "<wp:post_date>2026-03-02 09:00:00</wp:post_date>";
    let mut items = vec![wordpress::item((1, "Wordpress first", "publish", PAST), first, "Words for all.")];
    expected.insert("wordpress-first".to_owned(), Seen::Now);
    for number in 0..POSTS {
        let title = format!("Wordpress {number}");
        let states =
            ["publish", "publish", "future", "future", "future", "draft", "private", "pending", "secret"];
        let status = rng.of(&states);
        let (text, is_whole) = wordpress_text(rng);
        let (utc, mut more, is_later) = wordpress_time(rng);
        let password = rng.first_or("", &["x", " ", "0"]);
        more += &format!("<wp:post_password><![CDATA[{password}]]></wp:post_password>");
        let (field, value, limits) = rng.first_or(
            ("_edit_last", "1", false),
            &[
                ("_members_access_role", "subscriber", true),
                ("embargo", "2030-01-01", true),
                ("_jetpack_newsletter_access", "subscribers", true),
                ("_jetpack_newsletter_access", "everybody", false),
                ("rcp_user_level", "None", false),
            ],
        );
        more += &format!(
            "<wp:postmeta><wp:meta_key>{field}</wp:meta_key><wp:meta_value>{value}</wp:meta_value></wp:postmeta>"
        );
        more += rng.first_or("", &["<wp:post_type>page</wp:post_type>", "<wp:is_sticky>1</wp:is_sticky>"]);
        let is_open = is_whole && password.is_empty() && !limits;
        let seen = match status {
            "publish" if is_open => Seen::Now,
            "future" if is_open && is_later => Seen::Later,
            _ => Seen::Never,
        };
        items.push(wordpress::item((number + 2, &title, status, &utc), &more, &text));
        expected.insert(title.to_lowercase().replace(' ', "-"), seen);
    }
    wordpress::file(&items)
}

/// A field of front matter, and whether it hides the file.
const FIELDS: [(&str, &str, bool); 24] = [
    ("draft", "true", true),
    ("draft", "false", false),
    ("Draft", "\"yes\"", true),
    ("private", "true", true),
    ("private", "false", false),
    ("published", "false", true),
    ("published", "true", false),
    ("unlisted", "true", true),
    ("unlisted", "false", false),
    ("embargo", "\"2030-01-01\"", true),
    ("embargo_until", "\"soon\"", true),
    ("embargo", "false", false),
    ("status", "\"draft\"", true),
    ("status", "\"published\"", false),
    ("visibility", "\"members\"", true),
    ("visibility", "\"public\"", false),
    ("password", "\"x\"", true),
    ("password", "\"\"", false),
    ("email_only", "true", true),
    ("members_only", "true", true),
    ("access", "\"paid\"", true),
    ("access", "\"public\"", false),
    ("audience", "\"beginners\"", false),
    ("featured", "true", false),
];

fn markdown_files(rng: &mut Rng, folder: &Path, expected: &mut Expected) {
    for number in 0..POSTS {
        let slug = format!("markdown-{number}");
        let mut fields: BTreeMap<&str, &str> = BTreeMap::new();
        let is_later = rng.below(2) == 0;
        let date = if is_later { "\"2027-03-05T01:00:00Z\"" } else { "\"2026-03-02T01:00:00Z\"" };
        for _ in 0..rng.below(3) {
            let (name, value, _) = rng.of(&FIELDS);
            fields.insert(name, value);
        }
        let mut is_hidden = fields.iter().any(|(name, value)| hides(name, value));
        fields.insert("date", date);
        let marks = [("---\n", ": ", "\n---\n"), ("+++\n", " = ", "\n+++\n"), ("{", ": ", "}\n")];
        let (begin, between, end) = rng.of(&marks);
        let is_json = begin == "{";
        let lines = fields.iter().map(|(name, value)| match is_json {
            true => format!("\"{name}\"{between}{value}"),
            false => format!("{name}{between}{value}"),
        });
        let lines = lines.collect::<Vec<_>>().join(if is_json { ",\n" } else { "\n" });
        let place = rng.first_or("", &["_drafts/"]);
        is_hidden |= !place.is_empty();
        let text = if is_hidden { HIDDEN } else { "Words for all." };
        put(folder, &format!("{place}{slug}.md"), format!("{begin}{lines}{end}\n{text}\n"));
        let seen = match (is_hidden, is_later) {
            (true, _) => Seen::Never,
            (false, true) => Seen::Later,
            (false, false) => Seen::Now,
        };
        expected.insert(slug, seen);
    }
}

/// Whether a field hides its file.
fn hides(name: &str, value: &str) -> bool {
    FIELDS.iter().any(|(known, known_value, hides)| *hides && *known == name && *known_value == value)
}

async fn import_posts(server: &TestServer, system: System, file: &Path) -> Report {
    let import = PostImport {
        system,
        file: file.to_path_buf(),
        pictures: PictureSource::default(),
        zone: None,
        is_drafts: false,
        is_dry_run: false,
    };
    posts::run(&server.app.importer, &server.creator.actor, &import, &NoProgress).await.expect("it runs")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_never_makes_public_what_its_source_does_not_show_to_a_stranger() {
    let server = TestServer::start(Backend::Embedded).await;
    let (mut rng, mut expected) = (Rng(0x9E37_79B9_7F4A_7C15), Expected::new());
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    put(at, "ghost.json", ghost_posts(&mut rng, &mut expected).to_string());
    put(at, "wordpress.xml", wordpress_posts(&mut rng, &mut expected));
    markdown_files(&mut rng, &at.join("files"), &mut expected);
    let mut lines = import_posts(&server, System::Ghost(None), &at.join("ghost.json")).await.lines();
    lines.extend(import_posts(&server, System::Wordpress, &at.join("wordpress.xml")).await.lines());
    let files = Import { publish_past: true, ..settings(&at.join("files")) };
    let report = importer::run(&server.app.importer, &server.creator.actor, &files, &NoProgress).await;
    lines.extend(report.expect("it runs").lines());
    let lines = lines.join("\n");
    let found: BTreeMap<_, _> =
        articles(&server).await.into_iter().map(|(slug, _, state)| (slug, state)).collect();
    let states: BTreeMap<_, _> = expected.iter().map(|(slug, seen)| (slug.clone(), seen.state())).collect();
    assert_eq!(found, states, "{lines}");
    for seen in [Seen::Now, Seen::Later, Seen::Never] {
        let count = expected.values().filter(|one| **one == seen).count();
        assert!(count >= 12, "{count} posts that are seen {seen:?}: the test shows little");
    }
    // Parts that are not for everyone are in no text; a file that is hidden as a whole is a draft.
    let posts = bodies(&server).await;
    let hidden = posts.iter().filter(|body| body.contains(HIDDEN)).count();
    let whole = expected.iter().filter(|(slug, seen)| slug.starts_with("markdown") && **seen == Seen::Never);
    assert_eq!(hidden, whole.count(), "{lines}");
    // Nothing else becomes public when the time comes.
    server.advance(HOURS_TO_FUTURE * 3_600_000).await;
    for (slug, _, state) in articles(&server).await {
        let is_public = expected.get(&slug).is_some_and(|seen| *seen != Seen::Never);
        assert_eq!(state == "published", is_public, "{slug}: {lines}");
    }
    for (slug, seen) in expected {
        let page = server.as_anonymous().get(&format!("/site/{slug}")).await;
        let status = if seen == Seen::Never { 404 } else { 200 };
        assert_eq!(page.status, status, "{slug}: {lines}");
        assert!(!page.text.contains(HIDDEN), "{slug}");
    }
}

#[tokio::test]
async fn releases_and_revisions_of_a_changed_export_are_named_and_not_public() {
    let server = TestServer::start(Backend::Embedded).await;
    for title in ["One", "Two", "Three"] {
        let id = article(&server, &json!({"title": title, "body": "text"})).await;
        edit(&server, &id, &json!({"body": "newer", "seen_revision": 1})).await;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("export");
    export::run(&server.app, &at).await.expect("it is written");
    let path = at.join("presstime.json");
    let mut manifest: Value =
        serde_json::from_str(&fs::read_to_string(&path).expect("a manifest")).expect("JSON");
    let later = server.time_after(86_400_000);
    let publish = |slug: &str| json!({"slug": slug, "action": "publish", "revision": 1});
    manifest["releases"] = json!([
        {"name": "No number", "date": later, "items": [{"slug": "one", "action": "publish"}]},
        {"name": "Without one", "date": later, "items": [publish("two"), publish("gone")]},
        {"name": "Past", "date": "2020-01-01T00:00:00Z", "items": [publish("three")]},
        {"name": "Some day", "date": "soon", "items": [publish("one")]},
        {"name": "Many", "date": later, "items": vec![publish("one"); 201]},
    ]);
    fs::write(&path, manifest.to_string()).expect("it is written");
    let path = at.join("articles/one.md");
    let text = fs::read_to_string(&path).expect("a file");
    let text: Vec<&str> = text.lines().filter(|line| !line.starts_with("revision:")).collect();
    fs::write(&path, text.join("\n")).expect("it is written");
    fs::write(at.join("revisions/lost.jsonl"), "").expect("it is written");
    let other = TestServer::start(server.backend).await;
    other.advance(60_000).await;
    let import = Import::new(at, Zone::UTC);
    let report =
        importer::run(&other.app.importer, &other.admin.actor, &import, &NoProgress).await.expect("it runs");
    assert_eq!((report.created, report.published, report.scheduled), (3, 0, 0), "{report:?}");
    let lines = report.lines().join("\n");
    for part in [
        "“No number” does not say which text of one it publishes",
        "“No number” is not as it was: it is not scheduled",
        "“Without one” has no article gone any more",
        "“Without one” is not as it was: it is not scheduled",
        "“Past” is not as it was",
        "“Some day” is not as it was: it is not scheduled, because soon is no time",
        "“Many” is not as it was: it has more than 200 articles",
        "its other revisions are left out: the file does not say which one it has",
        "left out 1 revisions without an article: revisions/lost.jsonl",
    ] {
        assert!(lines.contains(part), "{part}: {lines}");
    }
    let tasks = other.as_admin().get("/api/v1/tasks?kind=release.publish").await.expect(200);
    assert_eq!(tasks["items"], json!([]));
}
