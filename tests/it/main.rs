//! Integration tests of the whole server: the real router on a free port, real SQLite and PostgreSQL,
//! hints in the process and in Redis. Fault injection and the simulation are modules of the same
//! program, because each program links the whole server once more.
//!
//! One module per feature. `on_both!(name, …)` runs a test on both backends: see `test_server`.

#![allow(clippy::string_slice, reason = "a test fails by a panic")]
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod accounts;
mod articles;
mod calendar;
mod deliveries;
mod engine;
#[path = "../faults/mod.rs"]
mod faults;
mod http;
mod meetings;
mod messages;
mod operations;
mod reminders;
mod rules;
mod series;
#[path = "../simulation/mod.rs"]
mod simulation;
mod support;
mod tasks;

pub(crate) use engine::{engine_page, nodes};
pub(crate) use support::{http_client, new_task, program, raw_http, sse_client, test_server};
