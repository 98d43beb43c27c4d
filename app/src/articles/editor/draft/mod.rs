//! The draft in the editor: the input, the saved text, and saving.

mod caret;
mod conflict;
mod trash;

pub use conflict::{NewerRevision, SavedBy, ServerVersion};
pub use trash::Trash;

use super::{
    details::DetailFields,
    local_backup::{self, Text},
    validation::validate,
};
use crate::{
    articles::server_fns::{SavedDraft, create_draft, save_draft},
    server_fns::Refused,
    ui::debounce::Debounce,
};
use caret::moved_caret;
use domain::{ArticleId, DomainError, LocalizedTime, article::Article};
use leptos::{html, prelude::*, tachys::html::node_ref::NodeRefContainer, task::spawn_local};

/// Delay between the last input and autosave, in milliseconds.
const SAVE_AFTER_MS: u64 = 2_000;
/// Delay between the last input and the copy on this device, in milliseconds.
const BACKUP_AFTER_MS: u64 = 250;
/// Delay before a failed save is repeated, in milliseconds.
const RETRY_AFTER_MS: u64 = 4_000;

/// Whether the text is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveState {
    /// Saved on the server.
    Saved,
    /// Changed since the last save.
    Unsaved,
    /// Being saved.
    Saving,
    /// Saving failed, see [`Draft::refusal`].
    Failed,
}

/// A form submitted while the text was unsaved. It waits for the save, or was not submitted.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingSubmit {
    /// Name of the form.
    pub form: &'static str,
    /// Why it was not submitted; `None` while it waits.
    pub refusal: Option<DomainError>,
}

/// The draft being edited. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Draft {
    /// The article; `None` until the first save.
    pub id: RwSignal<Option<ArticleId>>,
    /// Content of the input fields.
    pub text: RwSignal<Text>,
    /// The revision that this draft is based on.
    pub revision: RwSignal<i32>,
    /// Whether the text is saved.
    pub save_state: RwSignal<SaveState>,
    /// Why it is not saved.
    pub refusal: RwSignal<Option<DomainError>>,
    /// Time of the last save.
    pub saved_at: RwSignal<Option<LocalizedTime>>,
    /// A newer revision by another user, while the conflict is unresolved.
    pub server_version: RwSignal<Option<ServerVersion>>,
    /// A newer revision that was merged or shown.
    pub newer: RwSignal<Option<NewerRevision>>,
    /// Who saved the newer revision; `None` until it is known.
    pub saved_by: RwSignal<Option<SavedBy>>,
    /// An unsaved copy found on this device.
    pub unsaved_backup: RwSignal<Option<Text>>,
    /// The trash that the article is in; `None`: it is not.
    pub trash: RwSignal<Option<Trash>>,
    /// The next scheduled task as one line, e.g. its time.
    pub schedule_line: RwSignal<Option<String>>,
    /// The title field.
    pub title_field: NodeRef<html::Input>,
    /// The body field.
    pub body_field: NodeRef<html::Textarea>,
    stored: StoredValue<Text>,
    save_again: StoredValue<bool>,
    /// Whether the user asked for a save while another one was running.
    is_asked: StoredValue<bool>,
    /// Whether the stored text is newer than the scheduled one, so that a save is sent even if nothing is
    /// typed: the schedule may follow it.
    is_ahead: StoredValue<bool>,
    /// The form that waits for the save, or was not submitted.
    pub pending_submit: RwSignal<Option<PendingSubmit>>,
    pending_form: NodeRef<html::Form>,
    save_timer: Debounce,
    backup_timer: Debounce,
}

impl Draft {
    /// Creates the draft of an article, or of a new one. `typed` is the input of a refused form,
    /// with its error.
    #[must_use]
    pub fn new(article: Option<&Article>, typed: Option<(Text, DomainError)>) -> Self {
        let stored = article
            .map(|article| {
                let details = (&article.details, article.authors.as_slice());
                Text::new(&article.row.title, &article.body, details)
            })
            .unwrap_or_default();
        let (text, refusal) = match typed {
            Some((text, refusal)) => (text, Some(refusal)),
            None => (stored.clone(), None),
        };
        let server_version = refusal.as_ref().and_then(ServerVersion::of);
        let seen = article.map_or(0, |article| article.row.revision);
        Self {
            id: RwSignal::new(article.map(|article| article.row.id)),
            revision: RwSignal::new(
                server_version.as_ref().map_or(seen, |server_version| server_version.revision),
            ),
            save_state: RwSignal::new(if text == stored { SaveState::Saved } else { SaveState::Failed }),
            text: RwSignal::new(text),
            refusal: RwSignal::new(refusal),
            saved_at: RwSignal::new(None),
            server_version: RwSignal::new(server_version),
            newer: RwSignal::new(None),
            saved_by: RwSignal::new(None),
            unsaved_backup: RwSignal::new(None),
            trash: RwSignal::new(article.and_then(Trash::of)),
            schedule_line: RwSignal::new(None),
            title_field: NodeRef::new(),
            body_field: NodeRef::new(),
            stored: StoredValue::new(stored),
            save_again: StoredValue::new(false),
            is_asked: StoredValue::new(false),
            is_ahead: StoredValue::new(article.is_some_and(|article| article.drift.is_some())),
            pending_submit: RwSignal::new(None),
            pending_form: NodeRef::new(),
            save_timer: Debounce::new(),
            backup_timer: Debounce::new(),
        }
    }

    /// Reads the fields after input and saves them after a delay.
    pub fn on_input(self) {
        self.read_fields();
        let is_changed = self.is_changed();
        if self.save_state.get_untracked() != SaveState::Saving {
            self.save_state.set(if is_changed { SaveState::Unsaved } else { SaveState::Saved });
        }
        self.refusal.set(None);
        if self.pending_submit.with_untracked(Option::is_some) {
            self.pending_submit.set(None);
        }
        if is_changed {
            self.backup_timer.schedule(BACKUP_AFTER_MS, move || self.back_up());
            self.save_timer.schedule(SAVE_AFTER_MS, move || self.save(true));
        } else {
            self.save_timer.cancel();
        }
    }

    /// Reads the fields.
    pub fn read_fields(self) {
        let title = self.title_field.get_untracked().map(|field| field.value());
        let body = self.body_field.get_untracked().map(|field| field.value());
        let (Some(title), Some(body)) = (title, body) else { return };
        let details =
            DetailFields::read().unwrap_or_else(|| self.text.with_untracked(|text| text.details.clone()));
        let text = Text { title, body, details };
        if self.text.with_untracked(|known| *known != text) {
            self.text.set(text);
        }
    }

    /// Reads input that was typed before hydration.
    pub fn read_early_input(self) {
        self.read_fields();
        if self.is_changed() && self.server_version.with_untracked(Option::is_none) {
            self.on_input();
        }
    }

    /// Stores a copy on this device and saves, when the page is left.
    pub fn save_on_leave(self) {
        if !self.is_changed() || self.server_version.with_untracked(Option::is_some) {
            return;
        }
        self.back_up();
        let text = self.text.get_untracked();
        if validate(&text).is_none() && self.save_state.get_untracked() != SaveState::Saving {
            self.send(text, true);
        }
    }

    /// Sets the content of the fields.
    pub fn fill_fields(self, text: &Text) {
        if let Some(field) = self.title_field.get_untracked() {
            field.set_value(&text.title);
        }
        text.details.show();
        let Some(field) = self.body_field.get_untracked() else { return };
        let (before, caret) = (field.value(), field.selection_end().ok().flatten());
        field.set_value(&text.body);
        if let Some(caret) = caret {
            let caret = moved_caret(&before, &text.body, caret);
            _ = field.set_selection_range(caret, caret);
        }
    }

    /// Looks for an unsaved copy on this device.
    pub fn load_backup(self) {
        let id = self.id.get_untracked();
        let known = self.text.get_untracked();
        if let Some(text) = local_backup::find(id) {
            // Moved to a slot of its own, so that new input does not overwrite it.
            local_backup::forget(id);
            if text != known && !local_backup::store_unsaved(id, &text) {
                local_backup::keep(id, &text);
            }
        }
        self.unsaved_backup.set(local_backup::find_unsaved(id, &known));
    }

    /// Restores an unsaved copy into the fields. Unsaved content of the fields is stored as a copy
    /// in turn.
    pub fn restore(self, text: &Text) {
        self.read_fields();
        if self.is_changed() {
            self.text.with_untracked(|mine| local_backup::store_unsaved(self.id.get_untracked(), mine));
        }
        self.fill_fields(text);
        self.on_input();
        self.discard(text);
    }

    /// Deletes an unsaved copy and offers the next one.
    pub fn discard(self, text: &Text) {
        let id = self.id.get_untracked();
        local_backup::discard_unsaved(id, text);
        // The copy may belong to the article before its first save.
        local_backup::discard_unsaved(None, text);
        self.unsaved_backup.set(self.text.with_untracked(|known| local_backup::find_unsaved(id, known)));
    }

    /// Whether the fields differ from the saved text.
    #[must_use]
    pub fn is_changed(self) -> bool {
        self.stored.with_value(|stored| self.text.with_untracked(|text| text != stored))
    }

    /// Stores the fields on this device, unless they are saved.
    pub fn back_up(self) {
        if self.is_changed() {
            self.text.with_untracked(|text| local_backup::keep(self.id.get_untracked(), text));
        }
    }

    /// Saves the fields. While a save is running, one more follows it.
    pub fn save(self, is_autosave: bool) {
        if self.save_state.get_untracked() == SaveState::Saving {
            self.save_again.set_value(true);
            self.is_asked.update_value(|asked| *asked |= !is_autosave);
            return;
        }
        if let Some(refusal) = self
            .server_version
            .with_untracked(|server_version| server_version.as_ref().map(ServerVersion::refusal))
        {
            self.cancel_pending_submit(&refusal);
            return;
        }
        self.back_up();
        let is_stored = self.id.get_untracked().is_some() && !self.is_changed();
        let text = self.text.get_untracked();
        if is_stored && (is_autosave || !self.is_ahead.get_value()) {
            self.save_state.set(SaveState::Saved);
            self.submit_waiting();
        } else if let Some(refusal) = validate(&text) {
            self.save_state.set(SaveState::Unsaved);
            self.cancel_pending_submit(&refusal);
            self.refusal.set(Some(refusal));
        } else {
            self.save_state.set(SaveState::Saving);
            self.refusal.set(None);
            self.send(text, is_autosave);
        }
    }

    /// Notes that the stored text is newer than the scheduled one.
    pub fn mark_ahead(self) {
        self.is_ahead.set_value(true);
    }

    /// Submits this form after the text is saved, so that it applies to the current text. If the
    /// save fails, the form is not submitted, and [`Draft::pending_submit`] holds the error.
    ///
    /// Returns `false` if the text is saved already: submit the form yourself.
    #[must_use]
    pub fn submit_after_save(self, name: &'static str, form: &web_sys::Element) -> bool {
        let is_stored = self.id.get_untracked().is_some() && !self.is_changed();
        let is_saved = is_stored && self.save_state.get_untracked() == SaveState::Saved;
        if !is_saved {
            self.pending_form.load(form);
            self.pending_submit.set(Some(PendingSubmit { form: name, refusal: None }));
            self.save(false);
        }
        !is_saved
    }

    fn send(self, text: Text, is_autosave: bool) {
        let (id, seen) = (self.id.get_untracked(), self.revision.get_untracked());
        // Unchanged details are not sent: another user may have changed them.
        let is_same = self.stored.with_value(|stored| stored.details == text.details);
        spawn_local(async move {
            let Text { title, body, details } = text.clone();
            let details = (!is_same).then_some(details);
            let result = match id {
                None => create_draft(title, body, details).await,
                Some(id) => save_draft(id, title, body, seen, is_autosave, details).await,
            };
            if result.is_ok() && local_backup::find(id).as_ref() == Some(&text) {
                local_backup::forget(id);
            }
            // The page may have been left; the text is saved nevertheless.
            if self.id.try_get_untracked().is_some() {
                self.on_response(text, result);
            }
        });
    }

    fn on_response(self, sent: Text, result: Result<SavedDraft, Refused>) {
        match result {
            Ok(saved) => self.on_saved(sent, &saved),
            Err(Refused(refusal)) => self.on_refused(refusal),
        }
    }

    fn on_saved(self, sent: Text, saved: &SavedDraft) {
        if self.id.get_untracked().is_none() {
            local_backup::forget(None);
            self.id.set(Some(saved.id));
        }
        self.stored.set_value(sent);
        self.revision.set(saved.revision);
        self.saved_at.set(Some(saved.at));
        self.is_ahead.set_value(saved.drift.is_some());
        let is_asked = self.is_asked.get_value();
        self.is_asked.set_value(false);
        if self.is_changed() {
            self.save_state.set(SaveState::Unsaved);
            let wait = if self.save_again.get_value() { 0 } else { SAVE_AFTER_MS / 2 };
            self.save_again.set_value(false);
            self.save_timer.schedule(wait, move || self.save(!is_asked));
        } else {
            self.save_again.set_value(false);
            self.save_state.set(SaveState::Saved);
            if is_asked && saved.drift.is_some() { self.save(false) } else { self.submit_waiting() }
        }
    }

    fn on_refused(self, refusal: DomainError) {
        self.save_again.set_value(false);
        self.cancel_pending_submit(&refusal);
        self.save_state.set(SaveState::Failed);
        if let Some(server_version) = ServerVersion::of(&refusal) {
            self.refusal.set(Some(refusal));
            self.on_conflict(server_version);
            return;
        }
        if matches!(
            refusal,
            DomainError::Unavailable | DomainError::Busy | DomainError::LogIn | DomainError::Internal { .. }
        ) {
            self.save_timer.schedule(RETRY_AFTER_MS, move || self.save(true));
        }
        self.refusal.set(Some(refusal));
    }

    /// Cancels the pending submit, with the error.
    fn cancel_pending_submit(self, refusal: &DomainError) {
        if self.pending_submit.with_untracked(Option::is_some) {
            let refusal = Some(refusal.clone());
            self.pending_submit.update(|pending_submit| {
                *pending_submit =
                    pending_submit.take().map(|pending_submit| PendingSubmit { refusal, ..pending_submit })
            });
        }
    }

    fn submit_waiting(self) {
        let is_waiting = self.pending_submit.with_untracked(|pending_submit| {
            pending_submit.as_ref().is_some_and(|pending_submit| pending_submit.refusal.is_none())
        });
        let Some(form) = self.pending_form.get_untracked().filter(|_| is_waiting) else { return };
        self.pending_submit.set(None);
        // In the next frame: by then, fields that depend on the saved text are updated.
        request_animation_frame(move || _ = form.request_submit());
    }
}
