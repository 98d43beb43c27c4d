//! The registry of task kinds: one line in `KINDS` for each kind. A kind is a file of its feature that
//! implements [`TaskKind`].

pub use super::task_kind::{Planned, Reversal, TaskKind};

use async_trait::async_trait;
use domain::{Actor, Kind, Timestamp};
use std::sync::{LazyLock, PoisonError, RwLock};
use store::{
    StoreError, Tx,
    execute::{ClaimedTask, SideEffects, TaskHandler, Verdict},
};

/// The kinds of this release.
const KINDS: &[&dyn TaskKind] = &[
    &crate::articles::kinds::Publish,
    &crate::articles::kinds::Unpublish,
    &crate::articles::kinds::REVIEW_WARN,
    &crate::articles::kinds::REVIEW_WARN_AGAIN,
    &crate::articles::kinds::ReviewDecide,
    &crate::meetings::kinds::WARN,
    &crate::meetings::kinds::WARN_AGAIN,
    &crate::meetings::kinds::Decide,
    &crate::meetings::kinds::START,
    &crate::meetings::kinds::Release,
    &crate::meetings::kinds::END,
    &crate::meetings::kinds::ExtendSeries,
    &crate::messages::kinds::Send,
    &crate::rules::kinds::Fire,
    &crate::reminders::kinds::Send,
];

/// The kinds in use: `KINDS`, and those that were registered.
struct Registry {
    kinds: Vec<&'static dyn TaskKind>,
    /// The words of `kinds`, and the canary.
    words: &'static [&'static str],
    /// The words that only admins see, with blanks between them.
    admin_words: &'static str,
}

impl Registry {
    fn add(&mut self, kind: &'static dyn TaskKind) -> Kind {
        if !self.words.contains(&kind.word()) {
            self.kinds.push(kind);
            let words = self.kinds.iter().map(|kind| kind.word()).chain([store::canary::KIND]);
            self.words = words.collect::<Vec<_>>().leak();
            let for_admins = self.kinds.iter().filter(|kind| kind.is_for_admins());
            self.admin_words = for_admins.map(|kind| kind.word()).collect::<Vec<_>>().join(" ").leak();
        }
        Kind::register(kind.word())
    }
}

static REGISTRY: LazyLock<RwLock<Registry>> = LazyLock::new(|| {
    let mut registry = Registry { kinds: Vec::new(), words: &[], admin_words: "" };
    for kind in KINDS {
        registry.add(*kind);
    }
    RwLock::new(registry)
});

/// Makes the words of all kinds known to [`Kind`].
pub(crate) fn register_all() {
    LazyLock::force(&REGISTRY);
}

/// Registers one more kind in this process, and returns it as it stands in tasks.
#[must_use]
pub fn register(kind: &'static dyn TaskKind) -> Kind {
    REGISTRY.write().unwrap_or_else(PoisonError::into_inner).add(kind)
}

/// Returns the registered kind of this word; `None`: a newer release may know it.
#[must_use]
pub fn find(word: &str) -> Option<&'static dyn TaskKind> {
    let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
    registry.kinds.iter().copied().find(|kind| kind.word() == word)
}

/// Returns the words of all kinds of this release.
#[must_use]
pub fn words() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.word()).collect()
}

/// Returns the words of the kinds whose tasks this user does not see, with blanks between them.
#[must_use]
pub fn words_hidden_from(actor: &Actor) -> &'static str {
    if actor.is_admin() {
        return "";
    }
    REGISTRY.read().unwrap_or_else(PoisonError::into_inner).admin_words
}

/// Returns the words of the kinds that the dashboard of this user leaves out, with blanks between them.
#[must_use]
pub fn words_off_dashboard(actor: &Actor) -> String {
    let warnings = KINDS.iter().filter(|kind| kind.is_warning()).map(|kind| kind.word());
    let words: Vec<_> = warnings.chain(words_hidden_from(actor).split(' ')).collect();
    words.join(" ").trim_end().to_owned()
}

/// Whether this user does not see tasks of this kind.
#[must_use]
pub fn is_hidden_from(actor: &Actor, word: &str) -> bool {
    words_hidden_from(actor).split(' ').any(|hidden| hidden == word)
}

/// Returns the words of the kinds whose tasks are in the calendar of an admin, or of another user.
#[must_use]
pub fn calendar_words(is_admin: bool) -> Vec<&'static str> {
    let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
    let is_shown =
        |kind: &&&'static dyn TaskKind| kind.is_in_calendar() && (is_admin || !kind.is_for_admins());
    registry.kinds.iter().filter(is_shown).map(|kind| kind.word()).collect()
}

/// Returns the words of the kinds that users schedule.
#[must_use]
pub fn schedulable_words() -> Vec<&'static str> {
    KINDS.iter().filter(|kind| !kind.is_managed()).map(|kind| kind.word()).collect()
}

/// Executes tasks of all registered kinds, and the canary.
#[derive(Debug, Clone, Copy, Default)]
pub struct TaskKinds;

#[async_trait]
impl TaskHandler for TaskKinds {
    fn kinds(&self) -> &'static [&'static str] {
        REGISTRY.read().unwrap_or_else(PoisonError::into_inner).words
    }

    async fn apply(
        &self,
        tx: &mut Tx,
        kind: &'static str,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        if kind == store::canary::KIND {
            return crate::engine::canary_kind::execute(tx, tasks, at).await;
        }
        match find(kind) {
            Some(kind) => kind.execute(tx, tasks, at, after).await,
            None => Err(StoreError::Corrupt(format!("kind of a task: {kind:?}"))),
        }
    }
}
