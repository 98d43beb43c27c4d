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
        "<figure>\n<img src=\"/media/x\" alt=\"a\">\n<figcaption>B &amp; <strong>c</strong></figcaption>\n</figure>\n"
    );
    let gallery = format!("<figure class=\"wp-block-gallery\">{figure}{figure}</figure>");
    assert_eq!(of(&gallery).matches("<figure>").count(), 2);
    assert_eq!(super::pictures(&gallery, reading.base.as_ref(), &budget()).len(), 1);
}

#[test]
fn marks_beside_letters_are_html_where_markdown_does_not_read_them() {
    for (html, markdown) in [
        (
            "<strong>重要提示：</strong>请注意。含<strong>「重点」</strong>内容。",
            "**重要提示：**请注意。含**「重点」**内容。",
        ),
        ("<em>（斜体）</em>后文<del>旧。</del>新", "*（斜体）*后文~~旧。~~新"),
        ("<strong>Hinweis:</strong>ohne", "<strong>Hinweis:</strong>ohne"),
        ("<strong>Hinweis:</strong> mit", "**Hinweis:** mit"),
        ("<b>eins</b><b>zwei</b>", "**einszwei**"),
        ("<b>a<strong>b</strong></b>", "**ab**"),
        (
            "<strong>\"q\"</strong>s, a<strong>(b)</strong>c",
            "<strong>\"q\"</strong>s, a<strong>(b)</strong>c",
        ),
        ("a<b>b</b>c <i>d</i>e", "a**b**c *d*e"),
        ("<i>a</i><b>b</b>", "<em>a</em>**b**"),
        ("<b><i>a</i></b> <i><b>b</b> c</i>", "***a*** ***b** c*"),
        ("x<b><del>a</del></b>", "x<strong><del>a</del></strong>"),
        ("<b>a\\</b>b", "<strong>a\\\\</strong>b"),
        ("<h2>A<b>!</b>b</h2>", "## A<strong>!</strong>b"),
    ] {
        assert_eq!(convert(html), format!("{markdown}\n"), "{html}");
    }
}

#[test]
fn every_mark_of_a_text_is_read_as_it_was_written() {
    let marks = [("b", "strong"), ("i", "em"), ("del", "del")];
    let insides = ["a", "。", "(", "文", "!", "*", "~", "é"];
    let options = {
        let mut options = comrak::Options::default();
        options.extension.strikethrough = true;
        options.extension.cjk_friendly_emphasis = true;
        options.render.r#unsafe = true;
        options
    };
    for (outer, outer_name) in marks {
        for (inner, inner_name) in marks.into_iter().filter(|(inner, _)| *inner != outer) {
            let around =
                [" "].into_iter().chain(insides).flat_map(|first| insides.map(|second| (first, second)));
            for (number, (first, second)) in around.enumerate() {
                let third = insides[number * 3 % insides.len()];
                let html = |outer: &str, inner: &str| {
                    format!(
                        "x{first}<{outer}>{second}y<{inner}>z{third}w</{inner}></{outer}>{first}<{inner}>v{second}u</{inner}>x"
                    )
                };
                let markdown = convert(&html(outer, inner));
                let read = comrak::markdown_to_html(&markdown, &options);
                let words = format!("<p>{}</p>\n", html(outer_name, inner_name));
                assert_eq!(read, words, "{markdown}");
            }
        }
    }
}

#[test]
fn tables_whose_cells_span_others_or_hold_lists_are_html_with_markdown() {
    let table = "<table><tr><th rowspan=2>Year</th><th colspan=2>Sold</th></tr><tr><th>Cups</th><th>*Pots*</th></tr>\
                 <tr><td>2024</td><td></td><td><ul><li>7</li><li>8</li></ul></td></tr></table>";
    assert_eq!(
        convert(table),
        "<table>\n<tr>\n<th rowspan=\"2\">\n\nYear\n\n</th>\n<th colspan=\"2\">\n\nSold\n\n</th>\n</tr>\n<tr>\n<th>\n\nCups\n\n</th>\n\
         <th>\n\n\\*Pots\\*\n\n</th>\n</tr>\n<tr>\n<td>\n\n2024\n\n</td>\n<td></td>\n<td>\n\n- 7\n- 8\n\n</td>\n</tr>\n</table>\n"
    );
    let nested = convert("<table><tr><td>a<table><tr><td>b</td></tr></table></td></tr></table>");
    assert!(nested.contains("\n\na\n\n| b |\n| --- |\n\n</td>"), "{nested}");
}

#[test]
fn footnotes_and_lines_that_importers_mark_are_converted() {
    let note =
        |id: &str, text: &str| format!("<div data-presstime=\"footnote\" data-fn=\"{id}\">{text}</div>");
    let html = format!(
        "<p>a<sup data-fn=\"x\"><a href=\"#x\">1</a></sup></p><div data-presstime=\"lines\">b\nc\n\nd</div><p>e\nf</p>{}{}",
        note("x", "<em>One</em>"),
        note("y", "Two")
    );
    assert_eq!(convert(&html), "a[^1]\n\nb\\\nc\n\nd\n\ne f\n\n[^1]: *One*\n\nTwo\n");
}

#[test]
fn links_around_blocks_and_cards_of_ghost_keep_their_addresses_and_words() {
    for (html, markdown) in [
        (
            "<a href=\"https://a.example/x\"><h2>Title</h2><p>More</p></a>",
            "## [Title](https://a.example/x)\n\nMore\n",
        ),
        (
            "<a href=\"https://a.example/x\"><div><p>See [1]<sup data-fn=\"n\">1</sup></p></div></a><div data-presstime=\"footnote\" data-fn=\"n\">Note</div>",
            "See \\[1\\][^1]\n\n<https://a.example/x>\n\n[^1]: Note\n",
        ),
        ("<a href=\"https://a.example/x\"><ul><li>One</li></ul></a>", "- One\n\n<https://a.example/x>\n"),
        (
            "<a href=\"https://a.example/x\"><div><img src=\"https://a.example/y.png\" alt=\"y\"></div></a>",
            "[![y](https://a.example/y.png)](https://a.example/x)\n",
        ),
        (
            "<figure class=\"kg-card kg-bookmark-card\"><a class=\"kg-bookmark-container\" href=\"https://a.example/kiln\">\
             <div class=\"kg-bookmark-content\"><div class=\"kg-bookmark-title\">The [kiln]</div><div class=\"kg-bookmark-description\">How it burns</div>\
             <div class=\"kg-bookmark-metadata\"><img class=\"kg-bookmark-icon\" src=\"https://a.example/i.png\"><span class=\"kg-bookmark-author\">Ines</span>\
             <span class=\"kg-bookmark-publisher\">Clay</span></div></div><div class=\"kg-bookmark-thumbnail\"><img src=\"https://a.example/t.png\"></div></a>\
             <figcaption>Read it</figcaption></figure>",
            "[The \\[kiln\\]](https://a.example/kiln)\n\nHow it burns\n\nInes · Clay\n\n![](https://a.example/t.png)\n\nRead it\n",
        ),
        (
            "<div class=\"kg-card kg-file-card\"><a class=\"kg-file-card-container\" href=\"https://a.example/f.pdf\" download>\
             <div class=\"kg-file-card-contents\"><div class=\"kg-file-card-title\">Plan</div><div class=\"kg-file-card-caption\">For May</div></div>\
             <div class=\"kg-file-card-icon\"><svg></svg></div></a></div>",
            "[Plan](https://a.example/f.pdf)\n\nFor May\n",
        ),
        (
            "<div class=\"kg-card kg-audio-card\"><div class=\"kg-audio-player-container\"><audio src=\"https://a.example/a.mp3\"></audio>\
             <div class=\"kg-audio-title\">Talk</div><div class=\"kg-audio-player\"><span>0:00</span></div></div></div>",
            "<https://a.example/a.mp3>\n\nTalk\n",
        ),
        (
            "<div class=\"kg-card kg-product-card\"><h4>Cup</h4><div class=\"kg-product-card-rating\">\
             <span class=\"kg-product-card-rating-active kg-product-card-rating-star\"></span><span class=\"kg-product-card-rating-star\"></span></div>\
             <a href=\"https://a.example/buy\"><span>Buy</span></a></div>",
            "#### Cup\n\n★☆\n\n[Buy](https://a.example/buy)\n",
        ),
        (
            "<div class=\"kg-card kg-toggle-card\"><div class=\"kg-toggle-heading\"><h4>Why?</h4><button class=\"kg-toggle-card-icon\"><svg></svg></button></div>\
             <div class=\"kg-toggle-content\"><p>Because.</p></div></div>",
            "#### Why?\n\nBecause.\n",
        ),
        (
            "<div class=\"kg-card kg-cta-card\"><div class=\"kg-cta-image-container\"><a href=\"https://a.example/c\"><img src=\"https://a.example/c.png\"></a></div>\
             <div class=\"kg-cta-text\"><p>Join us</p></div><a class=\"kg-cta-button\" href=\"https://a.example/join\">Join</a></div>",
            "[![](https://a.example/c.png)](https://a.example/c)\n\nJoin us\n\n[Join](https://a.example/join)\n",
        ),
    ] {
        assert_eq!(convert(html), markdown, "{html}");
    }
}

#[test]
fn formulas_icons_buttons_and_links_of_pictures_keep_words_and_addresses() {
    let of = |html: &str| to_markdown(html, &Reading::default()).unwrap();
    let formula = of(
        "<p>So <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> and <math alttext=\"a^2\"><mi>a</mi></math></p>",
    );
    assert_eq!((formula.markdown.as_str(), formula.left_out.len()), ("So `1 2` and `a^2`\n", 1));
    let icon = of(
        "<a href=\"https://a.example/me\"><svg><path d=\"M0\"/></svg></a><button>Order <b>now</b></button>",
    );
    assert_eq!(icon.markdown, "<https://a.example/me> Order **now**\n");
    assert_eq!(icon.left_out.len(), 2, "{:?}", icon.left_out);
    let phone = of("<a href=\"tel:+49\">Call</a><iframe></iframe>");
    assert_eq!((phone.markdown.as_str(), phone.left_out.len()), ("Call\n", 2), "{:?}", phone.left_out);
    let figure = of(
        "<figure><a href=\"https://a.example/shop\"><img src=\"https://a.example/x-300x200.png\" alt=\"\"></a>\
         <figcaption>Buy <a href=\"https://a.example/shop?a&amp;b\">it</a></figcaption></figure>",
    );
    assert_eq!(
        figure.markdown,
        "<figure>\n<a href=\"https://a.example/shop\"><img src=\"https://a.example/x-300x200.png\" alt=\"\"></a>\n\
         <figcaption>Buy <a href=\"https://a.example/shop?a&amp;b\">it</a></figcaption>\n</figure>\n"
    );
    let full = of(
        "<figure><a href=\"https://a.example/x.png\"><img src=\"https://a.example/x-300x200.png\"></a><figcaption>c</figcaption></figure>",
    );
    assert!(!full.markdown.contains("<a "), "it links to itself: {}", full.markdown);
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
