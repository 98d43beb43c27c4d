//! Stories against the whole server: the real router on a free port, real SQLite and PostgreSQL, hints in process and in Redis.
//!
//! One module a story. `on_both!(name, …)` runs a story on both flavours; `house.rs` says what a story can do.

#![expect(clippy::unwrap_used, reason = "a story fails by a panic")]

mod access;
mod admission;
mod api;
mod articles;
mod attention;
mod audience;
mod backup;
mod bad_input;
mod bulk;
mod caller;
mod calm;
mod canary;
mod change;
mod command;
mod crafted;
mod deliveries;
mod ear;
mod engine;
mod headers;
mod hosts;
mod house;
mod import;
mod limits;
mod links;
mod live;
mod log_in;
mod log_in_again;
mod markup;
mod memory;
mod names;
mod nodes;
mod nul;
mod password_again;
mod people;
mod private;
mod program;
mod promises;
mod property;
mod raw;
mod rendering;
mod retry;
mod schedule;
mod search;
mod set_up;
mod shards;
mod sheet;
mod silence;
mod site;
mod stand_in;
mod start;
mod threads;
mod time;
mod together;
mod tokens;
mod traces;
mod trash;
mod weather;
mod wish;
mod zone_moves;
