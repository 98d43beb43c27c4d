//! The conversion of HTML.

use super::*;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

fn budget() -> Budget {
    Budget::new(Duration::from_secs(60), CancellationToken::new())
}

fn to_markdown(html: &str, reading: &Reading) -> Result<Converted, Limit> {
    super::to_markdown(html, reading, &budget())
}

fn convert(html: &str) -> String {
    to_markdown(html, &Reading::default()).unwrap().markdown
}

#[test]
fn texts_lists_quotes_and_code_are_converted() {
    for (html, markdown) in [
        (
            "<p>One <b>bold</b> and <em>two </em>words.</p><p>Next</p>",
            "One **bold** and *two* words.\n\nNext\n",
        ),
        ("<h2>A <i>b</i></h2>text", "## A *b*\n\ntext\n"),
        ("a<br>b<br/>", "a\\\nb\n"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n  - c\n"),
        ("<ol start=3><li><p>a</p><p>b</p></li></ol>", "3. a\n\n   b\n"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b\n"),
        (
            "<pre class=\"language-rust\"><code>let a = &lt;1&gt;;\n  b</code></pre>",
            "```rust\nlet a = <1>;\n  b\n```\n",
        ),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````\n"),
        ("<p>x <code>a `b`</code></p>", "x `` a `b` ``\n"),
        ("<p><a href=\"https://a.example/(x)\">a [b]</a></p>", "[a \\[b\\]](https://a.example/%28x%29)\n"),
        ("<p><a href=\"javascript:alert(1)\">a</a></p>", "a\n"),
        (
            "<table><tr><th>a</th><th>b|c</th></tr><tr><td>1</td></tr></table>",
            "| a | b\\|c |\n| --- | --- |\n| 1 |  |\n",
        ),
        (
            "<p>1. no list</p><p># no</p><p>- no</p><p>*a* _b_ c_d &lt;e&gt;</p>",
            "1\\. no list\n\n\\# no\n\n\\- no\n\n\\*a\\* \\_b\\_ c_d \\<e>\n",
        ),
        (
            "<iframe src=\"//www.youtube.com/embed/abc?x=1\"></iframe>",
            "<https://www.youtube.com/watch?v=abc>\n",
        ),
        ("<script>x</script><style>y</style>", ""),
    ] {
        assert_eq!(convert(html), markdown, "{html}");
    }
}

#[test]
fn blank_lines_are_paragraphs_in_texts_of_the_classic_editor() {
    let reading = Reading { keeps_lines: true, ..Reading::default() };
    let text = to_markdown("One\ntwo\n\n<strong>Three</strong>\n<h2>Four</h2>\nFive", &reading).unwrap();
    assert_eq!(text.markdown, "One\\\ntwo\n\n**Three**\n\n## Four\n\nFive\n");
}

#[test]
fn pictures_captions_and_galleries_are_converted() {
    let pictures = [("https://a.example/x.png".to_owned(), "/media/x".to_owned())].into();
    let base = Url::parse("https://a.example/post/").ok();
    let reading = Reading { pictures, base, keeps_lines: false };
    let of = |html: &str| to_markdown(html, &reading).unwrap().markdown;
    assert_eq!(of("<p><img src=\"/x.png\" alt=\"An [x]\"></p>"), "![An \\[x\\]](/media/x)\n");
    let figure = "<figure class=\"wp-block-image\"><img src=\"/x.png\" alt=\"a\"/><figcaption>B &amp; <b>c</b></figcaption></figure>";
    assert_eq!(
        of(figure),
        "<figure>\n<img src=\"/media/x\" alt=\"a\">\n<figcaption>B &amp; c</figcaption>\n</figure>\n"
    );
    let gallery = format!("<figure class=\"wp-block-gallery\">{figure}{figure}</figure>");
    assert_eq!(of(&gallery).matches("<figure>").count(), 2);
    assert_eq!(super::pictures(&gallery, reading.base.as_ref(), &budget()).len(), 1);
}

#[test]
fn too_much_nesting_is_refused_and_some_is_flattened() {
    assert_eq!(to_markdown(&"<div>".repeat(5_000), &Reading::default()), Err(Limit::Depth));
    assert_eq!(to_markdown(&"x".repeat(MAX_HTML_BYTES + 1), &Reading::default()), Err(Limit::Size));
    let deep = format!("{}deep{}", "<blockquote>".repeat(500), "</blockquote>".repeat(500));
    let text = convert(&deep);
    assert!(text.contains("deep") && text.len() < 500, "{text}");
}

#[test]
fn a_tag_with_many_attributes_is_read_in_linear_time_and_the_report_says_so() {
    let attributes: String = (0..90_000).map(|number| format!(" a{number}=b")).collect();
    let started = Instant::now();
    let converted = to_markdown(&format!("<p{attributes}>Text</p>"), &Reading::default()).unwrap();
    // Unoptimised, on a busy machine; comparing all with all took minutes.
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    assert_eq!(converted.markdown, "Text\n");
    assert_eq!(converted.left_out.len(), 1, "{:?}", converted.left_out);
}

#[test]
fn a_conversion_that_is_cancelled_or_late_ends_within_a_second() {
    // The parser moves each of them out of the table, which takes longer and longer.
    let slow = format!("<table>{}", "<br>".repeat(400_000));
    let gone = CancellationToken::new();
    let cancelled = {
        let (budget, slow) = (Budget::new(Duration::from_secs(600), gone.clone()), slow.clone());
        std::thread::spawn(move || super::to_markdown(&slow, &Reading::default(), &budget))
    };
    let late = Budget::new(Duration::from_millis(300), CancellationToken::new());
    assert_eq!(super::to_markdown(&slow, &Reading::default(), &late), Err(Limit::Time));
    assert!(!cancelled.is_finished(), "it is slow");
    gone.cancel();
    let started = Instant::now();
    assert_eq!(cancelled.join().unwrap(), Err(Limit::Time));
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
}

#[test]
fn text_without_tags_is_read_as_a_parser_reads_it() {
    for (html, text) in [("  a\n b ", "a b"), ("a &amp; <b>b</b>", "a & b"), ("", "")] {
        assert_eq!(plain_text(html, &budget()), text);
    }
}
