//! A newer revision of the article: merged into the input, shown instead of it, or compared with it.

use super::{Draft, SaveState};
use crate::{
    articles::{
        editor::{
            details::DetailFields,
            local_backup::{self, Text},
        },
        server_fns::{article_revisions, find_revision},
    },
    session::visitor,
};
use domain::{ArticleId, DomainError, LocalizedTime, articles::merge::merged_text};
use leptos::{prelude::*, task::spawn_local};

/// A newer revision, saved by another user or in another tab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerVersion {
    /// Number of the revision.
    pub revision: i32,
    /// Its text.
    pub text: Text,
    /// The text that both versions began with, if known.
    pub base: Option<Text>,
}

impl ServerVersion {
    pub(super) fn refusal(&self) -> DomainError {
        DomainError::TextConflict {
            revision: self.revision,
            title: String::new(),
            body: String::new(),
            has_text: true,
        }
    }

    /// The newer revision in an error.
    pub(super) fn of(refusal: &DomainError) -> Option<Self> {
        let DomainError::TextConflict { revision, title, body, .. } = refusal else { return None };
        let text = Text { title: title.clone(), body: body.clone(), details: DetailFields::default() };
        Some(Self { revision: *revision, text, base: None })
    }

    /// Merges its changes with those of another text; `None` if both changed the same lines.
    fn merged_with(&self, base: &Text, mine: &Text) -> Option<Text> {
        Some(Text {
            title: merged_text(&base.title, &mine.title, &self.text.title)?,
            body: merged_text(&base.body, &mine.body, &self.text.body)?,
            details: mine.details.clone(),
        })
    }
}

/// Who saved a revision, and when.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedBy {
    /// Display name.
    pub author: String,
    /// Whether it is the user of this page.
    pub is_me: bool,
    /// When.
    pub at: LocalizedTime,
}

/// What happened to the input because of a newer revision.
#[derive(Debug, Clone, PartialEq)]
pub struct NewerRevision {
    /// Number of the revision.
    pub revision: i32,
    /// Whether it was merged with unsaved input; otherwise it is shown instead of the old text.
    pub is_merged: bool,
}

impl Draft {
    /// Merges a newer revision with the input and saves the result. If both changed the same lines,
    /// asks the user.
    pub(super) fn on_conflict(self, mut server_version: ServerVersion) {
        let base = self.stored.get_value();
        // The response has no details. They are compared with those that were loaded.
        server_version.text.details.clone_from(&base.details);
        let merged = self.text.with_untracked(|mine| server_version.merged_with(&base, mine));
        let revision = server_version.revision;
        self.load_saved_by(revision);
        let Some(merged) = merged else {
            self.newer.set(None);
            self.server_version.set(Some(ServerVersion { base: Some(base), ..server_version }));
            return;
        };
        self.stored.set_value(server_version.text);
        self.revision.set(revision);
        self.refusal.set(None);
        self.show(merged);
        self.newer.set(Some(NewerRevision { revision, is_merged: true }));
        self.save_state.set(SaveState::Unsaved);
        self.save_timer.schedule(0, move || self.save(true));
    }

    /// Shows a newer revision if there is no unsaved input.
    pub fn refresh(self, latest: i32) {
        let Some(id) = self.id.get_untracked().filter(|_| self.is_outdated(latest)) else { return };
        spawn_local(async move {
            let Ok(found) = find_revision(id, latest).await else { return };
            // The page may have been left, or something was typed meanwhile.
            if self.id.try_get_untracked().is_none() {
                return;
            }
            self.read_fields();
            if self.is_outdated(latest) {
                let text =
                    Text::new(&found.row.title, &found.body, (&found.details, found.authors.as_slice()));
                self.stored.set_value(text.clone());
                self.revision.set(latest);
                self.saved_at.set(Some(found.row.saved));
                self.show(text);
                self.newer.set(Some(NewerRevision { revision: latest, is_merged: false }));
                self.load_saved_by(latest);
            }
        });
    }

    /// Whether the fields show an older revision, without unsaved input.
    fn is_outdated(self, latest: i32) -> bool {
        latest > self.revision.get_untracked()
            && self.save_state.get_untracked() == SaveState::Saved
            && !self.is_changed()
            && self.server_version.with_untracked(Option::is_none)
    }

    /// Saves this text as a revision after the newer one.
    pub fn keep_own_version(self) {
        if let Some(server_version) = self.server_version.get_untracked() {
            self.revision.set(server_version.revision);
            self.server_version.set(None);
            self.save_state.set(SaveState::Unsaved);
            self.save(false);
        }
    }

    /// Continues with the newer revision. The own text stays on this device as an unsaved copy.
    pub fn use_server_version(self) {
        let Some(server_version) = self.server_version.get_untracked() else { return };
        let mine = self.text.get_untracked();
        local_backup::store_unsaved(self.id.get_untracked(), &mine);
        local_backup::forget(self.id.get_untracked());
        self.unsaved_backup.set(Some(mine));
        self.stored.set_value(server_version.text.clone());
        self.show(server_version.text);
        self.revision.set(server_version.revision);
        self.server_version.set(None);
        self.refusal.set(None);
        self.save_state.set(SaveState::Saved);
    }

    fn show(self, text: Text) {
        self.fill_fields(&text);
        self.text.set(text);
    }

    /// Loads who saved the revision.
    pub fn load_saved_by(self, revision: i32) {
        self.saved_by.set(None);
        if let Some(id) = self.id.get_untracked() {
            spawn_local(async move {
                let found = saved_by(id, revision).await;
                self.saved_by.try_set(found);
            });
        }
    }
}

async fn saved_by(id: ArticleId, revision: i32) -> Option<SavedBy> {
    let rows = article_revisions(id).await.ok()?;
    let row = rows.into_iter().find(|row| row.number == revision)?;
    let is_me = visitor().account.is_some_and(|account| account.name == row.author);
    Some(SavedBy { author: row.author, is_me, at: row.saved })
}
