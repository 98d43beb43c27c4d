//! Connections, timeouts, failover and crashes.

mod begin;
mod change_watch;
mod crashes;
mod failover;
mod pg_timeouts;
