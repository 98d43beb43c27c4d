//! The release that an article is in, as the API returns it.

use domain::{Timestamp, releases::PlannedRelease};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The scheduled release that an article is in.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlannedReleaseBody {
    /// Id of the release.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Its name.
    name: String,
    /// `publish` or `unpublish`: what it does with the article.
    action: &'static str,
    /// When it is due.
    #[schema(value_type = String, format = DateTime)]
    due_at: Timestamp,
}

impl From<PlannedRelease> for PlannedReleaseBody {
    fn from(release: PlannedRelease) -> Self {
        Self { id: release.id.0, name: release.name, action: release.action.as_str(), due_at: release.due.at }
    }
}
