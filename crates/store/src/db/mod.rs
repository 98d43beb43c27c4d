//! Connections, pools, timeouts, migrations, settings and the event log.

pub(crate) mod commit_log;
mod error;
pub mod event;
pub(crate) mod json_rows;
pub(crate) mod like_escape;
pub(crate) mod migrations;
mod open;
pub(crate) mod pg;
pub(crate) mod prepared_call;
pub(crate) mod row;
pub mod setting;
pub(crate) mod statement_timeout;
mod store;
pub(crate) mod writer_lock;

pub use error::{OpenProblem, StoreError};
pub use migrations::SchemaStep;
pub use open::{MigrationGuard, Options, SILENCE_TIMEOUT, SchemaVersions, UnknownMigration};
pub use pg::PgConn;
pub use store::{Clocks, Conn, PoolRole, ReadConn, Store, Tx};

pub(crate) use open::is_busy;
pub(crate) use store::{BEGIN_IMMEDIATE, with_conn};

/// Counts stop at this number; one more than [`domain::engine::MAX_COUNTED`] means "or more".
pub(crate) const COUNT_LIMIT: i64 = domain::engine::MAX_COUNTED as i64 + 1;
