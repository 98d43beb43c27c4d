//! Texts of the list of articles, the editor and the revisions.

pub mod details;
pub mod editor;
pub mod media;
pub mod plan;
pub mod releases;
pub mod schedule;

use domain::{articles::details::RevisionChange, task::reason::WORDS_BLOCK};

sets!(articles: AlertTexts, ArticleTexts);

impl ArticleTexts {
    /// State of an article whose publish the review holds for this reason.
    #[must_use]
    pub fn held_because(self, reason: Option<&str>) -> &'static str {
        if reason == Some(WORDS_BLOCK) { self.held_block() } else { self.held() }
    }

    /// Word count of a text and the minutes that reading it takes.
    #[must_use]
    pub fn length(self, words: u32, minutes: u32) -> String {
        if minutes == 0 {
            self.count(words)
        } else {
            format!("{} · {}", self.count(words), self.reading(minutes))
        }
    }

    /// What a revision changed.
    #[must_use]
    pub fn changed(self, change: RevisionChange) -> &'static str {
        match change {
            RevisionChange::Text => self.changed_text(),
            RevisionChange::Details => self.changed_details(),
            RevisionChange::Both => self.changed_both(),
        }
    }
}
