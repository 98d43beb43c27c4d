//! Imports of articles from other systems: an uploaded export is checked, then imported, and can be
//! undone.

mod report;
mod text_there;
pub mod use_cases;

pub use crate::{
    error::problem::import::{ImportProblem, MAX_WAITING_IMPORTS},
    values::import::{ImportState, ImportSystem},
};
pub use report::{
    ImportReport, KeptArticle, KeptReason, LeftOutKind, Listed, ListedItem, MAX_LISTED_ITEMS, UndoReport,
};
pub use text_there::TextThere;

use crate::{ImportId, LocalizedTime, Version};
use serde::{Deserialize, Serialize};

/// Number of imports that a list shows.
pub const MAX_LISTED_IMPORTS: u32 = 10;
/// Maximum length of the address of a site.
pub const MAX_SITE_CHARS: usize = 300;
/// How long an uploaded export waits before it is removed, milliseconds.
pub const KEPT_FOR_MS: i64 = 24 * 3_600_000;

/// How an export is imported.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportOptions {
    /// Address of the site, which exports of Ghost do not contain; empty: unknown.
    pub site: String,
    /// Time zone of the site, for times without one; empty: unknown.
    pub zone: String,
    /// Whether everything stays a draft, also what is public or scheduled there.
    pub is_drafts: bool,
    /// Whether pictures are fetched from their addresses.
    pub is_fetching: bool,
}

/// An uploaded export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewImport {
    /// Id: also the name of the uploaded file.
    pub id: ImportId,
    /// The system.
    pub system: ImportSystem,
    /// Name of the file there.
    pub file_name: String,
    /// How it is imported.
    pub options: ImportOptions,
}

/// An import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// Id.
    pub id: ImportId,
    /// The system.
    pub system: ImportSystem,
    /// Name of the uploaded file.
    pub file_name: String,
    /// How it is imported.
    pub options: ImportOptions,
    /// State.
    pub state: ImportState,
    /// Version.
    pub version: Version,
    /// Number of posts that were processed.
    pub done: u64,
    /// Number of posts of the export.
    pub total: u64,
    /// Result of the check, then of the import.
    pub report: Option<ImportReport>,
    /// Why it failed or was interrupted; `None`: it was not, or the server stopped.
    pub why: Option<String>,
    /// What undoing it did.
    pub undo: Option<UndoReport>,
    /// Number of its articles that are public and were not changed since: undoing it can unpublish them.
    #[serde(default)]
    pub public: u64,
    /// Whether the uploaded file still exists on this node.
    pub has_file: bool,
    /// Name of the account that uploaded it, and that owns the articles.
    pub by: String,
    /// When it was uploaded.
    pub created: LocalizedTime,
    /// When it ended.
    pub finished: Option<LocalizedTime>,
}
