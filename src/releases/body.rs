//! Releases as the API takes and returns them.

use crate::http::api::{
    dto::TaskBody,
    extract::word,
    numbers::{optional_integer, required_integer},
};
use domain::{
    DomainError, Timestamp, Version,
    error::ValidationError,
    releases::{NewItem, NewRelease, Release, ReleaseAction, ReleaseEdit, ReleaseItem, ReleaseRow},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// An article to be put into a release.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewItemBody {
    /// Id of the article.
    #[schema(format = Uuid)]
    article_id: String,
    /// `publish` or `unpublish`.
    action: String,
    /// Number of the revision that becomes public; the current one if absent.
    #[serde(default, deserialize_with = "optional_integer")]
    revision: Option<i32>,
}

impl NewItemBody {
    fn into_item(self) -> Result<NewItem, DomainError> {
        let why = "must be the id of an article".to_owned();
        let article = self.article_id.parse();
        Ok(NewItem {
            article: article
                .map_err(|_| DomainError::invalid("article_id", ValidationError::Unreadable { why }))?,
            action: word("action", &self.action, ReleaseAction::NAMES)?,
            revision: self.revision,
        })
    }
}

/// A new release.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewReleaseBody {
    /// 1 to 200 characters.
    name: String,
    /// Its articles, at most 200, each in one release at a time.
    items: Vec<NewItemBody>,
}

impl NewReleaseBody {
    /// Reads the request.
    pub fn read(self) -> Result<NewRelease, DomainError> {
        Ok(NewRelease { name: self.name, items: items(self.items)? })
    }
}

/// A changed release.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseEditBody {
    /// New name.
    name: Option<String>,
    /// All its articles from now on, at most 200.
    items: Option<Vec<NewItemBody>>,
    /// `version` of the release that the caller saw; a different current one is a conflict.
    #[serde(deserialize_with = "required_integer")]
    seen_version: i32,
}

impl ReleaseEditBody {
    /// Reads the request.
    pub fn read(self) -> Result<ReleaseEdit, DomainError> {
        let items = self.items.map(items).transpose()?;
        Ok(ReleaseEdit { name: self.name, items, seen: Version(self.seen_version) })
    }
}

fn items(all: Vec<NewItemBody>) -> Result<Vec<NewItem>, DomainError> {
    all.into_iter().map(NewItemBody::into_item).collect()
}

/// A moment: `due_at`, or `local` and `zone`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseTimeBody {
    /// An instant, RFC 3339.
    pub due_at: Option<String>,
    /// A local time: `2027-03-28T02:30`.
    pub local: Option<String>,
    /// Time zone of `local`: `Europe/Berlin`.
    pub zone: Option<String>,
    /// `earlier` or `later`, if `local` occurs twice.
    pub disambiguation: Option<String>,
}

/// A release.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReleaseBody {
    /// Id of the release.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Name.
    name: String,
    /// Incremented by every change; send it back as `seen_version`.
    version: i32,
    /// `draft`, `scheduled`, `failed`, `published` or `reverted`.
    state: &'static str,
    /// Account that owns it.
    #[schema(value_type = String, format = Uuid)]
    owner_id: Uuid,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it was published; null: it is not.
    #[schema(value_type = Option<String>, format = DateTime)]
    published_at: Option<Timestamp>,
    /// Number of its articles.
    count: u32,
    /// Its scheduled task, or the one that failed or was missed last.
    task: Option<TaskBody>,
}

/// A release with its articles.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReleaseDetail {
    /// The release.
    #[serde(flatten)]
    release: ReleaseBody,
    /// Its articles, in its order.
    items: Vec<ReleaseItemBody>,
}

/// An article of a release.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReleaseItemBody {
    /// Id of the article.
    #[schema(value_type = String, format = Uuid)]
    article_id: Uuid,
    /// Title of the revision, or of the article; empty: it does not exist any more.
    title: String,
    /// `publish` or `unpublish`.
    action: &'static str,
    /// Number of the revision that becomes public; null: it is unpublished.
    revision: Option<i32>,
    /// `ready`, `blocked` or `done`.
    state: &'static str,
    /// Why it is blocked, or cannot be reverted: `target_gone`, `in_trash`, `older_text`, `not_public`,
    /// `checklist`, `not_approved`, `words_block`, `words_approval`, `changed_since` or
    /// `in_other_release`.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'static str>,
}

/// The newest releases.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReleaseList {
    /// Newest first, at most 100.
    items: Vec<ReleaseBody>,
}

impl From<Vec<ReleaseRow>> for ReleaseList {
    fn from(rows: Vec<ReleaseRow>) -> Self {
        Self { items: rows.into_iter().map(ReleaseBody::from).collect() }
    }
}

impl From<ReleaseRow> for ReleaseBody {
    fn from(row: ReleaseRow) -> Self {
        Self {
            id: row.id.0,
            name: row.name,
            version: row.version.0,
            state: row.state.as_str(),
            owner_id: row.owner_id.0,
            created_at: row.created.at,
            published_at: row.published.map(|at| at.at),
            count: row.count,
            task: row.task.map(TaskBody::from),
        }
    }
}

impl From<ReleaseItem> for ReleaseItemBody {
    fn from(item: ReleaseItem) -> Self {
        Self {
            article_id: item.article.0,
            title: item.title,
            action: item.action.as_str(),
            revision: item.revision,
            state: item.state.as_str(),
            problem: item.problem.map(|problem| problem.as_str()),
        }
    }
}

impl From<Release> for ReleaseDetail {
    fn from(release: Release) -> Self {
        Self {
            release: release.row.into(),
            items: release.items.into_iter().map(ReleaseItemBody::from).collect(),
        }
    }
}
