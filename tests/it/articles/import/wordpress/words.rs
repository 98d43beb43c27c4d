//! Every visible word of a post of WordPress is in its article, or the report names what is left out.

use super::{item, run};
use crate::{
    articles::import::{articles, put},
    on_both,
    test_server::TestServer,
};
use std::collections::{BTreeMap, BTreeSet};

on_both!(every_word_of_a_post_is_in_its_article_or_named);

/// Elements that do not separate words.
const INLINE: [&str; 14] =
    ["a", "abbr", "b", "code", "del", "em", "i", "kbd", "mark", "s", "span", "strong", "sub", "u"];

/// Inputs that lost text elsewhere.
const CASES: [(&str, &str); 3] = [
    ("56", include_str!("cases/56-classic-beside-blocks.xml")),
    ("57", include_str!("cases/57-footnotes.xml")),
    ("62", include_str!("cases/62-bold-cjk.xml")),
];

/// The words that a browser shows of a text of HTML.
pub fn words(html: &str) -> BTreeSet<String> {
    let (mut text, mut rest) = (String::new(), html);
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        if let Some((_, after)) = after.strip_prefix("!--").and_then(|inside| inside.split_once("-->")) {
            text.push(' ');
            rest = after;
            continue;
        }
        let (tag, after) = after.split_once('>').expect("a tag ends");
        let name: String =
            tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        if !INLINE.contains(&name.as_str()) {
            text.push(' ');
        }
        rest = after;
    }
    text.push_str(rest);
    let plain =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    let text = plain.into_iter().fold(text, |text, (entity, letter)| text.replace(entity, letter));
    text.split_whitespace().map(str::to_owned).collect()
}

/// The HTML of a text as the site shows it, before it is sanitised.
pub fn shown(markdown: &str) -> String {
    let mut options = comrak::Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.footnotes = true;
    options.extension.cjk_friendly_emphasis = true;
    options.render.r#unsafe = true;
    comrak::markdown_to_html(markdown, &options)
}

/// The words of a source that the text of its article lacks.
pub fn missing(source: &str, markdown: &str) -> Vec<String> {
    let kept = words(&shown(markdown));
    words(source).into_iter().filter(|word| !kept.contains(word)).collect()
}

/// The content of each item of an export, by its slug.
fn contents(export: &str) -> Vec<(String, String)> {
    let inside = |item: &str, name: &str| {
        let (_, after) = item.split_once(&format!("<{name}>")).expect("the element");
        let (text, _) = after.split_once(&format!("</{name}>")).expect("its end");
        text.trim_start_matches("<![CDATA[").trim_end_matches("]]>").to_owned()
    };
    let items = export.split("<item>").skip(1);
    items.map(|item| (inside(item, "wp:post_name"), inside(item, "content:encoded"))).collect()
}

/// The texts of the articles with these slugs, by their slug.
pub async fn bodies(server: &TestServer, slugs: &[&str]) -> BTreeMap<String, String> {
    let list = server.as_creator().get("/api/v1/articles?limit=200").await.expect(200);
    let mut bodies = BTreeMap::new();
    for row in list["items"].as_array().expect("a list") {
        let slug = row["slug"].as_str().expect("a slug");
        if slugs.contains(&slug) {
            let path = format!("/api/v1/articles/{}", row["id"].as_str().expect("an id"));
            let article = server.as_creator().get(&path).await.expect(200);
            bodies.insert(slug.to_owned(), article["body"].as_str().expect("a text").to_owned());
        }
    }
    bodies
}

/// Posts in which one kind of markup is beside all others.
fn generated() -> String {
    let parts = [
        "<p>Pre<b>bold:</b>post <i>(it)</i>x <del>gone,</del>y</p>",
        "<table><tr><td rowspan=\"2\">cellone</td><td>celltwo</td></tr><tr><td><ul><li>inlist</li></ul></td></tr></table>",
        "<table><tr><th>headone</th><th>headtwo</th></tr><tr><td>2024</td><td>17</td></tr></table>",
        "<div class=\"wp-block-columns\"><div><h3>leftside</h3></div><div><p>rightside</p></div></div>",
        "<div class=\"wp-block-button\"><a href=\"https://old.invalid/buy\">buynow</a></div>",
        "<figure><img src=\"https://old.invalid/a.png\" alt=\"\"><figcaption>caption <a href=\"https://old.invalid/c\">linked</a></figcaption></figure>",
        "<details><summary>summaryword</summary><p>detailword</p></details>",
        "<blockquote><p>quoted</p><cite>citedword</cite></blockquote>",
        "<ol><li>first<ul><li>nested</li></ul></li><li>5~7 and 6~8</li></ol>",
        "<dl><dt>term</dt><dd>definition</dd></dl>",
        "<pre><code>let a = &lt;b&gt;;</code></pre>",
        "<p>a^2: <math alttext=\"a^2\"></math> <button>pressme</button></p>",
    ];
    let mut items = Vec::new();
    for (number, first) in parts.iter().enumerate() {
        for (other, second) in parts.iter().enumerate() {
            let id = 1_000 + number * parts.len() + other;
            let blocks = format!(
                "beside the block\n\n<!-- wp:html -->{first}<!-- /wp:html -->\n\n{second}\n\nlastwords"
            );
            if id.is_multiple_of(7) {
                items.push(item((id, &format!("Mixed {id}"), "publish", "2018-09-13 10:00:00"), "", &blocks));
            }
        }
    }
    super::file(&items)
}

async fn every_word_of_a_post_is_in_its_article_or_named(server: TestServer) {
    let folder = tempfile::tempdir().expect("a folder");
    let (generated, example) = (generated(), super::example());
    let mut cases: Vec<(&str, &str)> = CASES.to_vec();
    cases.extend([("generated", generated.as_str()), ("example", example.as_str())]);
    for (name, export) in cases {
        put(folder.path(), "export.xml", export);
        let report = run(&server, &folder.path().join("export.xml"), None, false).await;
        assert_eq!(report.refused.len(), 0, "{name}: {report:?}");
        let contents = contents(export);
        let slugs: Vec<&str> = contents.iter().map(|(slug, _)| slug.as_str()).collect();
        let bodies = bodies(&server, &slugs).await;
        let lines = report.lines().join("\n");
        for (slug, source) in &contents {
            let Some(body) = bodies.get(slug) else {
                let named = lines.to_lowercase().replace(' ', "-");
                assert!(named.contains(slug), "{name}: {slug} is named: {lines}");
                continue;
            };
            let mut missing = missing(source, body);
            missing.retain(|word| !lines.contains(word.as_str()));
            assert_eq!(missing, [""; 0], "{name}, {slug}: {body}");
        }
    }
    assert!(articles(&server).await.len() > 25);
    let page = async |slug: &str| server.as_anonymous().get(&format!("/site/{slug}")).await.text;
    let classic = page("c56").await;
    for part in ["classic block.</p>", "<p>Second paragraph.<br", "<p>A block", "<p>Third", "<p>Fourth"] {
        assert!(classic.contains(part), "{part}: {classic}");
    }
    let footnotes = page("c57").await;
    for part in ["<em>blue</em> probe", "Only for stoneware", "class=\"footnotes\"", "footnote-ref"] {
        assert!(footnotes.contains(part), "{part}: {footnotes}");
    }
    let marks = page("c62").await;
    for part in [
        "<strong>重要提示：</strong>请注意",
        "<strong>「重点」</strong>内容",
        "<strong>Hinweis:</strong>ohne",
        "<strong>einszwei</strong>",
        "a<strong>(b)</strong>c",
        "https://shop.cases.example/cup",
        "https://video.cases.example/w/1",
    ] {
        assert!(marks.contains(part), "{part}: {marks}");
    }
}
