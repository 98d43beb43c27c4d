//! Creates, changes and deletes releases.

use super::{RELEASE, held, pin, read};
use crate::{
    app_state::AppState,
    articles::review::approved_tasks,
    services::{internal_error, write_error},
    tasks::unit_of_work::{UnitOfWork, find_idempotent_result, to_update},
    text::input,
};
use domain::{
    Actor, DomainError, ReleaseId, State, Version,
    error::ValidationError,
    releases::{MAX_RELEASE_NAME, NewRelease, Release, ReleaseEdit, ReleaseProblem},
};
use serde_json::{Value, json};
use store::{
    StoreError,
    release::{self, NewReleaseRow, ReleaseRecord},
    release_item::{self, ItemRow, NewItemRow},
    target,
    task::TaskUpdate,
    task_list,
};

/// Validates and trims a name: 1 to 200 characters on one line.
fn checked_name(typed: &str) -> Result<String, DomainError> {
    let invalid = |problem| DomainError::invalid("name", problem);
    let name = input::title(typed).map_err(invalid)?;
    if name.chars().count() > MAX_RELEASE_NAME {
        let max = u32::try_from(MAX_RELEASE_NAME).unwrap_or(u32::MAX);
        return Err(invalid(ValidationError::TooLong { max }));
    }
    Ok(name)
}

/// Creates a release.
pub async fn create(parts: &AppState, actor: &Actor, new: NewRelease) -> Result<Release, DomainError> {
    let name = checked_name(&new.name)?;
    let id = ReleaseId::generate();
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if let Some(done) = find_idempotent_result(&mut unit, id.0).await? {
        return read::one(unit.tx.conn(), &unit.presenter, ReleaseId(done)).await;
    }
    let items = pin::pin(&mut unit, id, &new.items).await?;
    let row = NewReleaseRow { id, name: &name, owner: actor.account, at: unit.now() };
    release::insert(unit.tx.conn(), &row).await.map_err(write_error(parts))?;
    store_items(&mut unit, id, &items).await?;
    finish(unit, id, "create", None).await
}

/// Changes a release that is neither scheduled nor published. One that was held goes on if nothing that is
/// left in it is blocked.
pub async fn edit(
    parts: &AppState,
    actor: &Actor,
    id: ReleaseId,
    edit: ReleaseEdit,
) -> Result<Release, DomainError> {
    let name = edit.name.as_deref().map(checked_name).transpose()?;
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    // The rights come first: a list that is refused would show what exists.
    let record = load(&mut unit, id).await?;
    let before = release_item::of_releases(unit.tx.conn(), &[id.0]).await.map_err(internal_error)?;
    let items = match &edit.items {
        Some(items) => Some(pin::pin(&mut unit, id, items).await?),
        None => None,
    };
    lock_open(&mut unit, id, Some(edit.seen)).await?;
    let was = json!({ "was": record.name, "was_articles": before.len() });
    let name = name.unwrap_or(record.name);
    let changed =
        release::change(unit.tx.conn(), id, edit.seen.0, &name).await.map_err(write_error(parts))?;
    if !changed {
        return Err(DomainError::Changed);
    }
    if let Some(items) = &items {
        record_removed(&mut unit, (id, &name), &before, items);
    }
    let is_reduced = items.as_ref().is_some_and(|items| held::only_removes(&before, items));
    if let Some(items) = &items {
        store_items(&mut unit, id, items).await?;
    }
    if is_reduced {
        resume(&mut unit, id).await?;
    }
    finish(unit, id, "edit", Some(&was)).await
}

/// Deletes a release that is neither scheduled nor published. Its failed tasks need no attention any more.
pub async fn delete(
    parts: &AppState,
    actor: &Actor,
    id: ReleaseId,
    seen: Option<Version>,
) -> Result<(), DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    load(&mut unit, id).await?;
    let record = lock_open(&mut unit, id, seen).await?;
    let items = release_item::of_releases(unit.tx.conn(), &[id.0]).await.map_err(internal_error)?;
    record_removed(&mut unit, (id, &record.name), &items, &[]);
    for row in task_list::open_of_target(unit.tx.conn(), id.0).await.map_err(internal_error)? {
        let to = TaskUpdate { state: State::Cancelled, ..to_update(&row)? };
        unit.change(&row, "cancel", &to, "{}".to_owned()).await?;
    }
    if !release::delete(unit.tx.conn(), id, record.version).await.map_err(write_error(parts))? {
        return Err(DomainError::Changed);
    }
    let detail = json!({ "name": record.name, "was_owner_id": record.owner_id }).to_string();
    unit.record_event(RELEASE, id.0, "delete", None, Some(record.version), detail);
    unit.commit().await
}

/// Loads a release; refuses it unless the actor may change it.
async fn load(unit: &mut UnitOfWork<'_>, id: ReleaseId) -> Result<ReleaseRecord, DomainError> {
    let record = release::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    let record = record.ok_or_else(|| DomainError::no_such(RELEASE))?;
    if !unit.presenter.actor.may_change(record.owner_id.into()) {
        return Err(DomainError::NotAllowed);
    }
    Ok(record)
}

/// Locks a release. Refuses it if it has another version, is scheduled or published.
async fn lock_open(
    unit: &mut UnitOfWork<'_>,
    id: ReleaseId,
    seen: Option<Version>,
) -> Result<ReleaseRecord, DomainError> {
    target::lock(unit.tx.conn(), &[id.0]).await.map_err(internal_error)?;
    let record = load(unit, id).await?;
    if seen.is_some_and(|seen| seen.0 != record.version) {
        return Err(DomainError::Changed);
    }
    if record.published_at.is_some() {
        return Err(ReleaseProblem::Published.into());
    }
    let waiting = task_list::waiting_of_targets(unit.tx.conn(), &[id.0]).await.map_err(internal_error)?;
    if waiting.is_empty() { Ok(record) } else { Err(ReleaseProblem::Scheduled.into()) }
}

/// Stores the articles.
async fn store_items(
    unit: &mut UnitOfWork<'_>,
    id: ReleaseId,
    items: &[NewItemRow],
) -> Result<(), DomainError> {
    let stored = release_item::replace(unit.tx.conn(), id, items).await;
    stored.map_err(|error: StoreError| match error.is_unique_violation() {
        // Another release took an article at the same time.
        true => DomainError::Changed,
        false => write_error(unit.parts)(error),
    })
}

/// Records which articles a release has lost: their owners are notified.
fn record_removed(
    unit: &mut UnitOfWork<'_>,
    (id, name): (ReleaseId, &str),
    before: &[ItemRow],
    after: &[NewItemRow],
) {
    let is_removed = |old: &&ItemRow| !after.iter().any(|new| new.article == old.article_id);
    let detail = json!({ "release_id": id, "release": name }).to_string();
    for item in before.iter().filter(is_removed).filter(|item| item.owner_id.is_some()) {
        unit.record_event("article", item.article_id, "leave_release", None, None, detail.clone());
    }
}

/// Lets a held release go on if nothing in it is blocked.
async fn resume(unit: &mut UnitOfWork<'_>, id: ReleaseId) -> Result<(), DomainError> {
    let now = unit.now();
    let resumed = held::resume_reduced(&mut unit.tx, id.0, now).await.map_err(internal_error)?;
    for task in &resumed {
        unit.add_hint(approved_tasks::hint(task).map_err(internal_error)?);
    }
    unit.record_events(approved_tasks::events(&resumed, Some(unit.presenter.actor.account), now));
    unit.write_events().await
}

/// Records the event and commits. `was`: name and number of articles before.
async fn finish(
    mut unit: UnitOfWork<'_>,
    id: ReleaseId,
    verb: &'static str,
    was: Option<&Value>,
) -> Result<Release, DomainError> {
    let release = read::one(unit.tx.conn(), &unit.presenter, id).await?;
    let mut detail = json!({ "name": release.row.name, "articles": release.row.count });
    for (name, value) in was.and_then(Value::as_object).into_iter().flatten() {
        detail[name] = value.clone();
    }
    unit.record_event(RELEASE, id.0, verb, None, Some(release.row.version.0), detail.to_string());
    unit.commit().await?;
    Ok(release)
}
