//! New tasks: one or ten thousand, all or nothing, in one transaction.

use super::{
    past::Detail,
    unit::{Unit, done_before},
};
use crate::{desk::broken, parts::Parts, zone};
use domain::{
    Actor, Hint, Kind, Lane, Refusal, State, TaskId, Timestamp, Version, When,
    limit::BULK_ITEMS,
    refusal::Problem,
    task::{NewTask, TaskRow, Undo},
};
use std::collections::{HashMap, HashSet};
use store::{
    event::NewEvent,
    target::{self, Target},
    task::{self, Fresh},
    task_list::{self, Line},
};
use uuid::Uuid;

/// Most wrong items that a refusal names.
const NAMED: usize = 100;

/// One new task.
pub async fn one(parts: &Parts, actor: &Actor, new: NewTask) -> Result<TaskRow, Refusal> {
    let rows = match all(parts, actor, vec![new]).await {
        Err(Refusal::Bulk { items }) => return Err(first(items)),
        other => other?,
    };
    rows.into_iter().next().ok_or_else(|| Refusal::no_such("task"))
}

fn first(items: Vec<(usize, Refusal)>) -> Refusal {
    items.into_iter().next().map_or_else(|| Refusal::no_such("task"), |(_, refusal)| refusal)
}

/// All of them, or none.
pub async fn all(parts: &Parts, actor: &Actor, new: Vec<NewTask>) -> Result<Vec<TaskRow>, Refusal> {
    if new.len() > BULK_ITEMS {
        let max = u32::try_from(BULK_ITEMS).unwrap_or(u32::MAX);
        return Err(Refusal::invalid("items", Problem::TooMany { max }));
    }
    if new.is_empty() {
        return Err(Refusal::invalid("items", Problem::Empty));
    }
    let ids: Vec<TaskId> = new.iter().map(|_| TaskId::fresh()).collect();
    let mut unit = Unit::begin(parts, actor).await?;
    if let Some(first) = done_before(&mut unit, ids[0].0).await? {
        return made_before(&mut unit, first, new.len()).await;
    }
    let targets = lock(&mut unit, &new).await?;
    let waiting = waiting(&mut unit, &new).await?;
    let tasks = Plan { unit: &unit, targets: &targets, waiting: &waiting }.all(&ids, &new)?;
    unit.note_all(tasks.iter().map(|task| scheduled(actor, task, unit.now())).collect::<Vec<_>>());
    insert(&mut unit, &tasks).await?;
    let rows = tasks.iter().zip(&new).map(|(task, wish)| row(&unit, task, wish.kind, &targets)).collect();
    for task in &tasks {
        unit.hint(hint_of(task));
    }
    unit.finish().await?;
    Ok(rows)
}

/// What the same request made before.
async fn made_before(unit: &mut Unit<'_>, id: Uuid, count: usize) -> Result<Vec<TaskRow>, Refusal> {
    if count == 1 {
        return Ok(vec![unit.row(TaskId(id)).await?]);
    }
    let mark = task::request_mark(id);
    let lines = task_list::of_request(unit.tx.conn(), TaskId(id), &mark, count).await.map_err(broken)?;
    Ok(unit.lens.tasks(lines))
}

async fn lock(unit: &mut Unit<'_>, new: &[NewTask]) -> Result<HashMap<Uuid, Target>, Refusal> {
    let ids: HashSet<Uuid> = new.iter().map(|task| task.target_id).collect();
    let ids: Vec<Uuid> = ids.into_iter().collect();
    let found = target::lock(unit.tx.conn(), &ids).await.map_err(broken)?;
    Ok(found.into_iter().map(|target| (target.id, target)).collect())
}

async fn waiting(unit: &mut Unit<'_>, new: &[NewTask]) -> Result<HashMap<String, Line>, Refusal> {
    // Of both kinds: a publish that waits is what makes an unpublish after it possible.
    let mut keys: Vec<String> = new.iter().map(|task| task::unique_key(task.kind, task.target_id)).collect();
    keys.extend(new.iter().map(|task| task::unique_key(Kind::ArticlePublish, task.target_id)));
    keys.sort_unstable();
    keys.dedup();
    let lines = task_list::waiting_with(unit.tx.conn(), &keys).await.map_err(broken)?;
    let keyed = lines.into_iter().filter_map(|line| {
        let kind = line.kind.parse().ok()?;
        Some((task::unique_key(kind, line.target_id), line))
    });
    Ok(keyed.collect())
}

/// What is checked against what.
struct Plan<'p, 'a> {
    unit: &'p Unit<'a>,
    targets: &'p HashMap<Uuid, Target>,
    waiting: &'p HashMap<String, Line>,
}

impl Plan<'_, '_> {
    /// The tasks; if some are wrong, those by their place.
    fn all(&self, ids: &[TaskId], new: &[NewTask]) -> Result<Vec<Fresh>, Refusal> {
        let request = (new.len() > 1).then(|| ids[0].0);
        let published = self.publishes(new);
        let mut seen = HashSet::new();
        let (mut tasks, mut wrong) = (Vec::with_capacity(new.len()), Vec::new());
        for (place, (id, wish)) in ids.iter().zip(new).enumerate() {
            let checked = self
                .one(*id, wish, request, &published)
                .and_then(|task| if seen.insert(task.unique_key.clone()) { Ok(task) } else { Err(twice()) });
            match checked {
                Ok(task) => tasks.push(task),
                Err(refusal) => wrong.push((place, refusal)),
            }
        }
        if wrong.is_empty() {
            return Ok(tasks);
        }
        wrong.truncate(NAMED);
        Err(Refusal::Bulk { items: wrong })
    }

    /// When each article of this request is published by it.
    fn publishes(&self, new: &[NewTask]) -> HashMap<Uuid, Timestamp> {
        new.iter()
            .filter(|wish| wish.kind == Kind::ArticlePublish)
            .filter_map(|wish| Some((wish.target_id, zone::resolve(&wish.when).ok()?)))
            .collect()
    }

    fn one(
        &self,
        id: TaskId,
        wish: &NewTask,
        request: Option<Uuid>,
        published: &HashMap<Uuid, Timestamp>,
    ) -> Result<Fresh, Refusal> {
        let due_at = ahead(&wish.when, self.unit.now())?;
        let target = self.targets.get(&wish.target_id).ok_or_else(|| Refusal::no_such("article"))?;
        if !self.unit.lens.actor.may_change(target.owner()) {
            return Err(Refusal::NotAllowed);
        }
        if target.deleted_at.is_some() {
            return Err(Refusal::InTrash);
        }
        let task = fresh(self.unit, id, wish.kind, target, due_at);
        let task = typed(Fresh { lane: wish.lane.unwrap_or(Lane::Normal), request, ..task }, &wish.when);
        if let Some(line) = task.unique_key.as_ref().and_then(|key| self.waiting.get(key)) {
            return Err(Refusal::AlreadyScheduled { task: Box::new(self.unit.show(line.clone())?) });
        }
        if wish.kind == Kind::ArticleUnpublish && !self.will_be_public(target, due_at, published) {
            return Err(Refusal::NotPublished);
        }
        Ok(task)
    }

    /// Whether there is something to take off the site at that moment.
    fn will_be_public(&self, target: &Target, at: Timestamp, published: &HashMap<Uuid, Timestamp>) -> bool {
        let waiting = self.waiting.get(&task::unique_key(Kind::ArticlePublish, target.id));
        target.public_revision_id.is_some()
            || waiting.is_some_and(|line| line.due_at <= at.millis())
            || published.get(&target.id).is_some_and(|publish| *publish <= at)
    }
}

fn twice() -> Refusal {
    Refusal::invalid("target_id", Problem::Unreadable { why: "is in the list twice".to_owned() })
}

/// The moment that is meant, if it is still to come.
pub fn ahead(when: &When, now: Timestamp) -> Result<Timestamp, Refusal> {
    let at = zone::resolve(when)?;
    if at < now { Err(Refusal::Past { at }) } else { Ok(at) }
}

/// A task of normal priority, with an article's current revision where its kind pins one.
pub fn fresh(unit: &Unit<'_>, id: TaskId, kind: Kind, target: &Target, due_at: Timestamp) -> Fresh {
    Fresh {
        id,
        kind: kind.as_str(),
        late_grace: kind.late_rule().grace,
        unique_key: Some(task::unique_key(kind, target.id)),
        lane: Lane::Normal,
        bucket: queue::bucket_of(id, unit.parts.hints.buckets()),
        target_id: target.id,
        revision_id: (kind == Kind::ArticlePublish).then_some(target.revision_id),
        due_at,
        local: None,
        zone: None,
        request: None,
        owner: target.owner(),
    }
}

fn typed(task: Fresh, when: &When) -> Fresh {
    let (local, zone) = zone::typed(when).unzip();
    Fresh { local, zone, ..task }
}

/// Approves the texts the tasks pin, and stores the tasks with all that was noted so far.
pub async fn insert(unit: &mut Unit<'_>, tasks: &[Fresh]) -> Result<(), Refusal> {
    let mut pinned: Vec<Uuid> =
        tasks.iter().filter(|task| task.revision_id.is_some()).map(|task| task.target_id).collect();
    pinned.sort_unstable();
    if !pinned.is_empty() {
        target::approve(unit.tx.conn(), &pinned).await.map_err(broken)?;
    }
    unit.insert(tasks).await
}

/// The hint of a new task.
pub fn hint_of(task: &Fresh) -> Hint {
    Hint { task: task.id, version: Version::FIRST, due_at: task.due_at, lane: task.lane, bucket: task.bucket }
}

/// The event of a new task.
pub fn scheduled(actor: &Actor, task: &Fresh, now: Timestamp) -> NewEvent {
    let detail = Detail { due_at: Some(task.due_at), ..Detail::default() };
    NewEvent {
        to_state: Some(State::Scheduled.as_str()),
        version: Some(Version::FIRST.0),
        detail: detail.text(),
        ..NewEvent::plain(now, Some(actor.person), "task", task.id.0, "schedule")
    }
}

/// A new task as it is shown, without reading it back.
fn row(unit: &Unit<'_>, task: &Fresh, kind: Kind, targets: &HashMap<Uuid, Target>) -> TaskRow {
    let target = targets.get(&task.target_id);
    TaskRow {
        id: task.id,
        kind,
        target_id: task.target_id,
        state: State::Scheduled,
        version: Version::FIRST,
        due: unit.lens.moment(task.due_at),
        lane: task.lane,
        title: target.map(|target| target.title.clone()).unwrap_or_default(),
        slug: target.map(|target| target.slug.clone()).unwrap_or_default(),
        owner_id: task.owner,
        owner: target.map(|target| target.owner.clone()).unwrap_or_default(),
        executed: None,
        reason: None,
        undo: (unit.now() < task.due_at).then(|| Undo {
            verb: "schedule".to_owned(),
            changed_at: unit.now(),
            until: task.due_at,
        }),
        may_change: true,
    }
}
