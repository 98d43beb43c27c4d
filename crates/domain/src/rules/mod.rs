//! Rules over signals: after a signal, wait, then act, unless another signal came first.

pub mod decide;
pub mod graph;
pub mod hours;
pub mod rule;
pub mod signal;
pub mod use_cases;
pub mod wait;
