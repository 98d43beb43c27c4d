//! Who has an article or a meeting open.

use crate::{accounts::AccountService, services::internal_error};
use async_trait::async_trait;
use domain::{Actor, DomainError, accounts::use_cases::Presence};
use store::{PoolRole, presence};
use uuid::Uuid;

/// How long an account counts as present after its page reported, milliseconds. A page reports every 20
/// seconds.
const PRESENT_MS: i64 = 45_000;
/// A report is not stored if the last one is younger, milliseconds.
const MIN_WRITE_INTERVAL_MS: i64 = 15_000;
/// Maximum number of names.
const MAX_NAMES: i64 = 20;

#[async_trait]
impl Presence for AccountService {
    async fn see(&self, actor: &Actor, item: Uuid) -> Result<Vec<String>, DomainError> {
        let now = self.parts.clock.now();
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        if !presence::is_readable(lease.conn(), item).await.map_err(internal_error)? {
            return Err(DomainError::no_such("item"));
        }
        let last = presence::seen_at(lease.conn(), item, actor.account).await.map_err(internal_error)?;
        let since = now.plus(-PRESENT_MS);
        let others = presence::others(lease.conn(), item, actor.account, since, MAX_NAMES).await;
        let others = others.map_err(internal_error)?;
        drop(lease);
        if last.is_none_or(|last| now.since(last).abs() >= MIN_WRITE_INTERVAL_MS) {
            let mut tx = self.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
            presence::record(tx.conn(), item, actor.account, now).await.map_err(internal_error)?;
            tx.commit().await.map_err(internal_error)?;
        }
        Ok(others)
    }

    async fn others(&self, actor: &Actor, item: Uuid) -> Result<Vec<String>, DomainError> {
        let since = self.parts.clock.now().plus(-PRESENT_MS);
        let mut lease = self.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        presence::others(lease.conn(), item, actor.account, since, MAX_NAMES).await.map_err(internal_error)
    }
}
