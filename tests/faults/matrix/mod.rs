//! Scenarios with one named fault each on processes of the built program. Each first shows that it
//! detects violations. None asserts how long something takes.

mod burst;
mod client_abort;
mod database_copy;
mod idempotency;
mod invented_hints;
mod lost_responses;
mod race;
mod shared_outage;
