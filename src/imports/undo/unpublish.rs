//! Unpublishes articles of an import that is undone, as a task that unpublishes them would.

use crate::{
    services::{internal_error, write_error},
    tasks::{schedule, unit_of_work::UnitOfWork},
};
use domain::{
    AccountId, ArticleId, DomainError, Kind, Priority, State, TaskId, Version, channel::ChannelEvent,
    kind::DEFAULT_GRACE_MS,
};
use serde_json::json;
use std::collections::HashMap;
use store::{
    event::NewEvent,
    import_job::CreatedArticle,
    outbox::Message,
    publish,
    target::{self, Target},
    task::{self, NewTaskRow},
};
use uuid::Uuid;

/// Unpublishes those of the articles that are public; they are locked. Each gets an executed task, an
/// event and a message. Returns their number.
pub async fn unpublish(unit: &mut UnitOfWork<'_>, articles: &[CreatedArticle]) -> Result<u64, DomainError> {
    let public: Vec<&CreatedArticle> =
        articles.iter().filter(|article| article.published_at.is_some()).collect();
    if public.is_empty() {
        return Ok(0);
    }
    let (now, failed) = (unit.now(), write_error(unit.parts));
    let ids: Vec<Uuid> = public.iter().map(|article| article.id).collect();
    let targets = target::lock(unit.tx.conn(), &ids).await.map_err(internal_error)?;
    let owners: HashMap<Uuid, AccountId> = targets.iter().map(|one| (one.id, Target::owner(one))).collect();
    let by = unit.presenter.actor.account;
    let tasks: Vec<NewTaskRow> = public
        .iter()
        .map(|article| NewTaskRow {
            id: TaskId::generate(),
            kind: Kind::ArticleUnpublish.as_str(),
            grace_ms: DEFAULT_GRACE_MS,
            unique_key: None,
            priority: Priority::Normal,
            // It needs no hint.
            bucket: 0,
            target_id: article.id,
            revision_id: None,
            due_at: now,
            local_time: None,
            time_zone: None,
            request_id: None,
            owner: owners.get(&article.id).copied().unwrap_or(by),
        })
        .collect();
    let all: Vec<ArticleId> = ids.into_iter().map(ArticleId).collect();
    publish::unpublish(unit.tx.conn(), &all, now).await.map_err(&failed)?;
    task::insert_all_executed(unit.tx.conn(), &tasks, now).await.map_err(&failed)?;
    task::insert_all_executions(unit.tx.conn(), &tasks, &unit.parts.node.name).await.map_err(&failed)?;
    let mut messages = Vec::with_capacity(tasks.len());
    for (article, task) in public.iter().zip(&tasks) {
        record(unit, article, task);
        messages.push(Message {
            task: task.id,
            version: Version::FIRST,
            event: ChannelEvent::ArticleUnpublished,
            article: article.id,
            revision: article.revision,
        });
    }
    unit.enqueue_deliveries(&messages).await?;
    Ok(tasks.len() as u64)
}

/// Records the events of the task and of the article; what follows the article does so.
fn record(unit: &mut UnitOfWork<'_>, article: &CreatedArticle, task: &NewTaskRow) {
    let scheduled = schedule::scheduled(unit.presenter.actor, task, unit.now());
    unit.record_events([NewEvent {
        verb: "execute",
        to_state: Some(State::Executed.as_str()),
        detail: json!({ "due_at": task.due_at }).to_string(),
        ..scheduled
    }]);
    unit.note_moved(task.kind, article.id);
    unit.note_moved(Kind::ArticlePublish.as_str(), article.id);
    let detail = json!({ "task": task.id }).to_string();
    unit.record_event("article", article.id, "unpublish", None, Some(article.revision), detail);
}
