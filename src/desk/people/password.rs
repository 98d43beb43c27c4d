//! Hashing of passwords: as many at once as there are cores, so that log-ins cost the desk neither its threads nor its memory.

use crate::{
    desk::{apart, broken},
    secret,
};
use domain::Refusal;
use std::{sync::OnceLock, thread::available_parallelism};
use store::StoreError;
use tokio::sync::Semaphore;

/// The one place that hashes passwords.
#[derive(Debug)]
pub struct Passwords {
    cores: Semaphore,
    nobody: OnceLock<String>,
}

impl Default for Passwords {
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        Self { cores: Semaphore::new(cores), nobody: OnceLock::new() }
    }
}

impl Passwords {
    /// The hash of a new password. `is_wanted` is asked when a core is free, before the work: of many who wait for the same
    /// thing, only the first few cost anything.
    pub async fn hash<F>(&self, password: String, is_wanted: F) -> Result<String, Refusal>
    where
        F: Future<Output = Result<(), Refusal>>,
    {
        let _core = self.cores.acquire().await.map_err(|_| Refusal::Unavailable)?;
        is_wanted.await?;
        let hash = apart(move || secret::hash_password(&password)).await?;
        hash.ok_or_else(|| broken(StoreError::Corrupt("a password could not be hashed".to_owned())))
    }

    /// Whether the password fits. Without a hash it takes as long and does not fit: nobody can tell who has an account.
    pub async fn fits(&self, password: String, hash: Option<String>) -> Result<bool, Refusal> {
        let _core = self.cores.acquire().await.map_err(|_| Refusal::Unavailable)?;
        let is_somebody = hash.is_some();
        let hash = match hash {
            Some(hash) => hash,
            None => self.nobody().await?,
        };
        Ok(apart(move || secret::is_password(&password, &hash)).await? && is_somebody)
    }

    /// The hash of a password that nobody has.
    async fn nobody(&self) -> Result<String, Refusal> {
        if let Some(hash) = self.nobody.get() {
            return Ok(hash.clone());
        }
        let hash = apart(|| secret::hash_password(&secret::fresh())).await?.unwrap_or_default();
        Ok(self.nobody.get_or_init(|| hash).clone())
    }
}
