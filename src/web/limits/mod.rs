//! What each client may use of this node: bytes of bodies, requests, live streams, connections. All of it is counted in this
//! process alone; other nodes count for themselves.

pub mod budget;
pub mod clients;
pub mod rate;
pub mod streams;
pub mod turns;

use crate::config::Limits;
use budget::Budget;
use domain::{PersonId, Refusal};
use rate::Buckets;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use streams::Streams;
use turns::Turns;

/// Bytes of bodies of clients that are not logged in, in memory at once.
const STRANGERS_BYTES: usize = 8 * 1024 * 1024;
/// Bytes of bodies of people and their programs, in memory at once.
const MEMBERS_BYTES: usize = 48 * 1024 * 1024;
/// How many seconds' worth of requests may come at once.
const BURST_SECONDS: u32 = 10;
const DAY: Duration = Duration::from_secs(24 * 3_600);

/// How a person reaches the desk: a program of theirs that runs wild does not lock their browser out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum By {
    /// A token.
    Program,
    /// A session.
    Browser,
}

/// What clients use of this node, and what they may. Shared by all requests.
pub struct Usage {
    /// Bodies of clients that are not logged in.
    pub strangers: Budget,
    /// Bodies of people and their programs.
    pub members: Budget,
    /// Live streams.
    pub streams: Arc<Streams>,
    /// Turns at rendering pages.
    pub pages: Turns,
    requests: Buckets<(PersonId, By)>,
    written: Buckets<PersonId>,
}

impl Usage {
    /// Nothing is used yet.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        let (requests, mib) = (f64::from(limits.requests_per_second), f64::from(limits.mib_per_day));
        let day = mib * 1024.0 * 1024.0;
        Self {
            strangers: Budget::new(STRANGERS_BYTES),
            members: Budget::new(MEMBERS_BYTES),
            streams: Arc::new(Streams::new(limits.streams_per_person)),
            pages: Turns::default(),
            requests: Buckets::new(requests * f64::from(BURST_SECONDS), requests),
            written: Buckets::new(day, day / DAY.as_secs_f64()),
        }
    }

    /// Counts a request of this person.
    pub fn request(&self, person: PersonId, by: By) -> Result<(), Refusal> {
        self.requests.take(&(person, by), 1.0, Instant::now()).map_err(too_many)
    }

    /// Counts what this person sent.
    pub fn write(&self, person: PersonId, bytes: usize) -> Result<(), Refusal> {
        // No body is larger than 4 GiB.
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        self.written.take(&person, f64::from(bytes), Instant::now()).map_err(too_many)
    }
}

fn too_many(wait: Duration) -> Refusal {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    Refusal::TooMany { seconds: u32::try_from(seconds).unwrap_or(u32::MAX).max(1) }
}
