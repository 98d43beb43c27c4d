//! `/settings/site/preview`: the front page as it will be at a day, in any layout. For admins.

use super::{
    cache::{self, MAX_FEATURED, MAX_PAGES, Shared},
    frame,
    lists::{self, List, ListKind},
    render_missing,
    respond::HTML,
    texts,
};
use crate::{
    http::{
        Web, auth,
        header::policy::Policy,
        health::refused,
        pages::{login_path, see_other},
    },
    services::internal_error,
    zone::Zone,
};
use axum::{
    extract::{Query, Request, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use domain::{Actor, DomainError, accounts::site_look::SiteLayout};
use serde::Deserialize;
use std::sync::Arc;
use store::site::{self, PublicAt};

/// Maximum number of articles in the preview.
const MAX_ARTICLES: u32 = 20;

/// Day, layout and stylesheet of a preview.
#[derive(Debug, Default, Deserialize)]
pub struct PreviewQuery {
    /// `YYYY-MM-DD` on the desk's clock; empty or past: now.
    #[serde(default)]
    at: String,
    /// Word of a layout; empty: that of the site.
    #[serde(default)]
    layout: String,
    /// Hash of the draft of the stylesheet; empty: the published one.
    #[serde(default)]
    style: String,
}

/// Shows the preview to an admin.
pub async fn show(State(web): State<Web>, Query(query): Query<PreviewQuery>, request: Request) -> Response {
    let (head, _) = request.into_parts();
    let actor = match auth::session_secret(&web, &head.headers) {
        Some(secret) => auth::session_actor(&web, &head, &secret).await,
        None => Ok(None),
    };
    let page = match actor {
        Ok(None) => return see_other(&login_path(&head.uri)),
        Ok(Some(actor)) => preview(&web, &actor, &query).await,
        Err(refusal) => Err(refusal),
    };
    match page {
        Ok(text) => {
            let mut response = ([(header::CONTENT_TYPE, HTML)], text).into_response();
            response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            response.extensions_mut().insert(Policy::Site);
            response
        }
        Err(refusal) => refused(&refusal),
    }
}

async fn preview(web: &Web, actor: &Actor, query: &PreviewQuery) -> Result<String, DomainError> {
    if !actor.is_admin() {
        return Err(DomainError::NotAllowed);
    }
    let (mut frame, _, mut lease) = frame(web).await?;
    let zone = Zone::stored(&frame.settings.zone);
    let now = web.parts.clock.now();
    let at = match query.at.trim() {
        "" => now,
        day => zone.day_bounds("at", day)?.1.plus(-1).max(now),
    };
    let articles = site::public_at(lease.conn(), PublicAt::All, at.millis(), MAX_ARTICLES).await;
    let articles = articles.map_err(internal_error)?;
    let featured = site::public_at(lease.conn(), PublicAt::Featured, at.millis(), MAX_FEATURED).await;
    let pages = site::pages_at(lease.conn(), at.millis(), MAX_PAGES).await.map_err(internal_error)?;
    let look = frame.shared.look.clone();
    let featured = featured.map_err(internal_error)?;
    let mut shared = Shared { pages: cache::navigation(&look, pages), featured, look };
    drop(lease);
    render_missing(web, &mut shared.featured).await?;
    if let Ok(layout) = query.layout.parse::<SiteLayout>() {
        shared.look.layout = layout;
    }
    if !query.style.is_empty() && query.style.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        shared.look.style.clone_from(&query.style);
    }
    frame.shared = Arc::new(shared);
    let day = texts::day(&frame.settings, frame.settings.language, at);
    let max = MAX_ARTICLES as usize;
    let kind = ListKind::Preview(day);
    let mut list = List { frame, kind, articles, max, is_first: true };
    render_missing(web, &mut list.articles).await?;
    Ok(lists::list(&list))
}
