//! Changes that people make at the same time share a transaction: its end costs the database more than a change does.
//!
//! Whoever finds nobody at work takes all that wait along with its own. Nobody waits for company: one alone is as fast as
//! without this.

use crate::{
    Store, StoreError, Who,
    bulk::{self, Wish},
    point,
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

/// Most changes in one transaction.
const MOST: usize = 500;

/// Whether a change was made; an error leaves it unknown.
type Answer = Result<bool, StoreError>;

/// The changes that wait for their transaction.
#[derive(Debug, Default)]
pub struct Together {
    waiting: Mutex<Vec<(Wish, oneshot::Sender<Answer>)>>,
    /// Held by whoever is at work.
    turn: tokio::sync::Mutex<()>,
}

impl Together {
    /// Makes the change; returns after its commit. `false`: the task is not as it was seen, or it is in other hands for the
    /// moment, or the database would not do it in company: it is for a transaction of its own to find out. Never call it in a
    /// future that can be cancelled.
    pub async fn change(&self, store: &Store, wish: Wish) -> Answer {
        let (tell, mut told) = oneshot::channel();
        self.waiting().push((wish, tell));
        loop {
            match select(&mut told, pin!(self.turn.lock())).await {
                // Who was at work was cut off: what has become of it says the version.
                Either::Left((answer, _)) => return answer.unwrap_or(Ok(false)),
                Either::Right((_turn, _)) => {
                    // Those who were told just now, as this one was, come along with what they wish for next.
                    yield_now().await;
                    make(store, self.next()).await;
                }
            }
        }
    }

    /// Those that go together: no task twice, the first ones first.
    fn next(&self) -> Vec<(Wish, oneshot::Sender<Answer>)> {
        let mut waiting = self.waiting();
        let mut seen = HashSet::new();
        let mut is_next = |wish: &Wish| seen.len() < MOST && seen.insert(wish.id);
        let (next, rest) = mem::take(&mut *waiting).into_iter().partition(|(wish, _)| is_next(wish));
        *waiting = rest;
        next
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<(Wish, oneshot::Sender<Answer>)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes the changes and tells whoever wished for them.
async fn make(store: &Store, next: Vec<(Wish, oneshot::Sender<Answer>)>) {
    let (wishes, tellers): (Vec<Wish>, Vec<_>) = next.into_iter().unzip();
    if wishes.is_empty() {
        return;
    }
    let changed = match commit(store, &wishes).await {
        Ok(changed) => Ok(changed),
        Err(error) if error.is_away() => Err(Arc::new(error)),
        // The database has said no: nothing happened. One of them is to blame, or the company.
        Err(_) => Ok(HashSet::new()),
    };
    for (wish, tell) in wishes.iter().zip(tellers) {
        // Whoever does not listen any more does not want to know.
        let _ = tell.send(match &changed {
            Ok(changed) => Ok(changed.contains(&wish.id)),
            Err(error) => Err(StoreError::Shared(Arc::clone(error))),
        });
    }
}

async fn commit(store: &Store, wishes: &[Wish]) -> Result<HashSet<TaskId>, StoreError> {
    let mut tx = store.single(Who::People).await?;
    let changed = bulk::change_all(tx.conn(), wishes).await?;
    point::pass("together.written").await?;
    tx.commit().await?;
    Ok(changed)
}
