//! What the tasks of releases do, in the transaction that executes them: every article of a release is
//! checked first; then all of them are changed, or none.

use super::{RELEASE, check};
use crate::articles::review::publishing;
use domain::{
    AccountId, ArticleId, Kind, Priority, RevisionId, TaskId, Timestamp, Version,
    channel::ChannelEvent,
    kind::DEFAULT_GRACE_MS,
    releases::{ReleaseAction, blocked_reason, problem_of},
    task::reason,
};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use store::{
    StoreError, Tx,
    event::NewEvent,
    execute::{ClaimedTask, SideEffects, Verdict},
    outbox::Message,
    publication::{self, PublicState, Restored},
    publish, release,
    release_item::{self, ItemRow},
    task::NewTaskRow,
};
use uuid::Uuid;

/// Delay before a release is tried again that has an article which another transaction is changing,
/// milliseconds.
const LOCKED_RETRY_MS: i64 = 20;

/// The releases of a batch, with their articles.
struct Batch<'t> {
    tasks: &'t [ClaimedTask],
    items: Vec<ItemRow>,
    /// Verdicts of the releases that are not carried out.
    verdicts: HashMap<Uuid, Verdict>,
}

impl<'t> Batch<'t> {
    /// Locks the articles and reads what is known of them. `is_published`: the state in which a release
    /// must be.
    async fn lock(
        tx: &mut Tx,
        tasks: &'t [ClaimedTask],
        is_published: bool,
        at: Timestamp,
    ) -> Result<Self, StoreError> {
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let busy: HashSet<Uuid> = release_item::lock(tx.conn(), &ids).await?.into_iter().collect();
        let records = release::find_many(tx.conn(), &ids).await?;
        let items = release_item::of_releases(tx.conn(), &ids).await?;
        let mut verdicts = HashMap::new();
        for task in tasks {
            let record = records.iter().find(|record| record.id == task.target_id);
            match record {
                Some(record) if record.published_at.is_some() != is_published => {
                    verdicts.insert(task.target_id, Verdict::Dead(reason::SUPERSEDED));
                }
                Some(record) if record.count > 0 => {}
                _ => drop(verdicts.insert(task.target_id, Verdict::Dead(reason::TARGET_GONE))),
            }
        }
        Ok(Self { tasks, items, verdicts }.with_waiting(&busy, at))
    }

    /// Lets releases wait whose articles are busy.
    fn with_waiting(mut self, busy: &HashSet<Uuid>, at: Timestamp) -> Self {
        let waiting = self.items.iter().filter(|item| busy.contains(&item.article_id));
        let waiting: HashSet<Uuid> = waiting.map(|item| item.release_id).collect();
        for task in self.tasks.iter().filter(|task| waiting.contains(&task.target_id)) {
            let again = Verdict::RetryAt(at.plus(LOCKED_RETRY_MS));
            self.verdicts.entry(task.target_id).or_insert(again);
        }
        self
    }

    /// The articles of the releases that are carried out.
    fn open(&self) -> Vec<&ItemRow> {
        self.items.iter().filter(|item| !self.verdicts.contains_key(&item.release_id)).collect()
    }

    /// The releases that are carried out.
    fn ready(&self) -> Vec<Uuid> {
        let ids = self.tasks.iter().map(|task| task.target_id);
        ids.filter(|id| !self.verdicts.contains_key(id)).collect()
    }

    /// Blocks releases by these articles: each by the first of its own.
    fn block(&mut self, blocked: Vec<(Uuid, String)>) {
        for (release, why) in blocked {
            self.verdicts.entry(release).or_insert(Verdict::Blocked(why));
        }
    }

    fn due_at(&self, release: Uuid, at: Timestamp) -> Timestamp {
        self.tasks.iter().find(|task| task.target_id == release).map_or(at, |task| task.due_at)
    }

    fn into_verdicts(mut self) -> Vec<Verdict> {
        let verdict = |task: &ClaimedTask| self.verdicts.remove(&task.target_id).unwrap_or(Verdict::Done);
        self.tasks.iter().map(verdict).collect()
    }
}

fn title(item: &ItemRow) -> &str {
    item.title.as_deref().unwrap_or_default()
}

/// Publishes and unpublishes the articles of releases.
pub async fn publish(
    tx: &mut Tx,
    tasks: &[ClaimedTask],
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<Vec<Verdict>, StoreError> {
    let mut batch = Batch::lock(tx, tasks, false, at).await?;
    let mut blocked = Vec::new();
    for item in batch.open() {
        if let Some(problem) = problem_of(item.facts()?) {
            blocked.push((item.release_id, blocked_reason(problem, title(item))));
        }
    }
    batch.block(blocked);
    let reviewed = publishing::review(tx, &revisions(&batch.open()), at).await?;
    after.log.extend(reviewed.events);
    let mut blocked = Vec::new();
    for item in batch.open() {
        if let Some(why) = reviewed.held.get(&item.article_id) {
            blocked.push((item.release_id, blocked_reason(check::item_problem(why)?, title(item))));
        }
    }
    batch.block(blocked);
    let ready = batch.ready();
    if !ready.is_empty() {
        release_item::remember(tx.conn(), &ready).await?;
        apply(tx, &batch, at, after).await?;
        release::mark_published(tx.conn(), &ready, at).await?;
        after.log.extend(ready.iter().map(|id| NewEvent::simple(at, None, RELEASE, *id, "publish")));
    }
    Ok(batch.into_verdicts())
}

/// The revisions that become public.
fn revisions(items: &[&ItemRow]) -> Vec<(ArticleId, RevisionId)> {
    let pinned = |item: &&ItemRow| Some((ArticleId(item.article_id), RevisionId(item.revision_id?)));
    items.iter().filter_map(pinned).collect()
}

/// Changes what is public. The articles were checked and are locked.
async fn apply(
    tx: &mut Tx,
    batch: &Batch<'_>,
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    let items = batch.open();
    let published = revisions(&items);
    let is_unpublished = |item: &&&ItemRow| item.revision_id.is_none() && item.public_id.is_some();
    let unpublished: Vec<ArticleId> =
        items.iter().filter(is_unpublished).map(|item| ArticleId(item.article_id)).collect();
    let mut put = Vec::new();
    if !published.is_empty() {
        put.extend(publish::publish(tx.conn(), &published, at, true).await?);
    }
    if !unpublished.is_empty() {
        put.extend(publish::unpublish(tx.conn(), &unpublished, at).await?);
    }
    if put.len() != published.len() + unpublished.len() {
        return Err(StoreError::Corrupt(format!("a release changed {} articles", put.len())));
    }
    let put: HashMap<Uuid, _> = put.into_iter().map(|put| (put.id, put)).collect();
    for item in items {
        let Some(put) = put.get(&item.article_id) else { continue };
        let event = match item.action()? {
            ReleaseAction::Unpublish => ChannelEvent::ArticleUnpublished,
            ReleaseAction::Publish if put.is_first => ChannelEvent::ArticlePublished,
            ReleaseAction::Publish => ChannelEvent::ArticleUpdated,
        };
        let due_at = batch.due_at(item.release_id, at);
        record(
            item,
            Change { event, revision_id: item.revision_id, number: put.revision, due_at, at },
            after,
        );
    }
    Ok(())
}

/// Gives the articles of published releases the public state that they had before.
pub async fn revert(
    tx: &mut Tx,
    tasks: &[ClaimedTask],
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<Vec<Verdict>, StoreError> {
    let mut batch = Batch::lock(tx, tasks, true, at).await?;
    let problems = check::revert_problems(&batch.items)?;
    let reason = |item: &&ItemRow| {
        let problem = problems.get(&(item.release_id, item.article_id))?;
        Some((item.release_id, blocked_reason(*problem, title(item))))
    };
    let blocked = batch.open().iter().filter_map(reason).collect();
    batch.block(blocked);
    let ready = batch.ready();
    if !ready.is_empty() {
        restore(tx, &batch, at, after).await?;
        release_item::reopen(tx.conn(), &ready).await?;
        release::mark_reverted(tx.conn(), &ready, at).await?;
        after.log.extend(ready.iter().map(|id| NewEvent::simple(at, None, RELEASE, *id, "revert")));
    }
    Ok(batch.into_verdicts())
}

async fn restore(
    tx: &mut Tx,
    batch: &Batch<'_>,
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    let before = |item: &ItemRow| {
        let (revision_id, published_at) = (item.was_revision_id?, item.was_published_at?);
        Some(PublicState { revision_id, published_at, updated_at: item.was_updated_at })
    };
    let mut items = batch.open();
    // An article that was not public before and was to be unpublished did not change.
    items.retain(|item| item.public_id.is_some() || item.was_revision_id.is_some());
    let restored: Vec<Restored> = items
        .iter()
        .map(|item| Restored { id: item.article_id, was: item.public_id, public: before(item) })
        .collect();
    let changed: HashMap<Uuid, i32> =
        publication::restore_public_states(tx.conn(), &restored).await?.into_iter().collect();
    if changed.len() != restored.len() {
        return Err(StoreError::Corrupt(format!("a release reverted {} articles", changed.len())));
    }
    for item in items {
        let event = match (before(item), item.public_id) {
            (None, _) => ChannelEvent::ArticleUnpublished,
            (Some(_), None) => ChannelEvent::ArticlePublished,
            (Some(_), Some(_)) => ChannelEvent::ArticleUpdated,
        };
        let number = changed.get(&item.article_id).copied().unwrap_or_default();
        let due_at = batch.due_at(item.release_id, at);
        record(item, Change { event, revision_id: item.was_revision_id, number, due_at, at }, after);
    }
    Ok(())
}

/// How the public state of an article changed.
struct Change {
    event: ChannelEvent,
    /// The public revision; `None`: the article is not public.
    revision_id: Option<Uuid>,
    /// Its number; of the current one if none is public.
    number: i32,
    due_at: Timestamp,
    at: Timestamp,
}

/// Records the change of an article as a task publishes or unpublishes it: an executed task, an event and
/// a message.
fn record(item: &ItemRow, change: Change, after: &mut SideEffects) {
    let Change { event, revision_id, number, due_at, at } = change;
    let (kind, verb) = match revision_id {
        Some(_) => (Kind::ArticlePublish, "publish"),
        None => (Kind::ArticleUnpublish, "unpublish"),
    };
    let id = TaskId::generate();
    after.parts.push(NewTaskRow {
        id,
        kind: kind.as_str(),
        grace_ms: DEFAULT_GRACE_MS,
        unique_key: None,
        priority: Priority::Normal,
        // It needs no hint.
        bucket: 0,
        target_id: item.article_id,
        revision_id,
        due_at,
        local_time: None,
        time_zone: None,
        request_id: None,
        owner: AccountId(item.owner_id.unwrap_or_default()),
    });
    after.log.push(NewEvent {
        version: Some(number),
        detail: json!({"task_id": id, "release_id": item.release_id}).to_string(),
        ..NewEvent::simple(at, None, "article", item.article_id, verb)
    });
    let (version, article) = (Version::FIRST, item.article_id);
    after.messages.push(Message { task: id, version, event, article, revision: number });
}
