//! What mails, short messages and the bell say.

pub mod announcement;
pub mod footer;
pub mod held;
pub mod invitation;
pub mod message;
pub mod owned_change;
pub mod problem;
pub mod reminder;
pub mod review_notice;
pub mod waiting;
