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

/// One connection, shared by all who ask over it.
pub(crate) struct Link {
    place: Arc<Place>,
    breaker: Arc<Breaker>,
    live: Mutex<Option<Wire>>,
    connecting: tokio::sync::Mutex<()>,
}

impl Link {
    /// A link that connects at its first use.
    pub(crate) fn new(place: Arc<Place>, breaker: Arc<Breaker>) -> Self {
        Self { place, breaker, live: Mutex::new(None), connecting: tokio::sync::Mutex::new(()) }
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
        let mut fresh = self.settle(self.reach().await)?;
        let mut told = self.settle(fresh.info().await)?;
        if told.iter().any(|info| health::is_cluster(info)) && matches!(fresh, Wire::One(_)) {
            fresh = Wire::Many(self.settle(self.place.cluster().await)?);
            told = self.settle(fresh.info().await)?;
        }
        if let Some(fault) = told.iter().find_map(|info| health::evicts(info)) {
            self.breaker.open(fault.clone());
            return Err(QueueError::Untrusted(fault));
        }
        Ok(fresh)
    }

    /// The first server that can be reached.
    async fn reach(&self) -> RedisResult<Wire> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT))
            .set_response_timeout(Some(ANSWER));
        let mut last = None;
        for client in self.place.clients().await? {
            match client.get_multiplexed_async_connection_with_config(&config).await {
                Ok(fresh) => return Ok(Wire::One(fresh)),
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or_else(|| RedisError::from((ErrorKind::InvalidClientConfig, "no address"))))
    }

    fn live(&self) -> Option<Wire> {
        self.slot().clone()
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<Wire>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
