//! Reads releases as a user sees them.

use super::check::{self, DueTimes, Problems};
use crate::{
    app_state::AppState,
    services::{Presenter, internal_error},
};
use domain::{
    Actor, DomainError, ReleaseId, State, Timestamp, Version,
    releases::{
        ItemState, MAX_LISTED_RELEASES, PUBLISH_KIND, REVERT_KIND, Release, ReleaseItem, ReleaseRow,
        ReleaseState,
    },
};
use store::{
    Conn, PoolRole, StoreError,
    release::{self, ReleaseRecord},
    release_item::{self, ItemRow},
    task_list::{self, TaskListRow},
};
use uuid::Uuid;

/// Returns the newest releases.
pub async fn list(parts: &AppState, actor: &Actor) -> Result<Vec<ReleaseRow>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let records = release::list(lease.conn(), MAX_LISTED_RELEASES).await.map_err(internal_error)?;
    rows(lease.conn(), &presenter, records).await
}

/// Returns a release.
pub async fn find(parts: &AppState, actor: &Actor, id: ReleaseId) -> Result<Release, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    one(lease.conn(), &presenter, id).await
}

/// Returns a release as it is on this connection.
pub async fn one(
    mut conn: Conn<'_>,
    presenter: &Presenter<'_>,
    id: ReleaseId,
) -> Result<Release, DomainError> {
    let record = release::find(conn.reborrow(), id).await.map_err(internal_error)?;
    let record = record.ok_or_else(|| DomainError::no_such(super::RELEASE))?;
    let rows = rows(conn.reborrow(), presenter, vec![record]).await?;
    let row = rows.into_iter().next().ok_or_else(|| DomainError::no_such(super::RELEASE))?;
    let items = release_item::of_releases(conn.reborrow(), &[id.0]).await.map_err(internal_error)?;
    let is_published = row.state == ReleaseState::Published;
    let problems = match (is_published, &row.task) {
        (true, _) => check::revert_problems(&items).map_err(internal_error)?,
        (false, task) => {
            let due: DueTimes = task.iter().map(|task| (id.0, task.due.at)).collect();
            check::problems(conn, &items, &due, presenter.now).await.map_err(internal_error)?
        }
    };
    let items = items.into_iter().map(|item| present(item, is_published, &problems));
    Ok(Release { row, items: items.collect::<Result<_, _>>().map_err(internal_error)? })
}

fn present(item: ItemRow, is_published: bool, problems: &Problems) -> Result<ReleaseItem, StoreError> {
    let problem = problems.get(&(item.release_id, item.article_id)).copied();
    let state = match problem {
        _ if is_published => ItemState::Done,
        Some(_) => ItemState::Blocked,
        None => ItemState::Ready,
    };
    Ok(ReleaseItem {
        article: item.article_id.into(),
        action: item.action()?,
        revision: item.pinned,
        has_newer: item.pinned.is_some() && item.current_id != item.revision_id,
        title: item.title.unwrap_or_default(),
        state,
        problem,
    })
}

async fn rows(
    conn: Conn<'_>,
    presenter: &Presenter<'_>,
    records: Vec<ReleaseRecord>,
) -> Result<Vec<ReleaseRow>, DomainError> {
    let ids: Vec<Uuid> = records.iter().map(|record| record.id).collect();
    let tasks = task_list::open_of_targets(conn, &ids).await.map_err(internal_error)?;
    Ok(records.into_iter().map(|record| row(presenter, record, &tasks)).collect())
}

fn row(presenter: &Presenter<'_>, record: ReleaseRecord, tasks: &[TaskListRow]) -> ReleaseRow {
    let word = if record.published_at.is_some() { REVERT_KIND } else { PUBLISH_KIND };
    let mine = || tasks.iter().filter(|task| task.target_id == record.id && task.kind == word);
    let scheduled = mine().find(|task| task.state == State::Scheduled.as_str());
    let task = scheduled.or_else(|| mine().next_back()).cloned();
    let task = task.and_then(|task| presenter.task(task));
    ReleaseRow {
        id: record.id.into(),
        state: ReleaseState::of(
            record.published_at.is_some(),
            record.reverted_at.is_some(),
            task.as_ref().map(|task| task.state),
        ),
        version: Version(record.version),
        owner_id: record.owner_id.into(),
        owner: record.owner,
        created: presenter.moment(record.created_at),
        published: record.published_at.map(|at| presenter.moment(Timestamp::from_millis(at))),
        count: u32::try_from(record.count).unwrap_or(u32::MAX),
        may_change: presenter.actor.may_change(record.owner_id.into()),
        name: record.name,
        task,
    }
}

/// Refuses to publish a release now while an article is blocked.
pub async fn require_ready(parts: &AppState, actor: &Actor, id: ReleaseId) -> Result<(), DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let record = release::find(lease.conn(), id).await.map_err(internal_error)?;
    let record = record.ok_or_else(|| DomainError::no_such(super::RELEASE))?;
    if !actor.may_change(record.owner_id.into()) {
        return Err(DomainError::NotAllowed);
    }
    // A repeated request gets the task that did it.
    if record.published_at.is_some() {
        return Ok(());
    }
    let items = release_item::of_releases(lease.conn(), &[id.0]).await.map_err(internal_error)?;
    let now = parts.clock.now();
    let due = DueTimes::from([(id.0, now)]);
    let found = check::problems(lease.conn(), &items, &due, now).await.map_err(internal_error)?;
    check::blocked(id.0, &items, &found).map_or(Ok(()), |problem| Err(problem.into()))
}
