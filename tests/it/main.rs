//! Stories against the whole server: the real router on a free port, real SQLite and PostgreSQL, hints in process and in Redis.
//!
//! One module a story. `on_both!(name, …)` runs a story on both flavours; `house.rs` says what a story can do.

#![expect(dead_code, reason = "what a story can do is there before the stories that do it")]
#![expect(clippy::unwrap_used, reason = "a story that cannot go on shall fail where it stands")]

mod articles;
mod bulk;
mod caller;
mod change;
mod house;
mod import;
mod people;
mod schedule;
mod set_up;
mod time;
mod wish;
