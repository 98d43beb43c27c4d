//! Limits per client: bytes of bodies, requests, live streams, connections. Each node counts for
//! itself.

pub mod admission;
pub mod budget;
pub mod connections;
pub mod rate;
pub mod render_slots;
pub mod streams;
pub mod uploads;

use crate::process::config::Limits;
use budget::Budget;
use domain::{AccountId, DomainError};
use rate::TokenBuckets;
use render_slots::RenderSlots;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use streams::Streams;

/// Memory for bodies of clients without authentication, and for texts whose session has ended, bytes
/// each.
const ANONYMOUS_BYTES: usize = 8 * 1024 * 1024;
/// Memory for bodies of authenticated clients, bytes.
const AUTHENTICATED_BYTES: usize = 48 * 1024 * 1024;
/// Memory for uploads, bytes: two of the largest, or many small ones.
const UPLOAD_BYTES: usize = 42 * 1024 * 1024;
/// Size of a burst of requests, in seconds of the allowed rate.
const BURST_SECONDS: u32 = 10;
const DAY: Duration = Duration::from_secs(24 * 3_600);

/// Kind of client of an account. Each has its own rate limit, so that a faulty program cannot lock
/// out the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClientKind {
    /// Authenticated by a token.
    Program,
    /// Authenticated by a session.
    Browser,
}

/// Resource usage of all clients of this node, and its limits. Shared by all requests.
pub struct Usage {
    /// Memory for bodies of clients without authentication.
    pub anonymous: Budget,
    /// Memory for texts whose session has ended.
    pub after_session: Budget,
    /// Memory for bodies of authenticated clients.
    pub authenticated: Budget,
    /// Memory for uploads of files.
    pub uploads: Budget,
    /// Live streams.
    pub streams: Arc<Streams>,
    /// Slots for rendering pages.
    pub render_slots: RenderSlots,
    requests: TokenBuckets<(AccountId, ClientKind)>,
    written: TokenBuckets<AccountId>,
}

impl Usage {
    /// Returns the limits without any usage.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        let (requests, mib) = (f64::from(limits.requests_per_second), f64::from(limits.mib_per_day));
        let day = mib * 1024.0 * 1024.0;
        Self {
            anonymous: Budget::new(ANONYMOUS_BYTES),
            after_session: Budget::new(ANONYMOUS_BYTES),
            authenticated: Budget::new(AUTHENTICATED_BYTES),
            uploads: Budget::new(UPLOAD_BYTES),
            streams: Arc::new(Streams::new(limits.streams_per_person)),
            render_slots: RenderSlots::default(),
            requests: TokenBuckets::new(requests * f64::from(BURST_SECONDS), requests),
            written: TokenBuckets::new(day, day / DAY.as_secs_f64()),
        }
    }

    /// Counts a request of this account.
    pub fn request(&self, account: AccountId, kind: ClientKind) -> Result<(), DomainError> {
        self.requests.take(&(account, kind), 1.0, Instant::now()).map_err(too_many)
    }

    /// Counts the bytes of a body sent by this account.
    pub fn write(&self, account: AccountId, bytes: usize) -> Result<(), DomainError> {
        // No body is larger than 4 GiB.
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        self.written.take(&account, f64::from(bytes), Instant::now()).map_err(too_many)
    }
}

fn too_many(wait: Duration) -> DomainError {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    DomainError::TooMany { seconds: u32::try_from(seconds).unwrap_or(u32::MAX).max(1) }
}
