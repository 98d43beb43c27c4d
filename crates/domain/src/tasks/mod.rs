//! Tasks, their events, and what needs a person.

pub mod attention;
pub mod event;
pub mod kind;
pub mod service;
pub mod task;
