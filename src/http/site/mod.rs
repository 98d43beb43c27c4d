//! The public site: published articles, lists and feeds, without scripts. It reveals nothing that is
//! not public.

mod accent;
mod article;
mod cache;
mod feed;
mod head;
mod list_routes;
mod lists;
mod page;
mod preview;
mod render_cache;
mod respond;
mod sitemap;
mod style;
mod texts;

pub use cache::SiteCache;
pub use page::article_path;

use super::{Web, assets, health::refused};
use crate::{
    services::{internal_error, rendering},
    text::{
        link_cards::{may_have_cards, with_cards},
        render::{POOL, Share, VERSION},
    },
};
use axum::{
    Router,
    extract::{Path, State},
    http::HeaderMap,
    response::Response,
    routing::get,
};
use domain::{DomainError, input_limits::MAX_SLUG_CHARS};
use page::Frame;
use respond::{HTML, etag, gone, missing, moved, moved_to, respond};
use std::collections::HashMap;
use store::{
    PoolRole, ReadConn,
    link_card::{self, LinkCard},
    rendered::{self, Unrendered},
    site::{self, PublishedArticle, SiteLookup},
};
use uuid::Uuid;

/// Number of articles in a feed.
const ARTICLES_PER_FEED: u32 = 100;

/// All paths of the site.
pub const PATHS: [&str; 14] = [
    "/site",
    "/site/feed.xml",
    "/site/feed.json",
    "/site/{slug}",
    "/site/card/{slug}/{name}",
    "/site/tag/{tag}",
    "/site/tag/{tag}/feed.xml",
    "/site/author/{name}",
    "/site/author/{name}/feed.xml",
    "/site/archive/{month}",
    "/site/accent/{colour}",
    "/site/style/{hash}",
    "/site/sitemap.xml",
    "/robots.txt",
];

/// Path of the preview, for admins.
pub const PREVIEW: &str = "/settings/site/preview";

/// Returns a router with the routes of the site.
pub fn routes() -> Router<Web> {
    let [
        home,
        atom,
        json,
        article,
        card,
        tag,
        tag_feed,
        author,
        author_feed,
        month,
        accent,
        sheet,
        sitemap,
        robots,
    ] = PATHS;
    Router::new()
        .route(home, get(list_routes::index))
        .route(atom, get(atom_feed))
        .route(json, get(json_feed))
        .route(article, get(show))
        .route(card, get(article::drawn_card::show))
        .route(tag, get(list_routes::tag))
        .route(tag_feed, get(list_routes::tag_feed))
        .route(author, get(list_routes::author))
        .route(author_feed, get(list_routes::author_feed))
        .route(month, get(list_routes::month))
        .route(accent, get(accent::sheet))
        .route(sheet, get(style::sheet))
        .route(PREVIEW, get(preview::show))
        .route(sitemap, get(sitemap::sitemap))
        .route(robots, get(sitemap::robots))
}

async fn show(State(web): State<Web>, Path(slug): Path<String>, headers: HeaderMap) -> Response {
    match article_of(&web, &slug).await {
        Ok(Found::Article(mut input)) => {
            // The ETag contains the revision instead of the text.
            let html = input.article.html.take();
            let write = async {
                let html = html.map(|html| with_cards(&html, &input.cards));
                Ok(article::article(&input, html.as_deref()).into())
            };
            respond(&headers, etag("article", &input), HTML, write).await
        }
        Ok(Found::Redirect(slug)) => moved(&slug),
        Ok(Found::Deleted(frame)) => gone(&frame),
        Ok(Found::Nothing(frame)) => missing(&frame),
        Err(refusal) => refused(&refusal),
    }
}

/// Addresses that feed readers and search engines try, and where they lead.
const COMMON_ADDRESSES: [(&str, &str); 4] = [
    ("/feed", "/site/feed.xml"),
    ("/feed.xml", "/site/feed.xml"),
    ("/rss.xml", "/site/feed.xml"),
    ("/sitemap.xml", "/site/sitemap.xml"),
];

/// Responds to an address of another system: redirects common ones, such as `/feed`, and others, such as
/// `/2018/09/hello/`, to the public article with this slug; 410 if it was deleted. `None`: there is none.
pub async fn redirect(web: &Web, path: &str) -> Option<Response> {
    let bare = path.trim_end_matches('/');
    if let Some((_, to)) = COMMON_ADDRESSES.iter().find(|(from, _)| *from == bare) {
        return Some(moved_to(to));
    }
    let last = path.trim_end_matches('/').rsplit('/').next()?.trim_end_matches(".html");
    let slug = crate::text::percent::decoded(last);
    if slug.is_empty() || slug.chars().count() > MAX_SLUG_CHARS || slug.contains('\0') {
        return None;
    }
    let mut lease = web.parts.store.read(PoolRole::Web).await.ok()?;
    let found = site::find(lease.conn(), &slug).await.ok()??;
    drop(lease);
    match found {
        SiteLookup::Published(article) => Some(moved(&article.slug)),
        SiteLookup::Redirect(slug) => Some(moved(&slug)),
        SiteLookup::Deleted => {
            Some(frame(web).await.map_or_else(|refusal| refused(&refusal), |(frame, ..)| gone(&frame)))
        }
    }
}

/// Whether a path is, but for a slash at its end, that of a list. Its last part is no slug.
pub fn is_of_list(path: &str) -> bool {
    ["/site/tag/", "/site/author/", "/site/archive/"].iter().any(|list| path.starts_with(list))
}

/// Responds to a path below `/site` that is none of the site: without the slash at its end, else with the
/// page "not found". A reader never gets to the login.
pub async fn elsewhere(web: &Web, path: &str) -> Response {
    let bare = path.trim_end_matches('/');
    if bare.len() < path.len() {
        return moved_to(bare);
    }
    not_found(web).await
}

/// Responds with the page "not found" of the site.
pub async fn not_found(web: &Web) -> Response {
    match frame(web).await {
        Ok((frame, ..)) => missing(&frame),
        Err(refusal) => refused(&refusal),
    }
}

/// Result of a lookup of an article.
enum Found {
    Article(Box<page::Article>),
    Redirect(String),
    Deleted(Frame),
    Nothing(Frame),
}

async fn article_of(web: &Web, slug: &str) -> Result<Found, DomainError> {
    let settings = web.services.settings.settings().await?;
    let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = site::find(lease.conn(), slug).await.map_err(internal_error)?;
    let (newest, shared) = cache::shared(web, &mut lease).await?;
    let frame =
        Frame { settings, shared, style: assets::site_style(), public_url: web.address.public_url.clone() };
    let mut article = match found {
        Some(SiteLookup::Published(article)) => *article,
        Some(SiteLookup::Redirect(slug)) => return Ok(Found::Redirect(slug)),
        Some(SiteLookup::Deleted) => return Ok(Found::Deleted(frame)),
        None => return Ok(Found::Nothing(frame)),
    };
    let around = cache::neighbours(web, &mut lease, newest, &article).await?;
    drop(lease);
    render_missing(web, std::slice::from_mut(&mut article)).await?;
    let cards = cards(web, &article).await?;
    Ok(Found::Article(Box::new(page::Article { frame, article, around, cards })))
}

/// Returns the cards of the links of an article: those of its published revision.
async fn cards(web: &Web, article: &PublishedArticle) -> Result<Vec<LinkCard>, DomainError> {
    if !article.html.as_deref().is_some_and(may_have_cards) {
        return Ok(Vec::new());
    }
    let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    link_card::of_revision(lease.conn(), article.revision_id).await.map_err(internal_error)
}

/// Renders the articles whose stored rendering is of an earlier release, and resolves the addresses of
/// their covers.
async fn render_missing(web: &Web, articles: &mut [PublishedArticle]) -> Result<(), DomainError> {
    if !article::cover::unresolved(articles).is_empty() {
        let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        article::cover::resolve(lease.conn(), articles).await?;
    }
    for article in articles.iter_mut().filter(|article| article.renderer != Some(VERSION)) {
        let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let text = site::source_text(lease.conn(), article.revision_id).await.map_err(internal_error)?;
        drop(lease);
        let Some((title, body)) = text else { continue };
        let text = Unrendered { id: article.revision_id, title, body };
        let new = rendering::store(&web.parts, text).await?;
        article.html_bytes =
            new.html.as_ref().map_or(0, |html| i64::try_from(html.len()).unwrap_or(i64::MAX));
        article.renderer = Some(new.renderer);
        (article.html, article.lead, article.language) = (new.html, Some(new.lead), new.language);
    }
    Ok(())
}

/// Returns the frame of a page, the position of the newest event, and a connection to read more.
async fn frame(web: &Web) -> Result<(Frame, i64, ReadConn), DomainError> {
    let settings = web.services.settings.settings().await?;
    let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let (newest, shared) = cache::shared(web, &mut lease).await?;
    let public_url = web.address.public_url.clone();
    Ok((Frame { settings, shared, style: assets::site_style(), public_url }, newest, lease))
}

async fn atom_feed(State(web): State<Web>, headers: HeaderMap) -> Response {
    let input = feed_input(&web).await;
    feed(web, headers, input, ("application/atom+xml; charset=utf-8", feed::atom)).await
}

async fn json_feed(State(web): State<Web>, headers: HeaderMap) -> Response {
    let input = feed_input(&web).await;
    feed(web, headers, input, ("application/feed+json", feed::json)).await
}

/// Data of the feed of all articles.
async fn feed_input(web: &Web) -> Result<feed::Input, DomainError> {
    let settings = web.services.settings.settings().await?;
    let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let articles = site::newest(lease.conn(), ARTICLES_PER_FEED).await.map_err(internal_error)?;
    drop(lease);
    let input = feed::Input { settings, articles, public_url: web.address.public_url.clone(), list: None };
    rendered_input(web, input).await
}

/// Returns the data of a feed with all its articles rendered.
async fn rendered_input(web: &Web, mut input: feed::Input) -> Result<feed::Input, DomainError> {
    render_missing(web, &mut input.articles).await?;
    input.articles.iter_mut().for_each(|article| article.html = None);
    Ok(input)
}

type FeedWriter = fn(&feed::Input, &HashMap<Uuid, String>) -> String;

async fn feed(
    web: Web,
    headers: HeaderMap,
    input: Result<feed::Input, DomainError>,
    (kind, write): (&'static str, FeedWriter),
) -> Response {
    let input = match input {
        Ok(input) => input,
        Err(refusal) => return refused(&refusal),
    };
    let tag = etag(kind, &input);
    let write = async {
        let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let html =
            rendered::html(lease.conn(), &input.full_text_candidates()).await.map_err(internal_error)?;
        drop(lease);
        POOL.run_in(Share::Readers, move |_| write(&input, &html.into_iter().collect()).into()).await
    };
    respond(&headers, tag, kind, write).await
}
