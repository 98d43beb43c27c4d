//! The Attention page: everything that needs a user, as sentences.

pub mod api;
mod card;
pub mod dashboard;
mod entries;
mod meetings;
mod page;
pub(crate) mod task_groups;

use crate::app_state::AppState;
use async_trait::async_trait;
use domain::{
    AccountId, Actor, DomainError, Timestamp,
    attention::{AttentionCount, AttentionEntry, AttentionPage},
    services::Attention,
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Maximum age of a cached count, milliseconds.
const COUNT_CACHE_MS: i64 = 2_000;

/// The service behind the Attention page.
#[derive(Clone)]
pub struct AttentionService {
    parts: AppState,
    /// Time and result of the last count for each account.
    counts: Arc<Mutex<HashMap<AccountId, (Timestamp, AttentionCount)>>>,
}

impl AttentionService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts, counts: Arc::default() }
    }
}

#[async_trait]
impl Attention for AttentionService {
    async fn list(&self, actor: &Actor, only_theirs: bool) -> Result<Vec<AttentionEntry>, DomainError> {
        entries::list(&self.parts, actor, only_theirs).await
    }

    async fn page(&self, actor: &Actor) -> Result<AttentionPage, DomainError> {
        page::read(&self.parts, actor).await
    }

    async fn count(&self, actor: &Actor, may_be_cached: bool) -> Result<AttentionCount, DomainError> {
        let (now, all) = (self.parts.clock.now(), self.parts.engine.attention());
        if actor.is_admin() || (may_be_cached && all == 0) {
            return Ok(AttentionCount { all, watched: 0 });
        }
        let cached = self.counts.lock().unwrap_or_else(PoisonError::into_inner).get(&actor.account).copied();
        let is_fresh = |at: Timestamp| may_be_cached && (0..COUNT_CACHE_MS).contains(&now.since(at));
        if let Some((_, count)) = cached.filter(|(at, _)| is_fresh(*at)) {
            return Ok(count);
        }
        let count = count(&self.parts, actor).await?;
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).insert(actor.account, (now, count));
        Ok(count)
    }
}

/// Returns the sum of the counts of all entries for this user.
pub async fn count(parts: &AppState, actor: &Actor) -> Result<AttentionCount, DomainError> {
    let entries = entries::list(parts, actor, true).await?;
    let sum = |is_counted: &dyn Fn(&AttentionEntry) -> bool| {
        entries.iter().filter(|entry| is_counted(entry)).map(|entry| entry.count).sum::<u64>()
    };
    let watched =
        sum(&|entry| !actor.is_admin() && !entry.cause.is_about_tasks() && !entry.cause.is_about_meetings());
    Ok(AttentionCount { all: sum(&|_| true), watched })
}
