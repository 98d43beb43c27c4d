//! The circuit breaker: after a few failures the server is left alone, and asked again now and then by one caller.

use domain::fault::Fault;
use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tokio::time::Instant;

/// So many failures in a row open it.
const FAILURES: u32 = 3;
/// So long a row of failures opens it.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long it stays open before one caller may try.
const REST: Duration = Duration::from_secs(5);

/// Whether a caller may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leave {
    /// It may.
    Ask,
    /// It is the one that tries after a rest: over a new connection, an old one is dead by now.
    Try,
    /// Not now.
    Rest,
}

/// Whether the server may be asked.
#[derive(Debug, Default)]
pub(crate) struct Breaker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    failures: u32,
    first_failure: Option<Instant>,
    open_until: Option<Instant>,
    why: Option<Fault>,
}

impl Breaker {
    /// Whether the caller may ask. While it is open: one caller every five seconds.
    pub(crate) fn leave(&self) -> Leave {
        let (mut state, now) = (self.state(), Instant::now());
        match state.open_until {
            Some(until) if now < until => Leave::Rest,
            Some(_) => {
                state.open_until = Some(now + REST);
                Leave::Try
            }
            None => Leave::Ask,
        }
    }

    /// The server answered.
    pub(crate) fn succeeded(&self) {
        *self.state() = State::default();
    }

    /// The server did not answer, or refused.
    pub(crate) fn failed(&self) {
        let (mut state, now) = (self.state(), Instant::now());
        state.failures += 1;
        let first = *state.first_failure.get_or_insert(now);
        if state.failures >= FAILURES || now - first >= PATIENCE {
            state.open_until = Some(now + REST);
        }
    }

    /// The server must not be used for now, whatever it answers: `why`.
    pub(crate) fn open(&self, why: Fault) {
        let mut state = self.state();
        state.open_until = Some(Instant::now() + REST);
        state.why = Some(why);
    }

    /// Why the server must not be used, if it is not that it did not answer.
    pub(crate) fn why(&self) -> Option<Fault> {
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
        assert_eq!(breaker.leave(), Leave::Ask);
        breaker.failed();
        assert_eq!(breaker.leave(), Leave::Rest);
        breaker.succeeded();
        assert_eq!(breaker.leave(), Leave::Ask);
    }

    #[tokio::test(start_paused = true)]
    async fn while_it_is_open_one_caller_may_ask_every_five_seconds() {
        let breaker = Breaker::default();
        breaker.open(Fault::HintsFull);
        assert_eq!(breaker.why(), Some(Fault::HintsFull));
        tokio::time::advance(REST).await;
        assert_eq!([breaker.leave(), breaker.leave()], [Leave::Try, Leave::Rest]);
        tokio::time::advance(REST).await;
        assert_eq!(breaker.leave(), Leave::Try);
    }
}
