//! Posting slots: the wall-clock times at which a desk usually publishes.

use super::weekday;
use crate::{
    BatchId, DomainError, Kind, LocalizedTime, Priority, Timestamp, Version,
    base::{
        calendar::add_days,
        local_time::{self, parse_date},
        zone_rules::ZoneRules,
    },
    error::ValidationError,
    state::{ParseEnumError, string_enum},
    task::{RevisionChoice, TaskRow},
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// Days of a week.
pub const WEEKDAYS: usize = 7;
/// Maximum number of slots on one weekday.
pub const MAX_DAY_SLOTS: usize = 24;
/// Maximum number of holidays.
pub const MAX_HOLIDAYS: usize = 366;
/// Number of days in which a free slot is looked for.
pub const SLOT_HORIZON_DAYS: i64 = 366;

/// The slots of the desk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotPlan {
    /// Increases with every change; 0: never set.
    pub version: Version,
    /// What it says.
    #[serde(flatten)]
    pub settings: SlotSettings,
}

/// What an admin sets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotSettings {
    /// IANA time zone of the times.
    pub zone: String,
    /// The weekdays, from Monday.
    pub days: Vec<SlotDay>,
    /// Dates without slots, `YYYY-MM-DD`.
    pub holidays: Vec<String>,
}

/// The slots of one weekday.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotDay {
    /// Whether the day has no slots for now. Its times are kept.
    pub is_off: bool,
    /// Times, `HH:MM`.
    pub times: Vec<String>,
}

/// Input for a task in the next free slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSlotTask {
    /// What it does.
    pub kind: Kind,
    /// Target: for `article.*` the article.
    pub target_id: Uuid,
    /// Priority; `None`: normal.
    #[serde(default)]
    pub priority: Option<Priority>,
    /// Which slot it takes.
    #[serde(default)]
    pub place: SlotPlace,
    /// See [`crate::task::NewTask::revision`].
    #[serde(default)]
    pub revision: Option<RevisionChoice>,
}

/// Which slot a new task takes. Where it takes one that is not free, each publication of the user in the
/// way moves to the slot after its own; slots of others keep their publications.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SlotPlace {
    /// The next free one.
    #[default]
    Next,
    /// The next one.
    ShareNext,
    /// This one.
    Insert {
        /// When it is.
        at: Timestamp,
    },
}

/// A task in a slot, and what moved for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SlotTask {
    /// The task.
    pub task: TaskRow,
    /// Undoes all of it; `None`: nothing else moved.
    pub batch: Option<BatchId>,
    /// Number of publications that moved one slot later.
    pub moved: u64,
}

string_enum! {
    /// Where publications move along the slots.
    SlotDirection {
        /// To the slot before: closes a gap.
        Earlier = "earlier",
        /// To the slot after: makes room.
        Later = "later",
    }
}

/// Moves the publications from a slot on, up to the next free slot, by one slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotShift {
    /// The slot: the gap to close, or where room is made.
    pub at: Timestamp,
    /// Where they move.
    pub direction: SlotDirection,
}

/// A slot that a publication has left, with others after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotGap {
    /// When it is.
    pub at: LocalizedTime,
    /// Number of publications that would move to the slot before their own.
    pub count: u64,
}

/// A slot that no task has taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreeSlot {
    /// When it is.
    pub at: LocalizedTime,
}

impl SlotSettings {
    /// Returns the settings with times and dates in order and without duplicates; `Invalid` names the
    /// field.
    pub fn checked(self) -> Result<Self, DomainError> {
        if self.days.len() != WEEKDAYS {
            let why = "needs seven days, from Monday".to_owned();
            return Err(DomainError::invalid("days", ValidationError::Unreadable { why }));
        }
        let days = self.days.into_iter().map(SlotDay::checked).collect::<Result<_, _>>()?;
        let mut holidays = Vec::new();
        for date in &self.holidays {
            let parsed = parse_date(date.trim()).ok_or_else(|| {
                let why = format!("{} is not a date like 2027-12-25", date.trim());
                DomainError::invalid("holidays", ValidationError::Sentence { why })
            })?;
            holidays.push(local_time::date_text(parsed));
        }
        holidays.sort_unstable();
        holidays.dedup();
        if holidays.len() > MAX_HOLIDAYS {
            let max = u32::try_from(MAX_HOLIDAYS).unwrap_or(u32::MAX);
            return Err(DomainError::invalid("holidays", ValidationError::TooMany { max }));
        }
        Ok(Self { zone: self.zone, days, holidays })
    }

    /// The slots after a moment and before another, at most [`SLOT_HORIZON_DAYS`] days, by time. A time
    /// that a time change skips is the moment of the change; one that occurs twice is the first.
    #[must_use]
    pub fn between(&self, after: Timestamp, before: Timestamp, zone: &impl ZoneRules) -> Vec<Timestamp> {
        let Some(first) = zone.local_at(after).map(|local| local.date()) else { return Vec::new() };
        let dates = (0..=SLOT_HORIZON_DAYS).map_while(|day| add_days(first, day));
        let mut slots = Vec::new();
        for date in dates {
            let of_day = self.on(date).filter_map(|(hour, minute)| {
                zone.meaning(date.at(hour, minute, 0, 0)).map(|meaning| meaning.first())
            });
            let of_day: Vec<Timestamp> = of_day.collect();
            if of_day.iter().any(|at| *at >= before) {
                slots.extend(of_day.into_iter().filter(|at| *at > after && *at < before));
                break;
            }
            slots.extend(of_day.into_iter().filter(|at| *at > after));
        }
        slots.dedup();
        slots
    }

    /// Hour and minute of the slots on a date.
    fn on(&self, date: Date) -> impl Iterator<Item = (i8, i8)> {
        let is_holiday = self.holidays.binary_search(&local_time::date_text(date)).is_ok();
        let day = self.days.get(usize::from(weekday(date))).filter(|day| !day.is_off && !is_holiday);
        day.into_iter().flat_map(|day| day.times.iter()).filter_map(|time| clock(time))
    }
}

/// Whether a typed text is a time of a slot: `HH:MM` or `H:MM`.
#[must_use]
pub fn is_slot_time(typed: &str) -> bool {
    clock(typed.trim()).is_some()
}

impl SlotDay {
    fn checked(self) -> Result<Self, DomainError> {
        let mut times = Vec::new();
        for time in &self.times {
            let (hour, minute) = clock(time.trim()).ok_or_else(|| {
                let why = format!("{} is not a time like 09:30", time.trim());
                DomainError::invalid("days", ValidationError::Sentence { why })
            })?;
            times.push(format!("{hour:02}:{minute:02}"));
        }
        times.sort_unstable();
        times.dedup();
        if times.len() > MAX_DAY_SLOTS {
            let max = u32::try_from(MAX_DAY_SLOTS).unwrap_or(u32::MAX);
            return Err(DomainError::invalid("days", ValidationError::TooMany { max }));
        }
        Ok(Self { is_off: self.is_off, times })
    }
}

/// Hour and minute of `HH:MM` or `H:MM`.
fn clock(time: &str) -> Option<(i8, i8)> {
    let (hour, minute) = time.split_once([':', '：'])?;
    let is_number =
        |text: &str| !text.is_empty() && text.len() <= 2 && text.bytes().all(|b| b.is_ascii_digit());
    let (hour, minute) = (
        Some(hour).filter(|text| is_number(text))?,
        Some(minute).filter(|text| text.len() == 2 && is_number(text))?,
    );
    let (hour, minute): (i8, i8) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour < 24 && minute < 60).then_some((hour, minute))
}

/// Decides which of the taken slots are passed on. `taken`: for each slot in order, whether it is taken,
/// and by publications that may move. The slots up to the first free one that may be used, by their
/// places: the new publication takes the first, and what a slot holds moves to the next of them.
/// Empty: there is no free slot.
#[must_use]
pub fn slots_in_use(taken: impl IntoIterator<Item = SlotUse>) -> Vec<usize> {
    let mut places = Vec::new();
    for (place, slot) in taken.into_iter().enumerate() {
        match slot {
            SlotUse::Free => {
                places.push(place);
                return places;
            }
            SlotUse::Movable => places.push(place),
            SlotUse::Fixed => {}
        }
    }
    Vec::new()
}

/// Decides which slots close a gap. `taken`: what the slots after the gap hold, in order. The places of
/// those whose publications move, each to the one before it in the list and the first to the gap. Slots
/// of others are passed over; a free one ends it.
#[must_use]
pub fn slots_that_close_gap(taken: impl IntoIterator<Item = SlotUse>) -> Vec<usize> {
    let until_free = taken.into_iter().enumerate().take_while(|(_, slot)| *slot != SlotUse::Free);
    until_free.filter(|(_, slot)| *slot == SlotUse::Movable).map(|(place, _)| place).collect()
}

/// What a slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotUse {
    /// Nothing.
    Free,
    /// Publications that may move.
    Movable,
    /// A publication that may not move.
    Fixed,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Meaning;
    use jiff::civil::DateTime;

    /// UTC, where 02:00 to 03:00 on 2027-03-28 is skipped.
    struct Jump;

    impl ZoneRules for Jump {
        fn meaning(&self, local: DateTime) -> Option<Meaning> {
            let at = Timestamp::from_millis(crate::base::calendar::local_seconds(local) * 1_000);
            let jump: Timestamp = "2027-03-28T02:00:00Z".parse().ok()?;
            let end = jump.plus(3_600_000);
            Some(if jump <= at && at < end { Meaning::Never { jump } } else { Meaning::Once(at) })
        }

        fn offset_seconds(&self, _at: Timestamp) -> i32 {
            0
        }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn settings(times: &[&str]) -> SlotSettings {
        let day = SlotDay { is_off: false, times: times.iter().map(|time| (*time).to_owned()).collect() };
        SlotSettings { zone: "UTC".to_owned(), days: vec![day; WEEKDAYS], holidays: Vec::new() }
    }

    #[test]
    fn settings_are_put_in_order() {
        let mut typed = settings(&["14:30", " 9:00", "09:00"]);
        typed.holidays = vec!["2027-12-25 ".to_owned(), "2027-01-01".to_owned(), "2027-12-25".to_owned()];
        let checked = typed.checked().unwrap();
        assert_eq!(checked.days[6].times, ["09:00", "14:30"]);
        assert_eq!(checked.holidays, ["2027-01-01", "2027-12-25"]);
        for time in ["", "9", "24:00", "09:60", "9:5", "-1:00", "09:00:00", "a:bc"] {
            assert_eq!(settings(&[time]).checked().unwrap_err().field(), Some("days"), "{time}");
        }
        let few = SlotSettings { days: Vec::new(), ..settings(&[]) };
        assert_eq!(few.checked().unwrap_err().field(), Some("days"));
        let wrong = SlotSettings { holidays: vec!["Christmas".to_owned()], ..settings(&[]) };
        assert_eq!(wrong.checked().unwrap_err().field(), Some("holidays"));
    }

    #[test]
    fn slots_leave_out_days_off_and_holidays() {
        let mut plan = settings(&["09:00", "16:00"]);
        // 2027-03-06 is a Saturday.
        plan.days[5].is_off = true;
        plan.holidays = vec!["2027-03-08".to_owned()];
        let slots = plan.between(at("2027-03-05T09:00:00Z"), at("2027-03-09T16:00:00Z"), &Jump);
        let expected =
            ["2027-03-05T16:00:00Z", "2027-03-07T09:00:00Z", "2027-03-07T16:00:00Z", "2027-03-09T09:00:00Z"];
        assert_eq!(slots, expected.map(at));
        plan.days.iter_mut().for_each(|day| day.is_off = true);
        assert_eq!(plan.between(at("2027-03-05T09:00:00Z"), Timestamp::LATEST, &Jump), []);
    }

    #[test]
    fn a_skipped_slot_is_at_the_change_and_only_once() {
        let plan = settings(&["02:00", "02:30", "03:00"]);
        let slots = plan.between(at("2027-03-28T00:00:00Z"), at("2027-03-29T00:00:00Z"), &Jump);
        assert_eq!(slots, ["2027-03-28T02:00:00Z", "2027-03-28T03:00:00Z"].map(at));
    }

    #[test]
    fn slots_that_may_not_move_are_passed_over() {
        use SlotUse::{Fixed, Free, Movable};
        assert_eq!(slots_in_use([Free, Movable, Free]), [0]);
        assert_eq!(slots_in_use([Movable, Fixed, Movable, Free, Free]), [0, 2, 3]);
        assert_eq!(slots_in_use([Fixed, Fixed, Free]), [2]);
        assert_eq!(slots_in_use([Movable, Fixed]), Vec::<usize>::new());
        assert_eq!(slots_in_use([]), Vec::<usize>::new());
    }

    #[test]
    fn a_gap_is_closed_up_to_the_next_one() {
        use SlotUse::{Fixed, Free, Movable};
        assert_eq!(slots_that_close_gap([Movable, Fixed, Movable, Free, Movable]), [0, 2]);
        assert_eq!(slots_that_close_gap([Free, Movable]), Vec::<usize>::new());
        assert_eq!(slots_that_close_gap([Fixed]), Vec::<usize>::new());
    }

    #[test]
    fn slots_are_looked_for_within_a_year() {
        let slots = settings(&["09:00"]).between(at("2027-01-01T09:00:00Z"), Timestamp::LATEST, &Jump);
        assert_eq!(slots.len(), usize::try_from(SLOT_HORIZON_DAYS).unwrap());
    }
}
