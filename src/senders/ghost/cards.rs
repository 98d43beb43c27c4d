//! Turns sanitised HTML into what Ghost's editor keeps. Ghost turns HTML into its own format: simple paragraphs,
//! headings, lists, quotes, code, lines and pictures stay themselves. What it would change or drop becomes an HTML card,
//! which it keeps as it is.

use crate::{
    senders::posts::pieces::{Piece, inner, pieces},
    text::render::{
        BARE_LINK_CLASS,
        tags::{Tag, Token, Tokenizer},
    },
};
use serde_json::Value;
use std::collections::HashSet;

/// Comments around the HTML of a card.
const BEGIN: &str = "<!--kg-card-begin: html-->";
const END: &str = "<!--kg-card-end: html-->";

/// Elements in a line of text that Ghost keeps.
const INLINE: [&str; 13] =
    ["a", "b", "br", "code", "del", "em", "i", "mark", "s", "strong", "sub", "sup", "u"];
/// The same with lists and their items.
const IN_LISTS: [&str; 3] = ["li", "ol", "ul"];

/// Returns the text with HTML cards. The last card names `marker` in an element that readers do not see: by it the post
/// is found again.
#[must_use]
pub fn content(html: &str, marker: &str) -> String {
    // A comment would begin or end a card.
    let html = html.replace("<!--", "&lt;!--");
    let linked: HashSet<&str> =
        html.split("href=\"#").skip(1).filter_map(|link| link.split('"').next()).collect();
    let mut text: String = pieces(&html).iter().map(|piece| written(piece, &linked)).collect();
    text.push_str(&card(&format!(r#"<div hidden data-presstime="{marker}"></div>"#)));
    text
}

fn card(html: &str) -> String {
    format!("{BEGIN}{html}{END}")
}

/// Returns the HTML of all cards of a text that [`content`] has returned. Ghost changes what is in no card.
#[must_use]
pub fn sent(content: &str) -> String {
    let cards = content.split(BEGIN).skip(1);
    cards.filter_map(|card| card.split_once(END)).map(|(html, _)| html).collect()
}

/// Returns the HTML of all cards of a text in the format of the editor; `None`: it is in another format.
#[must_use]
pub fn stored(text: &str) -> Option<String> {
    let text: Value = serde_json::from_str(text).ok()?;
    let cards = text.pointer("/root/children")?.as_array()?.iter();
    let cards = cards.filter(|node| node.get("type").and_then(Value::as_str) == Some("html"));
    Some(cards.filter_map(|node| node.get("html").and_then(Value::as_str)).collect())
}

/// `linked`: ids to which links inside the text lead.
fn written(piece: &Piece<'_>, linked: &HashSet<&str>) -> String {
    match &piece.tag {
        None if piece.html.contains('<') => card(piece.html),
        None => format!("<p>{}</p>", piece.html.trim()),
        Some(tag) if is_kept(tag, piece.html, linked) => piece.html.to_owned(),
        Some(_) => card(piece.html),
    }
}

/// Whether Ghost keeps an element.
fn is_kept(tag: &Tag<'_>, html: &str, linked: &HashSet<&str>) -> bool {
    let inside = inner(html);
    match tag.name.as_str() {
        "p" => has_only(html, &["p"]) || is_image(inside),
        // Ghost gives headings ids of its own, to which links inside the text would not lead.
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            has_only(inside, &[]) && !tag.get("id").is_some_and(|id| linked.contains(id))
        }
        "ul" | "ol" => has_only(html, &IN_LISTS),
        "blockquote" => inside.matches("<p").count() == 1 && has_only(html, &["blockquote", "p"]),
        "pre" => has_only(html, &["pre"]),
        "hr" => true,
        "img" => is_image(html),
        _ => false,
    }
}

/// Whether the text has only elements of a line, and these, without attributes that Ghost drops.
fn has_only(html: &str, more: &[&str]) -> bool {
    Tokenizer::of(html).all(|token| match token {
        Token::Open(tag) => {
            let name = tag.name.as_str();
            let is_kept = |attribute: &str| {
                matches!(
                    (name, attribute),
                    ("a", "href" | "rel" | "target" | "title") | ("ol", "start") | ("code", "class")
                )
            };
            (INLINE.contains(&name) || more.contains(&name))
                // A link that may have a card on our site is a paragraph.
                && tag.attributes.iter().all(|(attribute, value)| {
                    is_kept(attribute) || (name == "p" && *value == BARE_LINK_CLASS)
                })
        }
        Token::Text(_) | Token::Close(_) => true,
    })
}

/// Whether it is a picture and nothing else.
fn is_image(html: &str) -> bool {
    let mut tokens = Tokenizer::of(html.trim());
    matches!(tokens.next(), Some(Token::Open(tag)) if tag.name == "img") && tokens.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{senders::posts::prepare::removed, text::linear::assert_linear};

    fn is_card(html: &str) -> bool {
        let all = content(html, "m");
        let (text, end) = all.split_at(all.rfind(BEGIN).unwrap());
        assert!(end.contains(r#"data-presstime="m""#), "{all}");
        match text == card(html) {
            true => true,
            false => {
                assert_eq!(text, html, "unchanged");
                false
            }
        }
    }

    #[test]
    fn what_ghost_keeps_is_no_card() {
        for html in [
            "<p>A <b>b</b> <a href=\"https://a.example/\">c</a><br>d</p>",
            "<p class=\"bare-link\"><a href=\"https://a.example\" rel=\"nofollow noopener\">https://a.example</a></p>",
            "<h2 id=\"a\">A <em>b</em></h2>",
            "<ul><li>A<ul><li>B</li></ul></li></ul>",
            "<ol start=\"3\"><li>A</li></ol>",
            "<blockquote><p>A</p></blockquote>",
            "<pre><code class=\"language-c\">a &lt; b\n</code></pre>",
            "<hr>",
            "<p><img src=\"/a.png\" alt=\"A\" width=\"3\"></p>",
        ] {
            assert!(!is_card(html), "{html}");
        }
    }

    #[test]
    fn what_ghost_would_change_is_a_card() {
        for html in [
            "<table><tbody><tr><td>1</td></tr></tbody></table>",
            "<details><summary>A</summary>B</details>",
            "<p><math><mi>x</mi></math></p>",
            "<p>A <img src=\"/a.png\" alt=\"A\"> b</p>",
            "<p>A<sup id=\"r1\"><a href=\"#n1\">1</a></sup></p>",
            "<ul><li><input type=\"checkbox\" disabled> A</li></ul>",
            "<ul><li><p>A</p></li></ul>",
            "<blockquote><p>A</p><p>B</p></blockquote>",
            "<pre><code><span class=\"k\">if</span></code></pre>",
            "<figure><img src=\"/a.png\"><figcaption>A</figcaption></figure>",
        ] {
            assert!(is_card(html), "{html}");
        }
    }

    #[test]
    fn a_heading_to_which_a_link_leads_keeps_its_id() {
        let all = content("<p><a href=\"#a\">A</a></p><h2 id=\"a\">A</h2><h2 id=\"b\">B</h2>", "m");
        assert!(all.contains(&card("<h2 id=\"a\">A</h2>")), "{all}");
        assert!(!all.contains(&card("<h2 id=\"b\">B</h2>")), "{all}");
        let headings =
            |bytes: usize| (0..bytes / 20).map(|id| format!("<h2 id=\"{id}\">A</h2>")).collect::<String>();
        assert_linear("headings", (50_000, headings), |html| drop(content(html, "m")));
    }

    #[test]
    fn what_the_site_took_out_of_a_card_is_seen() {
        let sent = sent(&content("<p><b>a</b></p><details><summary>A</summary><p>B</p></details>", "m"));
        let kept = "<details><summary>A</summary><p>B</p></details>";
        assert_eq!(sent, format!(r#"{kept}<div hidden data-presstime="m"></div>"#));
        let text = |card: &str| {
            let nodes = serde_json::json!([
                {"type": "paragraph", "children": [{"type": "text", "text": "a"}]},
                {"type": "html", "version": 1, "html": card},
                {"type": "html", "version": 1, "html": r#"<div hidden data-presstime="m"></div>"#},
            ]);
            serde_json::json!({ "root": { "children": nodes } }).to_string()
        };
        assert_eq!(stored(&text(kept)).as_deref(), Some(&*sent));
        assert_eq!(removed(&sent, &stored(&text("<p>A B</p>")).unwrap()), ["details", "summary"]);
        assert_eq!(stored("{\"version\":\"0.3.1\",\"cards\":[]}"), None, "the format of older posts");
    }

    #[test]
    fn nothing_in_a_text_ends_a_card() {
        let html = "<details title=\"<!--kg-card-end: html-->\"><summary>A</summary></details>";
        let all = content(html, "m");
        assert_eq!((all.matches("<!--kg-card-end").count(), all.matches("<!--").count()), (2, 4), "{all}");
        assert_eq!(
            content("", "m").matches("<!--kg-card-begin").count(),
            1,
            "an empty text has a marker, too"
        );
    }
}
