//! Integration tests of the whole server: the real router on a free port, real SQLite and PostgreSQL,
//! hints in the process and in Redis.
//!
//! One module per feature. `on_both!(name, …)` runs a test on both backends: see `test_server`.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod access;
mod accounts;
mod api;
mod articles;
mod attention;
mod audit;
mod backup;
mod buckets;
mod bulk;
mod canary;
mod cli;
mod concurrent_start;
mod deliveries;
mod display_names;
mod engine;
mod engine_page;
mod event_visibility;
mod file_permissions;
mod form_after_login;
mod headers;
mod health_issues;
mod hosts;
mod html_injection;
mod http_client;
mod import;
mod invalid_input;
mod kind_limits;
mod live;
mod log_in;
mod memory;
mod new_task;
mod nodes;
mod nul_characters;
mod one_time_links;
mod program;
mod property;
mod raw_http;
mod reauthentication;
mod redis_alternatives;
mod redis_mismatch;
mod rendering;
mod repeated_actions;
mod request_limits;
mod restore_schedule;
mod retry;
mod schedule;
mod search;
mod server_timeouts;
mod set_up;
mod site;
mod sse_client;
mod tampered_backups;
mod task_changes;
mod task_kind;
mod test_server;
mod threads;
mod time_zone_updates;
mod tokens;
mod traces;
mod trash;
mod wall_clock;
