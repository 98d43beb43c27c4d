//! Rewrites sanitised HTML: absolute URLs for feeds, prefixed ids for pages.

use super::tags::{Tag, Token, Tokenizer};
use domain::media::address;
use std::fmt::Write as _;
use url::Url;

/// Makes all URLs absolute. `page` is the URL of the article.
#[must_use]
pub fn absolute_urls(html: &str, page: &str) -> String {
    let Ok(page) = Url::parse(page) else { return html.to_owned() };
    let absolute = |url: &str| page.join(url).map_or_else(|_| url.to_owned(), String::from);
    rewrite_attributes(html, |_, name, value| match name {
        "href" | "src" | "cite" => Some(absolute(value)),
        "srcset" => Some(each_candidate(value, absolute)),
        _ => None,
    })
}

/// Applies a function to each URL of a `srcset` that [`super::pictures`] wrote.
fn each_candidate(srcset: &str, change: impl Fn(&str) -> String) -> String {
    let one = |candidate: &str| match candidate.split_once(' ') {
        Some((url, width)) => format!("{} {width}", change(url)),
        None => change(candidate),
    };
    srcset.split(", ").map(one).collect::<Vec<_>>().join(", ")
}

/// Adds `prefix` to all ids and to the links to them.
#[must_use]
pub fn prefix_ids(html: &str, prefix: &str) -> String {
    rewrite_attributes(html, |_, name, value| match (name, value.strip_prefix('#')) {
        ("id", _) => Some(format!("{prefix}{value}")),
        ("href", Some(id)) if !id.is_empty() => Some(format!("#{prefix}{id}")),
        _ => None,
    })
}

/// Adds a query to the addresses of files of the media library.
#[must_use]
pub fn with_media_query(html: &str, query: &str) -> String {
    rewrite_attributes(html, |_, name, value| match name {
        "href" | "src" if is_media_path(value) => Some(media_with_query(value, query)),
        "srcset" => Some(each_candidate(value, |url| media_with_query(url, query))),
        _ => None,
    })
}

/// Adds a query to the address of a file of the media library; leaves other addresses.
#[must_use]
pub fn media_with_query(url: &str, query: &str) -> String {
    if !is_media_path(url) {
        return url.to_owned();
    }
    let (file, part) = url.split_at(url.find('#').unwrap_or(url.len()));
    format!("{file}{}{query}{part}", if file.contains('?') { '&' } else { '?' })
}

fn is_media_path(url: &str) -> bool {
    address::parse(url).is_some_and(|found| found.is_path())
}

/// Removes the first heading if it repeats the title.
#[must_use]
pub fn without_title<'h>(html: &'h str, title: &str) -> &'h str {
    let mut tokens = Tokenizer::of(html);
    let Some(Token::Open(Tag { name, .. })) = tokens.next() else { return html };
    if !name.starts_with('h') || name == "hr" {
        return html;
    }
    let mut words = String::new();
    for token in tokens.by_ref() {
        match token {
            Token::Close(end) if end == name => break,
            Token::Text(text) => words.push_str(&decode_entities(text)),
            _ => {}
        }
    }
    let same = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    if same(&words) == same(title) { tokens.rest().trim_ascii_start() } else { html }
}

/// Decodes the entities that the sanitiser writes.
#[must_use]
pub fn decode_entities(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", "\u{a0}"), ("&amp;", "&")];
    pairs.iter().fold(text.to_owned(), |text, (entity, letter)| text.replace(entity, letter))
}

/// Replaces the values of some attributes of sanitised HTML.
fn rewrite_attributes(html: &str, change: impl Fn(&str, &str, &str) -> Option<String>) -> String {
    rewrite_escaped(html, |tag, name, value| {
        change(tag, name, &decode_entities(value)).map(|new| crate::text::html::escape(&new))
    })
}

/// Like [`rewrite_attributes`], with values as they are written: with entities.
pub(super) fn rewrite_escaped(html: &str, change: impl Fn(&str, &str, &str) -> Option<String>) -> String {
    let mut out = String::with_capacity(html.len() + html.len() / 8);
    for token in Tokenizer::of(html) {
        match token {
            Token::Text(text) => out.push_str(text),
            Token::Close(name) => {
                let _ = write!(out, "</{name}>");
            }
            Token::Open(tag) => {
                let _ = write!(out, "<{}", tag.name);
                for (name, value) in &tag.attributes {
                    let new = change(&tag.name, name, value);
                    let _ = write!(out, " {name}=\"{}\"", new.as_deref().unwrap_or(value));
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
    fn files_of_the_library_get_a_query() {
        let of = |html: &str| html.replace("HASH", &"0a".repeat(32));
        let html = of(
            r#"<img src="/media/HASH/1x1.png" srcset="/media/HASH/480.webp 480w, https://x.example/b.png 500w">
            <a href="/site/y">/media/HASH</a> <a href="/media/HASH/file.pdf?a#page=2">d</a>"#,
        );
        let with = of(
            r#"<img src="/media/HASH/1x1.png?k=v" srcset="/media/HASH/480.webp?k=v 480w, https://x.example/b.png 500w">
            <a href="/site/y">/media/HASH</a> <a href="/media/HASH/file.pdf?a&amp;k=v#page=2">d</a>"#,
        );
        assert_eq!(with_media_query(&html, "k=v"), with);
    }

    #[test]
    fn urls_in_feeds_are_absolute() {
        let html = r##"<p><a href="#fn-1" id="x">1</a> <img src="a.png?b&amp;c"> <a href="/site/y">y</a> href="z"</p>
            <img srcset="/m/480.webp 480w, /m/1x1.png 500w">"##;
        let feed = absolute_urls(html, "https://desk.example/site/a");
        for part in [
            r##"href="https://desk.example/site/a#fn-1" id="x""##,
            r#"src="https://desk.example/site/a.png?b&amp;c""#,
            r#"href="https://desk.example/site/y""#,
            r#" href="z"</p>"#,
            r#"srcset="https://desk.example/m/480.webp 480w, https://desk.example/m/1x1.png 500w""#,
        ] {
            assert!(feed.contains(part), "{part} in {feed}");
        }
    }

    #[test]
    fn ids_and_links_to_them_are_prefixed() {
        let html = r##"<h2 id="a">b</h2><a href="#a">c</a><a href="https://d.example/#a">e</a>"##;
        let page = prefix_ids(html, "text-");
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
