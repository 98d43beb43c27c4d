//! Releases that were held at their moment go on by themselves: when the missing approval arrives, or when
//! what was blocked is removed from them.

use super::check::{self, DueTimes};
use domain::Timestamp;
use std::collections::HashSet;
use store::{
    StoreError, Tx,
    held_release::{self, HeldRelease},
    release_item::{self, ItemRow, NewItemRow},
    released_task::ReleasedTask,
};
use uuid::Uuid;

/// Schedules for now the held releases that waited only for the approval of these revisions. Returns
/// their tasks.
pub async fn resume_approved(
    tx: &mut Tx,
    revisions: &[Uuid],
    at: Timestamp,
) -> Result<Vec<ReleasedTask>, StoreError> {
    let held = held_release::with_revisions(tx.conn(), revisions).await?;
    resume(tx, &held, at).await
}

/// Schedules for now a held release from which articles were removed, if no other one is blocked. Returns
/// its task.
pub async fn resume_reduced(
    tx: &mut Tx,
    release: Uuid,
    at: Timestamp,
) -> Result<Vec<ReleasedTask>, StoreError> {
    let held = held_release::find(tx.conn(), release).await?;
    resume(tx, held.as_slice(), at).await
}

async fn resume(tx: &mut Tx, held: &[HeldRelease], at: Timestamp) -> Result<Vec<ReleasedTask>, StoreError> {
    if held.is_empty() {
        return Ok(Vec::new());
    }
    let releases: Vec<Uuid> = held.iter().map(|one| one.release_id).collect();
    let items = release_item::of_releases(tx.conn(), &releases).await?;
    let due: DueTimes = releases.iter().map(|release| (*release, at)).collect();
    // Links may have answered at any time: what was scheduled was checked then.
    let problems = check::problems(tx.conn(), &items, &due, Timestamp::EARLIEST).await?;
    let blocked: HashSet<Uuid> = problems.keys().map(|(release, _)| *release).collect();
    let filled: HashSet<Uuid> = items.iter().map(|item| item.release_id).collect();
    let is_ready =
        |one: &&HeldRelease| filled.contains(&one.release_id) && !blocked.contains(&one.release_id);
    let tasks: Vec<Uuid> = held.iter().filter(is_ready).map(|one| one.task_id).collect();
    held_release::reopen(tx.conn(), &tasks, at).await
}

/// Whether a change only removes articles from a release.
#[must_use]
pub fn only_removes(before: &[ItemRow], after: &[NewItemRow]) -> bool {
    let is_known = |new: &NewItemRow| {
        before.iter().any(|old| {
            (old.article_id, old.revision_id) == (new.article, new.revision)
                && old.action == new.action.as_str()
        })
    };
    after.len() < before.len() && after.iter().all(is_known)
}
