//! Tags of the desk: list, rename and merge.

use super::tag;
use crate::{
    articles::{ArticleService, review::workflow::content_hash},
    services::{internal_error, write_error},
};
use domain::{
    Actor, DomainError,
    articles::details::{ArticleDetails, MAX_LISTED_TAGS, Tag, TagEdit},
};
use serde_json::json;
use std::collections::HashMap;
use store::{
    PoolRole, StoreError, Tx,
    approval::{self, RevisionText},
    details::{self, TagRow, TaggedRevision, tag_key},
    event::{self, NewEvent},
    search,
};
use uuid::Uuid;

/// Number of revisions that one statement changes.
const BATCH_SIZE: u32 = 200;

/// Returns the tags by name.
pub async fn list(service: &ArticleService, _actor: &Actor) -> Result<Vec<Tag>, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let rows = details::tags(lease.conn(), MAX_LISTED_TAGS).await.map_err(internal_error)?;
    Ok(rows.into_iter().map(present).collect())
}

fn present(row: TagRow) -> Tag {
    Tag { key: row.key, name: row.name, articles: u64::try_from(row.articles).unwrap_or_default() }
}

/// Renames a tag in all revisions, also in scheduled ones.
pub async fn rename(service: &ArticleService, actor: &Actor, edit: TagEdit) -> Result<Tag, DomainError> {
    if !actor.is_admin() {
        return Err(DomainError::NotAllowed);
    }
    let to = tag("to", &edit.to)?;
    let (old, new) = (tag_key(&edit.from), tag_key(&to));
    let failed = write_error(&service.parts);
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let before = details::tag(tx.conn(), &old).await.map_err(internal_error)?;
    let before = before.ok_or_else(|| DomainError::no_such("tag"))?;
    let other = details::tag(tx.conn(), &new).await.map_err(internal_error)?;
    let other = other.filter(|_| old != new);
    if other.is_some() && !edit.is_merge {
        return Err(DomainError::Taken { what: "tag".to_owned() });
    }
    // Merged into another tag, it gets the name of that one.
    let name = other.as_ref().map_or(to, |other| other.name.clone());
    if before.name == name {
        return Ok(present(before));
    }
    let now = service.parts.clock.now();
    let reviewed = approval::with_tag(tx.conn(), &old).await.map_err(&failed)?;
    let before_hashes = hashes(&mut tx, &reviewed).await.map_err(&failed)?;
    details::put_name(tx.conn(), &name, now).await.map_err(&failed)?;
    let articles = replace_in_revisions(&mut tx, &old, &name).await.map_err(&failed)?;
    details::move_tag(tx.conn(), &old, &new).await.map_err(&failed)?;
    rebind(&mut tx, &reviewed, &before_hashes).await.map_err(&failed)?;
    for some in articles.chunks(BATCH_SIZE as usize) {
        search::put_current(tx.conn(), some).await.map_err(&failed)?;
    }
    let after = details::tag(tx.conn(), &new).await.map_err(internal_error)?;
    let verb = if other.is_some() { "merge" } else { "rename" };
    let event = NewEvent {
        detail: json!({ "tag": name, "was": before.name }).to_string(),
        ..NewEvent::simple(now, Some(actor.account), "tag", Uuid::nil(), verb)
    };
    event::append(tx.conn(), &[event]).await.map_err(&failed)?;
    tx.commit().await.map_err(&failed)?;
    service.parts.committed.notify_waiters();
    after.map(present).ok_or(DomainError::Changed)
}

/// Hashes of revisions, as approvals are bound to them.
async fn hashes(tx: &mut Tx, revisions: &[Uuid]) -> Result<HashMap<Uuid, String>, StoreError> {
    let mut found = HashMap::with_capacity(revisions.len());
    for some in revisions.chunks(BATCH_SIZE as usize) {
        let texts = approval::texts(tx.conn(), some).await?;
        let hash =
            |text: RevisionText| (text.id, content_hash(&text.title, &text.body, text.details.as_deref()));
        found.extend(texts.into_iter().map(hash));
    }
    Ok(found)
}

/// Lets approvals and reviews stay valid: an admin changed the name of a tag, the reviewed text is
/// the same.
async fn rebind(tx: &mut Tx, revisions: &[Uuid], before: &HashMap<Uuid, String>) -> Result<(), StoreError> {
    for some in revisions.chunks(BATCH_SIZE as usize) {
        let now = hashes(tx, some).await?;
        let change = |(id, hash): (Uuid, String)| Some((id, before.get(&id)?.clone(), hash));
        let changes: Vec<_> = now.into_iter().filter_map(change).collect();
        approval::rebind(tx.conn(), &changes).await?;
    }
    Ok(())
}

/// Replaces the name in the details of all revisions. Returns the articles whose current text has it.
async fn replace_in_revisions(tx: &mut Tx, key: &str, name: &str) -> Result<Vec<Uuid>, StoreError> {
    let (mut articles, mut last) = (Vec::new(), Uuid::nil());
    loop {
        let rows = details::tagged(tx.conn(), key, last, BATCH_SIZE).await?;
        let Some(newest) = rows.last() else { return Ok(articles) };
        last = newest.id;
        let changed = rows.iter().map(|row| replaced(row, key, name));
        details::replace(tx.conn(), &changed.collect::<Result<Vec<_>, StoreError>>()?).await?;
        articles.extend(rows.iter().filter(|row| row.is_current == 1).map(|row| row.article_id));
    }
}

/// Returns the details of a revision with the new name, once.
fn replaced(row: &TaggedRevision, key: &str, name: &str) -> Result<(Uuid, String), StoreError> {
    let mut with: ArticleDetails = details::parse(row.details.as_deref())?;
    let mut tags: Vec<String> = Vec::with_capacity(with.tags.len());
    for tag in with.tags {
        let tag = if tag_key(&tag) == key { name.to_owned() } else { tag };
        let own = tag_key(&tag);
        if !tags.iter().any(|known| tag_key(known) == own) {
            tags.push(tag);
        }
    }
    with.tags = tags;
    let text = serde_json::to_string(&with).map_err(|error| StoreError::Corrupt(error.to_string()))?;
    Ok((row.id, text))
}
