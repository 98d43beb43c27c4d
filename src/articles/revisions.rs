//! Revisions of an article, and differences between them.

use super::{ArticleService, details::authors};
use crate::{
    services::{Presenter, internal_error},
    text::{diff, render::POOL},
};
use domain::{
    Actor, ArticleId, DomainError,
    article::{DiffLine, Revision, RevisionRow},
};
use store::{
    Conn, PoolRole, article,
    revision::{self, RevisionRecord},
};

/// Maximum number of listed revisions; older ones can be opened by number.
const MAX_LISTED_REVISIONS: u32 = 500;

pub async fn list(
    service: &ArticleService,
    actor: &Actor,
    id: ArticleId,
) -> Result<Vec<RevisionRow>, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, service.parts.clock.now()).await?;
    if article::find(lease.conn(), id).await.map_err(internal_error)?.is_none() {
        return Err(DomainError::no_such("article"));
    }
    let revisions = revision::list(lease.conn(), id, MAX_LISTED_REVISIONS).await.map_err(internal_error)?;
    Ok(revisions.iter().map(|record| row(&presenter, record)).collect())
}

pub async fn find(
    service: &ArticleService,
    actor: &Actor,
    id: ArticleId,
    number: i32,
) -> Result<Revision, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, service.parts.clock.now()).await?;
    let record = numbered(lease.conn(), id, number).await?;
    let details = record.details().map_err(internal_error)?;
    let authors = authors::named(lease.conn(), &details).await?;
    Ok(Revision { row: row(&presenter, &record), details, authors, body: record.body })
}

pub async fn compare(
    service: &ArticleService,
    actor: &Actor,
    id: ArticleId,
    from: i32,
    to: i32,
) -> Result<Vec<DiffLine>, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let old = numbered(lease.conn(), id, from).await?;
    let new = numbered(lease.conn(), id, to).await?;
    drop(lease);
    POOL.run_for_client(actor.into(), move |budget| diff::diff_lines(&old.body, &new.body, budget)).await
}

async fn numbered(conn: Conn<'_>, id: ArticleId, number: i32) -> Result<RevisionRecord, DomainError> {
    revision::find_by_number(conn, id, number)
        .await
        .map_err(internal_error)?
        .ok_or_else(|| DomainError::no_such("revision"))
}

fn row(presenter: &Presenter<'_>, record: &RevisionRecord) -> RevisionRow {
    RevisionRow {
        number: record.number,
        title: record.title.clone(),
        author: record.author.clone(),
        saved: presenter.moment(record.saved_at),
        words: u32::try_from(record.words).unwrap_or(0),
        is_published: record.is_published != 0,
        is_pinned: record.is_pinned != 0,
        changed: record.change(),
    }
}
