//! The hours of one day. On the day of a time change there are 23 or 25, each with its offset.

use super::month::{Facts, key_of};
use crate::calendar::{
    clock_text::clock_on,
    item::{ItemLook, Line},
    request::{NEW, SKIP, link_with},
    server_fns::CalendarBoard,
};
use crate::ui::table::address::ListAddress;
use domain::{
    calendar::{CalendarDay, CalendarItem, HourOfDay},
    time::wall_clock_time,
};
use leptos::prelude::*;
use texts::calendar::{CalendarTexts, SlotTexts};
use texts::number::grouped;

/// Items of one page.
const PAGE: u32 = 100;

/// The day.
#[component]
pub fn DayHours(
    /// The board.
    board: Signal<CalendarBoard>,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let texts = CalendarTexts::here();
    let day = Memo::new(move |_| {
        board.with(|board| board.page.days.first().map(|day| (day.clone(), Facts::of(board), board.skip)))
    });
    let rows = move || {
        let Some((day, facts, _)) = day.get() else { return Vec::new() };
        let hours = day.hours.iter().enumerate();
        let rows = hours.map(|(place, hour)| {
            let items = day.items.iter().filter(|item| is_in(&day, item, place));
            let slots = day.free_slots.iter().filter(|(at, _)| hour.begins_at <= *at && *at < hour.ends_at);
            let part = CalendarDay {
                items: items.cloned().collect(),
                free_slots: slots.copied().collect(),
                hours: vec![*hour],
                ..day.clone()
            };
            (part, *hour, facts.clone())
        });
        rows.collect()
    };
    let key = |(day, hour, facts): &(CalendarDay, HourOfDay, Facts)| {
        format!("{} {} {}", hour.begins_at, hour.ends_at <= facts.now, key_of(day, facts))
    };
    let change = move || {
        day.with(|day| {
            let (day, ..) = day.as_ref()?;
            (day.offset != day.end_offset).then(|| texts.time_change(length(day)))
        })
    };
    let earlier =
        move || day.with(|day| day.as_ref().filter(|day| day.2 > 0).map(|day| day.2.saturating_sub(PAGE)));
    let later = move || {
        day.with(|day| {
            let (day, _, skip) = day.as_ref()?;
            let next = skip.saturating_add(PAGE);
            (u64::from(next) < day.count).then_some(next)
        })
    };
    let page_link = move |to: Option<u32>, label: &'static str| {
        let to = to?;
        let skip = if to == 0 { String::new() } else { to.to_string() };
        let href = address.with(|address| link_with(address, SKIP, &skip));
        Some(view! { <p><a class="button small" href=href data-noscroll="">{label}</a></p> })
    };
    let count = move || day.with(|day| day.as_ref().map(|day| texts.count(day.0.count)));
    view! {
        {move || change().map(|text| view! { <p class="notice">{text}</p> })}
        <p class="muted">{count}</p>
        {move || page_link(earlier(), texts.earlier())}
        <table class="calendar-hours">
            <thead class="visually-hidden"><tr><th scope="col">{texts.hour()}</th><th scope="col">{texts.title()}</th></tr></thead>
            <tbody>
                <For each=rows key=key children=move |(day, hour, facts)| {
                    view! { <Hour day=day hour=hour facts=facts address=address /> }
                } />
            </tbody>
        </table>
        {move || page_link(later(), texts.later())}
    }
}

/// Whether an item belongs to an hour. What began on an earlier day belongs to the first one.
fn is_in(day: &CalendarDay, item: &CalendarItem, place: usize) -> bool {
    let at = item.at.max(day.begins_at);
    day.hours.get(place).is_some_and(|hour| hour.begins_at <= at && at < hour.ends_at)
}

/// Length of a day in hours: `23`, `24.5`.
fn length(day: &CalendarDay) -> String {
    let minutes = day.ends_at.since(day.begins_at) / 60_000;
    match minutes % 60 {
        0 => grouped((minutes / 60).unsigned_abs()),
        rest => format!("{}.{}", minutes / 60, rest * 10 / 60),
    }
}

#[component]
fn Hour(day: CalendarDay, hour: HourOfDay, facts: Facts, address: Memo<ListAddress>) -> impl IntoView {
    let texts = CalendarTexts::here();
    let label = clock_on(&day, hour.begins_at, hour.offset);
    let slot = day.free_slots.first().copied();
    let (at, offset) = slot.unwrap_or((hour.begins_at, hour.offset));
    let wall = wall_clock_time(at, offset);
    let is_open = hour.ends_at > facts.now;
    let is_now = hour.begins_at <= facts.now && is_open;
    let local = format!("{}T{:02}:{:02}", day.date, wall.hour, wall.minute);
    let href = move || address.with(|address| link_with(address, NEW, &local));
    let (create, text) = match slot {
        Some((at, offset)) => {
            let free = SlotTexts::here().free_at(clock_on(&day, at, offset));
            (free.clone(), format!("+ {free}"))
        }
        None => (texts.create_on(label.clone()), "+".to_owned()),
    };
    let lines = day.items.clone().into_iter().map(|item| {
        let look = ItemLook::of(&day, &item, facts.now, true);
        view! { <Line look=look item=item address=address has_hours=true /> }
    });
    let lines = lines.collect_view();
    let has_items = !day.items.is_empty();
    let begin = wall_clock_time(hour.begins_at, hour.offset);
    let begin = format!("{}T{:02}:{:02}", day.date, begin.hour, begin.minute);
    let which = hour.is_doubled.then_some(if hour.offset == day.offset { "earlier" } else { "later" });
    view! {
        <tr data-hour=begin data-which=which class:is-past=!is_open aria-current=is_now.then_some("time") class:is-doubled=hour.is_doubled>
            <th scope="row">{label}</th>
            <td>
                {has_items.then(|| view! { <ul>{lines}</ul> })}
                {is_open.then(|| view! { <a class="new-item" href=href data-noscroll="" aria-label=create>{text}</a> })}
            </td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::length;
    use domain::calendar::CalendarDay;

    #[test]
    fn a_day_has_23_to_25_hours() {
        let day = |from: &str, to: &str| CalendarDay {
            date: String::new(),
            begins_at: from.parse().unwrap(),
            ends_at: to.parse().unwrap(),
            offset: 0,
            end_offset: 0,
            hours: Vec::new(),
            count: 0,
            attention: 0,
            items: Vec::new(),
            free_slots: Vec::new(),
        };
        assert_eq!(length(&day("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z")), "25");
        assert_eq!(length(&day("2027-04-03T13:00:00Z", "2027-04-04T13:30:00Z")), "24.5");
    }
}
