//! Articles become public, and leave the site.

use domain::{ArticleId, Kind, Timestamp, channel::Happening, task::reason};
use std::collections::HashMap;
use store::{
    StoreError, Tx,
    event::NewEvent,
    execute::{Aftermath, Taken, Verdict},
    outbox::Message,
    publish::{self, Put},
};
use uuid::Uuid;

/// The pinned revisions become public. *Dead* where the article or the revision is gone, or a newer text is public.
pub async fn publish(
    tx: &mut Tx,
    tasks: &[Taken],
    at: Timestamp,
    after: &mut Aftermath,
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

/// The articles leave the site. *Dead* where the article is gone; one that is not public stays so, and that is done.
pub async fn unpublish(
    tx: &mut Tx,
    tasks: &[Taken],
    at: Timestamp,
    after: &mut Aftermath,
) -> Result<Vec<Verdict>, StoreError> {
    let articles: Vec<_> = tasks.iter().map(|task| ArticleId(task.target_id)).collect();
    let put = publish::unpublish(tx.conn(), &articles, at).await?;
    Ok(verdicts(tasks, &put, "unpublish", at, after))
}

fn verdicts(
    tasks: &[Taken],
    put: &[Put],
    verb: &'static str,
    at: Timestamp,
    after: &mut Aftermath,
) -> Vec<Verdict> {
    let done: HashMap<Uuid, &Put> = put.iter().map(|put| (put.id, put)).collect();
    let verdict = |task: &Taken| {
        let Some(put) = done.get(&task.target_id) else {
            return Verdict::Dead(reason::TARGET_GONE);
        };
        after.log.push(NewEvent {
            version: Some(put.revision),
            detail: format!(r#"{{"task_id":"{}"}}"#, task.id),
            ..NewEvent::plain(at, None, "article", task.target_id, verb)
        });
        if put.is_awaited {
            after.messages.push(message(task, put));
        }
        Verdict::Done
    };
    tasks.iter().map(verdict).collect()
}

/// What the outside is told of it.
fn message(task: &Taken, put: &Put) -> Message {
    let event = match put.is_first {
        _ if task.kind == Kind::ArticleUnpublish.as_str() => Happening::ArticleUnpublished,
        true => Happening::ArticlePublished,
        false => Happening::ArticleUpdated,
    };
    Message { task: task.id, version: task.version, event, article: put.id, revision: put.revision }
}
