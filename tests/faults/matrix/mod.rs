//! The fault matrix: one misfortune after the other over processes of the built program, judged by witnesses that are no part of
//! it. One file a noun. What must be noticed is first shown to be noticed.
//!
//! `FAULTS_LONG=1` plays each with as many items as `docs/FAULTS.md` names in brackets; else as CI does.

#![expect(clippy::unwrap_used, reason = "a scene that cannot be played fails by a panic")]

mod abort;
mod clock;
mod copy;
mod cut;
mod disk;
mod failover;
mod flash;
mod hall;
mod herd;
mod hints;
mod outage;
mod point;
mod race;
mod repeat;
mod shards;
mod takeover;
mod watch;

use crate::number;
use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard};

/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(30);
/// How long something that must come is waited for.
const PATIENCE: Duration = Duration::from_secs(40);

/// Scenes that would each keep all processors for themselves.
static GREEDY: Mutex<()> = Mutex::const_new(());

/// Those are played one after the other.
async fn alone() -> MutexGuard<'static, ()> {
    GREEDY.lock().await
}

/// So many items: fewer unless somebody asks for all.
fn items(few: usize, all: usize) -> usize {
    if number("FAULTS_LONG").is_some() { all } else { few }
}
