//! New articles.

use super::{ArticleDesk, check, read};
use crate::{
    desk::{broken, rendering, unsaved},
    text::slug,
};
use domain::{
    Actor, ArticleId, Refusal,
    article::{Article, NewArticle},
};
use serde_json::json;
use std::collections::HashSet;
use store::{
    StoreError, Tx, Who,
    article::{self, Draft},
    event::{self, NewEvent},
    idempotency::{self, Claim},
    rendered::{self, Rendering},
    revision::{self, NewRevision},
    search::{self, Entry, Tokens},
};
use uuid::Uuid;

/// Of an article whose title has no letter.
const NAMELESS: &str = "article";
/// How often another name is tried when somebody was faster with one (PostgreSQL only).
const TRIES: usize = 8;
/// Numbers tried behind a name before all that begin with it are looked at.
const NUMBERS: u32 = 20;

/// An article as it will be stored.
struct Wish {
    slug: String,
    title: String,
    body: String,
    rendering: Rendering,
    tokens: Tokens,
}

enum Stored {
    /// The new article, or the one this request made before.
    As(ArticleId),
    /// Somebody was faster with the name.
    Beaten,
}

pub async fn create(desk: &ArticleDesk, actor: &Actor, new: NewArticle) -> Result<Article, Refusal> {
    let title = check::title(&new.title)?;
    let body = check::body(&new.body)?;
    let slug = match new.slug.filter(|slug| !slug.trim().is_empty()) {
        Some(slug) => check::slug(&slug)?,
        None => Some(slug::of(&title)).filter(|slug| !slug.is_empty()).unwrap_or_else(|| NAMELESS.to_owned()),
    };
    let outcome = rendering::accept(&body).await?;
    let rendering = rendering::rendering(&title, &outcome);
    let tokens = Tokens::of_body(&body);
    let wish = Wish { slug, title, body, rendering, tokens };
    for turn in 0..TRIES {
        if let Stored::As(id) = store_article(desk, actor, &wish, turn).await? {
            return read::find(desk, actor, id).await;
        }
    }
    Err(Refusal::Taken { what: "slug".to_owned() })
}

async fn store_article(
    desk: &ArticleDesk,
    actor: &Actor,
    wish: &Wish,
    turn: usize,
) -> Result<Stored, Refusal> {
    let (id, now) = (ArticleId::fresh(), desk.parts.clock.now());
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    if let Some(key) = &actor.idempotency {
        match idempotency::claim(tx.conn(), actor.person, key, id.0, now).await.map_err(broken)? {
            Claim::Fresh => {}
            Claim::Repeat(id) => return Ok(Stored::As(ArticleId(id))),
            Claim::Reused => return Err(Refusal::KeyReused),
        }
    }
    let slug = free_slug(&mut tx, &wish.slug, turn).await.map_err(broken)?;
    let (revision, title) = (Uuid::now_v7(), wish.title.as_str());
    let draft = Draft { id, slug: &slug, owner: actor.person, revision, title, at: now };
    match article::insert(tx.conn(), &draft).await {
        Err(error) if error.is_taken() => return Ok(Stored::Beaten),
        other => other.map_err(unsaved(&desk.parts))?,
    }
    let text = NewRevision {
        id: revision,
        article: id,
        number: 1,
        title,
        body: &wish.body,
        words: check::words(&wish.body),
        is_autosave: false,
        author: actor.person,
        at: now,
    };
    revision::insert(tx.conn(), &text).await.map_err(unsaved(&desk.parts))?;
    rendered::put(tx.conn(), revision, &wish.rendering).await.map_err(unsaved(&desk.parts))?;
    let entry = Entry { article: id.0, body: wish.tokens.clone() };
    search::put(tx.conn(), vec![entry]).await.map_err(unsaved(&desk.parts))?;
    let event = NewEvent {
        version: Some(1),
        detail: json!({ "slug": slug, "title": title }).to_string(),
        ..NewEvent::plain(now, Some(actor.person), "article", id.0, "create")
    };
    event::append(tx.conn(), &[event]).await.map_err(unsaved(&desk.parts))?;
    tx.commit().await.map_err(unsaved(&desk.parts))?;
    desk.parts.committed.notify_waiters();
    Ok(Stored::As(id))
}

/// The name itself, or the first number behind it that no article has or had; after `turn` defeats one of the first few, lest
/// those who want the same name at the same moment always meet.
async fn free_slug(tx: &mut Tx, wanted: &str, turn: usize) -> Result<String, StoreError> {
    let mut names = vec![wanted.to_owned()];
    names.extend((2..=NUMBERS).map(|number| slug::numbered(wanted, number)));
    let taken: HashSet<String> = store::slug::taken(tx.conn(), &names).await?.into_iter().collect();
    let leap = rand::random_range(0..=2 * turn);
    let mut free: Vec<String> = names.into_iter().filter(|name| !taken.contains(name)).collect();
    if !free.is_empty() {
        return Ok(free.swap_remove(leap.min(free.len() - 1)));
    }
    // A popular name: one look at all of them instead of guessing on. The stem is cut as `numbered` cuts it.
    let stem = slug::stem(wanted);
    let taken: HashSet<String> = store::slug::beginning_with(tx.conn(), stem).await?.into_iter().collect();
    let numbers = (NUMBERS + 1..).map(|number| slug::numbered(stem, number));
    let mut free = numbers.filter(|name| !taken.contains(name));
    Ok(free.nth(leap).unwrap_or_else(|| Uuid::now_v7().to_string()))
}
