//! Series: recurrence rules in wall-clock time, their occurrences, and how they are edited.
//!
//! Time-zone data comes in as a parameter ([`ZoneRules`]): the server has it, browsers do not.

mod candidates;
mod check;
mod choices;
mod edit;
mod fields;
mod occurrences;
mod preview;
pub mod rfc5545;
mod rule;
#[cfg(test)]
mod tests;
mod upcoming;
pub mod use_cases;
mod words;
mod zone_rules;

pub use crate::error::problem::series::SeriesProblem;
pub use choices::{Choices, ShortMonth, SkippedTime};
pub use edit::{
    Edit, EditChange, EditCounts, EditPlan, MovedOccurrences, Reach, ReachCounts, RowChange, SeriesPart,
    SeriesState, StoredOccurrence, count_reaches,
};
pub use fields::{NewSeries, RuleFields, weekday_word};
pub use occurrences::{Occurrence, OccurrenceMark, Omission, Step, instant_of};
pub use preview::{PreviewItem, SeriesPreview};
pub use rule::{Frequency, MonthDay, Nth, Rule, RuleEnd, Series};
pub use upcoming::{Extension, UpcomingSeries};
pub use words::RepeatWords;
pub use zone_rules::ZoneRules;

/// Maximum interval of a rule: every 366 days, weeks, months or years.
pub const MAX_INTERVAL: u16 = 366;
/// Maximum number of occurrences of a rule that ends after a number of them.
pub const MAX_COUNT: u16 = 1_000;
/// Maximum number of exceptions of a rule.
pub const MAX_EXCEPTIONS: usize = 366;
/// How far ahead the last occurrence of a series may be, in months.
pub const MAX_MONTHS_AHEAD: i16 = 18;
/// Minimum distance of two occurrences, in milliseconds: an hour.
pub const MIN_DISTANCE_MS: i64 = 3_600_000;
/// Maximum number of occurrences that are stored ahead of time. As there is at most one a day, they
/// cover at least 60 days.
pub const MAX_STORED_AHEAD: usize = 60;
/// Number of occurrences in a preview.
pub const PREVIEW_ITEMS: usize = 10;
