//! Conformance: the same promises of both kinds of hints, and what only a server behind the hints can break.

mod burst;
mod promises;
mod server;
mod subject;
