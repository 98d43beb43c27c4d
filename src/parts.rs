//! What the use cases and the loops are built from.

use domain::Clock;
use queue::Hints;
use std::sync::Arc;
use store::Store;
use tokio::sync::Notify;

/// What the use cases and the loops share. Cheap to clone.
#[derive(Clone)]
pub struct Parts {
    /// The truth.
    pub store: Store,
    /// The hints.
    pub hints: Arc<dyn Hints>,
    /// The only source of "now".
    pub clock: Arc<dyn Clock>,
    /// Rung after every commit that wrote events; the live stream's tail waits on it.
    pub committed: Arc<Notify>,
    /// Name of this process in execution rows and the log.
    pub node: Arc<str>,
}
