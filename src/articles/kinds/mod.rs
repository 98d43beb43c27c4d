//! Kinds of articles: publish, unpublish, and the deadline of a review with its warnings.

mod publish;
mod review_decide;
mod review_warn;
mod unpublish;

pub use publish::Publish;
pub use review_decide::ReviewDecide;
pub use review_warn::{REVIEW_WARN, REVIEW_WARN_AGAIN};
pub use unpublish::Unpublish;

use crate::kinds::{
    article_words::{PUBLISH, UNPUBLISH},
    task_kind::Reversal,
};
use domain::{Timestamp, channel::ChannelEvent, task::reason};
use serde_json::Value;
use std::collections::HashMap;
use store::{
    StoreError, Tx,
    event::NewEvent,
    execute::{ClaimedTask, SideEffects, Verdict},
    outbox::Message,
    publication::{self, PublicState},
    publish::PublicationChange,
    task_list::TaskListRow,
};
use uuid::Uuid;

/// What the targets are.
const ARTICLE: &str = "article";

/// Returns the public state of an article as undo needs it.
async fn public_state(tx: &mut Tx, article: Uuid) -> Result<Option<Value>, StoreError> {
    let public = publication::find(tx.conn(), article).await?;
    Ok(public.and_then(|public| serde_json::to_value(public).ok()))
}

/// Gives the article the public state it had before. The public revision must be the one that the
/// task left.
async fn revert(
    tx: &mut Tx,
    task: &TaskListRow,
    before: Option<&Value>,
) -> Result<Option<Reversal>, StoreError> {
    let before: Option<PublicState> = before.and_then(|before| serde_json::from_value(before.clone()).ok());
    let number =
        publication::restore_public_state(tx.conn(), task.target_id, task.revision_id, before).await?;
    let Some(number) = number else { return Ok(None) };
    let event = match (before, task.revision_id) {
        (None, _) => ChannelEvent::ArticleUnpublished,
        (Some(_), None) => ChannelEvent::ArticlePublished,
        (Some(_), Some(_)) => ChannelEvent::ArticleUpdated,
    };
    let (kind, verb) = if before.is_some() { (PUBLISH, "publish") } else { (UNPUBLISH, "unpublish") };
    let revision_id = before.map(|public| public.revision_id);
    Ok(Some(Reversal { kind, revision_id, verb, message: Some((event, number)) }))
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
        _ if task.kind == UNPUBLISH => ChannelEvent::ArticleUnpublished,
        true => ChannelEvent::ArticlePublished,
        false => ChannelEvent::ArticleUpdated,
    };
    Message { task: task.id, version: task.version, event, article: put.id, revision: put.revision }
}
