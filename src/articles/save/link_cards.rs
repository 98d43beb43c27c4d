//! Cards of links. A save stores the links of its text that are a whole paragraph, and waits for nothing. In
//! the background their pages are read, one of each account at a time, through the egress rules. Autosaves
//! ask for nothing: an address that is being typed is not one yet.

use crate::{
    app_state::AppState,
    services::{internal_error, rendering::Outcome},
    text::{checklist::link_hash, link_cards, page_about},
};
use domain::{Actor, DomainError, Timestamp};
use futures::{StreamExt as _, stream};
use std::{borrow::Cow, time::Duration};
use store::{
    PoolRole, StoreError, Tx,
    link_card::{self, AskedCards, Attempts, CardLimits, LinkCard, WaitingLink},
};
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

/// Number of pages that are read at once.
const AT_ONCE: u8 = 4;
/// Timeout for a page with its redirects.
const PAGE_TIMEOUT: Duration = Duration::from_secs(10);
/// Number of bytes of a page that are read: its head.
const MAX_PAGE_BYTES: usize = 512 * 1024;
/// Maximum number of pages a day for each account.
const MAX_PAGES_PER_DAY: u32 = 200;
/// Maximum number of attempts for a page, if processes end during them.
const MAX_ATTEMPTS: i32 = 3;
/// After this time another node may read a page whose attempt has no result, milliseconds.
const ATTEMPT_MS: i64 = 60_000;
/// Later texts use a card of this age at most, milliseconds.
const CARD_AGE_MS: i64 = 30 * DAY_MS;
/// A page without a card is read again for later texts after this time, milliseconds.
const FAILURE_AGE_MS: i64 = DAY_MS;
const DAY_MS: i64 = 24 * 3_600_000;
/// Interval between searches for pages that another process was to read.
const SEARCH_INTERVAL: Duration = Duration::from_secs(300);

/// Returns the addresses of a text that may have a card.
pub fn links(parts: &AppState, outcome: &Outcome) -> Vec<String> {
    match outcome.as_ref() {
        Ok(html) => link_cards::addresses(html.as_str(), &parts.senders.public_url),
        Err(_) => Vec::new(),
    }
}

/// Stores in the transaction which cards a saved revision has and waits for.
pub async fn ask(
    tx: &mut Tx,
    actor: &Actor,
    revision: Uuid,
    links: &[String],
    at: Timestamp,
) -> Result<(), StoreError> {
    let limits = CardLimits {
        card_since: at.plus(-CARD_AGE_MS),
        failure_since: at.plus(-FAILURE_AGE_MS),
        day_since: at.plus(-DAY_MS),
        per_account: MAX_PAGES_PER_DAY,
    };
    let links = with_hashes(links);
    let asked = AskedCards { revision, account: actor.account, links: &links, at };
    link_card::ask(tx.conn(), asked, limits).await
}

/// Starts reading the pages, after the commit of a text with links.
pub fn wake(parts: &AppState, links: &[String]) {
    if !links.is_empty() {
        parts.links_asked.notify_one();
    }
}

/// Returns the HTML of a preview with the cards that are known.
pub async fn preview<'h>(parts: &AppState, html: &'h str) -> Result<Cow<'h, str>, DomainError> {
    let links = with_hashes(&link_cards::addresses(html, &parts.senders.public_url));
    if links.is_empty() {
        return Ok(html.into());
    }
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let cards = link_card::newest(lease.conn(), &links).await.map_err(internal_error)?;
    Ok(link_cards::with_cards(html, &cards).into())
}

fn with_hashes(links: &[String]) -> Vec<(String, String)> {
    links.iter().map(|url| (link_hash(url), url.clone())).collect()
}

/// Starts a background task that reads the pages of links. It runs until `stop` is cancelled or the guard is
/// dropped.
#[must_use]
pub fn start(parts: &AppState, stop: CancellationToken) -> DropGuard {
    #[expect(
        clippy::disallowed_methods,
        reason = "a background task: each page is stored separately, and readers have the link"
    )]
    tokio::spawn(repeat(parts.clone(), stop.clone()));
    stop.drop_guard()
}

async fn repeat(parts: AppState, stop: CancellationToken) {
    while !stop.is_cancelled() {
        match read_waiting(&parts, &stop).await {
            Ok(count) if count > 0 => tracing::debug!(count, "pages of links were read"),
            Ok(_) => {}
            Err(why) => tracing::debug!("reading pages of links failed and will be retried: {why}"),
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = parts.links_asked.notified() => {}
            () = tokio::time::sleep(SEARCH_INTERVAL) => {}
        }
    }
}

/// Reads the pages of all links that wait. Returns their number.
pub async fn read_waiting(parts: &AppState, stop: &CancellationToken) -> Result<usize, DomainError> {
    let mut count = 0;
    while !stop.is_cancelled() {
        let links = begin_some(parts).await?;
        if links.is_empty() {
            break;
        }
        count += links.len();
        let pages = links.into_iter().map(|link| async move {
            // If this process ends, another one makes the next attempt.
            let read = stop.run_until_cancelled(read_page(parts, &link));
            Some((read.await?, link))
        });
        let read: Vec<_> = stream::iter(pages).buffer_unordered(AT_ONCE.into()).collect().await;
        for (card, link) in read.into_iter().flatten() {
            answer(parts, &link, card.as_ref()).await?;
        }
    }
    Ok(count)
}

/// Begins to read the next pages: one of each account first.
async fn begin_some(parts: &AppState) -> Result<Vec<WaitingLink>, DomainError> {
    let now = parts.clock.now();
    let attempts = Attempts { ended_before: now.plus(-ATTEMPT_MS), max: MAX_ATTEMPTS };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = link_card::waiting(lease.conn(), attempts, AT_ONCE.into()).await.map_err(internal_error)?;
    drop(lease);
    if found.is_empty() {
        return Ok(found);
    }
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let mut begun = Vec::new();
    for link in found {
        if link_card::begin(tx.conn(), &link.url_hash, attempts, now).await.map_err(internal_error)? {
            begun.push(link);
        }
    }
    tx.commit().await.map_err(internal_error)?;
    Ok(begun)
}

/// Reads a page. `None`: it cannot be read in time, or says nothing about itself.
async fn read_page(parts: &AppState, link: &WaitingLink) -> Option<LinkCard> {
    let read = parts.senders.read_start(&link.url, MAX_PAGE_BYTES);
    let page = tokio::time::timeout(PAGE_TIMEOUT, read).await.ok()?.ok();
    let page = page.filter(|page| (200..300).contains(&page.status))?;
    let about = page_about::read(&page.content_type, &page.bytes)?;
    let (title, description, site) = (about.title, about.description, about.site);
    Some(LinkCard { url: link.url.clone(), title, description, site })
}

async fn answer(parts: &AppState, link: &WaitingLink, card: Option<&LinkCard>) -> Result<(), DomainError> {
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    link_card::answer(tx.conn(), &link.url_hash, card, parts.clock.now()).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)
}
