//! Group commit: concurrent changes by users share a transaction, because a commit costs the
//! database more than a change.
//!
//! The first caller becomes the leader and commits all queued changes in one transaction. A lone
//! caller does not wait.

use crate::{
    PoolRole, Store, StoreError,
    bulk::{self, TransitionRequest},
    failpoint,
};
use domain::TaskId;
use futures::future::{Either, select};
use std::{
    collections::HashSet,
    mem,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::{sync::oneshot, task::yield_now};

/// Maximum number of changes in one transaction.
const MAX_GROUP_SIZE: usize = 500;

/// Whether the change was made; after an error this is unknown.
type Answer = Result<bool, StoreError>;

/// The queue of changes that wait for a transaction.
#[derive(Debug, Default)]
pub struct GroupCommit {
    waiting: Mutex<Vec<(TransitionRequest, oneshot::Sender<Answer>)>>,
    /// Held by the leader while it commits.
    leader: tokio::sync::Mutex<()>,
}

impl GroupCommit {
    /// Makes the change and returns after its commit. `false`: the task is not in the seen version,
    /// another transaction has locked it, reminders follow it, or the database refused the group; the caller must then
    /// try in a transaction of its own. The future must not be cancelled: cancelling the leader
    /// cancels the whole group, and its callers get `false`.
    pub async fn change(&self, store: &Store, request: TransitionRequest) -> Answer {
        let (sender, mut receiver) = oneshot::channel();
        self.waiting().push((request, sender));
        loop {
            match select(&mut receiver, pin!(self.leader.lock())).await {
                // The leader was cancelled: the version of the task shows whether it was changed.
                Either::Left((answer, _)) => return answer.unwrap_or(Ok(false)),
                Either::Right((_leader, _)) => {
                    // Let callers that were answered just now queue their next change first.
                    yield_now().await;
                    commit_group(store, self.next_group()).await;
                }
            }
        }
    }

    /// Takes the next group from the queue, oldest first and no task twice.
    fn next_group(&self) -> Vec<(TransitionRequest, oneshot::Sender<Answer>)> {
        let mut waiting = self.waiting();
        let mut seen = HashSet::new();
        let mut is_next =
            |request: &TransitionRequest| seen.len() < MAX_GROUP_SIZE && seen.insert(request.id);
        let (next, rest) = mem::take(&mut *waiting).into_iter().partition(|(request, _)| is_next(request));
        *waiting = rest;
        next
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<(TransitionRequest, oneshot::Sender<Answer>)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Commits a group and answers its callers.
async fn commit_group(store: &Store, group: Vec<(TransitionRequest, oneshot::Sender<Answer>)>) {
    let (requests, senders): (Vec<TransitionRequest>, Vec<_>) = group.into_iter().unzip();
    if requests.is_empty() {
        return;
    }
    let changed = match commit(store, &requests).await {
        Ok(changed) => Ok(changed),
        Err(error) if error.is_unavailable() => Err(Arc::new(error)),
        // The database refused the group and nothing was changed: each caller tries alone.
        Err(_) => Ok(HashSet::new()),
    };
    for (request, sender) in requests.iter().zip(senders) {
        // The caller may have gone away.
        let _ = sender.send(match &changed {
            Ok(changed) => Ok(changed.contains(&request.id)),
            Err(error) => Err(StoreError::Shared(Arc::clone(error))),
        });
    }
}

async fn commit(store: &Store, requests: &[TransitionRequest]) -> Result<HashSet<TaskId>, StoreError> {
    let mut tx = store.begin_single(PoolRole::Web).await?;
    let changed = bulk::change_unfollowed(tx.conn(), requests).await?;
    failpoint::hit("group_commit.written").await?;
    tx.commit().await?;
    Ok(changed)
}
