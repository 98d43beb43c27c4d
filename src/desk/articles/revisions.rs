//! The saved texts of an article, and what changed between them.

use super::ArticleDesk;
use crate::{
    desk::{Lens, broken},
    text::{diff, render::POOL},
};
use domain::{
    Actor, ArticleId, Refusal,
    article::{DiffLine, Revision, RevisionRow},
};
use store::{
    Conn, Who, article,
    revision::{self, RevisionRecord},
};

/// Most revisions listed; older ones are found by their number.
const LISTED: u32 = 500;

pub async fn list(desk: &ArticleDesk, actor: &Actor, id: ArticleId) -> Result<Vec<RevisionRow>, Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let lens = Lens::of(lease.conn(), actor, desk.parts.clock.now()).await?;
    if article::find(lease.conn(), id).await.map_err(broken)?.is_none() {
        return Err(Refusal::no_such("article"));
    }
    let revisions = revision::of(lease.conn(), id, LISTED).await.map_err(broken)?;
    Ok(revisions.iter().map(|record| row(&lens, record)).collect())
}

pub async fn find(
    desk: &ArticleDesk,
    actor: &Actor,
    id: ArticleId,
    number: i32,
) -> Result<Revision, Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let lens = Lens::of(lease.conn(), actor, desk.parts.clock.now()).await?;
    let record = numbered(lease.conn(), id, number).await?;
    Ok(Revision { row: row(&lens, &record), body: record.body })
}

pub async fn compare(
    desk: &ArticleDesk,
    id: ArticleId,
    from: i32,
    to: i32,
) -> Result<Vec<DiffLine>, Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let old = numbered(lease.conn(), id, from).await?;
    let new = numbered(lease.conn(), id, to).await?;
    drop(lease);
    POOL.run_for_client(move |_| diff::lines(&old.body, &new.body)).await
}

async fn numbered(conn: Conn<'_>, id: ArticleId, number: i32) -> Result<RevisionRecord, Refusal> {
    revision::numbered(conn, id, number).await.map_err(broken)?.ok_or_else(|| Refusal::no_such("revision"))
}

fn row(lens: &Lens<'_>, record: &RevisionRecord) -> RevisionRow {
    RevisionRow {
        number: record.number,
        title: record.title.clone(),
        author: record.author.clone(),
        saved: lens.moment(record.saved_at),
        words: u32::try_from(record.words).unwrap_or(0),
        is_published: record.is_published != 0,
        is_pinned: record.is_pinned != 0,
    }
}
