//! New texts of an article: saved, saved by the editor itself, restored.

use super::{ArticleDesk, check, read};
use crate::desk::{
    broken,
    rendering::{self, Outcome},
    unsaved,
};
use domain::{
    Actor, ArticleId, PersonId, Refusal, Timestamp,
    article::{Article, ArticleEdit},
    state::ArticleState,
};
use serde_json::json;
use store::{
    StoreError, Tx, Who,
    article::{self, ArticleRecord},
    event::{self, NewEvent},
    rendered,
    revision::{self, NewRevision, RevisionRecord},
    search::{self, Entry, Tokens},
};
use uuid::Uuid;

/// Autosaves of one sitting are folded into one revision for so long.
const SITTING_MS: i64 = 5 * 60_000;

/// A text on its way to become the current one.
struct Text {
    title: String,
    body: String,
    /// Of the body, made before the transaction began; `None`: it is not a new one.
    tokens: Option<Tokens>,
    seen: i32,
    is_autosave: bool,
    verb: &'static str,
    /// The revision it was taken from.
    from: Option<i32>,
    /// What its body becomes; `None`: it is rendered when it is needed.
    outcome: Option<Outcome>,
}

pub async fn save(
    desk: &ArticleDesk,
    actor: &Actor,
    id: ArticleId,
    edit: ArticleEdit,
) -> Result<Article, Refusal> {
    let title = edit.title.as_deref().map(check::title).transpose()?;
    let body = edit.body.as_deref().map(check::body).transpose()?;
    let outcome = match &body {
        Some(body) => Some(rendering::accept(body).await?),
        None => None,
    };
    let tokens = body.as_deref().map(Tokens::of_body);
    let (tx, article, current) = open(desk, actor, id).await?;
    let text = Text {
        title: title.unwrap_or_else(|| current.title.clone()),
        body: body.unwrap_or_else(|| current.body.clone()),
        tokens,
        seen: edit.seen_revision,
        is_autosave: edit.is_autosave,
        verb: "save",
        from: None,
        outcome,
    };
    put(desk, actor, tx, (article, current), text).await?;
    read::find(desk, actor, id).await
}

pub async fn restore(
    desk: &ArticleDesk,
    actor: &Actor,
    id: ArticleId,
    number: i32,
    seen: i32,
) -> Result<Article, Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let old = revision::numbered(lease.conn(), id, number).await.map_err(broken)?;
    drop(lease);
    let outcome = match &old {
        Some(old) => Some(rendering::accept(&old.body).await?),
        None => None,
    };
    let (tx, article, current) = open(desk, actor, id).await?;
    let old = old.ok_or_else(|| Refusal::no_such("revision"))?;
    let text = Text {
        title: old.title,
        body: old.body,
        tokens: None,
        seen,
        is_autosave: false,
        verb: "restore",
        from: Some(number),
        outcome,
    };
    put(desk, actor, tx, (article, current), text).await?;
    read::find(desk, actor, id).await
}

/// Begins a change: the article, locked, with its current text; refused unless the actor may change it.
async fn open(
    desk: &ArticleDesk,
    actor: &Actor,
    id: ArticleId,
) -> Result<(Tx, ArticleRecord, RevisionRecord), Refusal> {
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    let article = article::lock(tx.conn(), id).await.map_err(broken)?;
    let article = article.ok_or_else(|| Refusal::no_such("article"))?;
    if !actor.may_change(PersonId(article.owner_id)) {
        return Err(Refusal::NotAllowed);
    }
    if article.deleted_at.is_some() {
        return Err(Refusal::InTrash);
    }
    let current = revision::find(tx.conn(), article.revision_id).await.map_err(broken)?;
    let current =
        current.ok_or_else(|| broken(StoreError::Corrupt(format!("article {id} has no current text"))))?;
    Ok((tx, article, current))
}

/// Stores the text, unless it is the current one already; a conflict if the writer saw another one.
async fn put(
    desk: &ArticleDesk,
    actor: &Actor,
    mut tx: Tx,
    (article, current): (ArticleRecord, RevisionRecord),
    text: Text,
) -> Result<(), Refusal> {
    // Equal texts lose nothing, whatever was seen: an answer that got lost is not a conflict.
    if text.title == current.title && text.body == current.body {
        return Ok(());
    }
    if text.seen != article.revision {
        return Err(Refusal::TextConflict {
            revision: article.revision,
            title: current.title,
            body: current.body,
        });
    }
    write(&mut tx, actor, desk.parts.clock.now(), (&article, &current), &text)
        .await
        .map_err(unsaved(&desk.parts))?;
    tx.commit().await.map_err(unsaved(&desk.parts))?;
    desk.parts.committed.notify_waiters();
    Ok(())
}

async fn write(
    tx: &mut Tx,
    actor: &Actor,
    now: Timestamp,
    (article, current): (&ArticleRecord, &RevisionRecord),
    text: &Text,
) -> Result<(), StoreError> {
    let is_folded = text.is_autosave && is_foldable(article, current, actor, now);
    let (id, number) = (ArticleId(article.id), article.revision + 1);
    let new = NewRevision {
        id: if is_folded { current.id } else { Uuid::now_v7() },
        article: id,
        number,
        title: &text.title,
        body: &text.body,
        words: check::words(&text.body),
        is_autosave: text.is_autosave,
        author: actor.person,
        at: now,
    };
    if is_folded {
        revision::fold(tx.conn(), current.id, &new).await?;
    } else {
        revision::insert(tx.conn(), &new).await?;
    }
    match &text.outcome {
        Some(outcome) => {
            rendered::put(tx.conn(), new.id, &rendering::rendering(&text.title, outcome)).await?
        }
        None => rendered::forget(tx.conn(), new.id).await?,
    }
    article::turn_to(tx.conn(), id, article.revision, (new.id, number), &text.title, now)
        .await?
        .ok_or_else(|| StoreError::Corrupt(format!("article {id} changed while it was locked")))?;
    let tokens = text.tokens.clone().unwrap_or_else(|| Tokens::of_body(&text.body));
    search::put(tx.conn(), vec![Entry { article: article.id, body: tokens }]).await?;
    let detail = match text.from {
        Some(from) => json!({ "from": from }),
        None => json!({ "is_autosave": text.is_autosave }),
    };
    let event = NewEvent {
        version: Some(number),
        detail: detail.to_string(),
        ..NewEvent::plain(now, Some(actor.person), "article", article.id, text.verb)
    };
    event::append(tx.conn(), &[event]).await
}

/// Whether the current text is an autosave of the same sitting that nobody else holds on to. Whoever pins a text approves
/// it, and every new text is a draft again: what was ever pinned, undone or not, is not a draft.
fn is_foldable(article: &ArticleRecord, current: &RevisionRecord, actor: &Actor, now: Timestamp) -> bool {
    current.is_autosave != 0
        && current.author_id == actor.person.0
        && now.since(current.saved_at.into()) < SITTING_MS
        && article.state == ArticleState::Draft.as_str()
        && current.is_published == 0
        && current.is_pinned == 0
}
