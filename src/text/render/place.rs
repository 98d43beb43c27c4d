//! The same HTML for another place: with whole addresses in a feed, with names of its own beside other names on a page.

use super::tags::{Piece, Pieces, Tag};
use std::fmt::Write as _;
use url::Url;

/// HTML for a feed: addresses are whole. `page` is the address of the article.
#[must_use]
pub fn absolute(html: &str, page: &str) -> String {
    let Ok(page) = Url::parse(page) else { return html.to_owned() };
    let whole = |address: &str| page.join(address).map_or_else(|_| address.to_owned(), String::from);
    rewritten(html, |_, name, value| match name {
        "href" | "src" | "cite" => Some(whole(value)),
        _ => None,
    })
}

/// HTML for a page with names of its own: those of the text begin with `prefix`.
#[must_use]
pub fn prefixed(html: &str, prefix: &str) -> String {
    rewritten(html, |_, name, value| match (name, value.strip_prefix('#')) {
        ("id", _) => Some(format!("{prefix}{value}")),
        ("href", Some(place)) if !place.is_empty() => Some(format!("#{prefix}{place}")),
        _ => None,
    })
}

/// HTML without its first heading where that says what the title says.
#[must_use]
pub fn without_title<'h>(html: &'h str, title: &str) -> &'h str {
    let mut pieces = Pieces::of(html);
    let Some(Piece::Open(Tag { name, .. })) = pieces.next() else { return html };
    if !name.starts_with('h') || name == "hr" {
        return html;
    }
    let mut words = String::new();
    for piece in pieces.by_ref() {
        match piece {
            Piece::Close(end) if end == name => break,
            Piece::Text(text) => words.push_str(&decoded(text)),
            _ => {}
        }
    }
    let same = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    if same(&words) == same(title) { pieces.rest().trim_ascii_start() } else { html }
}

/// Text with the characters that its entities stand for, of those that the sanitiser writes.
#[must_use]
pub fn decoded(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", "\u{a0}"), ("&amp;", "&")];
    pairs.iter().fold(text.to_owned(), |text, (entity, letter)| text.replace(entity, letter))
}

/// Sanitised HTML with other values of some attributes.
fn rewritten(html: &str, change: impl Fn(&str, &str, &str) -> Option<String>) -> String {
    let mut out = String::with_capacity(html.len() + html.len() / 8);
    for piece in Pieces::of(html) {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Close(name) => {
                let _ = write!(out, "</{name}>");
            }
            Piece::Open(tag) => {
                let _ = write!(out, "<{}", tag.name);
                for (name, value) in &tag.attributes {
                    let _ = match change(&tag.name, name, &decoded(value)) {
                        Some(new) => write!(out, " {name}=\"{}\"", crate::text::html::escape(&new)),
                        None => write!(out, " {name}=\"{value}\""),
                    };
                }
                out.push('>');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_in_feeds_are_whole() {
        let html = r##"<p><a href="#fn-1" id="x">1</a> <img src="a.png?b&amp;c"> <a href="/site/y">y</a> href="z"</p>"##;
        let feed = absolute(html, "https://desk.example/site/a");
        for part in [
            r##"href="https://desk.example/site/a#fn-1" id="x""##,
            r#"src="https://desk.example/site/a.png?b&amp;c""#,
            r#"href="https://desk.example/site/y""#,
            r#" href="z"</p>"#,
        ] {
            assert!(feed.contains(part), "{part} in {feed}");
        }
    }

    #[test]
    fn names_are_prefixed_with_what_leads_to_them() {
        let html = r##"<h2 id="a">b</h2><a href="#a">c</a><a href="https://d.example/#a">e</a>"##;
        let page = prefixed(html, "text-");
        assert_eq!(
            page,
            r##"<h2 id="text-a">b</h2><a href="#text-a">c</a><a href="https://d.example/#a">e</a>"##
        );
    }

    #[test]
    fn a_heading_that_repeats_the_title_is_left_out() {
        let html = "<h2 id=\"a\">Tea &amp; <em>cake</em></h2>\n<p>b</p>";
        assert_eq!(without_title(html, "Tea & Cake"), "<p>b</p>");
        assert_eq!(without_title(html, "Tea"), html);
    }
}
