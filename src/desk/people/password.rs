//! Hashing of passwords: as many at once as there are cores, so that log-ins cost the desk neither its threads nor its memory.

use crate::{
    desk::{apart, broken},
    password_hash::{self, Memory},
    secret,
};
use domain::Refusal;
use std::{
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread::available_parallelism,
};
use store::StoreError;
use tokio::sync::{Semaphore, SemaphorePermit};

/// The one place that hashes passwords.
pub struct Passwords {
    cores: Semaphore,
    /// How many wait for a core.
    waiting: AtomicUsize,
    /// Working memory for those who wait. Empty when no one does: 32 MiB a core is too much to keep.
    spare: Mutex<Vec<Memory>>,
    nobody: OnceLock<String>,
}

impl Default for Passwords {
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        Self {
            cores: Semaphore::new(cores),
            waiting: AtomicUsize::new(0),
            spare: Mutex::default(),
            nobody: OnceLock::new(),
        }
    }
}

impl Passwords {
    /// The hash of a new password. `is_wanted` is asked when a core is free, before the work: of many who wait for the same
    /// thing, only the first few cost anything.
    pub async fn hash<F>(&self, password: String, is_wanted: F) -> Result<String, Refusal>
    where
        F: Future<Output = Result<(), Refusal>>,
    {
        let _core = self.core().await?;
        is_wanted.await?;
        let hash = self.work(move |memory| password_hash::hash(&password, memory)).await?;
        hash.ok_or_else(|| broken(StoreError::Corrupt("a password could not be hashed".to_owned())))
    }

    /// Whether the password fits. Without a hash it takes as long and does not fit: nobody can tell who has an account.
    pub async fn fits(&self, password: String, hash: Option<String>) -> Result<bool, Refusal> {
        let _core = self.core().await?;
        let is_somebody = hash.is_some();
        let hash = match hash {
            Some(hash) => hash,
            None => self.nobody().await?,
        };
        Ok(self.work(move |memory| password_hash::verify(&password, &hash, memory)).await? && is_somebody)
    }

    /// The hash of a password that nobody has.
    async fn nobody(&self) -> Result<String, Refusal> {
        if let Some(hash) = self.nobody.get() {
            return Ok(hash.clone());
        }
        let hash = self.work(|memory| password_hash::hash(&secret::fresh(), memory)).await?;
        Ok(self.nobody.get_or_init(|| hash.unwrap_or_default()).clone())
    }

    /// Waits for a core.
    async fn core(&self) -> Result<SemaphorePermit<'_>, Refusal> {
        let _waits = Waits::new(&self.waiting);
        self.cores.acquire().await.map_err(|_| Refusal::Unavailable)
    }

    /// Runs the work on a thread of its own. Its memory goes to the next who waits, or is freed.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let mut memory = self.spare(Vec::pop).unwrap_or_default();
        let done = apart(move || (work(&mut memory), memory));
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

/// Counts one who waits, until it is dropped.
struct Waits<'c>(&'c AtomicUsize);

impl<'c> Waits<'c> {
    fn new(count: &'c AtomicUsize) -> Self {
        count.fetch_add(1, SeqCst);
        Self(count)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn memory_is_kept_only_while_someone_waits() {
        let passwords = Passwords { cores: Semaphore::new(1), ..Passwords::default() };
        let first = passwords.fits("a password".to_owned(), None);
        let (first, second) = tokio::join!(first, passwords.fits("another".to_owned(), None));
        assert_eq!((first.unwrap(), second.unwrap()), (false, false));
        assert_eq!(passwords.waiting.load(SeqCst), 0);
        assert!(passwords.spare(|spare| spare.is_empty()), "32 MiB were kept");
    }
}
