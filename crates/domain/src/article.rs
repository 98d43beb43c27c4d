//! Articles: texts with revisions, published or not.

use crate::{
    ArticleId, Moment, PersonId, TaskId,
    state::{ArticleState, UnknownWord, words},
    task::TaskRow,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

words! {
    /// What the list of articles can be narrowed to.
    ArticleFilter {
        /// Never scheduled, not public.
        Draft = "draft",
        /// A task waits.
        Scheduled = "scheduled",
        /// Public.
        Published = "published",
        /// Deleted, and not gone for good yet; the others leave these out.
        Trash = "trash",
    }
}

/// Which articles.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArticleQuery {
    /// Only these.
    pub filter: Option<ArticleFilter>,
    /// Only articles whose title, slug or text holds these words; best hits first.
    pub q: Option<String>,
    /// Only the asker's own.
    #[serde(default)]
    pub is_mine: bool,
    /// From here on.
    pub cursor: Option<String>,
    /// At most so many, see [`crate::limit::PAGE_ITEMS`].
    pub limit: Option<u32>,
}

/// One line of the list; newest change first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArticleRow {
    /// Identity.
    pub id: ArticleId,
    /// Name in the address.
    pub slug: String,
    /// Title of the current revision.
    pub title: String,
    /// Number of the current revision, from 1.
    pub revision: i32,
    /// Where its text stands.
    pub state: ArticleState,
    /// Since when it is public.
    pub published: Option<Moment>,
    /// The next task that waits for it, if any: its moment and kind are what the list shows.
    pub waiting: Option<TaskRow>,
    /// Who owns it.
    pub owner_id: PersonId,
    /// What its owner is called.
    pub owner: String,
    /// When it last changed.
    pub changed: Moment,
    /// In the trash since.
    #[serde(default)]
    pub deleted: Option<Moment>,
    /// Whether the asker may change, delete and restore it.
    #[serde(default)]
    pub may_change: bool,
    /// Of a search: the sentence of the text that holds the first hit; empty where only title or slug hold the words.
    #[serde(default)]
    pub excerpt: Vec<ExcerptPart>,
}

/// A part of an excerpt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExcerptPart {
    /// Plain text.
    pub text: String,
    /// Whether it was searched for.
    pub is_hit: bool,
}

/// One article with its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Article {
    /// The line of the list.
    pub row: ArticleRow,
    /// Markdown of the current revision.
    pub body: String,
    /// Number of the revision that is public.
    pub published_revision: Option<i32>,
    /// All tasks that wait for it, next first.
    pub waiting: Vec<TaskRow>,
    /// What the waiting publish does not hold yet.
    pub drift: Option<Drift>,
    /// Older names that lead here.
    pub former_slugs: Vec<String>,
    /// Whether the asker may change it; not while it is in the trash.
    pub may_change: bool,
}

/// How far the current text is from the scheduled one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drift {
    /// The waiting publish.
    pub task: TaskId,
    /// The revision it holds.
    pub pinned: i32,
    /// Changed places between it and the current text; never 0.
    pub changes: u32,
}

/// A new article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewArticle {
    /// 1 to [`crate::limit::TITLE_CHARS`] characters.
    pub title: String,
    /// Markdown, at most [`crate::limit::BODY_BYTES`] bytes.
    pub body: String,
    /// Wanted name; made from the title if absent, made unique if taken.
    pub slug: Option<String>,
}

/// A change of a text. `None`: stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArticleEdit {
    /// New title.
    pub title: Option<String>,
    /// New Markdown.
    pub body: Option<String>,
    /// The revision the writer saw; another one is a conflict.
    pub seen_revision: i32,
    /// Whether the editor saved by itself: such revisions of one sitting are folded into one.
    #[serde(default)]
    pub is_autosave: bool,
}

/// One saved text, without the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RevisionRow {
    /// Number, from 1; some are missing where autosaves were folded.
    pub number: i32,
    /// Title at that time.
    pub title: String,
    /// Who saved it.
    pub author: String,
    /// When.
    pub saved: Moment,
    /// Words in it (Chinese, Japanese and Korean count by character).
    pub words: u32,
    /// Whether it is the public one.
    pub is_published: bool,
    /// Whether a waiting task holds it.
    pub is_pinned: bool,
}

/// One saved text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    /// The line of the list.
    pub row: RevisionRow,
    /// Markdown.
    pub body: String,
}

/// One line of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffLine {
    /// In both.
    Same(String),
    /// Only in the older one.
    Removed(String),
    /// Only in the newer one.
    Added(String),
    /// So many lines in both, left out.
    Skipped(u32),
}

/// A text as readers will see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// Sanitised HTML.
    pub html: String,
    /// Words in it.
    pub words: u32,
}
