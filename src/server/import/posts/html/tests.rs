//! The conversion of HTML.

use super::*;

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
    assert_eq!(super::pictures(&gallery, reading.base.as_ref()).len(), 1);
}

#[test]
fn too_much_nesting_is_refused_and_some_is_flattened() {
    assert_eq!(to_markdown(&"<div>".repeat(5_000), &Reading::default()), None);
    assert_eq!(to_markdown(&"x".repeat(MAX_HTML_BYTES + 1), &Reading::default()), None);
    let deep = format!("{}deep{}", "<blockquote>".repeat(500), "</blockquote>".repeat(500));
    let text = convert(&deep);
    assert!(text.contains("deep") && text.len() < 500, "{text}");
}
