//! Creates tasks: one or up to ten thousand, all or nothing, in one transaction.

use crate::tasks::unit_of_work::{UnitOfWork, find_idempotent_result};
use crate::{
    app_state::AppState,
    kinds::{self, Planned, TaskKind, undo_plan::ChangeDetail},
    services::internal_error,
    zone,
};
use domain::{
    Actor, BatchId, DomainError, Kind, Priority, State, TaskId, Timestamp, Version, When,
    error::ValidationError,
    input_limits::MAX_BULK_ITEMS,
    releases::PUBLISH_KIND,
    task::{NewTask, TaskRow, UndoOffer},
};
use std::collections::{BTreeSet, HashMap, HashSet};
use store::{
    batch,
    event::NewEvent,
    target::{self, Target},
    task::NewTaskRow,
    task_list::{self, TaskListRow},
};
use uuid::Uuid;

/// Creates one task.
pub async fn one(parts: &AppState, actor: &Actor, new: NewTask) -> Result<TaskRow, DomainError> {
    let rows = match all(parts, actor, vec![new]).await {
        Err(DomainError::Bulk { items, .. }) => return Err(first(items)),
        other => other?,
    };
    rows.into_iter().next().ok_or_else(|| DomainError::no_such("task"))
}

fn first(items: Vec<(usize, DomainError)>) -> DomainError {
    items.into_iter().next().map_or_else(|| DomainError::no_such("task"), |(_, refusal)| refusal)
}

/// Creates all tasks, or none.
pub async fn all(parts: &AppState, actor: &Actor, new: Vec<NewTask>) -> Result<Vec<TaskRow>, DomainError> {
    if new.len() > MAX_BULK_ITEMS {
        let max = u32::try_from(MAX_BULK_ITEMS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("items", ValidationError::TooMany { max }));
    }
    if new.is_empty() {
        return Err(DomainError::invalid("items", ValidationError::Empty));
    }
    let ids: Vec<TaskId> = new.iter().map(|_| TaskId::generate()).collect();
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if let Some(first) = find_idempotent_result(&mut unit, ids[0].0).await? {
        return load_created(&mut unit, first, new.len()).await;
    }
    create(unit, &ids, &new, None).await
}

/// Creates all tasks in the transaction, so that they can be undone together, and commits it.
pub async fn all_in(
    unit: UnitOfWork<'_>,
    batch: BatchId,
    new: &[NewTask],
) -> Result<Vec<TaskRow>, DomainError> {
    let ids: Vec<TaskId> = new.iter().map(|_| TaskId::generate()).collect();
    create(unit, &ids, new, Some(batch)).await
}

/// Creates one task with this id in the transaction, as a part of the batch if there is one, and commits
/// it.
pub async fn one_in(
    unit: UnitOfWork<'_>,
    (id, new): (TaskId, NewTask),
    batch: Option<BatchId>,
) -> Result<TaskRow, DomainError> {
    let rows = match create(unit, &[id], &[new], batch).await {
        Err(DomainError::Bulk { items, .. }) => return Err(first(items)),
        other => other?,
    };
    rows.into_iter().next().ok_or_else(|| DomainError::no_such("task"))
}

/// Creates the tasks with these ids in the transaction, and commits it.
async fn create(
    mut unit: UnitOfWork<'_>,
    ids: &[TaskId],
    new: &[NewTask],
    batch: Option<BatchId>,
) -> Result<Vec<TaskRow>, DomainError> {
    let (tasks, targets) = checked(&mut unit, ids, new).await?;
    let (actor, now) = (unit.presenter.actor, unit.now());
    unit.record_events(tasks.iter().map(|task| scheduled_in(batch, actor, task, now)));
    insert(&mut unit, &tasks).await?;
    if let Some(batch) = batch {
        batch::create(unit.tx.conn(), batch, actor.account, now).await.map_err(internal_error)?;
        let tasks: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        batch::add_tasks(unit.tx.conn(), batch, &tasks).await.map_err(internal_error)?;
    }
    let rows = tasks.iter().zip(new).map(|(task, item)| row(&unit, task, item.kind, &targets)).collect();
    for task in &tasks {
        unit.add_hint(task.hint());
    }
    unit.commit().await?;
    Ok(rows)
}

/// Refuses all tasks that cannot be created, by index; stores nothing.
pub async fn check_all(parts: &AppState, actor: &Actor, new: &[NewTask]) -> Result<(), DomainError> {
    let ids: Vec<TaskId> = new.iter().map(|_| TaskId::generate()).collect();
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    checked(&mut unit, &ids, new).await.map(|_| ())
}

/// Returns the new tasks and their targets, or the invalid items by index.
async fn checked(
    unit: &mut UnitOfWork<'_>,
    ids: &[TaskId],
    new: &[NewTask],
) -> Result<(Vec<NewTaskRow>, HashMap<Uuid, Target>), DomainError> {
    let mut targets = lock(unit, new).await?;
    let unpinned = kinds::pin(unit.tx.conn(), new, &mut targets).await.map_err(internal_error)?;
    let mut refused = refused(unit, new, &targets).await?;
    refused.extend(unpinned);
    let waiting = waiting(unit, new).await?;
    let validator = BatchValidator { unit, targets: &targets, refused: &refused, waiting: &waiting };
    let tasks = validator.all(ids, new)?;
    Ok((tasks, targets))
}

/// Returns the tasks that the same request created before.
async fn load_created(
    unit: &mut UnitOfWork<'_>,
    id: Uuid,
    count: usize,
) -> Result<Vec<TaskRow>, DomainError> {
    if count == 1 {
        return Ok(vec![unit.load_task(TaskId(id)).await?]);
    }
    let rows = task_list::of_request(unit.tx.conn(), id, count).await.map_err(internal_error)?;
    Ok(unit.presenter.tasks(rows))
}

async fn lock(unit: &mut UnitOfWork<'_>, new: &[NewTask]) -> Result<HashMap<Uuid, Target>, DomainError> {
    let ids: HashSet<Uuid> = new.iter().map(|task| task.target_id).collect();
    let ids: Vec<Uuid> = ids.into_iter().collect();
    let found = target::lock(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    Ok(found.into_iter().map(|target| (target.id, target)).collect())
}

async fn waiting(
    unit: &mut UnitOfWork<'_>,
    new: &[NewTask],
) -> Result<HashMap<String, TaskListRow>, DomainError> {
    let keys = new.iter().filter_map(|task| kinds::find(task.kind.as_str())?.unique_key(task.target_id));
    let mut keys: Vec<String> = keys.collect();
    keys.sort_unstable();
    keys.dedup();
    let rows = task_list::waiting_with(unit.tx.conn(), &keys).await.map_err(internal_error)?;
    let keyed = rows.into_iter().filter_map(|row| {
        let key = kinds::find(&row.kind)?.unique_key(row.target_id)?;
        Some((key, row))
    });
    Ok(keyed.collect())
}

/// Asks each kind which items it refuses. Items whose time cannot be read are refused anyway.
async fn refused(
    unit: &mut UnitOfWork<'_>,
    new: &[NewTask],
    targets: &HashMap<Uuid, Target>,
) -> Result<HashMap<usize, DomainError>, DomainError> {
    let now = unit.now();
    let planned = |(place, item): (usize, &NewTask)| {
        let due_at = zone::resolve(&item.when).ok()?;
        let revision = targets.get(&item.target_id).and_then(|target| target.revision_id);
        Some((place, Planned { kind: item.kind, target: item.target_id, due_at, now, revision }))
    };
    let (places, planned): (Vec<usize>, Vec<Planned>) = new.iter().enumerate().filter_map(planned).unzip();
    let words: HashSet<Kind> = planned.iter().map(|one| one.kind).collect();
    let mut refused = HashMap::new();
    for kind in words.into_iter().filter_map(|word| kinds::find(word.as_str())) {
        let found = kind.check(&mut unit.tx, &planned).await.map_err(internal_error)?;
        refused.extend(found.into_iter().filter_map(|(index, why)| Some((*places.get(index)?, why))));
    }
    Ok(refused)
}

/// Validates a batch of new tasks.
struct BatchValidator<'p, 'a> {
    unit: &'p UnitOfWork<'a>,
    targets: &'p HashMap<Uuid, Target>,
    refused: &'p HashMap<usize, DomainError>,
    waiting: &'p HashMap<String, TaskListRow>,
}

impl BatchValidator<'_, '_> {
    /// Returns the new tasks, or the invalid items by index.
    fn all(&self, ids: &[TaskId], new: &[NewTask]) -> Result<Vec<NewTaskRow>, DomainError> {
        let request = (new.len() > 1).then(|| ids[0].0);
        let mut seen = HashSet::new();
        let (mut tasks, mut wrong) = (Vec::with_capacity(new.len()), Vec::new());
        for (place, (id, item)) in ids.iter().zip(new).enumerate() {
            let checked = self.one(*id, (place, item), request).and_then(|task| {
                if task.unique_key.is_none() || seen.insert(task.unique_key.clone()) {
                    Ok(task)
                } else {
                    Err(duplicate_item())
                }
            });
            match checked {
                Ok(task) => tasks.push(task),
                Err(refusal) => wrong.push((place, refusal)),
            }
        }
        if wrong.is_empty() { Ok(tasks) } else { Err(DomainError::bulk(wrong)) }
    }

    fn one(
        &self,
        id: TaskId,
        (place, item): (usize, &NewTask),
        request_id: Option<Uuid>,
    ) -> Result<NewTaskRow, DomainError> {
        let kind = kinds::find(item.kind.as_str()).ok_or_else(|| DomainError::no_such("kind"))?;
        let target = self.targets.get(&item.target_id).filter(|target| target.kind == kind.target_kind());
        let target = target.ok_or_else(|| DomainError::no_such(kind.target_kind()))?;
        if !self.unit.presenter.actor.may_change(target.owner()) {
            return Err(DomainError::NotAllowed);
        }
        if kind.is_managed() {
            return Err(DomainError::FollowsMeeting);
        }
        if target.deleted_at.is_some() {
            return Err(DomainError::InTrash);
        }
        let due_at = future_time(&item.when, self.unit.now(), item.kind.as_str())?;
        let task = new_task(self.unit, id, kind, target, due_at);
        let task = with_local_time(
            NewTaskRow { priority: item.priority.unwrap_or(Priority::Normal), request_id, ..task },
            &item.when,
        );
        if let Some(row) = task.unique_key.as_ref().and_then(|key| self.waiting.get(key)) {
            return Err(DomainError::AlreadyScheduled { task: Box::new(self.unit.present(row.clone())?) });
        }
        self.refused.get(&place).cloned().map_or(Ok(task), Err)
    }
}

fn duplicate_item() -> DomainError {
    DomainError::invalid("target_id", ValidationError::Unreadable { why: "is in the list twice".to_owned() })
}

/// Resolves a time input for a task of this kind, and refuses it if it has passed.
pub fn future_time(when: &When, now: Timestamp, kind: &str) -> Result<Timestamp, DomainError> {
    let at = zone::resolve(when)?;
    if at >= now {
        return Ok(at);
    }
    let past = DomainError::past(at).in_field(when.field());
    let can_publish_now = [Kind::ArticlePublish.as_str(), PUBLISH_KIND].contains(&kind);
    Err(if can_publish_now { past.or_publish_now() } else { past })
}

/// Creates a task of normal priority. A kind that pins a revision gets the target's current one.
pub fn new_task(
    unit: &UnitOfWork<'_>,
    id: TaskId,
    kind: &dyn TaskKind,
    target: &Target,
    due_at: Timestamp,
) -> NewTaskRow {
    NewTaskRow {
        id,
        kind: kind.word(),
        grace_ms: kind.grace_ms(),
        unique_key: kind.unique_key(target.id),
        priority: Priority::Normal,
        bucket: queue::bucket_of(id, unit.parts.hints.buckets()),
        target_id: target.id,
        revision_id: target.revision_id.filter(|_| kind.pins_revision()),
        due_at,
        local_time: None,
        time_zone: None,
        request_id: None,
        owner: target.owner(),
    }
}

fn with_local_time(task: NewTaskRow, when: &When) -> NewTaskRow {
    let (local, zone) = zone::typed(when).unzip();
    NewTaskRow { local_time: local, time_zone: zone, ..task }
}

/// Approves the pinned revisions and stores the tasks with all events recorded so far.
pub async fn insert(unit: &mut UnitOfWork<'_>, tasks: &[NewTaskRow]) -> Result<(), DomainError> {
    let words: BTreeSet<&str> =
        tasks.iter().filter(|task| task.revision_id.is_some()).map(|task| task.kind).collect();
    for kind in words.into_iter().filter_map(kinds::find) {
        let of_kind = tasks.iter().filter(|task| task.kind == kind.word());
        let mut targets: Vec<Uuid> = of_kind.map(|task| task.target_id).collect();
        targets.sort_unstable();
        kind.approve(unit.tx.conn(), &targets).await.map_err(internal_error)?;
    }
    unit.insert(tasks).await
}

/// Returns the event of a new task.
pub fn scheduled(actor: &Actor, task: &NewTaskRow, now: Timestamp) -> NewEvent {
    scheduled_in(None, actor, task, now)
}

/// Returns the event of a new task that is part of a change of many.
fn scheduled_in(batch: Option<BatchId>, actor: &Actor, task: &NewTaskRow, now: Timestamp) -> NewEvent {
    let batch = batch.map(|batch| batch.0);
    let detail = ChangeDetail { due_at: Some(task.due_at), batch, ..ChangeDetail::default() };
    NewEvent {
        to_state: Some(State::Scheduled.as_str()),
        version: Some(Version::FIRST.0),
        detail: detail.text(),
        ..NewEvent::simple(now, Some(actor.account), "task", task.id.0, "schedule")
    }
}

/// Presents a new task without reading it back.
fn row(unit: &UnitOfWork<'_>, task: &NewTaskRow, kind: Kind, targets: &HashMap<Uuid, Target>) -> TaskRow {
    let target = targets.get(&task.target_id);
    TaskRow {
        id: task.id,
        kind,
        target_id: task.target_id,
        state: State::Scheduled,
        version: Version::FIRST,
        due: unit.presenter.moment(task.due_at),
        priority: task.priority,
        title: target.map(|target| target.title.clone()).unwrap_or_default(),
        slug: target.and_then(|target| target.path.clone()).unwrap_or_default(),
        owner_id: task.owner,
        owner: target.map(|target| target.owner.clone()).unwrap_or_default(),
        executed: None,
        reason: None,
        has_newer_revision: false,
        needs_approval: false,
        last_verb: Some("schedule".to_owned()),
        undo: (unit.now() < task.due_at).then(|| UndoOffer {
            verb: "schedule".to_owned(),
            changed_at: unit.now(),
            until: task.due_at,
            is_update: false,
        }),
        may_change: true,
    }
}
