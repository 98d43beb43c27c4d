//! Circuit breaker for Redis. After several failures no request is sent, except a probe by one
//! caller every few seconds.

use domain::health::IssueDetail;
use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tokio::time::Instant;

/// Number of consecutive failures that open the circuit.
const MAX_CONSECUTIVE_FAILURES: u32 = 3;
/// Failures over this period open the circuit, whatever their number.
const MAX_FAILURE_PERIOD: Duration = Duration::from_secs(2);
/// How long the circuit stays open before one caller may probe.
const OPEN_DURATION: Duration = Duration::from_secs(5);

/// Whether a caller may send a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permit {
    /// The circuit is closed: it may.
    Closed,
    /// The circuit is half-open: this caller probes, over a new connection, because the old one is
    /// probably dead.
    HalfOpen,
    /// The circuit is open: it may not.
    Open,
}

/// Circuit breaker shared by all connections to one server.
#[derive(Debug, Default)]
pub(crate) struct Breaker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    failures: u32,
    first_failure: Option<Instant>,
    open_until: Option<Instant>,
    why: Option<IssueDetail>,
}

impl Breaker {
    /// Returns whether the caller may send a request. While the circuit is open, one caller every
    /// five seconds may probe.
    pub(crate) fn permit(&self) -> Permit {
        let (mut state, now) = (self.state(), Instant::now());
        match state.open_until {
            Some(until) if now < until => Permit::Open,
            Some(_) => {
                state.open_until = Some(now + OPEN_DURATION);
                Permit::HalfOpen
            }
            None => Permit::Closed,
        }
    }

    /// Records a response and closes the circuit.
    pub(crate) fn succeeded(&self) {
        *self.state() = State::default();
    }

    /// Records a failure: no response, or an error.
    pub(crate) fn failed(&self) {
        let (mut state, now) = (self.state(), Instant::now());
        state.failures += 1;
        let first = *state.first_failure.get_or_insert(now);
        if state.failures >= MAX_CONSECUTIVE_FAILURES || now - first >= MAX_FAILURE_PERIOD {
            state.open_until = Some(now + OPEN_DURATION);
        }
    }

    /// Opens the circuit although the server responds: `why`.
    pub(crate) fn open(&self, why: IssueDetail) {
        let mut state = self.state();
        state.open_until = Some(Instant::now() + OPEN_DURATION);
        state.why = Some(why);
    }

    /// Why the circuit was opened, if not by failures.
    pub(crate) fn why(&self) -> Option<IssueDetail> {
        self.state().why.clone()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_failures_open_it_and_a_success_between_does_not_count() {
        let breaker = Breaker::default();
        breaker.failed();
        breaker.failed();
        breaker.succeeded();
        breaker.failed();
        breaker.failed();
        assert_eq!(breaker.permit(), Permit::Closed);
        breaker.failed();
        assert_eq!(breaker.permit(), Permit::Open);
        breaker.succeeded();
        assert_eq!(breaker.permit(), Permit::Closed);
    }

    #[tokio::test(start_paused = true)]
    async fn while_it_is_open_one_caller_may_ask_every_five_seconds() {
        let breaker = Breaker::default();
        breaker.open(IssueDetail::RedisFull);
        assert_eq!(breaker.why(), Some(IssueDetail::RedisFull));
        tokio::time::advance(OPEN_DURATION).await;
        assert_eq!([breaker.permit(), breaker.permit()], [Permit::HalfOpen, Permit::Open]);
        tokio::time::advance(OPEN_DURATION).await;
        assert_eq!(breaker.permit(), Permit::HalfOpen);
    }
}
