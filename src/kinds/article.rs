//! Task handlers that publish and unpublish articles.

use domain::{ArticleId, Kind, Timestamp, channel::ChannelEvent, task::reason};
use std::collections::HashMap;
use store::{
    StoreError, Tx,
    event::NewEvent,
    execute::{ClaimedTask, SideEffects, Verdict},
    outbox::Message,
    publish::{self, PublicationChange},
};
use uuid::Uuid;

/// Publishes the pinned revisions. *Dead* if the article or the revision is gone, or a newer text
/// is public.
pub async fn publish(
    tx: &mut Tx,
    tasks: &[ClaimedTask],
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<Vec<Verdict>, StoreError> {
    let pinned: Vec<_> =
        tasks.iter().filter_map(|task| Some((ArticleId(task.target_id), task.revision_id?))).collect();
    let put = publish::publish(tx.conn(), &pinned, at).await?;
    let mut verdicts = verdicts(tasks, &put, "publish", at, after);
    for (task, verdict) in tasks.iter().zip(&mut verdicts) {
        let (Verdict::Dead(why), Some(revision)) = (verdict, task.revision_id) else { continue };
        if publish::is_newer_public(tx.conn(), task.target_id, revision.0).await? {
            *why = reason::OLDER_TEXT;
        }
    }
    Ok(verdicts)
}

/// Unpublishes the articles. *Dead* if the article is gone; an article that is not public counts as
/// done.
pub async fn unpublish(
    tx: &mut Tx,
    tasks: &[ClaimedTask],
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<Vec<Verdict>, StoreError> {
    let articles: Vec<_> = tasks.iter().map(|task| ArticleId(task.target_id)).collect();
    let put = publish::unpublish(tx.conn(), &articles, at).await?;
    Ok(verdicts(tasks, &put, "unpublish", at, after))
}

fn verdicts(
    tasks: &[ClaimedTask],
    put: &[PublicationChange],
    verb: &'static str,
    at: Timestamp,
    after: &mut SideEffects,
) -> Vec<Verdict> {
    let done: HashMap<Uuid, &PublicationChange> = put.iter().map(|put| (put.id, put)).collect();
    let verdict = |task: &ClaimedTask| {
        let Some(put) = done.get(&task.target_id) else {
            return Verdict::Dead(reason::TARGET_GONE);
        };
        after.log.push(NewEvent {
            version: Some(put.revision),
            detail: format!(r#"{{"task_id":"{}"}}"#, task.id),
            ..NewEvent::simple(at, None, "article", task.target_id, verb)
        });
        if put.has_channels {
            after.messages.push(message(task, put));
        }
        Verdict::Done
    };
    tasks.iter().map(verdict).collect()
}

/// Message to the channels about this execution.
fn message(task: &ClaimedTask, put: &PublicationChange) -> Message {
    let event = match put.is_first {
        _ if task.kind == Kind::ArticleUnpublish.as_str() => ChannelEvent::ArticleUnpublished,
        true => ChannelEvent::ArticlePublished,
        false => ChannelEvent::ArticleUpdated,
    };
    Message { task: task.id, version: task.version, event, article: put.id, revision: put.revision }
}
