//! Tasks: rows, actions, states.

pub mod move_form;
pub mod phase;
pub mod state_diagram;
pub mod task_actions;
pub mod task_row;
