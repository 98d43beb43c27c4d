//! The calendar: everything that has a time, by day.

mod feed;
mod hours;
mod item;
mod layout;
mod slots;
pub mod use_cases;

pub use feed::{CreatedFeed, Feed, FeedKind, MAX_FEED_EVENTS, MAX_FEEDS, NewFeed};
pub use hours::{HourOfDay, hours};
pub use item::{CalendarDay, CalendarItem, CalendarPage, CalendarQuery, CalendarStatus, MEETING};
pub use layout::{View, week_number, week_start, weekday};
pub use slots::{
    FreeSlot, MAX_DAY_SLOTS, MAX_HOLIDAYS, NewSlotTask, SLOT_HORIZON_DAYS, SlotDay, SlotDirection, SlotGap,
    SlotPlace, SlotPlan, SlotSettings, SlotShift, SlotTask, SlotUse, WEEKDAYS, is_slot_time, slots_in_use,
    slots_that_close_gap,
};

/// Maximum number of accounts that the filter of the calendar lists.
pub const MAX_FILTER_PEOPLE: u32 = 200;
/// Maximum number of days in one request.
pub const MAX_DAYS: u16 = 62;
/// Number of items of each day in a response if the request names none.
pub const DEFAULT_DAY_ITEMS: u32 = 20;
/// Maximum number of items in one response: the number of days times the items of each day.
pub const MAX_ITEMS: u32 = 2_000;
/// Maximum number of items of each day that are skipped.
pub const MAX_SKIPPED_ITEMS: u32 = 1_000_000;
