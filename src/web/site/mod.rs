//! The public site: published articles and feeds. No script, nothing about what is not public.

mod feed;
mod page;
mod shelf;
mod words;

use super::{Web, assets, headers::Policy, health::refused};
use crate::desk::{apart, broken};
use axum::{
    Router,
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use domain::{Refusal, Timestamp, settings::DeskSettings};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use store::{
    Who,
    site::{self, Found, Piece},
};
use uuid::Uuid;

/// Articles on one page of the index.
const PAGE: u32 = 20;
/// Articles in a feed.
const FEED: u32 = 100;

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
    let read = async {
        let settings = web.desk.people.settings().await?;
        let mut lease = web.parts.store.read(Who::People).await.map_err(broken)?;
        let pieces = site::page(lease.conn(), after.place(), PAGE + 1).await.map_err(broken)?;
        Ok::<_, Refusal>((settings, pieces))
    };
    let (settings, pieces) = match read.await {
        Ok(read) => read,
        Err(refusal) => return refused(&refusal),
    };
    let tag = tag(&settings, &pieces, "index");
    answer(&headers, tag, "text/html; charset=utf-8", move || {
        let is_first = after.after.is_none();
        page::index(&settings, &pieces, PAGE as usize, is_first, assets::site_style())
    })
    .await
}

async fn show(State(web): State<Web>, Path(slug): Path<String>, headers: HeaderMap) -> Response {
    let read = async {
        let settings = web.desk.people.settings().await?;
        let mut lease = web.parts.store.read(Who::People).await.map_err(broken)?;
        Ok::<_, Refusal>((settings, site::find(lease.conn(), &slug).await.map_err(broken)?))
    };
    let (settings, found) = match read.await {
        Ok(read) => read,
        Err(refusal) => return refused(&refusal),
    };
    match found {
        Some(Found::Here(piece)) => {
            let tag = tag(&settings, std::slice::from_ref(&*piece), "article");
            answer(&headers, tag, "text/html; charset=utf-8", move || {
                page::article(&settings, &piece, assets::site_style())
            })
            .await
        }
        Some(Found::Moved(slug)) => moved(&slug),
        None => missing(&settings),
    }
}

async fn atom_feed(State(web): State<Web>, headers: HeaderMap) -> Response {
    feed(web, headers, "application/atom+xml; charset=utf-8", feed::atom).await
}

async fn json_feed(State(web): State<Web>, headers: HeaderMap) -> Response {
    feed(web, headers, "application/feed+json", feed::json).await
}

type Write = fn(&DeskSettings, &[Piece], &str, Timestamp) -> String;

async fn feed(web: Web, headers: HeaderMap, kind: &'static str, write: Write) -> Response {
    let read = async {
        let settings = web.desk.people.settings().await?;
        let mut lease = web.parts.store.read(Who::People).await.map_err(broken)?;
        let pieces = site::newest(lease.conn(), FEED).await.map_err(broken)?;
        Ok::<_, Refusal>((settings, pieces))
    };
    match read.await {
        Ok((settings, pieces)) => {
            let tag = tag(&settings, &pieces, kind);
            answer(&headers, tag, kind, move || {
                write(&settings, &pieces, &web.address.public_url, Timestamp::from_millis(0))
            })
            .await
        }
        Err(refusal) => refused(&refusal),
    }
}

/// The text under this tag: "you have it" if the reader does, from the shelf if it was written before.
async fn answer(
    headers: &HeaderMap,
    tag: String,
    kind: &'static str,
    write: impl FnOnce() -> String + Send + 'static,
) -> Response {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_known = known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag);
    let mut answer = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let (found, place) = (shelf::find(&tag), tag.clone());
        let text = match found {
            Some(text) => text,
            None => match apart(move || shelf::put(&place, write())).await {
                Ok(text) => text,
                Err(refusal) => return refused(&refusal),
            },
        };
        ([(header::CONTENT_TYPE, kind)], text.to_string()).into_response()
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
fn missing(settings: &DeskSettings) -> Response {
    let text = page::missing(settings, assets::site_style());
    let mut answer =
        (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response();
    dress(&mut answer);
    answer
}

/// A reader's copy is asked about each time: nothing outlives a publish or an unpublish.
fn dress(answer: &mut Response) {
    answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answer.extensions_mut().insert(Policy::Site);
}

/// A name for everything that decides how a page looks.
fn tag(settings: &DeskSettings, pieces: &[Piece], what: &str) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update(text.len().to_le_bytes());
        hash.update(text);
    };
    for text in [what, env!("CARGO_PKG_VERSION"), assets::site_style(), &settings.title, &settings.zone] {
        add(text);
    }
    add(settings.language.as_str());
    for piece in pieces {
        for text in [&piece.slug, &piece.title, &piece.body, &piece.author] {
            add(text);
        }
        add(&format!("{} {} {:?}", piece.id, piece.published_at, piece.updated_at));
    }
    format!("\"{}\"", shelf::hex(&hash.finalize()))
}
