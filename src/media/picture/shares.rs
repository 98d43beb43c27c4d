//! Shares the threads for pictures between accounts: when a thread is free, the account with the fewest
//! pictures in work is next, then the one that has waited longest for its turn.

use domain::{AccountId, media::MediaProblem};
use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::oneshot;

/// Maximum number of pictures of one account in work or waiting.
const MAX_OF_ACCOUNT: usize = 32;
/// Number of pictures in work or waiting from which an account may have only one.
const BUSY_FROM: usize = 64;
/// Maximum number of pictures in work or waiting.
const MAX_JOBS: usize = 128;

/// The threads and who waits for them.
#[derive(Debug)]
pub struct Shares {
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    free: usize,
    /// Number of pictures in work, by account.
    running: HashMap<AccountId, usize>,
    /// Who waits, by account; the account at the front has waited longest for its turn.
    waiting: VecDeque<(AccountId, VecDeque<oneshot::Sender<Turn>>)>,
}

/// The right to use one of the threads, returned on drop.
#[derive(Debug)]
pub struct Turn {
    state: Arc<Mutex<State>>,
    account: AccountId,
}

impl Shares {
    /// Shares this number of threads.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let state = State { free: threads, running: HashMap::new(), waiting: VecDeque::new() };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// Waits for a thread. [`MediaProblem::Busy`]: too many pictures wait.
    pub async fn turn(&self, account: AccountId) -> Result<Turn, MediaProblem> {
        let (sender, receiver) = oneshot::channel();
        {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.admit(account)?;
            state.wait(account, sender);
        }
        hand_out(&self.state);
        receiver.await.map_err(|_| MediaProblem::Busy)
    }
}

impl State {
    /// Refuses an account that has too many pictures in work or waiting.
    fn admit(&mut self, account: AccountId) -> Result<(), MediaProblem> {
        for (_, senders) in &mut self.waiting {
            senders.retain(|sender| !sender.is_closed());
        }
        self.waiting.retain(|(_, senders)| !senders.is_empty());
        let waiting: usize = self.waiting.iter().map(|(_, senders)| senders.len()).sum();
        let all = waiting + self.running.values().sum::<usize>();
        let own = self.waiting.iter().find(|(id, _)| *id == account).map_or(0, |(_, senders)| senders.len());
        let own = own + self.running.get(&account).copied().unwrap_or_default();
        let max_own = if all >= BUSY_FROM { 1 } else { MAX_OF_ACCOUNT };
        if own >= max_own || all >= MAX_JOBS { Err(MediaProblem::Busy) } else { Ok(()) }
    }

    fn wait(&mut self, account: AccountId, sender: oneshot::Sender<Turn>) {
        match self.waiting.iter_mut().find(|(id, _)| *id == account) {
            Some((_, senders)) => senders.push_back(sender),
            None => self.waiting.push_back((account, VecDeque::from([sender]))),
        }
    }

    /// Takes the next in turn; `None`: no thread is free, or no picture waits.
    fn next(&mut self) -> Option<(AccountId, oneshot::Sender<Turn>)> {
        if self.free == 0 {
            return None;
        }
        let in_work = |account: &AccountId| self.running.get(account).copied().unwrap_or_default();
        let place = (0..self.waiting.len()).min_by_key(|place| in_work(&self.waiting[*place].0))?;
        let (account, mut senders) = self.waiting.remove(place)?;
        let sender = senders.pop_front()?;
        if !senders.is_empty() {
            self.waiting.push_back((account, senders));
        }
        self.free -= 1;
        *self.running.entry(account).or_default() += 1;
        Some((account, sender))
    }

    fn give_back(&mut self, account: AccountId) {
        self.free += 1;
        if let Some(running) = self.running.get_mut(&account) {
            *running -= 1;
            if *running == 0 {
                self.running.remove(&account);
            }
        }
    }
}

/// Gives free threads to those who wait.
fn hand_out(shared: &Arc<Mutex<State>>) {
    loop {
        let next = shared.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((account, sender)) = next else { return };
        // A turn that is not taken is dropped here, which gives it to the next.
        let _ = sender.send(Turn { state: Arc::clone(shared), account });
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).give_back(self.account);
        hand_out(&self.state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::{FutureExt as _, future::join_all};

    #[tokio::test]
    async fn another_account_is_next_however_many_pictures_the_first_one_has() {
        let (shares, [ada, ben]) = (Shares::new(1), [AccountId::generate(), AccountId::generate()]);
        let first = shares.turn(ada).await.unwrap();
        let mut more: Vec<_> = (0..20).map(|_| Box::pin(shares.turn(ada))).collect();
        let mut other = Box::pin(shares.turn(ben));
        // All of them wait.
        assert!(join_all(more.iter_mut()).now_or_never().is_none());
        assert!(other.as_mut().now_or_never().is_none());
        drop(first);
        // Of Ada one, then Ben: not after her 20.
        let second = more.remove(0).now_or_never().expect("the oldest is next");
        drop(second);
        assert!(other.now_or_never().is_some_and(|turn| turn.is_ok()), "Ben is next");
    }

    #[tokio::test]
    async fn an_account_has_a_limit_and_one_who_leaves_gives_the_thread_back() {
        let (shares, ada) = (Shares::new(1), AccountId::generate());
        let first = shares.turn(ada).await.unwrap();
        let mut waiting: Vec<_> = (1..MAX_OF_ACCOUNT).map(|_| Box::pin(shares.turn(ada))).collect();
        assert!(join_all(waiting.iter_mut()).now_or_never().is_none());
        assert_eq!(shares.turn(ada).await.map(drop), Err(MediaProblem::Busy));
        assert!(shares.turn(AccountId::generate()).now_or_never().is_none(), "another account may wait");
        waiting.clear();
        drop(first);
        assert!(shares.turn(ada).now_or_never().is_some_and(|turn| turn.is_ok()), "it is free");
    }
}
