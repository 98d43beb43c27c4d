//! A connection to the server that is made when it is needed and thrown away when it fails.

use crate::{
    QueueError,
    breaker::{Breaker, Leave},
    health,
    place::{ANSWER, CONNECT, Place},
    wire::Wire,
};
use redis::{AsyncConnectionConfig, ErrorKind, RedisError, RedisResult};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::Handle;

/// One connection, shared by all who ask over it.
pub(crate) struct Link {
    place: Arc<Place>,
    breaker: Arc<Breaker>,
    live: Mutex<Option<Wire>>,
    connecting: tokio::sync::Mutex<()>,
    /// The runtime on which the link was made. It drives the connection, whoever asks first: another may be kept busy.
    home: Option<Handle>,
}

impl Link {
    /// A link that connects at its first use.
    pub(crate) fn new(place: Arc<Place>, breaker: Arc<Breaker>) -> Self {
        let home = Handle::try_current().ok();
        Self { place, breaker, live: Mutex::new(None), connecting: tokio::sync::Mutex::new(()), home }
    }

    /// The connection; at once if there is one, within a second or two otherwise.
    pub(crate) async fn connection(&self) -> Result<Wire, QueueError> {
        match self.breaker.leave() {
            Leave::Ask => {}
            Leave::Try => *self.slot() = None,
            Leave::Rest => return Err(self.breaker.why().map_or(QueueError::Open, QueueError::Untrusted)),
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
                let is_answer = matches!(error.kind(), ErrorKind::Server(_) | ErrorKind::Extension);
                let mut live = self.slot();
                // A cluster's connection finds the nodes that are left; a server's is of no use any more.
                if !is_answer && matches!(*live, Some(Wire::One(_))) {
                    *live = None;
                }
                Err(away(error))
            }
        }
    }

    async fn connect(&self) -> Result<Wire, QueueError> {
        let mut fresh = self.settle(self.at_home(reach(Arc::clone(&self.place))).await)?;
        let mut told = self.settle(fresh.info().await)?;
        if told.iter().any(|info| health::is_cluster(info)) && matches!(fresh, Wire::One(_)) {
            let place = Arc::clone(&self.place);
            let whole = self.at_home(async move { place.cluster().await }).await;
            fresh = Wire::Many(self.settle(whole)?);
            told = self.settle(fresh.info().await)?;
        }
        if let Some(fault) = told.iter().find_map(|info| health::evicts(info)) {
            self.breaker.open(fault.clone());
            return Err(QueueError::Untrusted(fault));
        }
        Ok(fresh)
    }

    /// Connects on the runtime on which the link was made.
    async fn at_home<T: Send + 'static>(
        &self,
        connect: impl Future<Output = RedisResult<T>> + Send + 'static,
    ) -> RedisResult<T> {
        let Some(home) = &self.home else { return connect.await };
        let ended = |_| RedisError::from((ErrorKind::Io, "the runtime has ended"));
        home.spawn(connect).await.map_err(ended)?
    }

    fn live(&self) -> Option<Wire> {
        self.slot().clone()
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<Wire>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first server that can be reached.
async fn reach(place: Arc<Place>) -> RedisResult<Wire> {
    let config =
        AsyncConnectionConfig::new().set_connection_timeout(Some(CONNECT)).set_response_timeout(Some(ANSWER));
    let mut last = None;
    for client in place.clients().await? {
        match client.get_multiplexed_async_connection_with_config(&config).await {
            Ok(fresh) => return Ok(Wire::One(fresh)),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| RedisError::from((ErrorKind::InvalidClientConfig, "no address"))))
}

pub(crate) fn away(error: RedisError) -> QueueError {
    // Of a pipeline the first that failed says why.
    let all = error.clone().into_server_errors();
    let first = all.iter().flat_map(|all| all.iter()).map(|(_, one)| one.code()).next();
    match first.or(error.code()).and_then(health::refusal) {
        Some(fault) => QueueError::Refused(fault),
        None => QueueError::Away(Box::new(error)),
    }
}
