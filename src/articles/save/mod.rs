//! Stores a new text and details of an article: by a save, an autosave, or a restored revision.

pub mod link_cards;
mod taken;

pub use taken::{TakenPost, save_taken};

use super::{ArticleService, check, details, follow, read};
use crate::services::{
    internal_error,
    rendering::{self, Outcome},
    write_error,
};
use domain::{
    AccountId, Actor, ArticleId, DomainError, Timestamp,
    article::{Article, ArticleEdit},
    articles::details::{ArticleDetails, DetailsEdit, RevisionChange},
    state::ArticleState,
};
use serde_json::json;
use store::{
    PoolRole, StoreError, Tx,
    article::{self, ArticleRecord},
    details::StoredDetails,
    event::{self, NewEvent},
    link_card, rendered,
    revision::{self, NewRevision, RevisionRecord},
    search::{self, Entry, Tokens},
};
use uuid::{NoContext, Uuid};

/// Autosaves within this time after the first are merged into one revision, milliseconds.
const AUTOSAVE_MERGE_MS: i64 = 5 * 60_000;

/// A text to be stored as the current one.
struct NewText {
    title: String,
    body: String,
    details: ArticleDetails,
    stored: StoredDetails,
    /// Search tokens of the body, computed before the transaction; `None`: the body is not new.
    tokens: Option<Tokens>,
    seen: i32,
    /// What it changes; set when it is compared with the current text.
    changed: RevisionChange,
    is_autosave: bool,
    verb: &'static str,
    /// Number of the restored revision.
    from: Option<i32>,
    /// Rendering of the body; `None`: it is not new, and rendered on demand.
    outcome: Option<Outcome>,
    /// Addresses of a new body that may have a card.
    links: Vec<String>,
}

/// Returns the addresses of a new body that may have a card.
fn links_of(service: &ArticleService, outcome: Option<&Outcome>) -> Vec<String> {
    outcome.map(|outcome| link_cards::links(&service.parts, outcome)).unwrap_or_default()
}

pub async fn save(
    service: &ArticleService,
    actor: &Actor,
    id: ArticleId,
    edit: ArticleEdit,
) -> Result<Article, DomainError> {
    save_with(service, actor, id, edit, None).await
}

/// Saves a text; if it comes from another site, its post there is recorded in the same transaction.
async fn save_with(
    service: &ArticleService,
    actor: &Actor,
    id: ArticleId,
    edit: ArticleEdit,
    from: Option<&TakenPost>,
) -> Result<Article, DomainError> {
    let title = edit.title.as_deref().map(check::title).transpose()?;
    let body = edit.body.as_deref().map(check::body).transpose()?;
    let outcome = match &body {
        Some(body) => Some(rendering::accept_resolved(&service.parts, actor.into(), body).await?),
        None => None,
    };
    let tokens = body.as_deref().map(Tokens::of_body);
    let links = links_of(service, outcome.as_ref());
    let (mut tx, article, current) = begin_change(service, actor, id).await?;
    if let Some(post) = from {
        taken::record(service, actor, &mut tx, (&article, edit.seen_revision), post).await?;
    }
    let (details, stored) =
        new_details(&mut tx, (id, &current), edit.details, service.parts.clock.now()).await?;
    let text = NewText {
        title: title.unwrap_or_else(|| current.title.clone()),
        body: body.unwrap_or_else(|| current.body.clone()),
        details,
        stored,
        tokens,
        seen: edit.seen_revision,
        changed: RevisionChange::Text,
        is_autosave: edit.is_autosave,
        verb: "save",
        from: None,
        outcome,
        links: links.clone(),
    };
    put(service, actor, tx, (article, current), text).await?;
    if !edit.is_autosave {
        link_cards::wake(&service.parts, &links);
    }
    read::find(service, actor, id).await
}

pub async fn restore(
    service: &ArticleService,
    actor: &Actor,
    id: ArticleId,
    number: i32,
    seen: i32,
) -> Result<Article, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let old = revision::find_by_number(lease.conn(), id, number).await.map_err(internal_error)?;
    drop(lease);
    let outcome = match &old {
        Some(old) => Some(rendering::accept_resolved(&service.parts, actor.into(), &old.body).await?),
        None => None,
    };
    let links = links_of(service, outcome.as_ref());
    let (tx, article, current) = begin_change(service, actor, id).await?;
    let old = old.ok_or_else(|| DomainError::no_such("revision"))?;
    let details = old.details().map_err(internal_error)?;
    let stored = details::stored(&details, old.dated_at).map_err(internal_error)?;
    let text = NewText {
        title: old.title,
        body: old.body,
        details,
        stored,
        tokens: None,
        seen,
        changed: RevisionChange::Text,
        is_autosave: false,
        verb: "restore",
        from: Some(number),
        outcome,
        links: links.clone(),
    };
    put(service, actor, tx, (article, current), text).await?;
    link_cards::wake(&service.parts, &links);
    read::find(service, actor, id).await
}

/// Stores a revision with the same text and other details in the transaction. Returns its number.
pub async fn with_details(
    service: &ArticleService,
    actor: &Actor,
    tx: &mut Tx,
    (article, current): (&ArticleRecord, &RevisionRecord),
    (details, stored): (ArticleDetails, StoredDetails),
) -> Result<i32, DomainError> {
    let text = NewText {
        title: current.title.clone(),
        body: current.body.clone(),
        details,
        stored,
        tokens: None,
        seen: article.revision,
        changed: RevisionChange::Details,
        is_autosave: false,
        verb: "save",
        from: None,
        outcome: None,
        links: Vec::new(),
    };
    let now = service.parts.clock.now();
    write(tx, actor, now, (article, current), &text).await.map_err(write_error(&service.parts))?;
    Ok(article.revision + 1)
}

/// Returns the current details with the changes of an edit, and their stored form.
async fn new_details(
    tx: &mut Tx,
    (id, current): (ArticleId, &RevisionRecord),
    edit: DetailsEdit,
    now: Timestamp,
) -> Result<(ArticleDetails, StoredDetails), DomainError> {
    let before = current.details().map_err(internal_error)?;
    let mut after = edit.apply(before.clone());
    if after.translation_of != before.translation_of {
        let typed = &after.translation_of;
        after.translation_of = details::original::checked(tx.conn(), typed, Some(id.0)).await?;
    }
    if after != before {
        return details::checked(tx.conn(), after, now).await;
    }
    let stored = details::stored(&before, current.dated_at).map_err(internal_error)?;
    Ok((before, stored))
}

/// Begins a change: locks the article and reads its current text. Refuses it unless the actor may
/// change it.
async fn begin_change(
    service: &ArticleService,
    actor: &Actor,
    id: ArticleId,
) -> Result<(Tx, ArticleRecord, RevisionRecord), DomainError> {
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let article = article::lock(tx.conn(), id).await.map_err(internal_error)?;
    let article = article.ok_or_else(|| DomainError::no_such("article"))?;
    if !actor.may_change(AccountId(article.owner_id)) {
        return Err(DomainError::NotAllowed);
    }
    if article.deleted_at.is_some() {
        return Err(DomainError::InTrash);
    }
    let current = revision::find(tx.conn(), article.revision_id).await.map_err(internal_error)?;
    let current = current
        .ok_or_else(|| internal_error(StoreError::Corrupt(format!("article {id} has no current text"))))?;
    Ok((tx, article, current))
}

/// Stores the text unless it equals the current one; a scheduled publication may follow it. Returns a
/// conflict if the actor saw another revision.
async fn put(
    service: &ArticleService,
    actor: &Actor,
    mut tx: Tx,
    (article, current): (ArticleRecord, RevisionRecord),
    text: NewText,
) -> Result<(), DomainError> {
    // Equal texts are no conflict, whatever revision was seen: the first response may have been
    // lost.
    let is_text = text.title != current.title || text.body != current.body;
    let is_details = text.stored.json != current.details;
    let id = ArticleId(article.id);
    let Some(changed) = RevisionChange::of(is_text, is_details) else {
        if text.is_autosave || text.seen != article.revision {
            return Ok(());
        }
        // What was autosaved is saved now.
        let asked = link_cards::ask(&mut tx, actor, current.id, &text.links, service.parts.clock.now());
        asked.await.map_err(write_error(&service.parts))?;
        return follow::commit_save(service, actor, tx, (id, article.revision)).await;
    };
    if text.seen != article.revision {
        return Err(DomainError::TextConflict {
            revision: article.revision,
            title: current.title,
            body: current.body,
            has_text: true,
        });
    }
    let text = NewText { changed, ..text };
    write(&mut tx, actor, service.parts.clock.now(), (&article, &current), &text)
        .await
        .map_err(write_error(&service.parts))?;
    if text.is_autosave {
        return follow::commit(service, tx).await;
    }
    follow::commit_save(service, actor, tx, (id, article.revision + 1)).await
}

async fn write(
    tx: &mut Tx,
    actor: &Actor,
    now: Timestamp,
    (article, current): (&ArticleRecord, &RevisionRecord),
    text: &NewText,
) -> Result<(), StoreError> {
    let is_merged = text.is_autosave && can_merge(article, current, actor, now);
    let (id, number) = (ArticleId(article.id), article.revision + 1);
    let new = NewRevision {
        id: if is_merged { current.id } else { revision_id(now) },
        article: id,
        number,
        title: &text.title,
        body: &text.body,
        details: &text.stored,
        changed: if is_merged { text.changed.and(current.change()) } else { text.changed },
        words: check::words(&text.body),
        is_autosave: text.is_autosave,
        author: actor.account,
        at: now,
    };
    if is_merged {
        revision::replace_autosave(tx.conn(), current.id, &new).await?;
    } else {
        revision::insert(tx.conn(), &new).await?;
    }
    put_rendering(tx, actor, now, (current.id, new.id), text).await?;
    article::set_revision(tx.conn(), id, article.revision, (new.id, number), &text.title, now)
        .await?
        .ok_or_else(|| StoreError::Corrupt(format!("article {id} changed while it was locked")))?;
    let tokens = text.tokens.clone().unwrap_or_else(|| Tokens::of_body(&text.body));
    let tokens = tokens.and_text(&text.details.words());
    search::put(tx.conn(), vec![Entry { article: article.id, body: tokens }]).await?;
    let detail = match text.from {
        Some(from) => json!({ "from": from }),
        None => json!({ "is_autosave": text.is_autosave, "changed": text.changed }),
    };
    let event = NewEvent {
        version: Some(number),
        detail: detail.to_string(),
        ..NewEvent::simple(now, Some(actor.account), "article", article.id, text.verb)
    };
    event::append(tx.conn(), &[event]).await
}

/// Stores the rendering of a revision and its cards: with the same body, those of the current one.
async fn put_rendering(
    tx: &mut Tx,
    actor: &Actor,
    now: Timestamp,
    (current, new): (Uuid, Uuid),
    text: &NewText,
) -> Result<(), StoreError> {
    let Some(outcome) = &text.outcome else {
        rendered::delete(tx.conn(), new).await?;
        return link_card::copy(tx.conn(), current, new).await;
    };
    rendered::put(tx.conn(), new, &rendering::rendering(&text.title, outcome)).await?;
    if text.is_autosave {
        return Ok(());
    }
    link_cards::ask(tx, actor, new, &text.links, now).await
}

/// Returns a new id of a revision that is saved at this moment.
fn revision_id(now: Timestamp) -> Uuid {
    let millis = u64::try_from(now.millis()).unwrap_or_default();
    let nanos = u32::try_from(millis % 1_000).unwrap_or_default() * 1_000_000;
    Uuid::new_v7(uuid::Timestamp::from_unix(NoContext, millis / 1_000, nanos))
}

/// Returns when a revision was saved first, from its id: autosaves that are merged keep the id.
fn first_saved(revision: &RevisionRecord) -> Timestamp {
    let of_id = revision.id.get_timestamp().and_then(|at| {
        let (seconds, nanos) = at.to_unix();
        i64::try_from(seconds * 1_000 + u64::from(nanos / 1_000_000)).ok()
    });
    of_id.unwrap_or(revision.saved_at).into()
}

/// Whether the current revision is a recent autosave of the same author that nothing refers to.
/// Pinning a text approves it, and every new text is a draft again: a revision that was ever
/// pinned, even if undone, is not a draft.
fn can_merge(article: &ArticleRecord, current: &RevisionRecord, actor: &Actor, now: Timestamp) -> bool {
    current.is_autosave != 0
        && current.author_id == actor.account.0
        && now.since(first_saved(current)) < AUTOSAVE_MERGE_MS
        && article.state == ArticleState::Draft.as_str()
        && current.is_published == 0
        && current.is_pinned == 0
        && current.is_reviewed == 0
}

#[cfg(test)]
mod tests {
    use super::revision_id;
    use domain::Timestamp;

    #[test]
    fn the_id_of_a_revision_has_its_time() {
        let (seconds, nanos) =
            revision_id(Timestamp::from_millis(1_800_000_000_123)).get_timestamp().unwrap().to_unix();
        assert_eq!((seconds, nanos), (1_800_000_000, 123_000_000));
    }
}
