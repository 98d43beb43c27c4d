//! The media library: pictures and files that people upload and use in articles.

pub mod api;
pub mod backup;
pub(crate) mod body;
mod change;
pub mod form;
mod hash_lock;
mod picture;
mod read;
mod replace;
pub mod restore;
pub mod serve;
pub mod sweep;
mod upload;

use crate::app_state::AppState;
use async_trait::async_trait;
use domain::{
    Actor, DomainError, MediaId, Version,
    media::{MediaDetails, MediaItem, MediaList, MediaQuery, MediaUsage, NewMedia},
    services::Media,
};

/// Name of the setting that holds the quota, in MiB.
const QUOTA_SETTING: &str = "media_quota_mib";

/// The service of the media library.
#[derive(Clone)]
pub struct MediaService {
    parts: AppState,
}

impl MediaService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts }
    }
}

#[async_trait]
impl Media for MediaService {
    async fn upload(&self, actor: &Actor, new: NewMedia) -> Result<MediaItem, DomainError> {
        upload::upload(&self.parts, actor, new).await
    }
    async fn list(&self, actor: &Actor, query: MediaQuery) -> Result<MediaList, DomainError> {
        read::list(&self.parts, actor, query).await
    }
    async fn find(&self, actor: &Actor, id: MediaId) -> Result<MediaDetails, DomainError> {
        read::find(&self.parts, actor, id).await
    }
    async fn edit(
        &self,
        actor: &Actor,
        id: MediaId,
        alt: String,
        seen: Option<Version>,
    ) -> Result<MediaItem, DomainError> {
        change::edit(&self.parts, actor, id, &alt, seen).await
    }
    async fn replace(
        &self,
        actor: &Actor,
        id: MediaId,
        new: NewMedia,
        seen: Option<Version>,
    ) -> Result<MediaItem, DomainError> {
        replace::replace(&self.parts, actor, id, new, seen).await
    }
    async fn put_back(
        &self,
        actor: &Actor,
        id: MediaId,
        seen: Option<Version>,
    ) -> Result<MediaItem, DomainError> {
        replace::put_back(&self.parts, actor, id, seen).await
    }
    async fn delete(&self, actor: &Actor, id: MediaId) -> Result<(), DomainError> {
        change::delete(&self.parts, actor, id).await
    }
    async fn set_quota(&self, actor: &Actor, mib: u64) -> Result<MediaUsage, DomainError> {
        change::set_quota(&self.parts, actor, mib).await
    }
}
