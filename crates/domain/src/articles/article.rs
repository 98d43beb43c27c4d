//! Articles: texts with revisions, published or not.

use crate::{
    AccountId, ArticleId, LocalizedTime, TaskId,
    articles::details::{ArticleDetails, DetailsEdit, RevisionChange},
    delivery::Notified,
    post::PostState,
    releases::PlannedRelease,
    state::{ArticleState, ParseEnumError, string_enum},
    task::TaskRow,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

pub use crate::base::diff_line::DiffLine;

string_enum! {
    /// Filter of the article list.
    ArticleFilter {
        /// Never scheduled, not public.
        Draft = "draft",
        /// Has a scheduled task, or is in a scheduled release.
        Scheduled = "scheduled",
        /// Public.
        Published = "published",
        /// Deleted, but still restorable. The other filters exclude these.
        Trash = "trash",
    }
}

/// Query of the article list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArticleQuery {
    /// Only articles that match this filter; `None`: all that are not in the trash.
    pub filter: Option<ArticleFilter>,
    /// Only articles whose title, slug, summary, tags or text contain these words; best matches
    /// first.
    pub q: Option<String>,
    /// Only articles with this tag, in any case and width.
    #[serde(default)]
    pub tag: Option<String>,
    /// Only articles owned by the caller.
    #[serde(default)]
    pub is_mine: bool,
    /// Whether published articles are ordered by the time of their publication. Ignored with another
    /// filter.
    #[serde(default)]
    pub is_by_publication: bool,
    /// Whether the oldest change comes first. Search results are ordered by their rank instead.
    #[serde(default)]
    pub is_oldest_first: bool,
    /// The page starts on this day, `YYYY-MM-DD` in the actor's time zone; ignored with a cursor or
    /// a search.
    #[serde(default)]
    pub day: Option<String>,
    /// Opaque position where the page starts; `None`: the first page.
    pub cursor: Option<String>,
    /// Maximum number of items, see [`crate::input_limits::MAX_PAGE_ITEMS`].
    pub limit: Option<u32>,
}

/// Number of articles for each filter, each counted up to [`crate::engine::MAX_COUNTED`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArticleCounts {
    /// Not in the trash.
    pub total: u64,
    /// Never scheduled, not public; `None`: there are too many articles to count them.
    pub drafts: Option<u64>,
    /// With a scheduled task; `None`: there are too many articles to count them.
    pub scheduled: Option<u64>,
    /// Public.
    pub published: u64,
    /// In the trash.
    pub trash: u64,
}

impl ArticleCounts {
    /// Number of articles that match the filter; `None`: they were not counted.
    #[must_use]
    pub const fn of(&self, filter: Option<ArticleFilter>) -> Option<u64> {
        match filter {
            None => Some(self.total),
            Some(ArticleFilter::Draft) => self.drafts,
            Some(ArticleFilter::Scheduled) => self.scheduled,
            Some(ArticleFilter::Published) => Some(self.published),
            Some(ArticleFilter::Trash) => Some(self.trash),
        }
    }
}

/// One row of the article list; the most recently changed comes first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArticleRow {
    /// Identity.
    pub id: ArticleId,
    /// Name of the article in its URL.
    pub slug: String,
    /// Title of the current revision.
    pub title: String,
    /// Number of the current revision, from 1.
    pub revision: i32,
    /// Review state of its text.
    pub state: ArticleState,
    /// Since when it is public; `None`: it is not.
    pub published: Option<LocalizedTime>,
    /// Its next scheduled task, if any; the list shows its time and kind.
    pub waiting: Option<TaskRow>,
    /// The publish whose time has passed and that the review holds: an approval executes it at once.
    /// `None`: no task is held.
    #[serde(default)]
    pub held: Option<TaskRow>,
    /// The scheduled release that it is in; `None`: it is in none.
    #[serde(default)]
    pub release: Option<PlannedRelease>,
    /// How many channels have its newest publication; `None`: it was sent to none.
    #[serde(default)]
    pub notified: Option<Notified>,
    /// What became of it on other sites, the worst of its posts; `None`: it was chosen for none, or the user is no
    /// admin.
    #[serde(default)]
    pub worst_post: Option<PostState>,
    /// Account that owns it.
    pub owner_id: AccountId,
    /// Display name of the owner.
    pub owner: String,
    /// When it last changed.
    pub changed: LocalizedTime,
    /// Since when it is in the trash; `None`: it is not.
    #[serde(default)]
    pub deleted: Option<LocalizedTime>,
    /// Whether the caller may change, delete and restore it.
    #[serde(default)]
    pub may_change: bool,
    /// For a search: the sentence that contains the first match. Empty if only the title or the
    /// slug matches.
    #[serde(default)]
    pub excerpt: Vec<ExcerptPart>,
}

/// A part of a search excerpt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExcerptPart {
    /// Plain text.
    pub text: String,
    /// Whether it matches the search.
    pub is_hit: bool,
}

/// An author that an article names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArticleAuthor {
    /// Account.
    pub id: AccountId,
    /// Display name.
    pub name: String,
    /// What a form has for them: the name, or the id if several accounts have this name.
    pub typed: String,
}

/// One article with its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Article {
    /// The list row.
    pub row: ArticleRow,
    /// Markdown of the current revision.
    pub body: String,
    /// Details of the current revision.
    #[serde(default)]
    pub details: ArticleDetails,
    /// The authors that the details name, in order.
    #[serde(default)]
    pub authors: Vec<ArticleAuthor>,
    /// Number of the public revision; `None`: it is not public.
    pub published_revision: Option<i32>,
    /// All its scheduled tasks, next first.
    pub waiting: Vec<TaskRow>,
    /// Changes that the scheduled publish does not contain yet.
    pub drift: Option<Drift>,
    /// The save that the scheduled publish sends; `None`: it does not follow what is saved, or there is none.
    #[serde(default)]
    pub follows: Option<FollowedSave>,
    /// Previous slugs that redirect here.
    pub former_slugs: Vec<String>,
    /// Display name of the account that moved it to the trash; `None`: it is not there, or not known.
    #[serde(default)]
    pub deleted_by: Option<String>,
    /// Whether the caller may change it; false while it is in the trash.
    pub may_change: bool,
    /// Its review; `None`: it was never submitted.
    #[serde(default)]
    pub review: Option<crate::review::workflow::Review>,
    /// Its newest approved revision that is not public yet; `None`: there is none.
    #[serde(default)]
    pub approved: Option<ApprovedRevision>,
    /// Whether texts are reviewed before they are published.
    pub workflow: crate::review::workflow::Workflow,
    /// What the checklist and the word lists find in the current text. Only the editor asks.
    #[serde(default)]
    pub check: crate::review::workflow::checklist::TextCheck,
    /// Who may be asked for a review. Only the editor asks.
    #[serde(default)]
    pub reviewers: Vec<crate::review::workflow::Reviewer>,
    /// Groups with members that may be asked. Only the editor asks.
    #[serde(default)]
    pub groups: Vec<crate::accounts::group::Group>,
}

/// An approved revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovedRevision {
    /// Its number.
    pub revision: i32,
    /// When it was approved.
    pub at: LocalizedTime,
    /// Number of revisions that were saved since.
    pub newer_edits: u32,
    /// Whether it is scheduled by default, because the current revision needs an approval.
    pub is_default: bool,
}

/// Difference between the current text and the scheduled one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drift {
    /// The scheduled publish task.
    pub task: TaskId,
    /// Number of the revision that it will publish.
    pub pinned: i32,
    /// Number of differing places between that revision and the current text; never 0.
    pub changes: u32,
}

/// The save that a scheduled publish sends, on a desk where it follows what is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowedSave {
    /// The scheduled publish task.
    pub task: TaskId,
    /// When the revision was saved that it will publish.
    pub saved: LocalizedTime,
}

/// Input for a new article.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewArticle {
    /// 1 to [`crate::input_limits::MAX_TITLE_CHARS`] characters.
    pub title: String,
    /// Markdown, at most [`crate::input_limits::MAX_BODY_BYTES`] bytes.
    pub body: String,
    /// Requested slug. `None`: derived from the title. Made unique if it is taken.
    pub slug: Option<String>,
    /// Its details.
    #[serde(default)]
    pub details: DetailsEdit,
}

/// Changes to an article. `None` leaves a field unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArticleEdit {
    /// New title.
    pub title: Option<String>,
    /// New Markdown.
    pub body: Option<String>,
    /// The revision on which the edit is based; if it is not the current one, the save is a
    /// conflict.
    pub seen_revision: i32,
    /// Whether the editor saved automatically. Successive autosaves of one editing session are
    /// merged into one revision.
    #[serde(default)]
    pub is_autosave: bool,
    /// Changed details.
    #[serde(default)]
    pub details: DetailsEdit,
}

/// A saved revision, without its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RevisionRow {
    /// Number, from 1; numbers of merged autosaves are missing.
    pub number: i32,
    /// Title of this revision.
    pub title: String,
    /// Display name of the account that saved it.
    pub author: String,
    /// When it was saved.
    pub saved: LocalizedTime,
    /// Number of words; Chinese, Japanese and Korean count by character.
    pub words: u32,
    /// Whether it is the public revision.
    pub is_published: bool,
    /// Whether a scheduled task will publish it.
    pub is_pinned: bool,
    /// What it changed.
    pub changed: RevisionChange,
}

/// A saved revision with its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    /// The list row.
    pub row: RevisionRow,
    /// Text in Markdown.
    pub body: String,
    /// Details.
    #[serde(default)]
    pub details: ArticleDetails,
    /// The authors that the details name, in order.
    #[serde(default)]
    pub authors: Vec<ArticleAuthor>,
}

/// Rendered preview of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// Sanitised HTML.
    pub html: String,
    /// Number of words.
    pub words: u32,
    /// Minutes that reading it takes.
    pub minutes: u32,
}
