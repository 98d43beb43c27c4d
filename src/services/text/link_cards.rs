//! Cards of links: a paragraph of a rendered text that is only an address shows what its page says. They are
//! put into pages of the site and the preview; the stored text, feeds and mails keep the link.

use super::{
    html::escape,
    render::{
        BARE_LINK_CLASS, decode_entities,
        tags::{Token, Tokenizer},
    },
};
use store::link_card::LinkCard;
use url::Url;

/// Maximum number of cards of a text.
pub const MAX_CARDS: usize = 20;
/// Maximum length of an address with a card, bytes.
const MAX_ADDRESS_BYTES: usize = 2_000;

/// A paragraph that is only a link.
struct Place<'h> {
    begin: usize,
    end: usize,
    /// Its address, with entities.
    href: &'h str,
}

/// Whether a text may have cards.
#[must_use]
pub fn may_have_cards(html: &str) -> bool {
    html.contains(BARE_LINK_CLASS)
}

/// Returns the first addresses of sanitised HTML that may have a card, without those of the site at `own`.
#[must_use]
pub fn addresses(html: &str, own: &str) -> Vec<String> {
    let own = Url::parse(own).ok();
    let mut found: Vec<String> = Vec::new();
    for place in places(html) {
        let url = decode_entities(place.href);
        if !found.contains(&url) && is_external(&url, own.as_ref()) {
            found.push(url);
        }
        if found.len() == MAX_CARDS {
            break;
        }
    }
    found
}

/// Puts the cards into sanitised HTML, in the places of their links.
#[must_use]
pub fn with_cards(html: &str, cards: &[LinkCard]) -> String {
    let (mut out, mut copied) = (String::with_capacity(html.len()), 0);
    let places = if cards.is_empty() { Vec::new() } else { places(html) };
    for place in places {
        let url = decode_entities(place.href);
        let Some(found) = cards.iter().find(|card| card.url == url) else { continue };
        out.push_str(html.get(copied..place.begin).unwrap_or_default());
        out.push_str(&card(place.href, found));
        copied = place.end;
    }
    out.push_str(html.get(copied..).unwrap_or_default());
    out
}

fn places(html: &str) -> Vec<Place<'_>> {
    let mut places = Vec::new();
    if !may_have_cards(html) {
        return places;
    }
    let mut tokens = Tokenizer::of(html);
    loop {
        let begin = html.len() - tokens.rest().len();
        let Some(token) = tokens.next() else { break };
        let Token::Open(tag) = token else { continue };
        if tag.name != "p" || tag.get("class") != Some(BARE_LINK_CLASS) {
            continue;
        }
        if let Some((href, after)) = only_link(tokens.rest()) {
            places.push(Place { begin, end: html.len() - after.len(), href });
        }
    }
    places
}

/// Returns the address of the link that is the rest of a paragraph, and what follows the paragraph.
fn only_link(html: &str) -> Option<(&str, &str)> {
    let mut tokens = Tokenizer::of(html);
    let Some(Token::Open(link)) = tokens.next() else { return None };
    let href = link.get("href").filter(|_| link.name == "a")?;
    let Some(Token::Text(_)) = tokens.next() else { return None };
    let is_close =
        |token: Option<Token<'_>>, name: &str| matches!(token, Some(Token::Close(own)) if own == name);
    (is_close(tokens.next(), "a") && is_close(tokens.next(), "p")).then(|| (href, tokens.rest()))
}

/// Whether it is the address of a page that is not of the site at `own`.
fn is_external(address: &str, own: Option<&Url>) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    let is_own = own.is_some_and(|own| (own.host_str(), own.port()) == (url.host_str(), url.port()));
    is_web && !is_own && address.len() <= MAX_ADDRESS_BYTES
}

/// Returns the HTML of a card. Whatever the page calls its site, the card shows the host of the address.
fn card(href: &str, card: &LinkCard) -> String {
    let url = Url::parse(&card.url).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
    let part = |tag: &str, text: &str| match text {
        "" => String::new(),
        text => format!("<{tag} dir=\"auto\">{}</{tag}> ", escape(text)),
    };
    let site = if card.site.is_empty() { host.to_owned() } else { format!("{} · {host}", card.site) };
    format!(
        "<p class=\"link-card\"><a href=\"{href}\" rel=\"nofollow noopener\">{}{}<small dir=\"auto\">{}</small></a></p>",
        part("strong", &card.title),
        part("span", &card.description),
        escape(&site),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::render::{Budget, RENDER_TIMEOUT, render};
    use tokio_util::sync::CancellationToken;

    fn html(markdown: &str) -> String {
        render(markdown, &Budget::new(RENDER_TIMEOUT, CancellationToken::new())).unwrap().into_string()
    }

    fn found(markdown: &str) -> Vec<String> {
        addresses(&html(markdown), "https://desk.example")
    }

    fn card_of(url: &str, title: &str) -> LinkCard {
        let (description, site) = (String::new(), String::new());
        LinkCard { url: url.to_owned(), title: title.to_owned(), description, site }
    }

    #[test]
    fn only_a_paragraph_that_is_an_address_may_have_a_card() {
        let url = "https://a.example/b?c=1&d=2";
        assert_eq!(found(&format!("a\n\n{url}\n\nb\n\n{url}")), [url]);
        assert_eq!(found("http://a.example:8080/é"), ["http://a.example:8080/%C3%A9"]);
        for none in [
            "<https://a.example/b>",
            "[a](https://a.example/b)",
            "[https://a.example/b](https://a.example/b)",
            "see https://a.example/b",
            "https://a.example/b.",
            "https://a.example/b，",
            "https://a.example/b\nhttps://a.example/c",
            "> https://a.example/b",
            "- https://a.example/b",
            "www.a.example",
            "mailto:a@a.example",
            "`https://a.example/b`",
            "    https://a.example/b",
            "https://desk.example/site/a",
            "http://desk.example/site/a",
        ] {
            assert_eq!(found(none), [""; 0], "{none}");
        }
        let many: String = (0..30).map(|number| format!("https://a.example/{number}\n\n")).collect();
        assert_eq!(found(&many).len(), MAX_CARDS);
        assert_eq!(found(&format!("https://a.example/{}", "a".repeat(3_000))), [""; 0]);
    }

    #[test]
    fn a_card_takes_the_place_of_its_link() {
        let text = html("a\n\nhttps://a.example/b?c&d\n\nhttps://b.example");
        let card = LinkCard {
            description: "D".to_owned(),
            site: "<S>".to_owned(),
            ..card_of("https://a.example/b?c&d", "T & \"t\"")
        };
        assert_eq!(
            with_cards(&text, &[card]),
            "<p>a</p>\n<p class=\"link-card\"><a href=\"https://a.example/b?c&amp;d\" rel=\"nofollow noopener\">\
             <strong dir=\"auto\">T &amp; &quot;t&quot;</strong> <span dir=\"auto\">D</span> \
             <small dir=\"auto\">&lt;S&gt; · a.example</small></a></p>\n\
             <p class=\"bare-link\"><a href=\"https://b.example\" rel=\"nofollow noopener\">https://b.example</a></p>\n"
        );
        assert_eq!(with_cards(&text, &[]), text);
    }

    #[test]
    fn nothing_in_a_text_makes_another_element_a_card() {
        for markdown in [
            "<p class=\"bare-link\"><b>https://a.example/b</b></p>",
            "<p class=\"bare-link\"><a href=\"https://a.example/b\">a</a> b</p>",
            "<p class=\"bare-link\"><a href=\"javascript:alert(1)\">a</a></p>",
            "<div class=\"bare-link\"><a href=\"https://a.example/b\">a</a></div>",
            "`<p class=\"bare-link\"><a href=\"https://a.example/b\">a</a></p>`",
            "<b title='<p class=\"bare-link\"><a href=\"https://a.example/b\">a</a></p>'>a</b>",
            "<p class=\"link-card\">a</p>",
        ] {
            let text = html(markdown);
            let shown = with_cards(&text, &[card_of("https://a.example/b", "T")]);
            assert!(!shown.contains("class=\"link-card\""), "{shown}");
            assert_eq!(shown, text);
        }
    }

    #[test]
    fn titles_cannot_leave_their_element() {
        let card =
            card_of("https://a.example/", "</strong></a><script>alert(1)</script><img src=x onerror=y>");
        let shown = with_cards(&html("https://a.example/"), &[card]);
        assert!(!shown.contains("<script") && !shown.contains("<img"), "{shown}");
        assert_eq!((shown.matches("<a ").count(), shown.matches("</a>").count()), (1, 1), "{shown}");
    }
}
