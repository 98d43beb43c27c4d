//! Turns sanitised HTML into blocks of the WordPress editor.

use crate::{
    senders::posts::pieces::{Piece, inner, pieces},
    text::render::tags::{Tag, Token, Tokenizer},
};
use serde_json::{Map, Value, json};

/// A block: its name, attributes and HTML.
struct Block {
    name: &'static str,
    attributes: Map<String, Value>,
    html: String,
}

/// Returns the blocks of a text. The first one names `marker`, which readers do not see: by it the post is found
/// again. Nothing in the text begins a block or a shortcode, which the site would run.
#[must_use]
pub fn blocks(html: &str, marker: &str) -> String {
    let mut all: Vec<Block> = pieces(html).iter().map(block).collect();
    if all.is_empty() {
        all.push(Block { name: "paragraph", attributes: Map::new(), html: "<p></p>".to_owned() });
    }
    if let Some(first) = all.first_mut() {
        first.attributes.insert("metadata".to_owned(), json!({ "name": marker }));
    }
    all.iter().map(Block::written).collect::<Vec<_>>().join("\n\n")
}

impl Block {
    fn new(name: &'static str, attributes: &[(&str, Value)], html: String) -> Self {
        let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Self { name, attributes, html }
    }

    fn written(&self) -> String {
        let name = self.name;
        let html = self.html.replace("<!--", "&lt;!--").replace('[', "&#91;");
        let attributes = match self.attributes.is_empty() {
            true => String::new(),
            false => format!("{} ", Value::Object(self.attributes.clone())),
        };
        format!("<!-- wp:{name} {attributes}-->\n{html}\n<!-- /wp:{name} -->")
    }
}

fn block(piece: &Piece<'_>) -> Block {
    let whole = || Block::new("html", &[], piece.html.to_owned());
    let Some(tag) = &piece.tag else {
        return Block::new("paragraph", &[], format!("<p>{}</p>", piece.html.trim()));
    };
    let inner = inner(piece.html);
    match tag.name.as_str() {
        "p" => match only_image(inner) {
            Some(image) => Block::new("image", &[], image),
            None => Block::new("paragraph", &[], format!("<p>{inner}</p>")),
        },
        "img" => match only_image(piece.html) {
            Some(image) => Block::new("image", &[], image),
            None => whole(),
        },
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => heading(tag, inner),
        // A list of tasks has boxes, for which there is no block.
        "ul" | "ol" if inner.contains("<input") => whole(),
        "ul" => Block::new("list", &[], format!("<ul>{inner}</ul>")),
        "ol" => ordered_list(tag, inner),
        "pre" => code(inner),
        "blockquote" => {
            Block::new("quote", &[], format!(r#"<blockquote class="wp-block-quote">{inner}</blockquote>"#))
        }
        "table" => Block::new(
            "table",
            &[],
            format!(r#"<figure class="wp-block-table"><table>{inner}</table></figure>"#),
        ),
        "hr" => Block::new(
            "separator",
            &[],
            r#"<hr class="wp-block-separator has-alpha-channel-opacity"/>"#.to_owned(),
        ),
        _ => whole(),
    }
}

fn heading(tag: &Tag<'_>, inner: &str) -> Block {
    let name = &tag.name;
    let level: u8 = name.trim_start_matches('h').parse().unwrap_or(2);
    let id = tag.get("id").map(|id| format!(r#" id="{id}""#)).unwrap_or_default();
    let attributes = (level != 2).then(|| ("level", json!(level)));
    Block::new("heading", attributes.as_slice(), format!("<{name}{id}>{inner}</{name}>"))
}

fn ordered_list(tag: &Tag<'_>, inner: &str) -> Block {
    let start = tag.get("start").and_then(|start| start.parse::<u32>().ok()).filter(|start| *start != 1);
    let mut attributes = vec![("ordered", json!(true))];
    attributes.extend(start.map(|start| ("start", json!(start))));
    let start = start.map(|start| format!(r#" start="{start}""#)).unwrap_or_default();
    Block::new("list", &attributes, format!("<ol{start}>{inner}</ol>"))
}

fn code(preformatted: &str) -> Block {
    let text = if preformatted.starts_with("<code") { inner(preformatted) } else { preformatted };
    Block::new("code", &[], format!(r#"<pre class="wp-block-code"><code>{text}</code></pre>"#))
}

/// Returns the picture of a paragraph that has nothing else; `None`: it has something else.
fn only_image(inner: &str) -> Option<String> {
    let mut tokens = Tokenizer::of(inner.trim());
    let Some(Token::Open(image)) = tokens.next() else { return None };
    if image.name != "img" || tokens.next().is_some() {
        return None;
    }
    let (src, alt) = (image.get("src")?, image.get("alt").unwrap_or_default());
    Some(format!(r#"<figure class="wp-block-image"><img src="{src}" alt="{alt}"/></figure>"#))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(html: &str) -> String {
        let all = blocks(html, "m");
        assert!(all.contains(r#""metadata":{"name":"m"}"#), "{all}");
        all.replace(r#" {"metadata":{"name":"m"}}"#, "").replace(r#","metadata":{"name":"m"}"#, "")
    }

    #[test]
    fn each_element_becomes_its_block() {
        for (html, block) in [
            ("<p>A <b>b</b></p>", "<!-- wp:paragraph -->\n<p>A <b>b</b></p>\n<!-- /wp:paragraph -->"),
            (
                "<p class=\"bare-link\"><a href=\"https://a.example\">https://a.example</a></p>",
                "<!-- wp:paragraph -->\n<p><a href=\"https://a.example\">https://a.example</a></p>\n<!-- /wp:paragraph -->",
            ),
            ("<h2>A</h2>", "<!-- wp:heading -->\n<h2>A</h2>\n<!-- /wp:heading -->"),
            (
                "<h3 id=\"a\">A</h3>",
                "<!-- wp:heading {\"level\":3} -->\n<h3 id=\"a\">A</h3>\n<!-- /wp:heading -->",
            ),
            (
                "<ul><li>A<ul><li>B</li></ul></li></ul>",
                "<!-- wp:list -->\n<ul><li>A<ul><li>B</li></ul></li></ul>\n<!-- /wp:list -->",
            ),
            (
                "<pre><code class=\"language-c\">a[0]\n</code></pre>",
                "<!-- wp:code -->\n<pre class=\"wp-block-code\"><code>a&#91;0]\n</code></pre>\n<!-- /wp:code -->",
            ),
            (
                "<p><img src=\"/a.png\" alt=\"A\" width=\"3\"></p>",
                "<!-- wp:image -->\n<figure class=\"wp-block-image\"><img src=\"/a.png\" alt=\"A\"/></figure>\n<!-- /wp:image -->",
            ),
            (
                "<table><tbody><tr><td>1</td></tr></tbody></table>",
                "<!-- wp:table -->\n<figure class=\"wp-block-table\"><table><tbody><tr><td>1</td></tr></tbody></table></figure>\n<!-- /wp:table -->",
            ),
            (
                "<blockquote><p>A</p></blockquote>",
                "<!-- wp:quote -->\n<blockquote class=\"wp-block-quote\"><p>A</p></blockquote>\n<!-- /wp:quote -->",
            ),
            (
                "<details><summary>A</summary>B</details>",
                "<!-- wp:html -->\n<details><summary>A</summary>B</details>\n<!-- /wp:html -->",
            ),
            ("", "<!-- wp:paragraph -->\n<p></p>\n<!-- /wp:paragraph -->"),
        ] {
            assert_eq!(written(html), block, "{html}");
        }
    }

    #[test]
    fn blocks_follow_the_order_of_the_text_and_only_the_first_has_the_marker() {
        let all = blocks("<p>1</p>\n<hr>\nloose <p>2</p>", "presstime-1");
        let names: Vec<&str> = all.lines().filter(|line| line.starts_with("<!-- wp:")).collect();
        assert_eq!(
            names,
            [
                "<!-- wp:paragraph {\"metadata\":{\"name\":\"presstime-1\"}} -->",
                "<!-- wp:separator -->",
                "<!-- wp:paragraph -->",
                "<!-- wp:paragraph -->",
            ]
        );
        assert_eq!(all.matches("presstime-1").count(), 1);
    }

    #[test]
    fn nothing_in_a_text_begins_a_shortcode_or_a_block() {
        let html = "<p>[gallery ids=\"1\"]</p><p>a <a href=\"/b\" title=\"<!-- wp:rss /--> [c]\">c</a></p>\
            <ul><li>[d]</li></ul><details><summary>[e]</summary></details>";
        let all = written(html);
        assert!(!all.contains('['), "{all}");
        assert_eq!((all.matches("<!-- wp:").count(), all.matches("<!--").count()), (4, 8), "{all}");
    }

    #[test]
    fn an_ordered_list_keeps_its_start() {
        let all = written("<ol start=\"3\"><li>A</li></ol>");
        assert!(all.contains(r#"<ol start="3"><li>A</li></ol>"#), "{all}");
        assert!(all.contains(r#""ordered":true"#) && all.contains(r#""start":3"#), "{all}");
    }
}
