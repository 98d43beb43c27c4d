//! Choosing a moment: date, time and zone as parts of a sentence, what they mean, and times people often want.

mod fields;
mod picks;
mod wanted;

pub use fields::{Label, Meaning, Meant, WhenFields, is_told, typed_of};
pub use picks::QuickPicks;
pub use wanted::Wanted;
