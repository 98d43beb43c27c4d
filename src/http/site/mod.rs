//! The public site: published articles and feeds, without scripts. It reveals nothing that is not
//! public.

mod feed;
mod page;
mod render_cache;
mod texts;
mod xml;

use super::{Web, assets, header::policy::Policy, health::refused};
use crate::{
    services::{internal_error, rendering},
    text::render::{POOL, VERSION},
};
use axum::{
    Router,
    body::Bytes,
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use domain::DomainError;
use page::Frame;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use store::{
    PoolRole,
    rendered::{self, Unrendered},
    site::{self, PublishedArticle, SiteLookup},
};
use uuid::Uuid;

/// Number of articles on a page of the index.
const ARTICLES_PER_PAGE: u32 = 20;
/// Number of articles in a feed.
const ARTICLES_PER_FEED: u32 = 100;

const HTML: &str = "text/html; charset=utf-8";

/// All paths of the site.
pub const PATHS: [&str; 4] = ["/site", "/site/feed.xml", "/site/feed.json", "/site/{slug}"];

/// Returns a router with the routes of the site.
pub fn routes() -> Router<Web> {
    let [home, atom, json, article] = PATHS;
    Router::new()
        .route(home, get(index))
        .route(atom, get(atom_feed))
        .route(json, get(json_feed))
        .route(article, get(show))
}

/// Position in the index: publication time and id of the last article of the previous page.
#[derive(Debug, Default, Deserialize)]
struct IndexQuery {
    after: Option<String>,
}

impl IndexQuery {
    /// Returns the position; `None` (also for an invalid one): the beginning.
    fn position(&self) -> Option<(i64, Uuid)> {
        let (at, id) = self.after.as_deref()?.split_once('-')?;
        Some((at.parse().ok()?, id.parse().ok()?))
    }
}

async fn index(State(web): State<Web>, Query(query): Query<IndexQuery>, headers: HeaderMap) -> Response {
    let after = query.position();
    let read = async {
        let frame = frame(&web).await?;
        let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let mut articles =
            site::page(lease.conn(), after, ARTICLES_PER_PAGE + 1).await.map_err(internal_error)?;
        drop(lease);
        render_missing(&web, &mut articles).await?;
        Ok::<_, DomainError>(page::Index {
            frame,
            articles,
            max: ARTICLES_PER_PAGE as usize,
            is_first: after.is_none(),
        })
    };
    match read.await {
        Ok(input) => {
            let write = async { Ok(page::index(&input).into()) };
            respond(&headers, etag("index", &input), HTML, write).await
        }
        Err(refusal) => refused(&refusal),
    }
}

async fn show(State(web): State<Web>, Path(slug): Path<String>, headers: HeaderMap) -> Response {
    let read = async {
        let frame = frame(&web).await?;
        let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        Ok::<_, DomainError>((frame, site::find(lease.conn(), &slug).await.map_err(internal_error)?))
    };
    let (frame, mut article) = match read.await {
        Ok((frame, Some(SiteLookup::Published(article)))) => (frame, *article),
        Ok((_, Some(SiteLookup::Redirect(slug)))) => return moved(&slug),
        Ok((frame, Some(SiteLookup::Deleted))) => return gone(&frame),
        Ok((frame, None)) => return missing(&frame),
        Err(refusal) => return refused(&refusal),
    };
    if let Err(refusal) = render_missing(&web, std::slice::from_mut(&mut article)).await {
        return refused(&refusal);
    }
    // The ETag contains the revision instead of the text.
    let html = article.html.take();
    let input = page::Article { frame, article };
    let write = async { Ok(page::article(&input, html.as_deref()).into()) };
    respond(&headers, etag("article", &input), HTML, write).await
}

/// Renders the articles whose stored rendering is of an earlier release.
async fn render_missing(web: &Web, articles: &mut [PublishedArticle]) -> Result<(), DomainError> {
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

async fn frame(web: &Web) -> Result<Frame, DomainError> {
    Ok(Frame { settings: web.services.settings.settings().await?, style: assets::site_style() })
}

async fn atom_feed(State(web): State<Web>, headers: HeaderMap) -> Response {
    feed(web, headers, "application/atom+xml; charset=utf-8", feed::atom).await
}

async fn json_feed(State(web): State<Web>, headers: HeaderMap) -> Response {
    feed(web, headers, "application/feed+json", feed::json).await
}

type FeedWriter = fn(&feed::Input, &HashMap<Uuid, String>) -> String;

async fn feed(web: Web, headers: HeaderMap, kind: &'static str, write: FeedWriter) -> Response {
    let read = async {
        let settings = web.services.settings.settings().await?;
        let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let mut articles = site::newest(lease.conn(), ARTICLES_PER_FEED).await.map_err(internal_error)?;
        drop(lease);
        render_missing(&web, &mut articles).await?;
        articles.iter_mut().for_each(|article| article.html = None);
        Ok::<_, DomainError>(feed::Input { settings, articles, public_url: web.address.public_url.clone() })
    };
    let input = match read.await {
        Ok(input) => input,
        Err(refusal) => return refused(&refusal),
    };
    let tag = etag(kind, &input);
    let write = async {
        let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let html =
            rendered::html(lease.conn(), &input.full_text_candidates()).await.map_err(internal_error)?;
        drop(lease);
        POOL.run(move |_| write(&input, &html.into_iter().collect()).into()).await
    };
    respond(&headers, tag, kind, write).await
}

/// Responds with the page of this ETag: 304 if the reader has it, else from the cache or rendered.
async fn respond(
    headers: &HeaderMap,
    tag: String,
    kind: &'static str,
    write: impl Future<Output = Result<Bytes, DomainError>>,
) -> Response {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_known = known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag);
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match render_cache::get_or_render(&tag, write).await {
            Ok(page) => ([(header::CONTENT_TYPE, kind)], page).into_response(),
            Err(refusal) => return refused(&refusal),
        }
    };
    set_cache_policy(&mut response);
    if let Ok(tag) = HeaderValue::try_from(tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

fn moved(slug: &str) -> Response {
    let location =
        HeaderValue::try_from(page::article_path(slug)).unwrap_or_else(|_| HeaderValue::from_static("/site"));
    let mut response = (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, location)]).into_response();
    set_cache_policy(&mut response);
    response
}

/// Responds 404 with the same bytes for every path: a scheduled article cannot be distinguished
/// from one that does not exist.
fn missing(frame: &Frame) -> Response {
    let text = page::missing(frame);
    let mut response = (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, HTML)], text).into_response();
    set_cache_policy(&mut response);
    response
}

/// Responds 410 for an article that was public and is deleted, so that search engines and feed
/// readers remove it.
fn gone(frame: &Frame) -> Response {
    let text = page::gone(frame);
    let mut response = (StatusCode::GONE, [(header::CONTENT_TYPE, HTML)], text).into_response();
    set_cache_policy(&mut response);
    response
}

/// Requires browsers to revalidate each time, so that a publish or an unpublish takes effect at
/// once.
fn set_cache_policy(response: &mut Response) {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response.extensions_mut().insert(Policy::Site);
}

/// Returns the ETag of a page: a hash of all of its input.
fn etag(what: &str, input: &impl std::fmt::Debug) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{what} {} {VERSION} {input:?}", env!("CARGO_PKG_VERSION")));
    format!("\"{}\"", render_cache::hex(&hash.finalize()))
}
