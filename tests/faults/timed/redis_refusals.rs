//! Redis loses its scripts, refuses writes and has values of the wrong type while many tasks are
//! due (F15, F16, F18, F19).

use crate::faults::redis_faults::{EVICTS, FLUSHES_SCRIPTS, IS_FULL, WRONG_TYPE, check};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_published_once_and_in_time_whatever_redis_refuses() {
    // Faults with error responses come last: they open the circuit breaker for 5 s.
    check(&[FLUSHES_SCRIPTS, IS_FULL, EVICTS, WRONG_TYPE]).await;
}
