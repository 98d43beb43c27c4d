//! Limits on live streams, per account and in total.

use domain::AccountId;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Maximum number of live streams in total.
const MAX_STREAMS: usize = 2_000;

/// The open streams of this node.
pub struct Streams {
    per_account: usize,
    open: Mutex<HashMap<AccountId, usize>>,
}

/// The limit that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamLimitReached {
    /// The limit of the account.
    Account(usize),
    /// The limit in total.
    Total,
}

/// Counts one stream until it is dropped.
pub struct StreamPermit {
    streams: Arc<Streams>,
    account: AccountId,
}

impl Streams {
    /// Returns a counter without open streams.
    #[must_use]
    pub fn new(per_account: u32) -> Self {
        Self { per_account: usize::try_from(per_account).unwrap_or(usize::MAX), open: Mutex::default() }
    }

    /// Counts one more stream of this account.
    pub fn open(self: &Arc<Self>, account: AccountId) -> Result<StreamPermit, StreamLimitReached> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.get(&account).is_some_and(|own| *own >= self.per_account) {
            return Err(StreamLimitReached::Account(self.per_account));
        }
        if open.values().sum::<usize>() >= MAX_STREAMS {
            return Err(StreamLimitReached::Total);
        }
        *open.entry(account).or_default() += 1;
        Ok(StreamPermit { streams: Arc::clone(self), account })
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = open.get_mut(&self.account) {
            *own -= 1;
            if *own == 0 {
                open.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_account_cannot_use_the_streams_of_others() {
        let streams = Arc::new(Streams::new(20));
        let (greedy, other) = (AccountId::generate(), AccountId::generate());
        let mut permits: Vec<_> = (0..20).map(|_| streams.open(greedy).unwrap()).collect();
        assert_eq!(streams.open(greedy).err(), Some(StreamLimitReached::Account(20)));
        assert!(streams.open(other).is_ok());
        permits.pop();
        assert!(streams.open(greedy).is_ok(), "a closed stream no longer counts");
    }

    #[test]
    fn the_total_is_limited_and_closed_streams_are_removed() {
        let streams = Arc::new(Streams::new(20));
        let permits: Vec<_> = (0..100)
            .flat_map(|_| {
                let one = AccountId::generate();
                (0..20).map(move |_| one)
            })
            .map(|one| streams.open(one).unwrap())
            .collect();
        assert_eq!(streams.open(AccountId::generate()).err(), Some(StreamLimitReached::Total));
        drop(permits);
        assert!(streams.open.lock().unwrap().is_empty());
    }
}
