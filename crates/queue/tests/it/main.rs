//! Conformance: the same promises of both kinds of hints, and what only a server behind the hints can break.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod burst;
mod promises;
mod server;
mod subject;
