//! State shared by the services: the context of the engine, and the transports with their settings.

use crate::{
    files::{MediaFiles, MediaFolder, import_folder::ImportFolder},
    kinds::{self, TaskKind, TaskKinds},
    senders::Senders,
};
use domain::Clock;
use engine::Context;
pub use engine::context::{
    DEFAULT_BATCH_SIZE, DEFAULT_WINDOW_MS, PREVIOUS_BUCKETS_MARGIN_MS, WINDOW_MARGIN_MS,
};
use queue::Hints;
use std::{
    ops::{Deref, DerefMut},
    path::Path,
    sync::Arc,
};
use store::Store;

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
}

impl AppState {
    /// Returns a state with new engine status and live stream, the default window, and senders
    /// without secrets. Registers the task kinds `own` of this release.
    #[must_use]
    pub fn new(
        store: Store,
        hints: Arc<dyn Hints>,
        clock: Arc<dyn Clock>,
        node: &str,
        own: &'static [&'static dyn TaskKind],
    ) -> Self {
        kinds::register_all(own);
        let senders = Arc::<Senders>::default();
        let parts = (Arc::new(TaskKinds) as _, Arc::clone(&senders) as _);
        let mut context = Context::new(store, hints, clock, node, parts);
        context.execution.on_done = crate::process::telemetry::ways;
        let data = Path::new("data");
        let media = MediaFiles::Folder(MediaFolder::in_data(data));
        Self { context, senders, media, imports: ImportFolder::in_data(data) }
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
