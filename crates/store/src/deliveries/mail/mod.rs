//! Mails to persons: who caused them, the limits of those to addresses outside the desk, and the
//! addresses that get none.

pub mod blocked;
pub mod held;
pub mod origin;
pub mod usage;
