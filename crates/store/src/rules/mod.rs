//! Signals, rules and their waits.

pub mod desk_signal;
pub mod rule;
pub mod rule_activity;
pub mod rule_waits;
pub mod signal;
pub mod signal_rate;
pub mod wait;
pub mod wait_firing;
pub mod wait_list;
pub mod wait_roots;
