//! Imports of articles from other systems: an uploaded export is checked, then imported, and can be
//! undone.

mod problem;
mod report;
pub mod use_cases;

pub use problem::ImportProblem;
pub use report::{
    ImportReport, KeptArticle, KeptReason, LeftOutKind, Listed, ListedItem, MAX_LISTED_ITEMS, UndoReport,
};

use crate::{ImportId, LocalizedTime, Version};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Maximum number of imports that wait to be started.
pub const MAX_WAITING_IMPORTS: u32 = 5;
/// Number of imports that a list shows.
pub const MAX_LISTED_IMPORTS: u32 = 10;
/// Maximum length of the address of a site.
pub const MAX_SITE_CHARS: usize = 300;
/// How long an uploaded export waits before it is removed, milliseconds.
pub const KEPT_FOR_MS: i64 = 24 * 3_600_000;

macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $name {
            /// All words.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word in the database and the API.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl FromStr for $name {
            type Err = ();
            fn from_str(text: &str) -> Result<Self, ()> {
                match text { $($word => Ok(Self::$variant),)+ _ => Err(()) }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

/// The system that wrote an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportSystem {
    /// WordPress: XML.
    Wordpress,
    /// Ghost: JSON.
    Ghost,
    /// Markdown files with front matter and pictures: an archive (zip), as `presstime export` writes.
    Markdown,
}

words!(ImportSystem { Wordpress = "wordpress", Ghost = "ghost", Markdown = "markdown" });

impl ImportSystem {
    /// Maximum size of an export, MB.
    #[must_use]
    pub const fn max_mb(self) -> u32 {
        match self {
            Self::Wordpress | Self::Markdown => 200,
            Self::Ghost => 100,
        }
    }

    /// Maximum size of an export, bytes.
    #[must_use]
    pub const fn max_bytes(self) -> u64 {
        self.max_mb() as u64 * 1_000_000
    }
}

/// State of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportState {
    /// The export is being checked: a dry run.
    Checking,
    /// The check has ended.
    Ready,
    /// The check could not be completed; nothing was imported.
    Failed,
    /// It is running.
    Running,
    /// It has ended.
    Done,
    /// It did not end: what was imported is complete, and a repeated run continues.
    Interrupted,
    /// It was undone.
    Undone,
}

words!(ImportState {
    Checking = "checking",
    Ready = "ready",
    Failed = "failed",
    Running = "running",
    Done = "done",
    Interrupted = "interrupted",
    Undone = "undone",
});

impl ImportState {
    /// Whether something happens by itself.
    #[must_use]
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Checking | Self::Running)
    }

    /// Whether it can be started.
    #[must_use]
    pub const fn may_run(self) -> bool {
        matches!(self, Self::Ready | Self::Interrupted)
    }

    /// Whether its articles can be moved to the trash.
    #[must_use]
    pub const fn may_undo(self) -> bool {
        matches!(self, Self::Done | Self::Interrupted | Self::Undone)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        assert!(ImportState::WORDS.iter().all(|word| word.parse::<ImportState>().unwrap().as_str() == *word));
        assert!(
            ImportSystem::WORDS.iter().all(|word| word.parse::<ImportSystem>().unwrap().as_str() == *word)
        );
        assert!("drupal".parse::<ImportSystem>().is_err());
    }
}
