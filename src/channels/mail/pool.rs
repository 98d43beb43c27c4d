//! Connections to mail servers that are kept for the next mail.

use crate::channels::Letter;
use domain::{
    Timestamp,
    channel::{MailRoute, Security},
};
use lettre::transport::smtp::client::AsyncSmtpConnection;
use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::timeout;

/// How long a connection is kept that nobody uses, milliseconds. Servers wait five minutes at least (RFC 5321, 4.5.3.2.7).
const IDLE_MS: i64 = 30_000;
/// So many are kept.
const MOST: usize = 32;
/// How long a kept one may take to show that it lives.
const ALIVE: Duration = Duration::from_secs(2);

/// A server, and who is logged in there.
#[derive(Clone, PartialEq, Eq)]
pub struct Peer {
    server: String,
    port: u16,
    security: Security,
    login: Option<(String, Option<String>)>,
}

impl Peer {
    /// Where a letter goes.
    pub fn of(route: &MailRoute, letter: &Letter) -> Self {
        Self {
            server: route.server.clone(),
            port: route.port,
            security: route.security,
            login: route.user.clone().map(|user| (user, letter.secret().map(str::to_owned))),
        }
    }
}

struct Kept {
    peer: Peer,
    connection: AsyncSmtpConnection,
    used_at: Timestamp,
}

/// The kept connections.
#[derive(Default)]
pub struct Pool(Mutex<Vec<Kept>>);

/// It knows passwords, which nobody is to read.
impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pool")
    }
}

impl Pool {
    /// A connection to this peer that answers, logged in. If it does not, the others are not waited for: all of them are closed.
    pub async fn take(&self, peer: &Peer, now: Timestamp) -> Option<AsyncSmtpConnection> {
        let mut connection = self.youngest(peer, now)?;
        if matches!(timeout(ALIVE, connection.test_connected()).await, Ok(true)) {
            return Some(connection);
        }
        self.kept(now).retain(|one| one.peer != *peer);
        None
    }

    /// Keeps a connection on which nothing is under way; the oldest goes if there are too many.
    pub fn put(&self, peer: Peer, connection: AsyncSmtpConnection, now: Timestamp) {
        let mut kept = self.kept(now);
        if kept.len() >= MOST {
            kept.remove(0);
        }
        kept.push(Kept { peer, connection, used_at: now });
    }

    fn youngest(&self, peer: &Peer, now: Timestamp) -> Option<AsyncSmtpConnection> {
        let mut kept = self.kept(now);
        let place = kept.iter().rposition(|one| one.peer == *peer)?;
        Some(kept.remove(place).connection)
    }

    /// All that have been used a moment ago; the others are closed.
    fn kept(&self, now: Timestamp) -> MutexGuard<'_, Vec<Kept>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|one| now.since(one.used_at) < IDLE_MS);
        kept
    }
}
