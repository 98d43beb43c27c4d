//! The registry of task kinds. A kind is a file of its feature that implements [`TaskKind`]; [`register_all`]
//! gets the list of them from the server.

pub mod article_words;
pub mod canary;
pub mod new_tasks;
pub mod task_kind;
pub mod undo_plan;

pub use task_kind::{Planned, Reversal, TaskKind};

use async_trait::async_trait;
use domain::{
    Actor, DomainError, Hint, Kind, KindClass, Timestamp, error::ValidationError, kind::DEFAULT_GRACE_MS,
    task::NewTask,
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{PoisonError, RwLock},
};
use store::{
    Conn, StoreError, Tx,
    event::{self, NewEvent},
    execute::{ClaimedTask, SideEffects, TaskHandler, Verdict},
    released_task::ReleasedTask,
    target::Target,
    task::{self, NewTaskRow},
};
use task_kind::{Followers, MovedBy, Pin};
use uuid::Uuid;

/// The kinds in use: those of this release, and those that were registered one by one.
struct Registry {
    /// The kinds of this release.
    own: &'static [&'static dyn TaskKind],
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
        KindClass::register(kind.word(), kind.class());
        Kind::register(kind.word())
    }
}

static REGISTRY: RwLock<Registry> =
    RwLock::new(Registry { own: &[], kinds: Vec::new(), words: &[], admin_words: "" });

/// Registers the kinds of this release, and makes their words known to [`Kind`]. Later calls have no
/// effect.
pub fn register_all(own: &'static [&'static dyn TaskKind]) {
    let mut registry = REGISTRY.write().unwrap_or_else(PoisonError::into_inner);
    if !registry.own.is_empty() {
        return;
    }
    registry.own = own;
    for kind in own {
        registry.add(*kind);
    }
    KindClass::register(store::canary::KIND, KindClass::Content);
}

/// Returns the kinds of this release.
fn own() -> &'static [&'static dyn TaskKind] {
    REGISTRY.read().unwrap_or_else(PoisonError::into_inner).own
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

/// Returns how late tasks of a kind may be executed if no admin has set it, milliseconds.
#[must_use]
pub fn default_grace_ms(kind: Kind) -> i64 {
    find(kind.as_str()).map_or(DEFAULT_GRACE_MS, TaskKind::grace_ms)
}

/// Whether an admin may set how late tasks of a kind may be executed.
#[must_use]
pub fn has_common_grace(kind: Kind) -> bool {
    find(kind.as_str()).is_some_and(TaskKind::has_common_grace)
}

/// Returns the words of all kinds of this release.
#[must_use]
pub fn words() -> Vec<&'static str> {
    own().iter().map(|kind| kind.word()).collect()
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
    let left_out = own().iter().filter(|kind| kind.is_warning() || kind.is_step()).map(|kind| kind.word());
    let words: Vec<_> = left_out.chain(words_hidden_from(actor).split(' ')).collect();
    words.join(" ").trim_end().to_owned()
}

/// Returns the words of the kinds that the dashboard shows to the owners of the tasks only, with blanks between them.
#[must_use]
pub fn private_words() -> String {
    let private = own().iter().filter(|kind| kind.is_private()).map(|kind| kind.word());
    private.collect::<Vec<_>>().join(" ")
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
    own().iter().filter(|kind| !kind.is_managed()).map(|kind| kind.word()).collect()
}

/// Gives the targets the revisions that new tasks pin. Returns the items that are refused, by index.
pub async fn pin(
    mut conn: Conn<'_>,
    new: &[NewTask],
    targets: &mut HashMap<Uuid, Target>,
) -> Result<HashMap<usize, DomainError>, StoreError> {
    let mut refused = HashMap::new();
    let words: BTreeSet<&str> = new.iter().map(|item| item.kind.as_str()).collect();
    for kind in words.into_iter().filter_map(find) {
        let of_kind = new.iter().enumerate().filter(|(_, item)| item.kind.as_str() == kind.word());
        if !kind.pins_revision() {
            let chosen = of_kind.filter(|(_, item)| item.revision.is_some());
            refused.extend(chosen.map(|(place, _)| (place, pins_none())));
            continue;
        }
        let pins = of_kind.filter_map(|(place, item)| {
            let target = targets.get(&item.target_id)?;
            Some((place, Pin { target: target.id, current: target.revision_id, choice: item.revision }))
        });
        let (places, pins): (Vec<usize>, Vec<Pin>) = pins.unzip();
        let chosen = kind.choose(conn.reborrow(), &pins).await?;
        for ((place, pin), chosen) in places.into_iter().zip(pins).zip(chosen) {
            match (chosen, targets.get_mut(&pin.target)) {
                (Ok(revision), Some(target)) => target.revision_id = revision,
                (Err(why), _) => _ = refused.insert(place, why),
                (Ok(_), None) => {}
            }
        }
    }
    Ok(refused)
}

fn pins_none() -> DomainError {
    let why = "is only possible for a publication".to_owned();
    DomainError::invalid("revision", ValidationError::Unreadable { why })
}

/// Schedules for now the held tasks of all kinds that waited only for the approval of these revisions.
/// Returns them.
pub async fn resume_approved(
    tx: &mut Tx,
    revisions: &[Uuid],
    at: Timestamp,
) -> Result<Vec<ReleasedTask>, StoreError> {
    let mut resumed = Vec::new();
    for kind in own() {
        resumed.extend(kind.resume_approved(tx, revisions, at).await?);
    }
    Ok(resumed)
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
            return canary::execute(tx, tasks, at).await;
        }
        match find(kind) {
            Some(kind) => kind.execute(tx, tasks, at, after).await,
            None => Err(StoreError::Corrupt(format!("kind of a task: {kind:?}"))),
        }
    }

    async fn missed(
        &self,
        tx: &mut Tx,
        tasks: &[(String, Uuid)],
        at: Timestamp,
    ) -> Result<Vec<NewEvent>, StoreError> {
        let mut events = Vec::new();
        let words: BTreeSet<&str> = tasks.iter().map(|(word, _)| word.as_str()).collect();
        for kind in words.into_iter().filter_map(find) {
            let of_kind = tasks.iter().filter(|(word, _)| word == kind.word());
            let targets: Vec<Uuid> = of_kind.map(|(_, target)| *target).collect();
            events.extend(kind.missed(tx, &targets, at).await?);
        }
        Ok(events)
    }
}

/// Targets with changed tasks that something may follow, by the word of the kind.
#[derive(Debug, Default)]
pub struct Moved(BTreeMap<&'static str, BTreeSet<Uuid>>);

impl Moved {
    /// Notes that a task of this kind and target was scheduled, moved, cancelled or reverted.
    pub fn note(&mut self, word: &str, target: Uuid) {
        if let Some(kind) = find(word).filter(|kind| kind.has_followers()) {
            self.0.entry(kind.word()).or_default().insert(target);
        }
    }

    /// Whether nothing follows.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes all followers follow. Returns what must be stored.
    pub async fn follow(self, tx: &mut Tx, by: MovedBy) -> Result<Followers, StoreError> {
        let mut all = Followers::default();
        for (word, targets) in self.0 {
            let Some(kind) = find(word) else { continue };
            let targets: Vec<Uuid> = targets.into_iter().collect();
            let one = kind.follow(tx, &targets, by).await?;
            all.events.extend(one.events);
            all.tasks.extend(one.tasks);
        }
        Ok(all)
    }
}

/// Makes all followers follow, and stores their events and tasks. Returns the hints of the tasks, to
/// be published after the commit.
pub async fn store_followers(tx: &mut Tx, moved: Moved, by: MovedBy) -> Result<Vec<Hint>, StoreError> {
    if moved.is_empty() {
        return Ok(Vec::new());
    }
    let Followers { events, tasks } = moved.follow(tx, by).await?;
    match tasks.is_empty() {
        true => event::append(tx.conn(), &events).await?,
        false => task::insert(tx.conn(), &tasks, by.at, &events).await?,
    }
    Ok(tasks.iter().map(NewTaskRow::hint).collect())
}
