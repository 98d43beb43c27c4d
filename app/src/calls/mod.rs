//! Server functions, one file a noun. They authenticate nothing themselves: they ask `ssr` who calls, and call the desk.

#[cfg(feature = "ssr")]
pub mod ssr;
