//! What pages of the site share, read again only after something changed: navigation, featured
//! articles, what surrounds an article, and whole documents.

use super::article::cover;
use crate::{http::Web, services::internal_error};
use axum::body::Bytes;
use domain::{
    DomainError,
    accounts::site_look::{MAX_NAVIGATION_PAGES, SiteLook},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use store::ReadConn;
use store::site::{self, Neighbour, Neighbours, PublishedArticle};
use uuid::Uuid;

/// Maximum number of featured articles.
pub const MAX_FEATURED: u32 = 3;
/// Maximum number of pages among which the navigation chooses.
pub const MAX_PAGES: u32 = 100;
/// Maximum number of articles whose neighbours are kept.
const MAX_ARTICLES: usize = 2_000;
/// How long a value is kept at most. On PostgreSQL an event may become visible after a newer one.
const MAX_AGE: Duration = Duration::from_secs(1);

/// Parts of every page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shared {
    /// How the site looks.
    pub look: SiteLook,
    /// Pages in the navigation.
    pub pages: Vec<Neighbour>,
    /// Articles that the front page shows first.
    pub featured: Vec<PublishedArticle>,
}

/// Position of the newest event when a value was read, and when that was.
type Stamp = (i64, Instant);
type Kept<T> = Option<(Stamp, T)>;

/// Values that are kept until the next event.
#[derive(Debug, Default)]
pub struct SiteCache {
    shared: Mutex<Kept<Arc<Shared>>>,
    around: Mutex<HashMap<Uuid, (Stamp, Arc<Neighbours>)>>,
    documents: Mutex<HashMap<&'static str, (Stamp, Bytes)>>,
}

fn is_current(stamp: Stamp, newest: i64) -> bool {
    stamp.0 == newest && stamp.1.elapsed() < MAX_AGE
}

/// Returns the parts of every page.
pub async fn shared(web: &Web, lease: &mut ReadConn) -> Result<(i64, Arc<Shared>), DomainError> {
    let newest = site::newest_event(lease.conn()).await.map_err(internal_error)?;
    let kept = web.site.shared.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some((stamp, shared)) = kept
        && is_current(stamp, newest)
    {
        return Ok((newest, shared));
    }
    let stamp = (newest, Instant::now());
    let pages = site::pages(lease.conn(), MAX_PAGES).await.map_err(internal_error)?;
    let mut featured = site::featured(lease.conn(), MAX_FEATURED).await.map_err(internal_error)?;
    cover::resolve(lease.conn(), &mut featured).await?;
    let look = site::look(lease.conn()).await.map_err(internal_error)?;
    let shared = Arc::new(Shared { pages: navigation(&look, pages), look, featured });
    *web.site.shared.lock().unwrap_or_else(PoisonError::into_inner) = Some((stamp, Arc::clone(&shared)));
    Ok((newest, shared))
}

/// Returns the pages that the settings choose, in their order; all by title if they choose none.
pub fn navigation(look: &SiteLook, mut pages: Vec<Neighbour>) -> Vec<Neighbour> {
    if look.navigation.is_empty() {
        pages.truncate(MAX_NAVIGATION_PAGES);
        return pages;
    }
    let page = |slug: &String| pages.iter().find(|page| page.slug == *slug).cloned();
    look.navigation.iter().filter_map(page).collect()
}

/// Returns what surrounds an article. `newest`: position of the newest event.
pub async fn neighbours(
    web: &Web,
    lease: &mut ReadConn,
    newest: i64,
    article: &PublishedArticle,
) -> Result<Arc<Neighbours>, DomainError> {
    let key = article.revision_id;
    let kept = web.site.around.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    if let Some((stamp, around)) = kept
        && is_current(stamp, newest)
    {
        return Ok(around);
    }
    let stamp = (newest, Instant::now());
    let place = (article.published_at, article.id);
    let mut around = site::neighbours(lease.conn(), place, key).await.map_err(internal_error)?;
    let name = article.details().translation_of;
    around.translations =
        site::translations(lease.conn(), article.id, &name).await.map_err(internal_error)?;
    let around = Arc::new(around);
    let mut all = web.site.around.lock().unwrap_or_else(PoisonError::into_inner);
    if all.len() >= MAX_ARTICLES {
        all.clear();
    }
    all.insert(key, (stamp, Arc::clone(&around)));
    Ok(around)
}

/// Returns a whole document that was written since the last event.
pub fn document(web: &Web, name: &'static str, newest: i64) -> Option<Bytes> {
    let all = web.site.documents.lock().unwrap_or_else(PoisonError::into_inner);
    all.get(name).filter(|(stamp, _)| is_current(*stamp, newest)).map(|(_, text)| text.clone())
}

/// Keeps a whole document. `newest`: position of the newest event before it was read.
pub fn keep_document(web: &Web, name: &'static str, newest: i64, text: &Bytes) {
    let mut all = web.site.documents.lock().unwrap_or_else(PoisonError::into_inner);
    all.insert(name, ((newest, Instant::now()), text.clone()));
}
