//! The service of the media library.

use super::{MediaDetails, MediaItem, MediaList, MediaQuery, MediaUsage, NewMedia};
use crate::{Actor, DomainError, MediaId, Version};
use async_trait::async_trait;

/// Files that people upload. Everyone sees their own uploads and what articles use; admins see all.
/// The account that uploaded a file and admins can change it.
#[async_trait]
pub trait Media: Send + Sync {
    /// Stores a file. The same file of the same account is stored once.
    async fn upload(&self, actor: &Actor, new: NewMedia) -> Result<MediaItem, DomainError>;
    /// One page of the list, newest first, with the usage of the desk.
    async fn list(&self, actor: &Actor, query: MediaQuery) -> Result<MediaList, DomainError>;
    /// A file and where it is used.
    async fn find(&self, actor: &Actor, id: MediaId) -> Result<MediaDetails, DomainError>;
    /// Changes the alternative text. `Changed` if `seen` is not its version. `None`: whatever its
    /// version is.
    async fn edit(
        &self,
        actor: &Actor,
        id: MediaId,
        alt: String,
        seen: Option<Version>,
    ) -> Result<MediaItem, DomainError>;
    /// Replaces the content of a file by one of the same kind: its address and what uses it stay, and the
    /// content before is kept until the next replacement. `Changed` as for `edit`.
    async fn replace(
        &self,
        actor: &Actor,
        id: MediaId,
        new: NewMedia,
        seen: Option<Version>,
    ) -> Result<MediaItem, DomainError>;
    /// Puts the content before the last replacement back; the current one is kept in its place.
    async fn put_back(
        &self,
        actor: &Actor,
        id: MediaId,
        seen: Option<Version>,
    ) -> Result<MediaItem, DomainError>;
    /// Deletes a file. `InUse` while something public or scheduled uses it.
    async fn delete(&self, actor: &Actor, id: MediaId) -> Result<(), DomainError>;
    /// Sets how many MiB the files of the desk may have. Admins only.
    async fn set_quota(&self, actor: &Actor, mib: u64) -> Result<MediaUsage, DomainError>;
}
