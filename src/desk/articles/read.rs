//! Articles as people read them.

use super::{
    ArticleDesk, cursor,
    search::{self, Part},
};
use crate::{
    desk::{Lens, broken},
    text::{diff, render::POOL},
};
use domain::{
    Actor, ArticleId, Page, PersonId, Refusal, TaskId,
    article::{Article, ArticleQuery, ArticleRow, Drift},
    limit::{PAGE_DEFAULT, PAGE_ITEMS, SEARCH_CHARS},
    refusal::Problem,
    task::TaskRow,
};
use std::collections::HashMap;
use store::{
    Conn, StoreError, Who,
    article_list::{self, ListedArticle, Wanted},
    revision::{self, RevisionRecord},
    search as search_index, slug, task_list,
};
use uuid::Uuid;

pub async fn list(
    desk: &ArticleDesk,
    actor: &Actor,
    query: ArticleQuery,
) -> Result<Page<ArticleRow>, Refusal> {
    let cursor = query.cursor.clone();
    let wanted = wanted(actor, query)?;
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let lens = Lens::of(lease.conn(), actor, desk.parts.clock.now()).await?;
    let is_indexed = match wanted.q {
        Some(_) => search_index::is_filled(lease.conn()).await.map_err(broken)?,
        None => false,
    };
    let part = match wanted.q.as_deref().filter(|_| is_indexed) {
        Some(q) => search::page(lease.conn(), q, &wanted, cursor.as_deref()).await?,
        None => newest(lease.conn(), wanted, cursor.as_deref()).await?,
    };
    let ids: Vec<Uuid> = part.listed.iter().map(|(listed, _)| listed.article.id).collect();
    let mut waiting = waiting(lease.conn(), &lens, &ids).await?;
    let rows = part.listed.into_iter().map(|(listed, excerpt)| {
        let next = waiting.remove(&listed.article.id).and_then(|tasks| tasks.into_iter().next());
        Ok(ArticleRow { excerpt, ..row(&lens, listed, next)? })
    });
    Ok(Page { items: rows.collect::<Result<_, Refusal>>()?, next_cursor: part.next_cursor })
}

/// One page, newest change first.
async fn newest(conn: Conn<'_>, wanted: Wanted, cursor: Option<&str>) -> Result<Part, Refusal> {
    let limit = wanted.limit;
    let wanted = Wanted { limit: limit + 1, after: cursor.map(cursor::read).transpose()?, ..wanted };
    let mut listed = article_list::page(conn, &wanted).await.map_err(broken)?;
    let is_last = listed.len() <= limit as usize;
    listed.truncate(limit as usize);
    let next_cursor = listed.last().filter(|_| !is_last).map(|last| cursor::write(&last.article));
    Ok(Part { listed: listed.into_iter().map(|listed| (listed, Vec::new())).collect(), next_cursor })
}

fn wanted(actor: &Actor, query: ArticleQuery) -> Result<Wanted, Refusal> {
    let q = query.q.map(|q| q.trim().to_owned()).filter(|q| !q.is_empty());
    if q.as_ref().is_some_and(|q| q.chars().count() > SEARCH_CHARS) {
        let max = u32::try_from(SEARCH_CHARS).unwrap_or(u32::MAX);
        return Err(Refusal::invalid("q", Problem::TooLong { max }));
    }
    Ok(Wanted {
        filter: query.filter,
        q,
        owner: query.is_mine.then_some(actor.person),
        after: None,
        limit: query.limit.unwrap_or(PAGE_DEFAULT).clamp(1, PAGE_ITEMS),
    })
}

/// What waits for these articles, next first.
async fn waiting(
    conn: Conn<'_>,
    lens: &Lens<'_>,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Vec<TaskRow>>, Refusal> {
    let lines = task_list::waiting_of_targets(conn, ids).await.map_err(broken)?;
    let mut waiting: HashMap<Uuid, Vec<TaskRow>> = HashMap::new();
    for task in lens.tasks(lines) {
        waiting.entry(task.target_id).or_default().push(task);
    }
    Ok(waiting)
}

fn row(lens: &Lens<'_>, listed: ListedArticle, waiting: Option<TaskRow>) -> Result<ArticleRow, Refusal> {
    let article = listed.article;
    let state = article
        .state
        .parse()
        .map_err(|_| broken(StoreError::Corrupt(format!("state {:?} of an article", article.state))))?;
    Ok(ArticleRow {
        id: ArticleId(article.id),
        slug: article.slug,
        title: article.title,
        revision: article.revision,
        state,
        published: article.published_at.map(|at| lens.moment(at)),
        waiting,
        owner_id: PersonId(article.owner_id),
        owner: listed.owner,
        changed: lens.moment(article.changed_at),
        deleted: article.deleted_at.map(|at| lens.moment(at)),
        may_change: lens.actor.may_change(PersonId(article.owner_id)),
        excerpt: Vec::new(),
    })
}

/// All of one article, from one moment of the database each for the line and the text.
struct Found {
    listed: ListedArticle,
    current: RevisionRecord,
    published: Option<RevisionRecord>,
    /// The waiting publish whose text is not the current one, and that text.
    pinned: Option<(Uuid, RevisionRecord)>,
    former_slugs: Vec<String>,
    waiting: Vec<TaskRow>,
}

pub async fn find(desk: &ArticleDesk, actor: &Actor, id: ArticleId) -> Result<Article, Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let lens = Lens::of(lease.conn(), actor, desk.parts.clock.now()).await?;
    let found = gather(lease.conn(), &lens, id).await?.ok_or_else(|| Refusal::no_such("article"))?;
    drop(lease);
    let drift = match found.pinned {
        Some((task, old)) => drift(task, old, &found.current).await?,
        None => None,
    };
    Ok(Article {
        may_change: actor.may_change(PersonId(found.listed.article.owner_id))
            && found.listed.article.deleted_at.is_none(),
        row: row(&lens, found.listed, found.waiting.first().cloned())?,
        body: found.current.body,
        published_revision: found.published.map(|revision| revision.number),
        waiting: found.waiting,
        drift,
        former_slugs: found.former_slugs,
    })
}

async fn gather(mut conn: Conn<'_>, lens: &Lens<'_>, id: ArticleId) -> Result<Option<Found>, Refusal> {
    let Some(listed) = article_list::find(conn.again(), id).await.map_err(broken)? else { return Ok(None) };
    // A fold may have put a newer number beside the identity meanwhile: the line follows the text.
    let current = revision::find(conn.again(), listed.article.revision_id).await.map_err(broken)?;
    let current =
        current.ok_or_else(|| broken(StoreError::Corrupt(format!("article {id} has no current text"))))?;
    let published = match listed.article.published_revision_id {
        Some(revision) => revision::find(conn.again(), revision).await.map_err(broken)?,
        None => None,
    };
    let former_slugs = slug::former(conn.again(), id).await.map_err(broken)?;
    let lines = task_list::waiting_of_targets(conn.again(), &[id.0]).await.map_err(broken)?;
    let pin = lines.iter().find_map(|line| Some((line.id, line.revision_id?)));
    let pinned = match pin.filter(|(_, revision)| *revision != current.id) {
        Some((task, revision)) => {
            revision::find(conn.again(), revision).await.map_err(broken)?.map(|old| (task, old))
        }
        None => None,
    };
    let mut listed = listed;
    listed.article.revision = current.number;
    listed.article.title.clone_from(&current.title);
    Ok(Some(Found { listed, current, published, pinned, former_slugs, waiting: lens.tasks(lines) }))
}

/// How far the current text is from the pinned one; `None`: they are equal.
async fn drift(task: Uuid, old: RevisionRecord, current: &RevisionRecord) -> Result<Option<Drift>, Refusal> {
    let (title, body) = (u32::from(old.title != current.title), current.body.clone());
    let pinned = old.number;
    let changes = title + POOL.run_for_client(move |_| diff::places(&old.body, &body)).await?;
    Ok((changes > 0).then_some(Drift { task: TaskId(task), pinned, changes }))
}
