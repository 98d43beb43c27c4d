//! Tests of the rendering.

use super::*;
use tokio_util::sync::CancellationToken;

fn html(markdown: &str) -> String {
    render(markdown, &Budget::new(RENDER_TIMEOUT, CancellationToken::new())).unwrap().into_string()
}

fn has(markdown: &str, parts: &[&str]) {
    let out = html(markdown);
    for part in parts {
        assert!(out.contains(part), "{part} is not in {out}");
    }
}

#[test]
fn chinese_emphasis_works_beside_full_width_punctuation() {
    assert_eq!(html("**中文，**字"), "<p><strong>中文，</strong>字</p>\n");
    has(
        "**粗体。**中文 *斜，*文 ~~删。~~字 他说**“你好。”**然后",
        &["<strong>粗体。</strong>", "<em>斜，</em>", "<del>删。</del>", "<strong>“你好。”</strong>"],
    );
}

#[test]
fn headings_are_one_level_lower_and_have_names() {
    assert_eq!(
        html("# One\n\n###### Six\n\n## 安装\n\n# One"),
        "<h2 id=\"one\">One</h2>\n<h6 id=\"six\">Six</h6>\n<h3 id=\"安装\">安装</h3>\n<h2 id=\"one-1\">One</h2>\n"
    );
    assert_eq!(html("<h1>raw</h1>"), "<h2>raw</h2>\n");
    has("# Fn 1\n\na[^1]\n\n[^1]: b", &["<h2 id=\"fn-1-1\">", "<li id=\"fn-1\">", "href=\"#fn-1\""]);
    has("<a id=\"here\"></a><a name='there'></a>", &["<a id=\"here\"", "<a id=\"there\""]);
    assert!(!html("<a id=\"page.main\">x</a><p id=\"y\">z</p>").contains("id="));
    assert_eq!(html("# A\n\n<a id=\"a\">b</a>").matches("id=").count(), 1);
}

#[test]
fn tables_tasks_notes_and_links_are_kept() {
    has(
        "| a |\n|:-:|\n| b |\n\n- [x] done *well*\n- [ ] `to` do\n\n~~old~~ https://a.example note[^1]\n\n[^1]: Note.\n",
        &[
            "<div class=\"table-scroll\" tabindex=\"0\"><table>",
            "<td align=\"center\">b</td>",
            "type=\"checkbox\"",
            "checked",
            "disabled",
            "aria-label=\"done well\"",
            "aria-label=\"to do\"",
            "<del>",
            "id=\"fn-1\"",
            "href=\"#fn-1\"",
            "<a href=\"https://a.example\" rel=\"nofollow noopener\">",
        ],
    );
}

#[test]
fn an_alert_is_a_quote_with_a_label_in_the_language_of_the_text() {
    assert_eq!(
        html("> [!WARNING]\n> Save *first*."),
        "<blockquote>\n<p class=\"alert-warning\"><strong>Warning</strong></p>\n\
         <p>Save <em>first</em>.</p>\n</blockquote>\n"
    );
    for (kind, class, en, zh) in [
        ("NOTE", "alert-note", "Note", "备注"),
        ("tip", "alert-tip", "Tip", "提示"),
        ("Important", "alert-important", "Important", "重要"),
        ("WARNING", "alert-warning", "Warning", "警告"),
        ("CAUTION", "alert-caution", "Caution", "当心"),
    ] {
        let label = |word: &str| format!("<p class=\"{class}\"><strong>{word}</strong></p>");
        has(&format!("> [!{kind}]\n> Some words"), &[&label(en)]);
        has(&format!("`a long piece of code`\n\n> [!{kind}]\n> 先保存正文。"), &[&label(zh)]);
    }
    has("> [!TIP] Try <b>this</b> & that\n> a", &["<strong>Try &lt;b&gt;this&lt;/b&gt; &amp; that</strong>"]);
    has("- a\n\n  > [!NOTE]\n  > - b", &["<li>\n<p>a</p>\n<blockquote>", "alert-note", "<li>b</li>"]);
    let plain = html("> [!OTHER]\n> a\n\n<p class=\"alert-note other\">b</p>");
    assert!(plain.contains("<p>[!OTHER]") && plain.contains("<p class=\"alert-note\">b</p>"), "{plain}");
}

#[test]
fn footnotes_link_there_and_back() {
    for name in ["w", "www", "a_b", "_a_", "__a__", "w_w", "note_1", "wow_x_w", "a-w", "W", "注w", "1w_2"] {
        let out = html(&format!("a[^{name}] *b[^{name}]*\n\n[^{name}]: Note\n"));
        assert_eq!(out.matches("<sup class=\"footnote-ref\"><a href=\"#fn-").count(), 2, "{name}: {out}");
        assert!(!out.contains("[^"), "{name}: {out}");
        assert_eq!(out.matches("footnote-backref").count(), 2, "{name}: {out}");
    }
    let out = html("a[^w_a] b[^w_b] c[^w] d[^W_A]\n\n[^w_a]: A\n\n[^w_b]: B\n\n[^w]: W\n");
    for part in ["href=\"#fn-w_a\" id=\"fnref-w_a\"", "id=\"fn-w_b\"", "id=\"fn-w\"", "id=\"fnref-w_a-2\""] {
        assert!(out.contains(part), "{part} is not in {out}");
    }
}

#[test]
fn a_bare_url_ends_before_chinese_punctuation() {
    for mark in "，。；：！？）】」、》”".chars() {
        has(
            &format!("见 https://a.example/x{mark}然后"),
            &[&format!(
                "<a href=\"https://a.example/x\" rel=\"nofollow noopener\">https://a.example/x</a>{mark}然后"
            )],
        );
    }
    has("（www.a.example）", &["（"]);
    has("看 www.a.example。", &[">www.a.example</a>。", "href=\"http://www.a.example\""]);
    has(
        "https://a.example，https://b.example/c_d。",
        &[">https://a.example</a>，<a", ">https://b.example/c_d</a>。"],
    );
    has("<https://a.example/，x>", &[">https://a.example/，x</a>"]);
    has("[字，](https://a.example/，)", &[">字，</a>"]);
}

#[test]
fn a_line_break_between_chinese_characters_adds_no_space() {
    assert_eq!(html("中文\n中文，\n字 a\n中\nアイ\nab\ncd"), "<p>中文中文，字 a\n中アイ\nab\ncd</p>\n");
    assert_eq!(html("**中**\n*文*\n`a`\n字"), "<p><strong>中</strong><em>文</em>\n<code>a</code>\n字</p>\n");
}

#[test]
fn right_to_left_blocks_have_a_direction() {
    has(
        "مرحبا بالعالم\n\nLatin\n\n- שלום\n\n> سلام",
        &[
            "<p dir=\"auto\">مرحبا",
            "<p dir=\"auto\">Latin",
            "<ul dir=\"rtl\">",
            "<li dir=\"auto\">",
            "<blockquote dir=\"rtl\">",
        ],
    );
    assert!(!html("Latin").contains("dir="));
    has("- שלום\n\n- עולם", &["<ul dir=\"rtl\">", "<li>", "<p dir=\"auto\">שלום"]);
    has("| א |\n|---|\n| ב |", &["tabindex=\"0\" dir=\"rtl\"><table dir=\"rtl\">", "<td dir=\"auto\">"]);
}

#[test]
fn the_class_of_a_code_block_is_its_language_alone() {
    has("```rust\nfn a() {}\n```", &["<pre tabindex=\"0\"><code class=\"language-rust\">"]);
    has("```rust,ignore skip\n```", &["<code class=\"language-rust\">"]);
    for raw in ["language-x skip", "skip language-x", "language-x\tfoot language-y", "language-x&quot;>"] {
        has(&format!("<code class=\"{raw}\">a</code>"), &["<code class=\"language-x\">"]);
    }
    assert!(!html("<code class=\"skip\">a</code>").contains("class"));
}

#[test]
fn raw_html_is_normalized() {
    for (raw, regular) in [
        ("<div><b>a</div>b", "<div><b>a</b></div>b"),
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
        ("<div>a</p></span>b</div>", "<div>ab</div>"),
        ("<div>1 < 2 & 3</div>", "<div>1 &lt; 2 &amp; 3</div>"),
        ("<div title='a\"b<c>'>d</div>", "<div title=\"a&quot;b<c>\">d</div>"),
    ] {
        let out = html(raw).replace('\n', "");
        assert!(out == regular || out == regular.replace("b<c>", "b&lt;c&gt;"), "{out}");
    }
    has("<table><tr><td>a<td>b<tr><td>c</table>", &["<td>a</td><td>b</td></tr><tr><td>c</td></tr>"]);
    has("<table>lost<tr><td>a</td></tr></table>", &["lost"]);
}

#[test]
fn active_content_is_removed() {
    let bad = [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "[a](data:text/html;base64,AAAA)",
        "<a href=\"vbscript:x\">b</a>",
        "<a href=\"jav&#x09;ascript:alert(1)\">b</a>",
        "<svg onload=alert(1)>",
        "<math><mtext><style><img src=x onerror=alert(1)></style>",
        "<iframe src=https://e.example></iframe>",
        "<p style=\"position:fixed\" class=\"x\" id=\"form\">t</p>",
        "<input type=\"image\" src=\"x\" onfocus=alert(1) autofocus>",
        "<form action=/x><button>go</button></form>",
        "</textarea><script>alert(1)</script>",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
        "<xmp><img src=x onerror=alert(1)></xmp>",
        "<b title=\"<script>alert(1)</script>\" onclick='alert(1)'>x</b>",
        "<<script>script>alert(1)</script>",
        "<img src=\"x` `<script>alert(1)</script>\"` `>",
    ];
    for text in bad {
        let out = html(text).to_lowercase();
        let addresses = ["href", "src"];
        let describe = |tag: tags::Tag<'_>| {
            let names = tag.attributes.iter().map(|(name, _)| format!(" {name}="));
            let values = tag.attributes.iter().filter(|(name, _)| addresses.contains(&name.as_str()));
            format!("<{}>{}{:?}", tag.name, names.collect::<String>(), values.collect::<Vec<_>>())
        };
        let tokens = tags::Tokenizer::of(&out);
        let tags: String = tokens
            .filter_map(|token| if let tags::Token::Open(tag) = token { Some(describe(tag)) } else { None })
            .collect();
        for part in [
            "<script>",
            " onerror=",
            " onload=",
            " onfocus=",
            " onclick=",
            "script:",
            "data:",
            "<svg>",
            "<math>",
            "<style>",
            " style=",
            "<iframe>",
            " id=",
            "<form>",
            "<button>",
        ] {
            assert!(!tags.contains(part), "{part} of {text} in {out}");
        }
    }
}
