//! Markdown to HTML that is safe to show.

use ammonia::{Builder, UrlRelative};
use comrak::{
    Options, adapters::HeadingAdapter, adapters::HeadingMeta, markdown_to_html_with_plugins,
    nodes::Sourcepos, options::Plugins,
};
use std::{borrow::Cow, fmt, sync::LazyLock};

/// Sanitised HTML of a text: no scripts, no styles, links that lead only to `http`, `https` and `mailto`.
///
/// Headings are one level lower than written: the only `h1` is the page's title.
#[must_use]
pub fn html(markdown: &str) -> String {
    let mut plugins = Plugins::default();
    plugins.render.heading_adapter = Some(&Lower);
    let raw = markdown_to_html_with_plugins(markdown, &OPTIONS, &plugins);
    SANITISER.clean(&raw).to_string()
}

static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(|| {
    let mut options = Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.cjk_friendly_emphasis = true;
    // Raw HTML may pass here because the sanitiser comes after it.
    options.render.r#unsafe = true;
    options
});

static SANITISER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::default();
    builder
        .url_schemes(["http", "https", "mailto"].into())
        .url_relative(UrlRelative::PassThrough)
        .link_rel(Some("nofollow noopener"))
        .rm_tags(["h1"])
        .add_tags(["input", "section"])
        .add_tag_attributes("input", ["checked", "type"])
        .set_tag_attribute_value("input", "type", "checkbox")
        .set_tag_attribute_value("input", "disabled", "")
        .add_tag_attributes("code", ["class"])
        .add_tag_attributes("a", ["id"])
        .add_tag_attributes("li", ["id"])
        .add_allowed_classes("section", ["footnotes"])
        .add_allowed_classes("sup", ["footnote-ref"])
        .add_allowed_classes("a", ["footnote-backref"])
        .attribute_filter(keep);
    builder
});

/// Of `class` only the language of a code block, of `id` only the ends of footnotes.
fn keep<'v>(element: &str, attribute: &str, value: &'v str) -> Option<Cow<'v, str>> {
    let is_good = match (element, attribute) {
        ("code", "class") => value.starts_with("language-"),
        (_, "id") => value.starts_with("fn-") || value.starts_with("fnref-"),
        _ => true,
    };
    is_good.then(|| value.into())
}

/// Writes headings one level lower.
struct Lower;

impl HeadingAdapter for Lower {
    fn enter(&self, out: &mut dyn fmt::Write, heading: &HeadingMeta, _: Option<Sourcepos>) -> fmt::Result {
        write!(out, "<h{}>", level(heading))
    }

    fn exit(&self, out: &mut dyn fmt::Write, heading: &HeadingMeta) -> fmt::Result {
        writeln!(out, "</h{}>", level(heading))
    }
}

fn level(heading: &HeadingMeta) -> u8 {
    heading.level.saturating_add(1).min(6)
}

#[cfg(test)]
mod tests {
    use super::html;

    #[test]
    fn chinese_emphasis_works_beside_full_width_marks() {
        assert_eq!(html("**中文，**字"), "<p><strong>中文，</strong>字</p>\n");
    }

    #[test]
    fn headings_are_one_level_lower() {
        assert_eq!(html("# One\n\n###### Six"), "<h2>One</h2>\n<h6>Six</h6>\n");
        assert!(!html("<h1>raw</h1>").contains("h1"));
    }

    #[test]
    fn tables_tasks_notes_and_links_are_kept() {
        let out =
            html("| a |\n|:-:|\n| b |\n\n- [x] done\n\n~~old~~ https://a.example note[^1]\n\n[^1]: Note.\n");
        for part in [
            "<td align=\"center\">",
            "type=\"checkbox\"",
            "checked",
            "disabled",
            "<del>",
            "id=\"fn-1\"",
            "href=\"#fn-1\"",
        ] {
            assert!(out.contains(part), "{part} in {out}");
        }
        assert!(out.contains(r#"<a href="https://a.example" rel="nofollow noopener">"#), "{out}");
        assert!(html("```rust\nfn a() {}\n```").contains(r#"<code class="language-rust">"#));
    }

    #[test]
    fn what_could_run_is_dropped() {
        let bad = [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "[a](javascript:alert(1))",
            "[a](data:text/html;base64,AAAA)",
            "<a href=\"vbscript:x\">b</a>",
            "<svg onload=alert(1)>",
            "<math><mtext><style><img src=x onerror=alert(1)></style>",
            "<iframe src=https://e.example></iframe>",
            "<p style=\"position:fixed\" class=\"x\" id=\"form\">t</p>",
            "<input type=\"image\" src=\"x\" onfocus=alert(1) autofocus>",
            "<form action=/x><button>go</button></form>",
            "</textarea><script>alert(1)</script>",
        ];
        for text in bad {
            let out = html(text).to_lowercase();
            for part in [
                "<script",
                "onerror",
                "onload",
                "onfocus",
                "javascript:",
                "data:",
                "vbscript:",
                "<svg",
                "<math",
                "<style",
                "<iframe",
                "style=",
                "id=",
                "<form",
                "<button",
                "type=\"image\"",
            ] {
                assert!(!out.contains(part), "{part} of {text} in {out}");
            }
        }
    }
}
