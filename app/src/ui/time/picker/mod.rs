//! Time picker: fields for date, time and time zone, feedback, and presets.

mod fields;
mod presets;
mod time_input;

pub use fields::{SubmitLabel, TimeFeedback, TimeFields, TimePreview, date_and_time, shows_refusal};
pub use presets::PresetButtons;
pub use time_input::TimeInput;
