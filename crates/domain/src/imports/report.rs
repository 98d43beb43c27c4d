//! Results of imports, as they are stored and shown.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Maximum number of items that each list of a report names.
pub const MAX_LISTED_ITEMS: usize = 100;

/// One item of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedItem {
    /// Name of the post.
    pub name: String,
    /// Why, in English.
    pub why: String,
}

/// Items of a report: their number, and the first of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Listed {
    /// Number of all.
    pub count: u64,
    /// The first, at most [`MAX_LISTED_ITEMS`].
    pub items: Vec<ListedItem>,
}

/// What is not imported, by kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutKind {
    /// Kind, in English.
    pub kind: String,
    /// Number.
    pub count: u64,
    /// Names of the first.
    pub names: Vec<String>,
}

/// Result of a check or an import.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportReport {
    /// Number of new articles.
    pub created: u64,
    /// Number of new revisions of articles that were imported before.
    pub updated: u64,
    /// Number of posts that were imported before and have not changed.
    pub unchanged: u64,
    /// Number of public articles.
    pub published: u64,
    /// Number of scheduled articles.
    pub scheduled: u64,
    /// Number of pictures.
    pub pictures: u64,
    /// Posts that are drafts, with the reason.
    pub held: Listed,
    /// Articles that were changed at the desk or deleted, and stay as they are.
    pub kept: Listed,
    /// Posts that were not imported.
    pub refused: Listed,
    /// Warnings.
    pub warnings: Listed,
    /// Names of shortcodes that are left in texts as written.
    pub shortcodes: Vec<String>,
    /// What is not imported.
    pub left_out: Vec<LeftOutKind>,
}

/// Why undoing an import kept an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeptReason {
    /// It is public.
    Public,
    /// Its text was changed.
    Text,
    /// Its schedule was changed, or one of its tasks was executed.
    Schedule,
}

/// An article that undoing an import kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptArticle {
    /// Its id.
    pub id: Uuid,
    /// Its title.
    pub title: String,
    /// Why.
    pub why: KeptReason,
}

/// What undoing an import did.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct UndoReport {
    /// Number of articles that were moved to the trash.
    pub moved: u64,
    /// Number of articles among them that were public.
    pub unpublished: u64,
    /// Number of cancelled tasks.
    pub cancelled: u64,
    /// Number of kept articles.
    pub kept: u64,
    /// The first of them, at most [`MAX_LISTED_ITEMS`].
    pub kept_articles: Vec<KeptArticle>,
}
