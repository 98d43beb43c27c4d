//! Ids, instants, states, kinds and limits: the values of which errors and features consist. The lowest
//! folder: it imports no other one.

pub(crate) mod channel;
pub mod clock;
pub mod id;
pub(crate) mod import;
pub mod input_limits;
pub mod kind;
pub mod kind_class;
pub(crate) mod language;
pub mod rate;
pub mod retry_schedule;
pub(crate) mod review;
pub mod state;
pub(crate) mod task_row;
pub mod time;
