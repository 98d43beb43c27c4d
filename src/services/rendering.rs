//! Renders texts for users and the site in a separate thread pool. Results are cached and stored
//! beside the text.

use crate::{
    services::internal_error,
    text::render::{self, Budget, Html, POOL, Share, TooComplex},
};
use domain::{
    DomainError,
    error::{TextLimit, ValidationError},
    media::{MediaType, address},
};
use engine::Context;
use sha2::{Digest as _, Sha256};
use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, LazyLock, Mutex, PoisonError},
    time::Duration,
};
use store::{
    Conn, PoolRole, StoreError, media_file,
    rendered::{self, Rendering, Unrendered},
};
use tokio_util::sync::{CancellationToken, DropGuard};

/// Maximum size of cached HTML, bytes.
const MAX_CACHED_BYTES: usize = 8 * 1024 * 1024;
/// Maximum number of texts read by one query.
const BATCH_SIZE: u32 = 20;
/// Interval between searches for texts without a rendering. A node of an earlier release may write
/// such texts.
const FILL_INTERVAL: Duration = Duration::from_secs(3_600);
/// How far ahead scheduled texts are rendered, milliseconds.
const RENDER_AHEAD_MS: i64 = 2 * 3_600_000;

/// Version of a rendering whose addresses are not resolved: it is rendered again before it is shown.
const UNRESOLVED_VERSION: i32 = 0;

/// Result of rendering a text.
pub type Outcome = Arc<Result<Html, TooComplex>>;

/// Cache of the newest results, by the hash of the text.
#[derive(Default)]
struct Cache {
    outcomes: VecDeque<([u8; 32], Outcome)>,
    bytes: usize,
}

static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);

/// Renders a text that will be stored, in this share of the pool. The work is not cancelled.
pub async fn render(share: Share, body: &str) -> Result<Outcome, DomainError> {
    let (hash, body) = (Sha256::digest(body).into(), body.to_owned());
    match find(hash) {
        Some(outcome) => Ok(outcome),
        None => Ok(keep(hash, POOL.run_in(share, move |budget| work(&body, budget)).await?)),
    }
}

/// Renders a text for a request. The work is cancelled when the client disconnects.
pub async fn render_for_client(share: Share, body: String) -> Result<Outcome, DomainError> {
    let hash = Sha256::digest(&body).into();
    match find(hash) {
        Some(outcome) => Ok(outcome),
        None => Ok(keep(hash, POOL.run_for_client(share, move |budget| work(&body, budget)).await?)),
    }
}

/// Renders a text that will be stored; refuses one that exceeds a limit.
pub async fn accept(share: Share, body: &str) -> Result<Outcome, DomainError> {
    let outcome = render(share, body).await?;
    match outcome.as_ref() {
        Ok(_) => Ok(outcome),
        Err(limit) => Err(DomainError::invalid("body", (*limit).into())),
    }
}

/// Like [`accept`], with the addresses of files of the library resolved.
pub async fn accept_resolved(parts: &Context, share: Share, body: &str) -> Result<Outcome, DomainError> {
    let outcome = accept(share, body).await?;
    resolved(parts, share, outcome).await
}

/// Replaces addresses of files of the library, such as those with an earlier host of the desk, by their
/// paths: the same bytes have the same hash, so the host does not matter.
pub async fn resolved(parts: &Context, share: Share, outcome: Outcome) -> Result<Outcome, DomainError> {
    let hashes: Vec<String> = match outcome.as_ref() {
        Ok(html) if !html.unresolved().is_empty() => html.unresolved().iter().cloned().collect(),
        _ => return Ok(outcome),
    };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let files = paths(lease.conn(), &hashes).await?;
    drop(lease);
    let resolve = move |_: &Budget| Arc::new((*outcome).clone().map(|html| html.resolved(&files)));
    POOL.run_in(share, resolve).await
}

/// Returns the path of each file of the library, by its hash.
pub async fn paths(conn: Conn<'_>, hashes: &[String]) -> Result<HashMap<String, String>, DomainError> {
    let rows = media_file::formats(conn, hashes).await.map_err(internal_error)?;
    let side = |side: Option<i32>| side.and_then(|side| u32::try_from(side).ok());
    let path = |(hash, format, width, height): (String, String, Option<i32>, Option<i32>)| {
        let kind: MediaType = format.parse().ok()?;
        let name = address::file_name(kind, side(width).zip(side(height)));
        let path = address::path(&hash, &name);
        Some((hash, path))
    };
    Ok(rows.into_iter().filter_map(path).collect())
}

/// Returns the path of a picture of the library, whatever form its address has; empty: none. Refuses
/// what the library does not have.
pub async fn own_picture(conn: Conn<'_>, field: &str, typed: &str) -> Result<String, DomainError> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Ok(String::new());
    }
    let refuse = || DomainError::invalid(field, ValidationError::Unknown);
    let hash = address::parse(typed).ok_or_else(refuse)?.hash.to_owned();
    let path = paths(conn, std::slice::from_ref(&hash)).await?.remove(&hash);
    path.filter(|path| address::picture_of(path).is_some()).ok_or_else(refuse)
}

/// Returns the rendering to store beside a text.
#[must_use]
pub fn rendering(title: &str, outcome: &Outcome) -> Rendering {
    let rendered = outcome.as_ref().as_ref().ok();
    let is_resolved = rendered.is_none_or(|html| html.unresolved().is_empty());
    let renderer = if is_resolved { render::VERSION } else { UNRESOLVED_VERSION };
    let html = rendered.map(|html| render::without_title(html.as_str(), title).to_owned());
    let lead = html.as_deref().map(render::excerpt).unwrap_or_default();
    let language = render::script::language(&format!("{title} {lead}")).map(str::to_owned);
    Rendering { renderer, html, lead, language }
}

/// Starts a background task that renders public and soon-public texts without a rendering, every
/// hour. It runs until `stop` is cancelled or the guard is dropped.
#[must_use]
pub fn start(parts: &Context, stop: CancellationToken) -> DropGuard {
    #[expect(
        clippy::disallowed_methods,
        reason = "a background task: each text is stored separately, and readers can wait"
    )]
    tokio::spawn(fill(parts.clone(), stop.clone()));
    stop.drop_guard()
}

async fn fill(parts: Context, stop: CancellationToken) {
    while !stop.is_cancelled() {
        match fill_once(&parts, &stop).await {
            Ok(count) if count > 0 => tracing::info!(count, "texts were rendered"),
            Ok(_) => {}
            Err(why) => tracing::debug!("rendering texts failed and will be retried: {why}"),
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(FILL_INTERVAL) => {}
        }
    }
}

/// Renders all texts without a rendering and returns their number.
pub async fn fill_once(parts: &Context, stop: &CancellationToken) -> Result<u64, DomainError> {
    let mut count = 0;
    while !stop.is_cancelled() {
        let until = parts.clock.now().millis() + RENDER_AHEAD_MS;
        let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let texts = rendered::missing(lease.conn(), render::VERSION, until, BATCH_SIZE)
            .await
            .map_err(internal_error)?;
        drop(lease);
        if texts.is_empty() {
            break;
        }
        for text in texts {
            store(parts, text).await?;
            count += 1;
        }
    }
    Ok(count)
}

/// Renders one text and stores the rendering.
pub async fn store(parts: &Context, text: Unrendered) -> Result<Rendering, DomainError> {
    let outcome = render(Share::Desk, &text.body).await?;
    let outcome = resolved(parts, Share::Desk, outcome).await?;
    let new = rendering(&text.title, &outcome);
    let written: Result<(), StoreError> = async {
        let mut tx = parts.store.begin(PoolRole::Web).await?;
        rendered::put(tx.conn(), text.id, &new).await?;
        tx.commit().await
    }
    .await;
    // Readers get the rendering even while the database is read-only.
    if let Err(error) = written {
        tracing::debug!("a rendering was not stored: {error:?}");
    }
    Ok(new)
}

fn work(body: &str, budget: &Budget) -> Outcome {
    Arc::new(render::render(body, budget))
}

fn find(hash: [u8; 32]) -> Option<Outcome> {
    let cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    cache.outcomes.iter().find(|(own, _)| *own == hash).map(|(_, outcome)| Arc::clone(outcome))
}

/// Caches a result, unless rendering timed out: a later attempt may succeed.
fn keep(hash: [u8; 32], outcome: Outcome) -> Outcome {
    let bytes = match outcome.as_ref() {
        Ok(html) => html.as_str().len(),
        Err(TooComplex { limit: TextLimit::Time, .. }) => return outcome,
        Err(_) => 0,
    };
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    cache.outcomes.push_back((hash, Arc::clone(&outcome)));
    cache.bytes += bytes + 100;
    while cache.bytes > MAX_CACHED_BYTES {
        let Some((_, oldest)) = cache.outcomes.pop_front() else { break };
        cache.bytes -= oldest.as_ref().as_ref().map_or(0, |html| html.as_str().len()) + 100;
    }
    outcome
}
