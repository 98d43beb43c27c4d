//! Ids, instants, states, kinds and limits: the values of which errors and features consist. The lowest
//! folder: it imports no other one.

pub mod clock;
pub mod id;
pub mod input_limits;
pub mod kind;
pub mod kind_class;
pub(crate) mod language;
pub mod state;
pub(crate) mod task_row;
pub mod time;
