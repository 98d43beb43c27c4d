//! A connection to the server that is made when it is needed and thrown away when it fails.

use crate::{
    QueueError,
    breaker::{Breaker, Leave},
    health,
};
use redis::{
    AsyncConnectionConfig, Client, ConnectionInfo, ErrorKind, IntoConnectionInfo, RedisError, RedisResult,
    aio::MultiplexedConnection, io::tcp::TcpSettings,
};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Longest time for one answer.
const ANSWER: Duration = Duration::from_millis(500);
/// Longest time to connect.
pub(crate) const CONNECT: Duration = Duration::from_secs(1);

/// The address with the settings every connection has.
pub(crate) fn client(url: &str) -> Result<Client, QueueError> {
    let odd = |error: RedisError| QueueError::Address(error.to_string());
    let info: ConnectionInfo = url.into_connection_info().map_err(odd)?;
    // Off by default in this version of the client: each command would wait for the acknowledgement of the one before.
    let info = info.set_tcp_settings(TcpSettings::default().set_nodelay(true));
    Client::open(info).map_err(odd)
}

/// One connection, shared by all who ask over it.
#[derive(Debug)]
pub(crate) struct Link {
    client: Client,
    breaker: Arc<Breaker>,
    live: Mutex<Option<MultiplexedConnection>>,
    connecting: tokio::sync::Mutex<()>,
}

impl Link {
    /// A link that connects at its first use.
    pub(crate) fn new(client: Client, breaker: Arc<Breaker>) -> Self {
        Self { client, breaker, live: Mutex::new(None), connecting: tokio::sync::Mutex::new(()) }
    }

    /// The connection; at once if there is one, within a second otherwise.
    pub(crate) async fn connection(&self) -> Result<MultiplexedConnection, QueueError> {
        match self.breaker.leave() {
            Leave::Ask => {}
            Leave::Try => *self.slot() = None,
            Leave::Rest => return Err(QueueError::Open),
        }
        if let Some(live) = self.live() {
            return Ok(live);
        }
        let _one = self.connecting.lock().await;
        if let Some(live) = self.live() {
            return Ok(live);
        }
        let fresh = self.connect().await?;
        *self.slot() = Some(fresh.clone());
        Ok(fresh)
    }

    /// Notes how an answer went, and drops the connection if it cannot be used any more.
    pub(crate) fn settle<T>(&self, answer: RedisResult<T>) -> Result<T, QueueError> {
        match answer {
            Ok(value) => {
                self.breaker.succeeded();
                Ok(value)
            }
            Err(error) => {
                self.breaker.failed();
                if !matches!(error.kind(), ErrorKind::Server(_) | ErrorKind::Extension) {
                    *self.slot() = None;
                }
                Err(away(error))
            }
        }
    }

    async fn connect(&self) -> Result<MultiplexedConnection, QueueError> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT))
            .set_response_timeout(Some(ANSWER));
        let mut fresh =
            self.settle(self.client.get_multiplexed_async_connection_with_config(&config).await)?;
        let info: String = self.settle(redis::cmd("INFO").arg("memory").query_async(&mut fresh).await)?;
        if let Some(words) = health::evicts(&info) {
            self.breaker.open();
            return Err(QueueError::Untrusted(words));
        }
        Ok(fresh)
    }

    fn live(&self) -> Option<MultiplexedConnection> {
        self.slot().clone()
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<MultiplexedConnection>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn away(error: RedisError) -> QueueError {
    QueueError::Away(Box::new(error))
}
