//! The picture of an article's card in networks: its cover, else the first picture of its text.

use crate::text::render::{
    decode_entities,
    tags::{Tag, Token, Tokenizer},
};
use domain::{articles::details::ArticleDetails, media::address::picture_of};

/// Minimum width and height of a picture of the text, in pixels: networks do not show smaller ones.
const MIN_SIDE: u32 = 200;

/// The picture of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardPicture {
    /// Absolute address.
    pub address: String,
    /// Width and height in pixels; `None`: it is none of the library.
    pub size: Option<(u32, u32)>,
    /// Alternative text; may be empty.
    pub alt: String,
}

/// Returns the picture of the card of an article. `html`: its text. `None`: it has no picture.
pub fn of_article(details: &ArticleDetails, html: Option<&str>, public_url: &str) -> Option<CardPicture> {
    if !details.cover.is_empty() {
        return picture(&details.cover, details.cover_alt.clone(), public_url);
    }
    let of_tag = |tag: Tag<'_>| {
        let alt = decode_entities(tag.get("alt").unwrap_or_default());
        picture(&decode_entities(tag.get("src")?), alt, public_url)
    };
    let of_token = |token: Token<'_>| match token {
        Token::Open(tag) if tag.name == "img" => of_tag(tag),
        _ => None,
    };
    let is_shown = |(width, height): (u32, u32)| width.min(height) >= MIN_SIDE;
    Tokenizer::of(html?).filter_map(of_token).find(|picture| picture.size.is_none_or(is_shown))
}

fn picture(address: &str, alt: String, public_url: &str) -> Option<CardPicture> {
    let is_path = address.starts_with('/') && !address.starts_with("//");
    let is_absolute = address.starts_with("https://") || address.starts_with("http://");
    let absolute = if is_path { format!("{public_url}{address}") } else { address.to_owned() };
    let size = picture_of(address).map(|(_, _, width, height)| (width, height));
    (is_path || is_absolute).then_some(CardPicture { address: absolute, size, alt })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address_of(cover: &str, html: &str) -> Option<String> {
        let details = ArticleDetails { cover: cover.to_owned(), ..ArticleDetails::default() };
        of_article(&details, Some(html), "https://desk.example").map(|picture| picture.address)
    }

    #[test]
    fn a_card_has_the_cover_or_the_first_picture_that_is_large_enough() {
        let path = |size: &str| format!("/media/{}/{size}.png", "0a".repeat(32));
        let html = format!(
            "<p><img src=\"{}\" alt=\"icon\"><img src=\"{}\" alt=\"a &amp; b\"></p>",
            path("32x32"),
            path("800x600")
        );
        let found = of_article(&ArticleDetails::default(), Some(&html), "https://desk.example").unwrap();
        assert_eq!(found.address, format!("https://desk.example{}", path("800x600")));
        assert_eq!((found.size, found.alt.as_str()), (Some((800, 600)), "a & b"));
        let small = path("32x32");
        assert_eq!(address_of(&small, &html), Some(format!("https://desk.example{small}")));
        assert_eq!(address_of("", "<img src=\"x.png\"><p>a</p>"), None);
        let other = "https://a.example/x.png?a&b";
        assert_eq!(address_of("", "<img src=\"https://a.example/x.png?a&amp;b\">").as_deref(), Some(other));
    }
}
