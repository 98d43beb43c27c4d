//! A day of the time grid.

use super::{lanes::Lane, month::Facts, rows::DayRows};
use crate::{
    calendar::{
        clock_text::date_words,
        item::{Chip, ItemLook, Line},
    },
    ui::table::address::ListAddress,
};
use domain::calendar::{CalendarDay, CalendarItem};
use leptos::prelude::*;
use texts::language;

/// A day in the grid, and how it is shown.
#[derive(Clone)]
pub struct Column {
    /// The day.
    pub day: CalendarDay,
    /// What all days share.
    pub facts: Facts,
    /// The URL of the calendar.
    pub address: Memo<ListAddress>,
    /// Whether no other day is beside it: there is room for whole lines.
    pub is_alone: bool,
}

impl Column {
    /// An item of the day. `class`: where it is.
    pub fn item(&self, item: &CalendarItem, class: &str) -> AnyView {
        let mut look = ItemLook::of(&self.day, item, self.facts.now, self.is_alone);
        look.class.push_str(class);
        let address = self.address;
        if self.is_alone {
            return view! { <Line look=look item=item.clone() address=address has_hours=true /> }.into_any();
        }
        let has_end = item.may_move && item.is_meeting();
        view! { <Chip look=look address=address has_end=has_end /> }.into_any()
    }

    /// Its rows.
    #[must_use]
    pub fn rows(&self) -> DayRows {
        DayRows::of(&self.day, self.is_alone)
    }

    /// The day in words.
    #[must_use]
    pub fn words(&self) -> String {
        date_words(language(), &self.day.date, &self.facts.today)
    }
}

/// CSS classes of rows and a lane: `q` first row, `s` number of rows, `l` lane, `n` number of lanes.
#[must_use]
pub fn class_of(span: (u32, u32), lane: Lane) -> String {
    let (first, end) = span;
    format!(" q{first} s{} l{} n{}", end - first, lane.number, lane.count)
}
