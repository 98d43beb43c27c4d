//! Items of the time grid that have no lane: their number, which leads to them.

use super::{column::Column, rows::hour_id};
use crate::calendar::{clock_text::clock_on, moving::dragged::key_of_item, request::link_to};
use domain::{
    calendar::{CalendarItem, View},
    time::wall_clock_time,
};
use leptos::prelude::*;
use texts::{calendar::CalendarTexts, number::grouped};

/// Number of the items, and in words with their day and the time of the first one.
fn count_and_label(column: &Column, items: &[CalendarItem]) -> (String, String) {
    let time = items.first().map(|item| {
        let at = item.at.max(column.day.begins_at);
        let offset = if at == item.at { item.offset } else { column.day.offset };
        clock_on(&column.day, at, offset)
    });
    let when = format!("{}, {}", column.words(), time.unwrap_or_default());
    let count = grouped(items.len() as u64);
    (format!("+{count}"), CalendarTexts::here().more_at(count, when))
}

/// The names of the items, by which the focus finds their number.
fn names(items: &[CalendarItem]) -> String {
    items.iter().map(key_of_item).collect::<Vec<_>>().join(" ")
}

/// In the week: leads to the day at the hour of the first item.
#[component]
pub fn OverflowLink(
    /// The day.
    column: Column,
    /// The items, by time.
    items: Vec<CalendarItem>,
    /// CSS classes of rows and lane.
    class: String,
) -> impl IntoView {
    let (text, label) = count_and_label(&column, &items);
    let (day, address) = (column.day, column.address);
    let hour = items.first().filter(|item| item.at >= day.begins_at);
    let hour = hour.map_or(0, |item| wall_clock_time(item.at, item.offset).hour);
    let id = hour_id(&format!("{hour:02}:00"));
    let href = move || address.with(|address| format!("{}#{id}", link_to(address, View::Day, &day.date)));
    view! {
        <li class=format!("time-more{class}") data-holds=names(&items)><a class="more" href=href data-noscroll="" title=label.clone() aria-label=label>{text}</a></li>
    }
}

/// In the day: shows the items when it is pressed.
#[component]
pub fn OverflowDetails(
    /// The day.
    column: Column,
    /// The items, by time.
    items: Vec<CalendarItem>,
    /// CSS classes of rows and lane.
    class: String,
) -> impl IntoView {
    let (text, label) = count_and_label(&column, &items);
    let lines = items.iter().map(|item| column.item(item, "")).collect_view();
    view! {
        <li class=format!("time-more{class}") data-holds=names(&items)>
            <details>
                <summary title=label.clone() aria-label=label>{text}</summary>
                <ul>{lines}</ul>
            </details>
        </li>
    }
}
