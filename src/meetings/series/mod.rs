//! Meetings that repeat: booking a series, changing several of its occurrences at once, and showing
//! it. [`super::kinds::ExtendSeries`] adds occurrences when their time comes closer.

pub mod book;
pub mod changes;
mod conflicts;
pub mod edit;
mod hand_over;
mod input;
mod load;
pub mod plan;
mod show;
mod undo;
mod undo_record;
mod work;
mod write_work;

pub use book::{book, dry_run};
pub use edit::edit;
pub use hand_over::hand_over;
pub use show::find;
pub use undo::undo;
