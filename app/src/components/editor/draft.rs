//! The text being written: what the fields hold, what the desk holds, and how one becomes the other.

use super::copy::{self, Text};
use crate::{
    calls::{
        Refused,
        articles::{Saved, begin_article, keep_article},
    },
    components::pause::Pause,
};
use domain::{ArticleId, Moment, Refusal, article::Article, limit, refusal::Problem};
use leptos::{html, prelude::*, tachys::html::node_ref::NodeRefContainer, task::spawn_local};

/// How long after the last key a text is saved, in milliseconds.
const SAVE_AFTER_MS: u64 = 2_000;
/// How long after the last key this device has a copy, in milliseconds.
const COPY_AFTER_MS: u64 = 250;
/// How long after a failure it is tried again, in milliseconds.
const RETRY_AFTER_MS: u64 = 4_000;

/// Where the text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The desk has it.
    Saved,
    /// Something was typed since.
    Unsaved,
    /// On its way.
    Saving,
    /// The desk did not take it; see [`Draft::refusal`].
    Failed,
}

/// A form that was to be sent while the text was not saved: it waits for it, or was not sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// Which form.
    pub form: &'static str,
    /// Why it was not sent; `None` while it waits.
    pub refusal: Option<Refusal>,
}

/// What somebody else saved meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theirs {
    /// Number of their revision.
    pub revision: i32,
    /// Their text.
    pub text: Text,
}

impl Theirs {
    fn refusal(&self) -> Refusal {
        Refusal::TextConflict { revision: self.revision, title: String::new(), body: String::new() }
    }
}

/// The text being written. A handle, cheap to copy.
#[derive(Clone, Copy)]
pub struct Draft {
    /// Which article; `None` until the desk has one.
    pub id: RwSignal<Option<ArticleId>>,
    /// What the fields hold.
    pub text: RwSignal<Text>,
    /// The revision the writer saw.
    pub revision: RwSignal<i32>,
    /// Where the text stands.
    pub standing: RwSignal<Standing>,
    /// Why it is not saved.
    pub refusal: RwSignal<Option<Refusal>>,
    /// When the desk last took it.
    pub saved_at: RwSignal<Option<Moment>>,
    /// What somebody else saved meanwhile.
    pub theirs: RwSignal<Option<Theirs>>,
    /// A text this device kept that the desk never had.
    pub found: RwSignal<Option<Text>>,
    /// The field of the title.
    pub title_field: NodeRef<html::Input>,
    /// The field of the text.
    pub body_field: NodeRef<html::Textarea>,
    stored: StoredValue<Text>,
    is_wanted: StoredValue<bool>,
    /// The form that was held back last.
    pub held: RwSignal<Option<Held>>,
    held_form: NodeRef<html::Form>,
    saving: Pause,
    copying: Pause,
}

impl Draft {
    /// The draft of an article, or of a new one; `typed` is what a refused form brought back, with its refusal.
    #[must_use]
    pub fn new(article: Option<&Article>, typed: Option<(Text, Refusal)>) -> Self {
        let stored = article
            .map(|article| Text { title: article.row.title.clone(), body: article.body.clone() })
            .unwrap_or_default();
        let (text, refusal) = match typed {
            Some((text, refusal)) => (text, Some(refusal)),
            None => (stored.clone(), None),
        };
        let theirs = refusal.as_ref().and_then(theirs_of);
        let seen = article.map_or(0, |article| article.row.revision);
        Self {
            id: RwSignal::new(article.map(|article| article.row.id)),
            revision: RwSignal::new(theirs.as_ref().map_or(seen, |theirs| theirs.revision)),
            standing: RwSignal::new(if text == stored { Standing::Saved } else { Standing::Failed }),
            text: RwSignal::new(text),
            refusal: RwSignal::new(refusal),
            saved_at: RwSignal::new(None),
            theirs: RwSignal::new(theirs),
            found: RwSignal::new(None),
            title_field: NodeRef::new(),
            body_field: NodeRef::new(),
            stored: StoredValue::new(stored),
            is_wanted: StoredValue::new(false),
            held: RwSignal::new(None),
            held_form: NodeRef::new(),
            saving: Pause::new(),
            copying: Pause::new(),
        }
    }

    /// Takes what the fields hold after a key; saves it a little later.
    pub fn typed(self) {
        self.read_fields();
        let is_changed = self.is_changed();
        if self.standing.get_untracked() != Standing::Saving {
            self.standing.set(if is_changed { Standing::Unsaved } else { Standing::Saved });
        }
        self.refusal.set(None);
        if self.held.with_untracked(Option::is_some) {
            self.held.set(None);
        }
        if is_changed {
            self.copying.then(COPY_AFTER_MS, move || self.copy());
            self.saving.then(SAVE_AFTER_MS, move || self.save(true));
        } else {
            self.saving.end();
        }
    }

    /// Takes what the fields hold, e.g. typed before the page came to life.
    pub fn read_fields(self) {
        let title = self.title_field.get_untracked().map(|field| field.value());
        let body = self.body_field.get_untracked().map(|field| field.value());
        let (Some(title), Some(body)) = (title, body) else { return };
        let text = Text { title, body };
        if self.text.with_untracked(|known| *known != text) {
            self.text.set(text);
        }
    }

    /// Takes what was typed before the page came to life.
    pub fn typed_before(self) {
        self.read_fields();
        if self.is_changed() && self.theirs.with_untracked(Option::is_none) {
            self.typed();
        }
    }

    /// The page is left: this device keeps the text until the desk has it, and the desk is asked at once.
    pub fn leave(self) {
        if !self.is_changed() || self.theirs.with_untracked(Option::is_some) {
            return;
        }
        self.copy();
        let text = self.text.get_untracked();
        if wrong(&text).is_none() && self.standing.get_untracked() != Standing::Saving {
            self.send(text, true);
        }
    }

    /// Puts a text into the fields.
    pub fn put(self, text: &Text) {
        if let Some(field) = self.title_field.get_untracked() {
            field.set_value(&text.title);
        }
        if let Some(field) = self.body_field.get_untracked() {
            field.set_value(&text.body);
        }
    }

    /// Looks for what this device kept and the desk never had.
    pub fn find_kept(self) {
        let id = self.id.get_untracked();
        let known = self.text.get_untracked();
        if let Some(text) = copy::find(id) {
            // What was typed last time is laid aside, so that typing now does not overwrite it.
            copy::forget(id);
            if text != known && !copy::lay_aside(id, &text) {
                copy::keep(id, &text);
            }
        }
        self.found.set(copy::aside(id, &known));
    }

    /// Puts a text that was laid aside into the fields; what they hold and the desk does not, is laid aside in its place.
    pub fn bring_back(self, text: &Text) {
        self.read_fields();
        if self.is_changed() {
            self.text.with_untracked(|mine| copy::lay_aside(self.id.get_untracked(), mine));
        }
        self.put(text);
        self.typed();
        self.throw_away(text);
    }

    /// Forgets a text that was laid aside, and offers the next.
    pub fn throw_away(self, text: &Text) {
        let id = self.id.get_untracked();
        copy::drop_aside(id, text);
        // The article may have begun since it was offered.
        copy::drop_aside(None, text);
        self.found.set(self.text.with_untracked(|known| copy::aside(id, known)));
    }

    /// Whether the fields hold something the desk does not have.
    #[must_use]
    pub fn is_changed(self) -> bool {
        self.stored.with_value(|stored| self.text.with_untracked(|text| text != stored))
    }

    /// Keeps what the fields hold on this device, unless the desk has it.
    pub fn copy(self) {
        if self.is_changed() {
            self.text.with_untracked(|text| copy::keep(self.id.get_untracked(), text));
        }
    }

    /// Sends what the fields hold to the desk, once more after it if it is on its way already.
    pub fn save(self, is_autosave: bool) {
        if self.standing.get_untracked() == Standing::Saving {
            self.is_wanted.set_value(true);
            return;
        }
        if let Some(refusal) = self.theirs.with_untracked(|theirs| theirs.as_ref().map(Theirs::refusal)) {
            self.let_go(&refusal);
            return;
        }
        self.copy();
        let is_stored = self.id.get_untracked().is_some() && !self.is_changed();
        let text = self.text.get_untracked();
        if is_stored {
            self.standing.set(Standing::Saved);
            self.submit_waiting();
        } else if let Some(refusal) = wrong(&text) {
            self.standing.set(Standing::Unsaved);
            self.let_go(&refusal);
            self.refusal.set(Some(refusal));
        } else {
            self.standing.set(Standing::Saving);
            self.refusal.set(None);
            self.send(text, is_autosave);
        }
    }

    /// Submits this form as soon as the desk has the text: what it schedules is then what was typed. Where the text cannot be
    /// saved, it is not submitted later, when nobody counts on it any more: [`Draft::held`] says so.
    /// `false`: the desk has it already, submit it yourself.
    #[must_use]
    pub fn submit_after_save(self, name: &'static str, form: &web_sys::Element) -> bool {
        let is_saved = self.standing.get_untracked() == Standing::Saved && !self.is_changed();
        if !is_saved {
            self.held_form.load(form);
            self.held.set(Some(Held { form: name, refusal: None }));
            self.save(false);
        }
        !is_saved
    }

    /// Saves the writer's text as a revision after theirs.
    pub fn keep_mine(self) {
        if let Some(theirs) = self.theirs.get_untracked() {
            self.revision.set(theirs.revision);
            self.theirs.set(None);
            self.standing.set(Standing::Unsaved);
            self.save(false);
        }
    }

    /// Goes on with theirs; the writer's own text stays on this device.
    pub fn take_theirs(self) {
        let Some(theirs) = self.theirs.get_untracked() else { return };
        let mine = self.text.get_untracked();
        copy::lay_aside(self.id.get_untracked(), &mine);
        copy::forget(self.id.get_untracked());
        self.found.set(Some(mine));
        self.put(&theirs.text);
        self.stored.set_value(theirs.text.clone());
        self.text.set(theirs.text);
        self.revision.set(theirs.revision);
        self.theirs.set(None);
        self.refusal.set(None);
        self.standing.set(Standing::Saved);
    }

    fn send(self, text: Text, is_autosave: bool) {
        let (id, seen) = (self.id.get_untracked(), self.revision.get_untracked());
        spawn_local(async move {
            let Text { title, body } = text.clone();
            let answer = match id {
                None => begin_article(title, body).await,
                Some(id) => keep_article(id, title, body, seen, is_autosave).await,
            };
            if answer.is_ok() && copy::find(id).as_ref() == Some(&text) {
                copy::forget(id);
            }
            // The page may be gone by now; the text is not.
            if self.id.try_get_untracked().is_some() {
                self.answered(text, answer);
            }
        });
    }

    fn answered(self, sent: Text, answer: Result<Saved, Refused>) {
        match answer {
            Ok(saved) => self.took(sent, &saved),
            Err(Refused(refusal)) => self.refused(refusal),
        }
    }

    fn took(self, sent: Text, saved: &Saved) {
        if self.id.get_untracked().is_none() {
            copy::forget(None);
            self.id.set(Some(saved.id));
        }
        self.stored.set_value(sent);
        self.revision.set(saved.revision);
        self.saved_at.set(Some(saved.at));
        if self.is_changed() {
            self.standing.set(Standing::Unsaved);
            let wait = if self.is_wanted.get_value() { 0 } else { SAVE_AFTER_MS / 2 };
            self.is_wanted.set_value(false);
            self.saving.then(wait, move || self.save(true));
        } else {
            self.is_wanted.set_value(false);
            self.standing.set(Standing::Saved);
            self.submit_waiting();
        }
    }

    fn refused(self, refusal: Refusal) {
        self.is_wanted.set_value(false);
        self.let_go(&refusal);
        self.standing.set(Standing::Failed);
        if let Some(theirs) = theirs_of(&refusal) {
            self.theirs.set(Some(theirs));
        } else if matches!(
            refusal,
            Refusal::Unavailable | Refusal::Busy | Refusal::LogIn | Refusal::Internal { .. }
        ) {
            self.saving.then(RETRY_AFTER_MS, move || self.save(true));
        }
        self.refusal.set(Some(refusal));
    }

    /// The form that waits is not sent.
    fn let_go(self, refusal: &Refusal) {
        if self.held.with_untracked(Option::is_some) {
            let refusal = Some(refusal.clone());
            self.held.update(|held| *held = held.take().map(|held| Held { refusal, ..held }));
        }
    }

    fn submit_waiting(self) {
        let is_waiting =
            self.held.with_untracked(|held| held.as_ref().is_some_and(|held| held.refusal.is_none()));
        let Some(form) = self.held_form.get_untracked().filter(|_| is_waiting) else { return };
        self.held.set(None);
        // One turn later: fields of the form that follow the saved text have followed it by then.
        request_animation_frame(move || _ = form.request_submit());
    }
}

/// What is wrong with a text before it is sent.
#[must_use]
pub fn wrong(text: &Text) -> Option<Refusal> {
    let title = text.title.chars().count();
    if text.title.trim().is_empty() {
        Some(Refusal::invalid("title", Problem::Empty))
    } else if title > limit::TITLE_CHARS {
        Some(Refusal::invalid("title", Problem::TooLong { max: small(limit::TITLE_CHARS) }))
    } else if text.body.len() > limit::BODY_BYTES {
        Some(Refusal::invalid("body", Problem::TooLarge { max: small(limit::BODY_BYTES) }))
    } else {
        None
    }
}

fn small(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}

fn theirs_of(refusal: &Refusal) -> Option<Theirs> {
    let Refusal::TextConflict { revision, title, body } = refusal else { return None };
    Some(Theirs { revision: *revision, text: Text { title: title.clone(), body: body.clone() } })
}
