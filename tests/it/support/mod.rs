//! Servers, clients and programs for the tests.

pub(crate) mod http_client;
pub(crate) mod new_task;
pub(crate) mod program;
pub(crate) mod raw_http;
pub(crate) mod sse_client;
pub(crate) mod test_account;
pub(crate) mod test_server;
