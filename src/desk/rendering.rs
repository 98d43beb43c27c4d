//! Rendering of texts for people and for the site: in a pool of its own, remembered for a while, stored beside the text.

use crate::{
    desk::broken,
    parts::Parts,
    text::render::{self, Budget, Html, POOL, TooComplex},
};
use domain::{Refusal, refusal::TextLimit};
use sha2::{Digest as _, Sha256};
use std::{
    collections::VecDeque,
    sync::{Arc, LazyLock, Mutex, PoisonError},
    time::Duration,
};
use store::{
    StoreError, Who,
    rendered::{self, Rendering, Unrendered},
};
use tokio_util::sync::{CancellationToken, DropGuard};

/// Most bytes of HTML remembered.
const BYTES: usize = 8 * 1024 * 1024;
/// Texts rendered between two questions to the database.
const BATCH: u32 = 20;
/// How often texts without a rendering are looked for: programs of an earlier release write such beside this one.
const EACH_HOUR: Duration = Duration::from_secs(3_600);
/// How far ahead scheduled texts are rendered then, milliseconds.
const AHEAD_MS: i64 = 2 * 3_600_000;

/// What became of a text.
pub type Outcome = Arc<Result<Html, TooComplex>>;

/// The newest outcomes, by the hash of their text.
#[derive(Default)]
struct Recent {
    outcomes: VecDeque<([u8; 32], Outcome)>,
    bytes: usize,
}

static RECENT: LazyLock<Mutex<Recent>> = LazyLock::new(Mutex::default);

/// Renders a text that is to be stored, to its end.
pub async fn render(body: &str) -> Result<Outcome, Refusal> {
    let (hash, body) = (Sha256::digest(body).into(), body.to_owned());
    match find(hash) {
        Some(outcome) => Ok(outcome),
        None => Ok(keep(hash, POOL.run(move |budget| work(&body, budget)).await?)),
    }
}

/// Renders a text for the client of the running request, unless that leaves.
pub async fn render_for_client(body: String) -> Result<Outcome, Refusal> {
    let hash = Sha256::digest(&body).into();
    match find(hash) {
        Some(outcome) => Ok(outcome),
        None => Ok(keep(hash, POOL.run_for_client(move |budget| work(&body, budget)).await?)),
    }
}

/// Renders a text that is to be stored; one that exceeds a limit is refused.
pub async fn accept(body: &str) -> Result<Outcome, Refusal> {
    let outcome = render(body).await?;
    match outcome.as_ref() {
        Ok(_) => Ok(outcome),
        Err(limit) => Err(Refusal::invalid("body", (*limit).into())),
    }
}

/// What is stored beside a text.
#[must_use]
pub fn rendering(title: &str, outcome: &Outcome) -> Rendering {
    let html =
        outcome.as_ref().as_ref().ok().map(|html| render::without_title(html.as_str(), title).to_owned());
    let lead = html.as_deref().map(render::excerpt).unwrap_or_default();
    let language = render::script::language(&format!("{title} {lead}")).map(str::to_owned);
    Rendering { renderer: render::VERSION, html, lead, language }
}

/// Starts to render what is public, or will be soon, and has no rendering; again each hour, until `stop` or the guard is dropped.
#[must_use]
pub fn start(parts: &Parts, stop: CancellationToken) -> DropGuard {
    #[expect(
        clippy::disallowed_methods,
        reason = "nobody waits for it: each text is stored by itself, and readers can wait"
    )]
    tokio::spawn(fill(parts.clone(), stop.clone()));
    stop.drop_guard()
}

async fn fill(parts: Parts, stop: CancellationToken) {
    while !stop.is_cancelled() {
        match fill_once(&parts, &stop).await {
            Ok(count) if count > 0 => tracing::info!(count, "texts were rendered"),
            Ok(_) => {}
            Err(why) => tracing::debug!("texts are rendered later: {why}"),
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(EACH_HOUR) => {}
        }
    }
}

/// Renders what has no rendering; how many.
pub async fn fill_once(parts: &Parts, stop: &CancellationToken) -> Result<u64, Refusal> {
    let mut count = 0;
    while !stop.is_cancelled() {
        let until = parts.clock.now().millis() + AHEAD_MS;
        let mut lease = parts.store.read(Who::People).await.map_err(broken)?;
        let texts = rendered::missing(lease.conn(), render::VERSION, until, BATCH).await.map_err(broken)?;
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
pub async fn store(parts: &Parts, text: Unrendered) -> Result<Rendering, Refusal> {
    let outcome = render(&text.body).await?;
    let new = rendering(&text.title, &outcome);
    let written: Result<(), StoreError> = async {
        let mut tx = parts.store.begin(Who::People).await?;
        rendered::put(tx.conn(), text.id, &new).await?;
        tx.commit().await
    }
    .await;
    // Readers get it all the same while the database is read-only.
    if let Err(error) = written {
        tracing::debug!("a rendering is not stored: {error:?}");
    }
    Ok(new)
}

fn work(body: &str, budget: &Budget) -> Outcome {
    Arc::new(render::render(body, budget))
}

fn find(hash: [u8; 32]) -> Option<Outcome> {
    let recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    recent.outcomes.iter().find(|(own, _)| *own == hash).map(|(_, outcome)| Arc::clone(outcome))
}

/// Remembers an outcome, unless the time ran out: another time may be better.
fn keep(hash: [u8; 32], outcome: Outcome) -> Outcome {
    let bytes = match outcome.as_ref() {
        Ok(html) => html.as_str().len(),
        Err(TooComplex { limit: TextLimit::Time, .. }) => return outcome,
        Err(_) => 0,
    };
    let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    recent.outcomes.push_back((hash, Arc::clone(&outcome)));
    recent.bytes += bytes + 100;
    while recent.bytes > BYTES {
        let Some((_, oldest)) = recent.outcomes.pop_front() else { break };
        recent.bytes -= oldest.as_ref().as_ref().map_or(0, |html| html.as_str().len()) + 100;
    }
    outcome
}
