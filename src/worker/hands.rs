//! What this process has in its hands, and which tasks must run alone because they may have killed others.

use domain::{NodeId, TaskId};
use std::{
    collections::{BTreeMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
};
use store::{StoreError, execute::Claim, hands::Note};

/// The hands of this process. One per process, shared.
#[derive(Debug, Default)]
pub struct Hands {
    state: Mutex<State>,
    /// What was noted last. Locked while it is noted: two notes never pass each other.
    noted: tokio::sync::Mutex<String>,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    held: BTreeMap<u64, Vec<Claim>>,
    suspects: HashSet<TaskId>,
}

/// Some tasks in hand; laid down when it is dropped.
pub struct Held<'a>(&'a Hands, u64);

impl Hands {
    /// Takes tasks into the hands; that [`Self::note`] is written is what makes it known.
    pub fn take(&self, claims: &[Claim]) -> Held<'_> {
        let mut state = self.state();
        let place = state.next;
        state.next += 1;
        state.held.insert(place, claims.to_vec());
        Held(self, place)
    }

    /// What is to be noted in SQL of what they hold; `None`: that is what stands there already. Until it is written nobody else
    /// notes anything.
    pub async fn note(&self, node: NodeId) -> Result<Option<Note<'_>>, StoreError> {
        let noted = self.noted.lock().await;
        let text = store::hands::text(self.state().held.values().flatten())?;
        Ok(Note::new(node.0, text, noted))
    }

    /// Notes anew next time, whatever they hold: others took this node for lost and emptied what stood there.
    pub async fn forget(&self) {
        self.noted.lock().await.clear();
    }

    /// Tasks that must run alone from now on.
    pub fn suspect(&self, tasks: HashSet<TaskId>) {
        self.state().suspects = tasks;
    }

    /// Those that run together, then those that run alone.
    #[must_use]
    pub fn sort(&self, claims: &[Claim]) -> (Vec<Claim>, Vec<Claim>) {
        let state = self.state();
        claims.iter().copied().partition(|claim| !state.suspects.contains(&claim.task))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.state().held.remove(&self.1);
    }
}
