//! Ids, time, states, texts and limits that all features share.

pub mod clock;
pub mod id;
pub mod input_limits;
pub mod local_time;
pub mod page;
pub mod state;
pub mod text;
pub mod time;
