//! The public site: published articles and feeds. No script, nothing about what is not public.

mod feed;
mod page;
mod shelf;
mod words;
mod xml;

use super::{Web, assets, headers::Policy, health::refused};
use crate::{
    desk::{broken, rendering},
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
use domain::Refusal;
use page::Frame;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use store::{
    Who,
    rendered::{self, Unrendered},
    site::{self, Found, Piece},
};
use uuid::Uuid;

/// Articles on one page of the index.
const PAGE: u32 = 20;
/// Articles in a feed.
const FEED: u32 = 100;

const HTML: &str = "text/html; charset=utf-8";

/// Where the site lives; all of its paths.
pub const PATHS: [&str; 4] = ["/site", "/site/feed.xml", "/site/feed.json", "/site/{slug}"];

/// The routes of the site.
pub fn routes() -> Router<Web> {
    let [home, atom, json, article] = PATHS;
    Router::new()
        .route(home, get(index))
        .route(atom, get(atom_feed))
        .route(json, get(json_feed))
        .route(article, get(show))
}

/// Where the index goes on: moment and id of the last article of the page before.
#[derive(Debug, Default, Deserialize)]
struct After {
    after: Option<String>,
}

impl After {
    /// Anything that cannot be read begins at the newest.
    fn place(&self) -> Option<(i64, Uuid)> {
        let (at, id) = self.after.as_deref()?.split_once('-')?;
        Some((at.parse().ok()?, id.parse().ok()?))
    }
}

async fn index(State(web): State<Web>, Query(after): Query<After>, headers: HeaderMap) -> Response {
    let after = after.place();
    let read = async {
        let frame = frame(&web).await?;
        let mut lease = web.parts.store.read(Who::People).await.map_err(broken)?;
        let mut pieces = site::page(lease.conn(), after, PAGE + 1).await.map_err(broken)?;
        drop(lease);
        render(&web, &mut pieces).await?;
        Ok::<_, Refusal>(page::Index { frame, pieces, most: PAGE as usize, is_first: after.is_none() })
    };
    match read.await {
        Ok(input) => {
            let write = async { Ok(page::index(&input).into()) };
            answer(&headers, tag("index", &input), HTML, write).await
        }
        Err(refusal) => refused(&refusal),
    }
}

async fn show(State(web): State<Web>, Path(slug): Path<String>, headers: HeaderMap) -> Response {
    let read = async {
        let frame = frame(&web).await?;
        let mut lease = web.parts.store.read(Who::People).await.map_err(broken)?;
        Ok::<_, Refusal>((frame, site::find(lease.conn(), &slug).await.map_err(broken)?))
    };
    let (frame, mut piece) = match read.await {
        Ok((frame, Some(Found::Here(piece)))) => (frame, *piece),
        Ok((_, Some(Found::Moved(slug)))) => return moved(&slug),
        Ok((frame, Some(Found::Gone))) => return gone(&frame),
        Ok((frame, None)) => return missing(&frame),
        Err(refusal) => return refused(&refusal),
    };
    if let Err(refusal) = render(&web, std::slice::from_mut(&mut piece)).await {
        return refused(&refusal);
    }
    // The revision stands for its text.
    let html = piece.html.take();
    let input = page::Article { frame, piece };
    let write = async { Ok(page::article(&input, html.as_deref()).into()) };
    answer(&headers, tag("article", &input), HTML, write).await
}

/// Renders what has no rendering yet: texts of an earlier release, until all are done.
async fn render(web: &Web, pieces: &mut [Piece]) -> Result<(), Refusal> {
    for piece in pieces.iter_mut().filter(|piece| piece.renderer != Some(VERSION)) {
        let mut lease = web.parts.store.read(Who::People).await.map_err(broken)?;
        let text = site::text(lease.conn(), piece.revision_id).await.map_err(broken)?;
        drop(lease);
        let Some((title, body)) = text else { continue };
        let text = Unrendered { id: piece.revision_id, title, body };
        let new = rendering::store(&web.parts, text).await?;
        piece.html_bytes = new.html.as_ref().map_or(0, |html| i64::try_from(html.len()).unwrap_or(i64::MAX));
        piece.renderer = Some(new.renderer);
        (piece.html, piece.lead, piece.language) = (new.html, Some(new.lead), new.language);
    }
    Ok(())
}

async fn frame(web: &Web) -> Result<Frame, Refusal> {
    Ok(Frame { settings: web.desk.people.settings().await?, style: assets::site_style() })
}

async fn atom_feed(State(web): State<Web>, headers: HeaderMap) -> Response {
    feed(web, headers, "application/atom+xml; charset=utf-8", feed::atom).await
}

async fn json_feed(State(web): State<Web>, headers: HeaderMap) -> Response {
    feed(web, headers, "application/feed+json", feed::json).await
}

type Write = fn(&feed::Input, &HashMap<Uuid, String>) -> String;

async fn feed(web: Web, headers: HeaderMap, kind: &'static str, write: Write) -> Response {
    let read = async {
        let settings = web.desk.people.settings().await?;
        let mut lease = web.parts.store.read(Who::People).await.map_err(broken)?;
        let mut pieces = site::newest(lease.conn(), FEED).await.map_err(broken)?;
        drop(lease);
        render(&web, &mut pieces).await?;
        pieces.iter_mut().for_each(|piece| piece.html = None);
        Ok::<_, Refusal>(feed::Input { settings, pieces, public_url: web.address.public_url.clone() })
    };
    let input = match read.await {
        Ok(input) => input,
        Err(refusal) => return refused(&refusal),
    };
    let tag = tag(kind, &input);
    let write = async {
        let mut lease = web.parts.store.read(Who::People).await.map_err(broken)?;
        let html = rendered::html(lease.conn(), &input.wanted()).await.map_err(broken)?;
        drop(lease);
        POOL.run(move |_| write(&input, &html.into_iter().collect()).into()).await
    };
    answer(&headers, tag, kind, write).await
}

/// The page under this tag: "you have it" if the reader does, from the shelf if it was written before.
async fn answer(
    headers: &HeaderMap,
    tag: String,
    kind: &'static str,
    write: impl Future<Output = Result<Bytes, Refusal>>,
) -> Response {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_known = known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag);
    let mut answer = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match shelf::once(&tag, write).await {
            Ok(page) => ([(header::CONTENT_TYPE, kind)], page).into_response(),
            Err(refusal) => return refused(&refusal),
        }
    };
    dress(&mut answer);
    if let Ok(tag) = HeaderValue::try_from(tag) {
        answer.headers_mut().insert(header::ETAG, tag);
    }
    answer
}

fn moved(slug: &str) -> Response {
    let place =
        HeaderValue::try_from(page::address(slug)).unwrap_or_else(|_| HeaderValue::from_static("/site"));
    let mut answer = (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, place)]).into_response();
    dress(&mut answer);
    answer
}

/// The same bytes whatever was asked for: what is scheduled cannot be told from what never was.
fn missing(frame: &Frame) -> Response {
    let text = page::missing(frame);
    let mut answer = (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, HTML)], text).into_response();
    dress(&mut answer);
    answer
}

/// The address of an article that was public once and is deleted: search engines and feed readers may forget it.
fn gone(frame: &Frame) -> Response {
    let text = page::gone(frame);
    let mut answer = (StatusCode::GONE, [(header::CONTENT_TYPE, HTML)], text).into_response();
    dress(&mut answer);
    answer
}

/// A reader's copy is asked about each time: nothing outlives a publish or an unpublish.
fn dress(answer: &mut Response) {
    answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answer.extensions_mut().insert(Policy::Site);
}

/// A name for everything that decides how a page looks: all of its input, whatever fields that has.
fn tag(what: &str, input: &impl std::fmt::Debug) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{what} {} {VERSION} {input:?}", env!("CARGO_PKG_VERSION")));
    format!("\"{}\"", shelf::hex(&hash.finalize()))
}
