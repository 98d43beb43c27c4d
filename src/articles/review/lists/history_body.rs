//! The history of a word list as the API shows it.

use domain::{
    Timestamp,
    review::{TermChanges, WordListRevision},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A state of a word list, and the change that led to it.
#[derive(Debug, Serialize, ToSchema)]
pub struct WordListRevisionBody {
    /// Version of the list.
    version: i32,
    /// `create`, `change` (settings), `set_terms`, `restore`, or `earlier` (before states were kept).
    change: &'static str,
    /// Name of the account that made the change; null: it is not known.
    by: Option<String>,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// Its name.
    name: String,
    /// `any`, `en` or `zh`.
    language: &'static str,
    /// `block`, `needs_approval`, `flag` or `replace`.
    action: &'static str,
    /// Number of its terms.
    term_count: u64,
    /// The first 20 terms that the change added, as lines.
    added: Vec<String>,
    /// Number of all added terms.
    added_count: u64,
    /// The first 20 terms that the change removed, as lines.
    removed: Vec<String>,
    /// Number of all removed terms.
    removed_count: u64,
}

impl From<WordListRevision> for WordListRevisionBody {
    fn from(revision: WordListRevision) -> Self {
        let TermChanges { added, added_count, removed, removed_count } = revision.changes;
        Self {
            version: revision.version.0,
            change: revision.change.as_str(),
            by: revision.by,
            at: revision.at.at,
            name: revision.settings.name,
            language: revision.settings.language.as_str(),
            action: revision.settings.action.as_str(),
            term_count: revision.terms,
            added,
            added_count,
            removed,
            removed_count,
        }
    }
}

/// The history of a word list.
#[derive(Debug, Serialize, ToSchema)]
pub struct WordListRevisionPage {
    /// The states, newest first.
    pub items: Vec<WordListRevisionBody>,
}

/// Which state is restored.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreListBody {
    /// `version` of the state.
    pub version: i32,
    /// `version` of the list that the caller saw; a different current one is a conflict. Absent: any.
    pub seen_version: Option<i32>,
}
