//! Reads articles: the list and a single article.

mod approved;
mod counts;
mod cursor;
mod held;
mod next_tasks;
mod search;

pub use counts::{counts, search_counts};
pub use next_tasks::next_tasks;

use self::search::ListPage;
use super::{ArticleService, details::authors, review::workflow};
use crate::{
    services::{Presenter, cursor::Place, internal_error},
    tasks::{query::owner, unit_of_work::parsed},
    text::{
        diff,
        render::{Budget, POOL},
    },
    zone::Zone,
};
use domain::{
    AccountId, Actor, ArticleId, DomainError, Page, TaskId, Timestamp,
    article::{Article, ArticleFilter, ArticleQuery, ArticleRow, Drift, FollowedSave},
    articles::details::MAX_TAG_CHARS,
    base::page::PageStart,
    error::ValidationError,
    input_limits::{DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS, MAX_SEARCH_CHARS},
    releases::PlannedRelease,
    review::workflow::checklist::TextCheck,
    task::TaskRow,
    tasks::{search_filters, search_filters::OF_ARTICLES},
};
use std::collections::HashMap;
use store::{
    Conn, PoolRole, ReadConn, StoreError,
    article_list::{self, ArticleListQuery, ListedArticle},
    details::tag_key,
    event, notified, post, release,
    revision::{self, RevisionRecord},
    search as search_index, slug, task_list,
};
use uuid::Uuid;

/// Maximum number of newest events among which the deletion is looked for.
const MAX_EVENTS_AFTER_DELETION: u32 = 20;

pub async fn list(
    service: &ArticleService,
    actor: &Actor,
    query: ArticleQuery,
) -> Result<Page<ArticleRow>, DomainError> {
    let asked = query.clone();
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let wanted = wanted(lease.conn(), actor, query).await?;
    let presenter = Presenter::of(lease.conn(), actor, service.parts.clock.now()).await?;
    let is_indexed = match wanted.q {
        Some(_) => search_index::is_filled(lease.conn()).await.map_err(internal_error)?,
        None => false,
    };
    let part = match wanted.q.as_deref().filter(|_| is_indexed) {
        Some(q) => search::page(lease.conn(), q, &wanted, asked.cursor.as_deref()).await?,
        None => by_time(&mut lease, wanted, page_start(actor, &asked)?).await?,
    };
    let ids: Vec<Uuid> = part.listed.iter().map(|(listed, _)| listed.article.id).collect();
    let mut waiting = waiting(lease.conn(), &presenter, &ids).await?;
    let mut held = held::held(lease.conn(), &presenter, &ids).await?;
    let mut releases = releases(lease.conn(), &presenter, &ids).await?;
    let notified = notified::notified(lease.conn(), &ids).await.map_err(internal_error)?;
    let posts = match actor.is_admin() {
        true => post::worst(lease.conn(), &ids).await.map_err(internal_error)?,
        false => HashMap::new(),
    };
    let rows = part.listed.into_iter().map(|(listed, excerpt)| {
        let next = waiting.remove(&listed.article.id).and_then(|tasks| tasks.into_iter().next());
        let notified = notified.get(&listed.article.id).copied();
        let worst_post = posts.get(&listed.article.id).copied();
        let release = releases.remove(&listed.article.id);
        let held = held.remove(&listed.article.id);
        Ok(ArticleRow { excerpt, notified, worst_post, held, release, ..row(&presenter, listed, next)? })
    });
    let items = rows.collect::<Result<_, DomainError>>()?;
    Ok(Page { items, next_cursor: part.next_cursor, previous_cursor: part.previous_cursor })
}

/// Returns the ids of the articles that match; refuses more than `max`.
pub async fn matching(
    service: &ArticleService,
    actor: &Actor,
    query: ArticleQuery,
    max: usize,
) -> Result<Vec<Uuid>, DomainError> {
    let limit = u32::try_from(max).unwrap_or(u32::MAX);
    let ids = first_ids(service, actor, query, limit.saturating_add(1)).await?;
    if ids.len() > max {
        return Err(DomainError::invalid("filter", ValidationError::TooMany { max: limit }));
    }
    Ok(ids)
}

/// Returns the ids of articles that match, up to a limit.
async fn first_ids(
    service: &ArticleService,
    actor: &Actor,
    query: ArticleQuery,
    limit: u32,
) -> Result<Vec<Uuid>, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let wanted = ArticleListQuery {
        is_by_publication: false,
        is_ascending: false,
        limit,
        ..wanted(lease.conn(), actor, query).await?
    };
    let is_indexed =
        wanted.q.is_some() && search_index::is_filled(lease.conn()).await.map_err(internal_error)?;
    match wanted.q.as_deref().filter(|_| is_indexed) {
        Some(q) => search::all(lease.conn(), q, &wanted).await,
        None => {
            let listed = article_list::page(lease.conn(), &wanted).await.map_err(internal_error)?;
            Ok(listed.into_iter().map(|listed| listed.article.id).collect())
        }
    }
}

/// Returns one page by the time of the last change or of the publication.
async fn by_time(
    lease: &mut ReadConn,
    wanted: ArticleListQuery,
    start: PageStart<Place>,
) -> Result<ListPage, DomainError> {
    let limit = usize::try_from(wanted.limit).unwrap_or(usize::MAX);
    // One more than requested shows whether there is another page.
    let first = ArticleListQuery { limit: wanted.limit + 1, ..wanted };
    let asked = ArticleListQuery {
        is_ascending: first.is_ascending != start.is_backward,
        start: start.place,
        ..first.clone()
    };
    let mut listed = article_list::page(lease.conn(), &asked).await.map_err(internal_error)?;
    let mut start = start;
    // The way back ends here: the first page, read from its start so that it is full.
    if start.is_backward && listed.len() <= limit {
        listed = article_list::page(lease.conn(), &first).await.map_err(internal_error)?;
        start = PageStart::first();
    }
    let place = |row: &ListedArticle| cursor::place_of(&row.article, first.is_by_publication);
    let page = Page::of_rows(listed, limit, start, place, cursor::write);
    let listed = page.items.into_iter().map(|listed| (listed, Vec::new())).collect();
    Ok(ListPage { listed, next_cursor: page.next_cursor, previous_cursor: page.previous_cursor })
}

/// Returns the start that the cursor or the day of the query names.
fn page_start(actor: &Actor, query: &ArticleQuery) -> Result<PageStart<Place>, DomainError> {
    if let Some(cursor) = &query.cursor {
        return cursor::read_start(cursor);
    }
    let Some(day) = &query.day else { return Ok(PageStart::first()) };
    let (begin, end) = Zone::stored(&actor.zone).day_bounds("day", day)?;
    let at = if query.is_oldest_first { begin } else { end };
    Ok(PageStart { place: Some((at.millis(), Uuid::nil())), is_backward: false })
}

/// Reads a query. A filter in the search counts instead of the same one outside of it.
async fn wanted(conn: Conn<'_>, actor: &Actor, query: ArticleQuery) -> Result<ArticleListQuery, DomainError> {
    let found = search_filters::split(query.q.as_deref().unwrap_or_default(), &OF_ARTICLES);
    let owner = match found.get("owner") {
        Some(name) => Some(AccountId(owner(conn, actor, name, "q").await?)),
        None => query.is_mine.then_some(actor.account),
    };
    let filter = found.word("state", ArticleFilter::NAMES)?.or(query.filter);
    let tag = found.get("tag").map(str::to_owned).or(query.tag);
    let q = Some(found.text).filter(|q| !q.is_empty());
    if q.as_ref().is_some_and(|q| q.chars().count() > MAX_SEARCH_CHARS) {
        let max = u32::try_from(MAX_SEARCH_CHARS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("q", ValidationError::TooLong { max }));
    }
    Ok(ArticleListQuery {
        filter,
        q,
        tag: tag_filter(tag)?,
        owner,
        is_by_publication: query.is_by_publication && filter == Some(ArticleFilter::Published),
        is_ascending: query.is_oldest_first,
        start: None,
        limit: query.limit.unwrap_or(DEFAULT_PAGE_ITEMS).clamp(1, MAX_PAGE_ITEMS),
    })
}

/// Returns the key of the tag that is asked for; `None`: any tag.
fn tag_filter(asked: Option<String>) -> Result<Option<String>, DomainError> {
    let tag = asked.map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty());
    if tag.as_ref().is_some_and(|tag| tag.chars().count() > MAX_TAG_CHARS) {
        let max = u32::try_from(MAX_TAG_CHARS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("tag", ValidationError::TooLong { max }));
    }
    Ok(tag.map(|tag| tag_key(&tag)))
}

/// Returns the scheduled tasks of these articles, next first.
async fn waiting(
    conn: Conn<'_>,
    presenter: &Presenter<'_>,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Vec<TaskRow>>, DomainError> {
    let rows = task_list::waiting_of_targets(conn, ids).await.map_err(internal_error)?;
    let mut waiting: HashMap<Uuid, Vec<TaskRow>> = HashMap::new();
    for task in presenter.tasks(rows) {
        waiting.entry(task.target_id).or_default().push(task);
    }
    Ok(waiting)
}

/// Returns the scheduled releases that these articles are in.
async fn releases(
    conn: Conn<'_>,
    presenter: &Presenter<'_>,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, PlannedRelease>, DomainError> {
    let rows = release::planned(conn, ids).await.map_err(internal_error)?;
    let planned = rows.into_iter().map(|row| {
        let release = PlannedRelease {
            id: row.id.into(),
            action: parsed(&row.action)?,
            due: presenter.moment(Timestamp::from_millis(row.due_at)),
            name: row.name,
        };
        Ok((row.article_id, release))
    });
    planned.collect()
}

fn row(
    presenter: &Presenter<'_>,
    listed: ListedArticle,
    waiting: Option<TaskRow>,
) -> Result<ArticleRow, DomainError> {
    let article = listed.article;
    let state = article.state.parse().map_err(|_| {
        internal_error(StoreError::Corrupt(format!("state {:?} of an article", article.state)))
    })?;
    Ok(ArticleRow {
        id: ArticleId(article.id),
        slug: article.slug,
        title: article.title,
        revision: article.revision,
        state,
        published: article.published_at.map(|at| presenter.moment(at)),
        waiting,
        held: None,
        release: None,
        notified: None,
        worst_post: None,
        owner_id: AccountId(article.owner_id),
        owner: listed.owner,
        changed: presenter.moment(article.changed_at),
        deleted: article.deleted_at.map(|at| presenter.moment(at)),
        may_change: presenter.actor.may_change(AccountId(article.owner_id)),
        excerpt: Vec::new(),
    })
}

/// All data of an article. The row and the text are each read consistently.
struct Found {
    listed: ListedArticle,
    current: RevisionRecord,
    published: Option<RevisionRecord>,
    /// The scheduled publish that pins another text than the current one, and that text.
    pinned: Option<(Uuid, RevisionRecord)>,
    /// The scheduled publish, and when the text that it pins was saved.
    followed: Option<(Uuid, i64)>,
    former_slugs: Vec<String>,
    waiting: Vec<TaskRow>,
}

pub async fn find(service: &ArticleService, actor: &Actor, id: ArticleId) -> Result<Article, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, service.parts.clock.now()).await?;
    let found = gather(lease.conn(), &presenter, id).await?.ok_or_else(|| DomainError::no_such("article"))?;
    let notified = notified::notified(lease.conn(), &[id.0]).await.map_err(internal_error)?;
    let held = held::held(lease.conn(), &presenter, &[id.0]).await?.remove(&id.0);
    let release = releases(lease.conn(), &presenter, &[id.0]).await?.remove(&id.0);
    let (settings, review) = workflow::of_article(lease.conn(), &presenter, id).await?;
    let approved = approved::approved(lease.conn(), &presenter, (id, found.current.id)).await?;
    let deleted_by = match found.listed.article.deleted_at {
        Some(_) => deleted_by(lease.conn(), id).await?,
        None => None,
    };
    let details = found.current.details().map_err(internal_error)?;
    let authors = authors::named(lease.conn(), &details).await?;
    drop(lease);
    let followed = found.followed.filter(|_| settings.follows_saves());
    let follows = followed
        .map(|(task, saved_at)| FollowedSave { task: TaskId(task), saved: presenter.moment(saved_at) });
    let drift = match found.pinned {
        Some((task, old)) => drift(actor, task, old, &found.current).await?,
        None => None,
    };
    Ok(Article {
        may_change: actor.may_change(AccountId(found.listed.article.owner_id))
            && found.listed.article.deleted_at.is_none(),
        row: ArticleRow {
            notified: notified.get(&id.0).copied(),
            held,
            release,
            ..row(&presenter, found.listed, found.waiting.first().cloned())?
        },
        details,
        authors,
        body: found.current.body,
        published_revision: found.published.map(|revision| revision.number),
        waiting: found.waiting,
        drift,
        follows,
        former_slugs: found.former_slugs,
        deleted_by,
        review,
        approved,
        workflow: settings.workflow,
        check: TextCheck::default(),
        reviewers: Vec::new(),
        groups: Vec::new(),
    })
}

/// Returns the name of the account that moved the article to the trash; `None`: not among the newest
/// events.
async fn deleted_by(conn: Conn<'_>, id: ArticleId) -> Result<Option<String>, DomainError> {
    let events = event::history(conn, id.0, MAX_EVENTS_AFTER_DELETION).await.map_err(internal_error)?;
    Ok(events.into_iter().rfind(|event| event.verb == "delete").map(|event| event.actor))
}

async fn gather(
    mut conn: Conn<'_>,
    presenter: &Presenter<'_>,
    id: ArticleId,
) -> Result<Option<Found>, DomainError> {
    let Some(listed) = article_list::find(conn.reborrow(), id).await.map_err(internal_error)? else {
        return Ok(None);
    };
    // A concurrent autosave may have changed the number of this revision: the row is updated from
    // the text.
    let current =
        revision::find(conn.reborrow(), listed.article.revision_id).await.map_err(internal_error)?;
    let current = current
        .ok_or_else(|| internal_error(StoreError::Corrupt(format!("article {id} has no current text"))))?;
    let published = match listed.article.published_revision_id {
        Some(revision) => revision::find(conn.reborrow(), revision).await.map_err(internal_error)?,
        None => None,
    };
    let former_slugs = slug::redirects_of(conn.reborrow(), id).await.map_err(internal_error)?;
    let rows = task_list::waiting_of_targets(conn.reborrow(), &[id.0]).await.map_err(internal_error)?;
    let pin = rows.iter().find_map(|row| Some((row.id, row.revision_id?)));
    let pinned = match pin.filter(|(_, revision)| *revision != current.id) {
        Some((task, revision)) => {
            revision::find(conn.reborrow(), revision).await.map_err(internal_error)?.map(|old| (task, old))
        }
        None => None,
    };
    let waits = |task: Uuid| rows.iter().any(|row| row.id == task && row.needs_approval);
    let saved_at = pinned.as_ref().map_or(current.saved_at, |(_, old)| old.saved_at);
    let followed = pin.filter(|(task, _)| !waits(*task)).map(|(task, _)| (task, saved_at));
    let mut listed = listed;
    listed.article.revision = current.number;
    listed.article.title.clone_from(&current.title);
    Ok(Some(Found {
        listed,
        current,
        published,
        pinned,
        followed,
        former_slugs,
        waiting: presenter.tasks(rows),
    }))
}

/// Compares the current text with the pinned one; `None`: they are equal.
async fn drift(
    actor: &Actor,
    task: Uuid,
    old: RevisionRecord,
    current: &RevisionRecord,
) -> Result<Option<Drift>, DomainError> {
    let (title, body) = (u32::from(old.title != current.title), current.body.clone());
    let details = u32::from(old.details != current.details);
    let pinned = old.number;
    let count = move |budget: &Budget| diff::count_changes(&old.body, &body, budget);
    let changes = title + details + POOL.run_for_client(actor.into(), count).await?;
    Ok((changes > 0).then_some(Drift { task: TaskId(task), pinned, changes }))
}
