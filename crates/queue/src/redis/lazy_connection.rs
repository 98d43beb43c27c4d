//! A connection to Redis that is opened on first use and reopened after a failure.

use crate::{
    QueueError, health,
    redis::{
        breaker::{Breaker, Permit},
        connection::Connection,
        endpoint::{CONNECT_TIMEOUT, Endpoint, RESPONSE_TIMEOUT},
    },
};
use redis::{AsyncConnectionConfig, ErrorKind, RedisError, RedisResult};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::Handle;

/// One connection, shared by all its users.
pub(crate) struct LazyConnection {
    endpoint: Arc<Endpoint>,
    breaker: Arc<Breaker>,
    current: Mutex<Option<Connection>>,
    connecting: tokio::sync::Mutex<()>,
    /// The runtime in which this value was created. It drives the connection, so that a caller on a
    /// busy runtime cannot delay it.
    home: Option<Handle>,
}

impl LazyConnection {
    /// Returns a value that connects on first use.
    pub(crate) fn new(endpoint: Arc<Endpoint>, breaker: Arc<Breaker>) -> Self {
        let home = Handle::try_current().ok();
        Self { endpoint, breaker, current: Mutex::new(None), connecting: tokio::sync::Mutex::new(()), home }
    }

    /// Returns the connection: immediately if it is open, otherwise within one or two seconds.
    pub(crate) async fn get(&self) -> Result<Connection, QueueError> {
        match self.breaker.permit() {
            Permit::Closed => {}
            Permit::HalfOpen => *self.slot() = None,
            Permit::Open => {
                return Err(self.breaker.why().map_or(QueueError::CircuitOpen, QueueError::Untrusted));
            }
        }
        if let Some(open) = self.current() {
            return Ok(open);
        }
        let _guard = self.connecting.lock().await;
        if let Some(open) = self.current() {
            return Ok(open);
        }
        let fresh = self.connect().await?;
        *self.slot() = Some(fresh.clone());
        Ok(fresh)
    }

    /// Records the result of a command, and drops the connection if it is broken.
    pub(crate) fn record<T>(&self, result: RedisResult<T>) -> Result<T, QueueError> {
        match result {
            Ok(value) => {
                self.breaker.succeeded();
                Ok(value)
            }
            Err(error) => {
                self.breaker.failed();
                let is_error_response = matches!(error.kind(), ErrorKind::Server(_) | ErrorKind::Extension);
                let mut current = self.slot();
                // A cluster connection finds the remaining nodes by itself; a connection to a
                // single server is broken.
                if !is_error_response && matches!(*current, Some(Connection::Single(_))) {
                    *current = None;
                }
                Err(to_queue_error(error))
            }
        }
    }

    async fn connect(&self) -> Result<Connection, QueueError> {
        let mut fresh =
            self.record(self.on_home_runtime(connect_to_first(Arc::clone(&self.endpoint))).await)?;
        let mut infos = self.record(fresh.infos().await)?;
        if infos.iter().any(|info| health::is_cluster(info)) && matches!(fresh, Connection::Single(_)) {
            let endpoint = Arc::clone(&self.endpoint);
            let cluster = self.on_home_runtime(async move { endpoint.cluster().await }).await;
            fresh = Connection::Cluster(self.record(cluster)?);
            infos = self.record(fresh.infos().await)?;
        }
        if let Some(issue) = infos.iter().find_map(|info| health::eviction_issue(info)) {
            self.breaker.open(issue.clone());
            return Err(QueueError::Untrusted(issue));
        }
        Ok(fresh)
    }

    /// Runs a connect operation in the runtime in which this value was created.
    async fn on_home_runtime<T: Send + 'static>(
        &self,
        connect: impl Future<Output = RedisResult<T>> + Send + 'static,
    ) -> RedisResult<T> {
        let Some(home) = &self.home else { return connect.await };
        let ended = |_| RedisError::from((ErrorKind::Io, "the runtime has ended"));
        home.spawn(connect).await.map_err(ended)?
    }

    fn current(&self) -> Option<Connection> {
        self.slot().clone()
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<Connection>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Connects to the first server that can be reached.
async fn connect_to_first(endpoint: Arc<Endpoint>) -> RedisResult<Connection> {
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(CONNECT_TIMEOUT))
        .set_response_timeout(Some(RESPONSE_TIMEOUT));
    let mut last = None;
    for client in endpoint.clients().await? {
        match client.get_multiplexed_async_connection_with_config(&config).await {
            Ok(fresh) => return Ok(Connection::Single(fresh)),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| RedisError::from((ErrorKind::InvalidClientConfig, "no address"))))
}

pub(crate) fn to_queue_error(error: RedisError) -> QueueError {
    // For a pipeline, the first failed command gives the reason.
    let all = error.clone().into_server_errors();
    let first = all.iter().flat_map(|all| all.iter()).map(|(_, one)| one.code()).next();
    match first.or(error.code()).and_then(health::error_issue) {
        Some(issue) => QueueError::Rejected(issue),
        None => QueueError::Unavailable(Box::new(error)),
    }
}
