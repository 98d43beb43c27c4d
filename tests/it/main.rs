//! Integration tests of the whole server: the real router on a free port, real SQLite and PostgreSQL,
//! hints in the process and in Redis.
//!
//! One module per feature. `on_both!(name, …)` runs a test on both backends: see `test_server`.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod accounts;
mod articles;
mod calendar;
mod deliveries;
mod engine;
mod http;
mod meetings;
mod messages;
mod operations;
mod reminders;
mod rules;
mod series;
mod support;
mod tasks;

pub(crate) use engine::{engine_page, nodes};
pub(crate) use support::{http_client, new_task, program, raw_http, sse_client, test_server};
