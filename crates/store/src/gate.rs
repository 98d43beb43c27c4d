//! The gate before SQLite's one writer: the loops go first, and people in turn with them. A turn of theirs takes about 20 ms.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::oneshot;

/// Lets one through at a time. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Gate(Arc<Mutex<Queue>>);

#[derive(Debug, Default)]
struct Queue {
    is_taken: bool,
    engine: VecDeque<oneshot::Sender<Permit>>,
    people: VecDeque<oneshot::Sender<Permit>>,
    /// Whether the last turn was one of the loops.
    was_engine: bool,
}

/// The right to write; the next one in line gets it when it is dropped.
#[derive(Debug)]
pub struct Permit(Option<Gate>);

impl Gate {
    /// Waits for one's turn. Dropped while it waits: the place in the line is given up.
    pub async fn enter(&self, is_engine: bool) -> Permit {
        let turn = {
            let mut queue = self.queue();
            if !queue.is_taken {
                (queue.is_taken, queue.was_engine) = (true, is_engine);
                return Permit(Some(self.clone()));
            }
            let (give, turn) = oneshot::channel();
            if is_engine {
                queue.engine.push_back(give)
            } else {
                queue.people.push_back(give)
            }
            turn
        };
        // The sender lives in the queue, which lives as long as the gate: an error cannot happen. If it did, the writer's
        // pool of one connection still lets only one through.
        turn.await.unwrap_or(Permit(None))
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leave(self) {
        loop {
            let next = {
                let mut queue = self.queue();
                let next = queue.next();
                if next.is_none() {
                    queue.is_taken = false;
                    return;
                }
                next
            };
            let Some(next) = next else { return };
            match next.send(Permit(Some(self.clone()))) {
                Ok(()) => return,
                // They have gone away: the permit comes back without opening the gate a second time.
                Err(mut permit) => permit.0 = None,
            }
        }
    }
}

impl Queue {
    fn next(&mut self) -> Option<oneshot::Sender<Permit>> {
        let is_persons_turn = self.engine.is_empty() || self.was_engine;
        self.was_engine = !is_persons_turn || self.people.is_empty();
        if self.was_engine { self.engine.pop_front() } else { self.people.pop_front() }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(gate) = self.0.take() {
            gate.leave();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::{FutureExt, stream::FuturesUnordered};

    #[tokio::test]
    async fn the_loops_go_first_and_people_in_turn_with_them() {
        assert_eq!(order_after(false).await, "epepeee");
        assert_eq!(order_after(true).await, "pepeeee");
    }

    /// Who writes after somebody who found the gate open.
    async fn order_after(is_engine: bool) -> String {
        let gate = Gate::default();
        let first = gate.enter(is_engine).await;
        let log = Arc::new(Mutex::new(String::new()));
        let mut waiting: FuturesUnordered<_> = [false, true, true, true, true, false, true]
            .into_iter()
            .map(|is_engine| {
                let (gate, log) = (gate.clone(), Arc::clone(&log));
                async move {
                    let _permit = gate.enter(is_engine).await;
                    log.lock().unwrap().push(if is_engine { 'e' } else { 'p' });
                }
            })
            .collect();
        assert!(futures::StreamExt::next(&mut waiting).now_or_never().is_none());
        drop(first);
        while futures::StreamExt::next(&mut waiting).await.is_some() {}
        assert!(gate.enter(false).now_or_never().is_some());
        std::mem::take(&mut *log.lock().unwrap())
    }

    #[tokio::test]
    async fn who_goes_away_gives_up_the_place() {
        let gate = Gate::default();
        let first = gate.enter(true).await;
        let mut gone = Box::pin(gate.enter(true));
        assert!((&mut gone).now_or_never().is_none());
        drop(gone);
        drop(first);
        assert!(gate.enter(false).now_or_never().is_some());
    }
}
