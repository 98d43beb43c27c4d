//! Service for everything that needs a person.

use super::{AttentionCount, AttentionEntry, AttentionPage};
use crate::{Actor, DomainError};
use async_trait::async_trait;

/// Everything that needs a person, of all kinds.
#[async_trait]
pub trait Attention: Send + Sync {
    /// All causes, most severe first. `only_theirs`: for non-admins, only what concerns their own
    /// articles.
    async fn list(&self, actor: &Actor, only_theirs: bool) -> Result<Vec<AttentionEntry>, DomainError>;
    /// The Attention page: for non-admins, only what concerns their own articles.
    async fn page(&self, actor: &Actor) -> Result<AttentionPage, DomainError>;
    /// Number of items that concern the actor; admins: of all. `may_be_cached`: a number up to
    /// 2 s old may be returned.
    async fn count(&self, actor: &Actor, may_be_cached: bool) -> Result<AttentionCount, DomainError>;
}
