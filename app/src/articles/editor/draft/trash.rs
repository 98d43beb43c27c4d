//! The article of the draft in the trash.

use super::Draft;
use domain::{DomainError, LocalizedTime, article::Article};
use leptos::prelude::*;

/// Since when an article is in the trash, and the account that moved it there.
#[derive(Debug, Clone, PartialEq)]
pub struct Trash {
    /// When it was moved there.
    pub at: LocalizedTime,
    /// Display name of the account that moved it; `None`: not known.
    pub by: Option<String>,
    /// Whether the user may restore it.
    pub may_restore: bool,
}

impl Trash {
    /// The trash that an article is in; `None`: it is not.
    #[must_use]
    pub fn of(article: &Article) -> Option<Self> {
        let (by, may_restore) = (article.deleted_by.clone(), article.row.may_change);
        article.row.deleted.map(|at| Self { at, by, may_restore })
    }
}

impl Draft {
    /// Shows whether the article is in the trash. After a restore, a save that was refused for it is
    /// tried again.
    pub fn set_trash(self, trash: Option<Trash>) {
        if self.trash.with_untracked(|known| *known == trash) {
            return;
        }
        let is_restored = trash.is_none();
        self.trash.set(trash);
        if is_restored && self.refusal.with_untracked(|refusal| *refusal == Some(DomainError::InTrash)) {
            self.save(true);
        }
    }
}
