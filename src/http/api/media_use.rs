//! Where a file is used, as the API says it.

use domain::media::MediaUse;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// An article that uses a file.
#[derive(Debug, Serialize, ToSchema)]
pub struct MediaUseBody {
    /// Id of the article.
    #[schema(value_type = String, format = Uuid)]
    pub article_id: Uuid,
    /// Its title.
    pub title: String,
    /// Whether its public text uses the file.
    pub is_public: bool,
    /// Whether a scheduled text uses it.
    pub is_scheduled: bool,
    /// Whether its current text uses it.
    pub is_current: bool,
}

impl From<MediaUse> for MediaUseBody {
    fn from(one: MediaUse) -> Self {
        let MediaUse { article, title, is_public, is_scheduled, is_current } = one;
        Self { article_id: article.0, title, is_public, is_scheduled, is_current }
    }
}
