//! The face: Leptos, compiled twice: for the server (`ssr`) and for the browser (`hydrate`). Knows `domain` only.

pub mod calls;
pub mod form;
