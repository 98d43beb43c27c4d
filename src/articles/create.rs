//! Creates articles.

use super::{ArticleService, check, details, link_cards, read};
use crate::{
    services::{idempotency::claimed_result, internal_error, rendering, write_error},
    text::slug,
};
use domain::{
    Actor, ArticleId, DomainError,
    article::{Article, NewArticle},
    articles::details::{ArticleDetails, DetailsEdit, RevisionChange},
    input_limits::MAX_SLUG_CHARS,
};
use serde_json::json;
use std::collections::HashSet;
use store::{
    PoolRole, StoreError, Tx,
    article::{self, NewArticleRow},
    details::StoredDetails,
    event::{self, NewEvent},
    rendered::{self, Rendering},
    revision::{self, NewRevision},
    search::{self, Entry, Tokens},
};
use uuid::Uuid;

/// Slug of an article whose title has no letter.
const DEFAULT_SLUG: &str = "article";
/// Maximum number of attempts when a concurrent request takes the slug first (PostgreSQL only).
const MAX_SLUG_ATTEMPTS: usize = 8;
/// Highest number tried as a suffix of a slug before all slugs with its stem are read.
const MAX_GUESSED_NUMBER: u32 = 20;

/// The article to store.
struct NewText {
    slug: String,
    title: String,
    body: String,
    details: StoredDetails,
    rendering: Rendering,
    tokens: Tokens,
    /// Addresses that may have a card.
    links: Vec<String>,
}

enum Stored {
    /// The new article, or the one the same request created before.
    Done(ArticleId),
    /// A concurrent request took the slug first.
    SlugTaken,
}

pub async fn create(
    service: &ArticleService,
    actor: &Actor,
    new: NewArticle,
) -> Result<Article, DomainError> {
    let title = check::title(&new.title)?;
    let body = check::body(&new.body)?;
    // A blank slug counts as absent, unless it is too long.
    let is_absent = |slug: &str| slug.trim().is_empty() && slug.chars().count() <= MAX_SLUG_CHARS;
    let slug = match new.slug.filter(|slug| !is_absent(slug)) {
        Some(slug) => check::slug(&slug)?,
        None => slug_of(&title),
    };
    let (words, details) = new_details(service, new.details).await?;
    let outcome = rendering::accept_resolved(&service.parts, actor.into(), &body).await?;
    let rendering = rendering::rendering(&title, &outcome);
    let tokens = Tokens::of_body(&body).and_text(&words);
    let links = link_cards::links(&service.parts, &outcome);
    let text = NewText { slug, title, body, details, rendering, tokens, links };
    for attempt in 0..MAX_SLUG_ATTEMPTS {
        if let Stored::Done(id) = store_article(service, actor, &text, attempt).await? {
            return read::find(service, actor, id).await;
        }
    }
    Err(DomainError::Taken { what: "slug".to_owned() })
}

/// Returns the slug of a title.
pub fn slug_of(title: &str) -> String {
    let slug = slug::from_title(title);
    if slug.is_empty() { DEFAULT_SLUG.to_owned() } else { slug }
}

/// Validates the details of a new article. Returns their words and their stored form.
async fn new_details(
    service: &ArticleService,
    new: DetailsEdit,
) -> Result<(String, StoredDetails), DomainError> {
    if new.is_empty() {
        return Ok((String::new(), StoredDetails::none()));
    }
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let mut new = new.apply(ArticleDetails::default());
    new.translation_of = details::original::checked(lease.conn(), &new.translation_of, None).await?;
    let (details, stored) = details::checked(lease.conn(), new, service.parts.clock.now()).await?;
    Ok((details.words(), stored))
}

async fn store_article(
    service: &ArticleService,
    actor: &Actor,
    text: &NewText,
    attempt: usize,
) -> Result<Stored, DomainError> {
    let (id, now) = (ArticleId::generate(), service.parts.clock.now());
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    if let Some(first) = claimed_result(tx.conn(), actor, id.0, now).await? {
        return Ok(Stored::Done(ArticleId(first)));
    }
    let slug = free_slug(&mut tx, &text.slug, attempt).await.map_err(internal_error)?;
    let (revision, title) = (Uuid::now_v7(), text.title.as_str());
    let draft = NewArticleRow { id, slug: &slug, owner: actor.account, revision, title, at: now };
    match article::insert(tx.conn(), &draft).await {
        Err(error) if error.is_unique_violation() => return Ok(Stored::SlugTaken),
        other => other.map_err(write_error(&service.parts))?,
    }
    let first = NewRevision {
        id: revision,
        article: id,
        number: 1,
        title,
        body: &text.body,
        details: &text.details,
        changed: RevisionChange::Text,
        words: check::words(&text.body),
        is_autosave: false,
        author: actor.account,
        at: now,
    };
    revision::insert(tx.conn(), &first).await.map_err(write_error(&service.parts))?;
    rendered::put(tx.conn(), revision, &text.rendering).await.map_err(write_error(&service.parts))?;
    link_cards::ask(&mut tx, actor, revision, &text.links, now).await.map_err(write_error(&service.parts))?;
    let entry = Entry { article: id.0, body: text.tokens.clone() };
    search::put(tx.conn(), vec![entry]).await.map_err(write_error(&service.parts))?;
    let event = NewEvent {
        version: Some(1),
        detail: json!({ "slug": slug, "title": title }).to_string(),
        ..NewEvent::simple(now, Some(actor.account), "article", id.0, "create")
    };
    event::append(tx.conn(), &[event]).await.map_err(write_error(&service.parts))?;
    tx.commit().await.map_err(write_error(&service.parts))?;
    service.parts.committed.notify_waiters();
    link_cards::wake(&service.parts, &text.links);
    Ok(Stored::Done(id))
}

/// Returns the wanted slug, or the first numbered one that no article has or had. After `attempt`
/// conflicts it picks one of the first few at random, so that concurrent requests for one slug do
/// not collide again.
async fn free_slug(tx: &mut Tx, wanted: &str, attempt: usize) -> Result<String, StoreError> {
    let mut names = vec![wanted.to_owned()];
    names.extend((2..=MAX_GUESSED_NUMBER).map(|number| slug::with_number(wanted, number)));
    let taken: HashSet<String> = store::slug::taken(tx.conn(), &names).await?.into_iter().collect();
    let leap = rand::random_range(0..=2 * attempt);
    let mut free: Vec<String> = names.into_iter().filter(|name| !taken.contains(name)).collect();
    if !free.is_empty() {
        return Ok(free.swap_remove(leap.min(free.len() - 1)));
    }
    // A popular slug: reads all slugs with this stem once. The stem is cut as `numbered` cuts it.
    let stem = slug::truncated(wanted);
    let taken: HashSet<String> = store::slug::beginning_with(tx.conn(), stem).await?.into_iter().collect();
    let numbers = (MAX_GUESSED_NUMBER + 1..).map(|number| slug::with_number(stem, number));
    let mut free = numbers.filter(|name| !taken.contains(name));
    Ok(free.nth(leap).unwrap_or_else(|| Uuid::now_v7().to_string()))
}
