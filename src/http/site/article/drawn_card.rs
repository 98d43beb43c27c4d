//! The card of an article without a picture: a picture with its title, the name of the site and its colour. Drawn
//! when it is first requested, and kept with the pages. Only public articles have one.

pub use super::drawing::Card;

use super::{card::CardPicture, drawing};
use crate::{
    http::{
        Web,
        health::refused,
        site::{
            Found, article_of, not_found,
            page::{self, Frame, card_path},
            respond::{PNG, etag, missing, moved_to, respond},
        },
    },
    text::render::Pool,
};
use axum::{
    body::Bytes,
    extract::{Path, State},
    http::HeaderMap,
    response::Response,
};
use domain::{DomainError, accounts::site_look::Colour};
use std::sync::LazyLock;
use store::site::PublishedArticle;

/// Maximum number of cards that are drawn or wait for it.
const MAX_CARDS: usize = 32;
/// The accent colour of a site that has chosen none.
const BUILT_IN_ACCENT: Colour = Colour([0x0d, 0x56, 0x7a]);

/// One thread: cards never take the time of pages.
static THREAD: LazyLock<Pool> = LazyLock::new(|| Pool::start(1, MAX_CARDS));

impl Card {
    /// Returns the card of an article. `language`: that of its text.
    pub fn new(frame: &Frame, article: &PublishedArticle, language: &str) -> Self {
        Self {
            title: article.title.clone(),
            site: frame.settings.title.clone(),
            colour: Colour::parse(&frame.shared.look.accent).unwrap_or(BUILT_IN_ACCENT),
            language: language.to_owned(),
        }
    }

    /// Returns the name of its file, which changes with all that it shows.
    fn name(&self) -> String {
        format!("{}.png", etag("card", self).trim_matches('"'))
    }

    /// Returns the picture for the head of the article's page.
    pub fn picture(&self, public_url: &str, slug: &str) -> CardPicture {
        CardPicture {
            address: format!("{public_url}{}", card_path(slug, &self.name())),
            size: Some((drawing::WIDTH, drawing::HEIGHT)),
            alt: self.title.clone(),
        }
    }
}

/// `/site/card/{slug}/{name}`: the card of a public article. The name of an earlier one leads to the current one.
pub async fn show(
    State(web): State<Web>,
    Path((slug, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let input = match article_of(&web, &slug).await {
        Ok(Found::Article(input)) => input,
        Ok(Found::Redirect(_) | Found::Deleted(_)) => return not_found(&web).await,
        Ok(Found::Nothing(frame)) => return missing(&frame),
        Err(refusal) => return refused(&refusal),
    };
    let details = input.article.details();
    let guessed = input.article.language.as_deref();
    let (language, _) = page::language(&input.frame.settings, &details.language, guessed);
    let card = Card::new(&input.frame, &input.article, language);
    if card.name() != name {
        return moved_to(&card_path(&slug, &card.name()));
    }
    let tag = etag("card", &card);
    let draw = async move {
        match THREAD.run(move |_| drawing::png(&card)).await? {
            Some(bytes) => Ok(Bytes::from(bytes)),
            None => Err(DomainError::Unavailable),
        }
    };
    respond(&headers, tag, PNG, draw).await
}
