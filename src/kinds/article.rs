//! Articles become public, and leave the site.

use domain::{ArticleId, Timestamp, task::reason};
use serde_json::json;
use std::collections::HashMap;
use store::{
    StoreError, Tx,
    event::NewEvent,
    execute::{Taken, Verdict},
    publish::{self, Put},
};
use uuid::Uuid;

/// The pinned revisions become public. *Dead* where the article or the revision is gone.
pub async fn publish(
    tx: &mut Tx,
    tasks: &[Taken],
    at: Timestamp,
    log: &mut Vec<NewEvent>,
) -> Result<Vec<Verdict>, StoreError> {
    let pinned: Vec<_> =
        tasks.iter().filter_map(|task| Some((ArticleId(task.target_id), task.revision_id?))).collect();
    let put = publish::publish(tx.conn(), &pinned, at).await?;
    Ok(verdicts(tasks, &put, "publish", at, log))
}

/// The articles leave the site. *Dead* where the article is gone; one that is not public stays so, and that is done.
pub async fn unpublish(
    tx: &mut Tx,
    tasks: &[Taken],
    at: Timestamp,
    log: &mut Vec<NewEvent>,
) -> Result<Vec<Verdict>, StoreError> {
    let articles: Vec<_> = tasks.iter().map(|task| ArticleId(task.target_id)).collect();
    let put = publish::unpublish(tx.conn(), &articles, at).await?;
    Ok(verdicts(tasks, &put, "unpublish", at, log))
}

fn verdicts(
    tasks: &[Taken],
    put: &[Put],
    verb: &'static str,
    at: Timestamp,
    log: &mut Vec<NewEvent>,
) -> Vec<Verdict> {
    let revisions: HashMap<Uuid, i32> = put.iter().map(|put| (put.id, put.revision)).collect();
    let verdict = |task: &Taken| {
        let Some(revision) = revisions.get(&task.target_id) else {
            return Verdict::Dead(reason::TARGET_GONE);
        };
        log.push(NewEvent {
            version: Some(*revision),
            detail: json!({"task_id": task.id}),
            ..NewEvent::plain(at, None, "article", task.target_id, verb)
        });
        Verdict::Done
    };
    tasks.iter().map(verdict).collect()
}
