//! State shared by the services: the context of the engine, the transports with their settings, and what
//! features do for each other.

use crate::{
    files::{MediaFiles, MediaFolder, import_folder::ImportFolder},
    kinds::{self, TaskKind, TaskKinds},
    senders::Senders,
};
use domain::{Actor, Clock, DomainError, Timestamp};
use engine::Context;
pub use engine::context::{
    DEFAULT_BATCH_SIZE, DEFAULT_WINDOW_MS, PREVIOUS_BUCKETS_MARGIN_MS, WINDOW_MARGIN_MS,
};
use futures::future::BoxFuture;
use queue::Hints;
use std::{
    ops::{Deref, DerefMut},
    path::Path,
    sync::Arc,
};
use store::{
    Store, StoreError, Tx, execute::SideEffects, owner_tasks::CancelledMeeting, task_list::TaskListRow,
};
use tokio::sync::Notify;

/// Result of a hook.
pub type HookFuture<'a, T, E = DomainError> = BoxFuture<'a, Result<T, E>>;

/// What features do for features that do not know them. The server passes it to [`AppState::new`].
pub struct Hooks {
    /// The task kinds of this release.
    pub kinds: &'static [&'static dyn TaskKind],
    /// Lets reviews follow tasks that were rescheduled together.
    pub follow_schedules:
        for<'a> fn(parts: &'a AppState, actor: &'a Actor, tasks: &'a [&'a TaskListRow]) -> BoxFuture<'a, ()>,
    /// Refuses texts that the content review blocks.
    pub check_texts: for<'a> fn(parts: &'a AppState, texts: &'a [&'a str]) -> HookFuture<'a, ()>,
    /// Whether the secret of a review link allows to read the file with this hash.
    pub may_read_file:
        for<'a> fn(parts: &'a AppState, secret: &'a str, hash: &'a str) -> HookFuture<'a, bool>,
    /// Does what follows when meetings were cancelled with the account of their organizer. `bucket`: shard of
    /// the hints of the new tasks.
    pub follow_cancelled: for<'a> fn(
        tx: &'a mut Tx,
        cancelled: &'a [CancelledMeeting],
        bucket: u16,
        at: Timestamp,
    ) -> HookFuture<'a, SideEffects, StoreError>,
}

/// State shared by the services. Cheap to clone. Fields of the engine's context are reached
/// directly: `state.store`.
#[derive(Clone)]
pub struct AppState {
    /// Context of the engine loops.
    pub context: Context,
    /// Senders for all transports, with the egress rules and the key of the channels' secrets.
    pub senders: Arc<Senders>,
    /// Files of the media library.
    pub media: MediaFiles,
    /// Folder of uploaded exports.
    pub imports: ImportFolder,
    /// What features do for features that do not know them.
    pub hooks: &'static Hooks,
    /// Notified when a text with links was saved, whose pages are to be read.
    pub links_asked: Arc<Notify>,
}

impl AppState {
    /// Returns a state with new engine status and live stream, the default window, and senders
    /// without secrets. Registers the task kinds of `hooks`.
    #[must_use]
    pub fn new(
        store: Store,
        hints: Arc<dyn Hints>,
        clock: Arc<dyn Clock>,
        node: &str,
        hooks: &'static Hooks,
    ) -> Self {
        kinds::register_all(hooks.kinds);
        let senders = Arc::<Senders>::default();
        let parts = (Arc::new(TaskKinds) as _, Arc::clone(&senders) as _);
        let mut context = Context::new(store, hints, clock, node, parts);
        context.execution.on_done = crate::process::telemetry::ways;
        let data = Path::new("data");
        let media = MediaFiles::Folder(MediaFolder::in_data(data));
        let imports = ImportFolder::in_data(data);
        Self { context, senders, media, imports, hooks, links_asked: Arc::default() }
    }

    /// Returns the state with these senders.
    #[must_use]
    pub fn with_senders(mut self, senders: Arc<Senders>) -> Self {
        self.context.sender = Arc::clone(&senders) as _;
        Self { senders, ..self }
    }

    /// See [`Context::by_cautious_clock`].
    #[must_use]
    pub fn by_cautious_clock(&self) -> Self {
        Self {
            context: self.context.by_cautious_clock(),
            senders: Arc::clone(&self.senders),
            media: self.media.clone(),
            imports: self.imports.clone(),
            hooks: self.hooks,
            links_asked: Arc::clone(&self.links_asked),
        }
    }
}

impl Deref for AppState {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.context
    }
}

impl DerefMut for AppState {
    fn deref_mut(&mut self) -> &mut Context {
        &mut self.context
    }
}
