//! What this process has in its hands, and which tasks must run alone because they may have killed others.

use domain::{NodeId, TaskId};
use std::{
    collections::HashSet,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use store::{
    execute::Claim,
    hands::{self, Note},
};

/// The hands of this process. One per process, shared.
#[derive(Debug, Default)]
pub struct Hands(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// As many as batches ever ran at once.
    places: Vec<Place>,
    suspects: HashSet<TaskId>,
}

#[derive(Debug, Default)]
struct Place {
    /// `None`: free.
    held: Option<Vec<Claim>>,
    /// What was noted last. Locked while it is noted: two notes of a place never pass each other.
    noted: Arc<tokio::sync::Mutex<Vec<u8>>>,
}

/// Some tasks in hand; laid down when it is dropped.
pub struct Held<'a> {
    hands: &'a Hands,
    place: usize,
}

impl Held<'_> {
    /// What is to be noted in SQL before anything of it is done; `None`: that is what stands there already.
    pub async fn note(&self, node: NodeId) -> Option<Note> {
        self.hands.note(node, self.place).await
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.hands.state().places[self.place].held = None;
    }
}

impl Hands {
    /// Takes tasks into the hands; that [`Held::note`] is written is what makes it known.
    pub fn take(&self, claims: &[Claim]) -> Held<'_> {
        let mut state = self.state();
        let place = state.places.iter().position(|place| place.held.is_none()).unwrap_or_else(|| {
            state.places.push(Place::default());
            state.places.len() - 1
        });
        state.places[place].held = Some(claims.to_vec());
        Held { hands: self, place }
    }

    /// All their places.
    #[must_use]
    pub fn places(&self) -> Range<usize> {
        0..self.state().places.len()
    }

    /// What is to be noted in SQL of what one place holds; `None`: that is what stands there already. Until it is written nobody
    /// else notes anything of that place.
    pub async fn note(&self, node: NodeId, place: usize) -> Option<Note> {
        let noted = self.state().places.get(place)?.noted.clone();
        let last = noted.lock_owned().await;
        let tasks = self.state().places.get(place)?.held.as_ref().map(hands::packed);
        Note::new(node.0, place, tasks.unwrap_or_default(), last)
    }

    /// Notes anew next time, whatever they hold: others took this node for lost and emptied what stood there.
    pub async fn forget(&self) {
        let noted: Vec<_> = self.state().places.iter().map(|place| place.noted.clone()).collect();
        for noted in noted {
            noted.lock().await.clear();
        }
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Lane, Version};
    use store::Store;

    fn claim(number: u128) -> Claim {
        let (task, version) = (TaskId(uuid::Uuid::from_u128(number)), Version(1));
        Claim {
            task,
            version,
            lane: Lane::Normal,
            bucket: 0,
            hinted_at: None,
            moved_at: None,
            popped_at: None,
        }
    }

    #[tokio::test]
    async fn batches_at_once_have_a_place_each_and_what_is_laid_down_is_noted_as_such() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("hands.db").display());
        let store = Store::open(&store::Options::new(url)).await.unwrap();
        store.migrate().await.unwrap();
        let (hands, node) = (Hands::default(), NodeId(uuid::Uuid::from_u128(7)));
        let (one, two) = (hands.take(&[claim(1)]), hands.take(&[claim(2), claim(3)]));
        assert_eq!(hands.places(), 0..2);
        for held in [&one, &two] {
            held.note(node).await.unwrap().write(&store).await.unwrap();
            assert!(held.note(node).await.is_none(), "it stands there already");
        }
        drop(one);
        // The place is free, and SQL does not know it yet.
        let laid_down = hands.note(node, 0).await.unwrap();
        laid_down.write(&store).await.unwrap();
        assert!(hands.note(node, 0).await.is_none());
        let three = hands.take(&[claim(4)]);
        assert_eq!((three.place, hands.places()), (0, 0..2));
        hands.forget().await;
        assert!(two.note(node).await.is_some(), "others emptied it");
    }
}
