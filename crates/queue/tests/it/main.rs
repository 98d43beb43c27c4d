//! Conformance tests of both hint stores, and tests of failures that only a server can cause.

#![allow(clippy::string_slice, reason = "a test fails by a panic")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod burst;
mod conformance;

mod server;
mod subject;
