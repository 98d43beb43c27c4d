//! Pool of connections to mail servers.

use crate::senders::OutboundMessage;
use domain::{
    Timestamp,
    channel::{MailEndpoint, MailSecurity},
};
use lettre::transport::smtp::client::AsyncSmtpConnection;
use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::timeout;

/// How long an unused connection is kept, milliseconds. Servers wait at least five minutes (RFC
/// 5321, 4.5.3.2.7).
const IDLE_TIMEOUT_MS: i64 = 30_000;
/// Maximum number of pooled connections.
const MAX_CONNECTIONS: usize = 32;
/// Timeout for checking that a pooled connection works.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

/// A mail server and its login.
#[derive(Clone, PartialEq, Eq)]
pub struct Peer {
    server: String,
    port: u16,
    security: MailSecurity,
    login: Option<(String, Option<String>)>,
}

impl Peer {
    /// The server and login of a message.
    pub fn of(route: &MailEndpoint, outbound: &OutboundMessage) -> Self {
        Self {
            server: route.host.clone(),
            port: route.port,
            security: route.security,
            login: route.username.clone().map(|user| (user, outbound.secret().map(str::to_owned))),
        }
    }
}

struct PooledConnection {
    peer: Peer,
    connection: AsyncSmtpConnection,
    used_at: Timestamp,
}

/// The pooled connections.
#[derive(Default)]
pub struct Pool(Mutex<Vec<PooledConnection>>);

/// Hides the content, which includes passwords.
impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pool")
    }
}

impl Pool {
    /// Returns a working, logged-in connection to this peer. If the newest one does not respond,
    /// closes all of them.
    pub async fn take(&self, peer: &Peer, now: Timestamp) -> Option<AsyncSmtpConnection> {
        let mut connection = self.newest(peer, now)?;
        if matches!(timeout(CHECK_TIMEOUT, connection.test_connected()).await, Ok(true)) {
            return Some(connection);
        }
        self.kept(now).retain(|one| one.peer != *peer);
        None
    }

    /// Returns an idle connection to the pool; the oldest is closed if there are too many.
    pub fn put(&self, peer: Peer, connection: AsyncSmtpConnection, now: Timestamp) {
        let mut kept = self.kept(now);
        if kept.len() >= MAX_CONNECTIONS {
            kept.remove(0);
        }
        kept.push(PooledConnection { peer, connection, used_at: now });
    }

    fn newest(&self, peer: &Peer, now: Timestamp) -> Option<AsyncSmtpConnection> {
        let mut kept = self.kept(now);
        let place = kept.iter().rposition(|one| one.peer == *peer)?;
        Some(kept.remove(place).connection)
    }

    /// Locks the pool and closes connections that are idle for too long.
    fn kept(&self, now: Timestamp) -> MutexGuard<'_, Vec<PooledConnection>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|one| now.since(one.used_at) < IDLE_TIMEOUT_MS);
        kept
    }
}
