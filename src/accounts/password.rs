//! Password hashing, limited to one hash per core at a time, so that logins do not use up threads
//! or memory.

use crate::{
    security::{
        password_hash::{self, Memory},
        tokens,
    },
    services::{internal_error, run_blocking},
};
use domain::DomainError;
use std::{
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread::available_parallelism,
};
use store::StoreError;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Hashes and verifies passwords.
pub struct Passwords {
    cores: Semaphore,
    /// Number of callers waiting for a core.
    waiting: AtomicUsize,
    /// Working memory for waiting callers. Freed when no caller waits: it is 32 MiB per core.
    spare: Mutex<Vec<Memory>>,
    dummy_hash: OnceLock<String>,
}

impl Default for Passwords {
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        Self {
            cores: Semaphore::new(cores),
            waiting: AtomicUsize::new(0),
            spare: Mutex::default(),
            dummy_hash: OnceLock::new(),
        }
    }
}

impl Passwords {
    /// Hashes a new password. `is_wanted` is checked once a core is free, before hashing, so that
    /// repeated requests for the same thing cost nothing once one has succeeded.
    pub async fn hash<F>(&self, password: String, is_wanted: F) -> Result<String, DomainError>
    where
        F: Future<Output = Result<(), DomainError>>,
    {
        let _core = self.core().await?;
        is_wanted.await?;
        let hash = self.work(move |memory| password_hash::hash(&password, memory)).await?;
        hash.ok_or_else(|| internal_error(StoreError::Corrupt("a password could not be hashed".to_owned())))
    }

    /// Whether the password matches the hash. Without a hash it takes as long and returns false, so
    /// that the time does not reveal whether an account exists.
    pub async fn fits(&self, password: String, hash: Option<String>) -> Result<bool, DomainError> {
        let _core = self.core().await?;
        let has_account = hash.is_some();
        let hash = match hash {
            Some(hash) => hash,
            None => self.dummy_hash().await?,
        };
        Ok(self.work(move |memory| password_hash::verify(&password, &hash, memory)).await? && has_account)
    }

    /// Returns the hash of a random password.
    async fn dummy_hash(&self) -> Result<String, DomainError> {
        if let Some(hash) = self.dummy_hash.get() {
            return Ok(hash.clone());
        }
        let hash = self.work(|memory| password_hash::hash(&tokens::generate_secret(), memory)).await?;
        Ok(self.dummy_hash.get_or_init(|| hash.unwrap_or_default()).clone())
    }

    /// WaitingGuard for a core.
    async fn core(&self) -> Result<SemaphorePermit<'_>, DomainError> {
        let _waits = WaitingGuard::new(&self.waiting);
        self.cores.acquire().await.map_err(|_| DomainError::Unavailable)
    }

    /// Runs the work on a blocking thread. Its memory goes to the next waiting caller, or is freed.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> Result<T, DomainError> {
        let mut memory = self.spare(Vec::pop).unwrap_or_default();
        let done = run_blocking(move || (work(&mut memory), memory));
        let (done, memory) = done.await?;
        if self.waiting.load(SeqCst) > 0 {
            self.spare(|spare| spare.push(memory));
        } else {
            self.spare(std::mem::take);
        }
        Ok(done)
    }

    fn spare<T>(&self, change: impl FnOnce(&mut Vec<Memory>) -> T) -> T {
        change(&mut self.spare.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Counts a waiting caller until it is dropped.
struct WaitingGuard<'c>(&'c AtomicUsize);

impl<'c> WaitingGuard<'c> {
    fn new(count: &'c AtomicUsize) -> Self {
        count.fetch_add(1, SeqCst);
        Self(count)
    }
}

impl Drop for WaitingGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn memory_is_kept_only_while_a_caller_waits() {
        let passwords = Passwords { cores: Semaphore::new(1), ..Passwords::default() };
        let first = passwords.fits("a password".to_owned(), None);
        let (first, second) = tokio::join!(first, passwords.fits("another".to_owned(), None));
        assert_eq!((first.unwrap(), second.unwrap()), (false, false));
        assert_eq!(passwords.waiting.load(SeqCst), 0);
        assert!(passwords.spare(|spare| spare.is_empty()), "the memory was not freed");
    }
}
