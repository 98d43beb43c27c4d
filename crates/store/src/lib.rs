//! The memory: SQL, the truth. The only crate that knows sqlx; one body of SQL for SQLite and PostgreSQL.
//!
//! Functions of the modules take a [`Conn`]: of a [`Tx`] where they write, of a [`Lease`] where they only read.

pub mod article;
pub mod article_list;
pub mod backup;
mod batch;
pub mod board;
pub mod buckets;
pub mod bulk;
pub mod canary;
pub mod channel;
pub mod check;
mod db;
pub mod delivery;
pub mod dispatch;
mod error;
pub mod event;
pub mod execute;
pub mod feed;
mod gate;
pub mod handled;
pub mod hands;
pub mod idempotency;
pub mod import;
pub mod invitation;
pub mod kind_limit;
pub mod leftover;
pub mod limit;
pub mod mutant;
pub mod node;
mod open;
pub mod outbox;
pub mod overdue;
pub mod pause;
pub mod person;
pub mod place;
pub mod point;
pub mod publish;
pub mod report;
pub mod restore;
pub mod revision;
mod row;
pub mod session;
pub mod setting;
pub mod site;
pub mod slug;
mod step;
pub mod tail;
pub mod target;
pub mod task;
pub mod task_list;
pub mod token;

pub use db::{Clocks, Conn, Lease, Store, Tx, Who};
pub use error::StoreError;
pub use open::{Newer, Options, Steps};
