//! Meetings that repeat: booking a series, changing several of its occurrences at once, and showing
//! it. [`super::kinds::ExtendSeries`] adds occurrences when their time comes closer.

mod book;
mod changes;
mod edit;
mod input;
pub mod load;
pub mod plan;
mod show;
mod undo;
mod work;
mod write_work;

pub use book::{attendees, book, dry_run, new_row};
pub use edit::edit;
pub use show::find;
pub use undo::undo;
