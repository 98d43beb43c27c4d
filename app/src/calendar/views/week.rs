//! The week as a time grid: hours down, days across; the height of a meeting is its length. On a narrow
//! screen it is a list of days.

use super::{
    lanes::lanes,
    month::{Facts, MoreLink, NewLink, key_of},
};
use crate::{
    calendar::{
        clock_text::date_words,
        item::{Chip, ItemLook},
        request::{NEW, link_to, link_with},
        server_fns::CalendarBoard,
    },
    live::live,
    ui::table::address::ListAddress,
};
use domain::{
    Timestamp,
    calendar::{CalendarDay, CalendarItem, View},
    time::wall_clock_time,
};
use leptos::prelude::*;
use texts::{
    calendar::{CalendarTexts, SlotTexts},
    language,
    time::clock,
};

/// Rows of an hour.
const ROWS: u32 = 4;
/// Minutes of a row.
const ROW_MINUTES: u32 = 60 / ROWS;
/// Rows of a day.
const DAY_ROWS: u32 = 24 * ROWS;
/// Rows of an item without a length, so that its title is readable.
const LEAST_ROWS: u32 = 2;
/// First hour that is shown in full, unless something happens before it.
const FIRST_HOUR: u32 = 7;
/// Maximum number of lanes; items beyond lie over the last one.
const MOST_LANES: usize = 6;

/// The grid.
#[component]
pub fn WeekGrid(
    /// The board.
    board: Signal<CalendarBoard>,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let days = move || {
        board.with(|board| {
            let facts = Facts::of(board);
            board.page.days.iter().map(|day| (day.clone(), facts.clone())).collect::<Vec<_>>()
        })
    };
    let is_early = Memo::new(move |_| board.with(|board| board.page.days.iter().any(is_early)));
    let labels = (0..24).map(|hour| view! { <span>{format!("{hour:02}")}</span> });
    view! {
        <div class="time-grid" class:is-early=move || is_early.get()>
            <div class="time-labels" aria-hidden="true">{labels.collect_view()}</div>
            <For each=days key=|(day, facts)| key_of(day, facts) children=move |(day, facts)| {
                view! { <Day day=day facts=facts address=address /> }
            } />
        </div>
    }
}

/// Whether something happens or is free before the first hour that is shown in full.
fn is_early(day: &CalendarDay) -> bool {
    let has_begun = |at, offset| row_of(at, offset) < FIRST_HOUR * ROWS;
    day.items.iter().any(|item| item.at < day.begins_at || has_begun(item.at, item.offset))
        || day.free_slots.iter().any(|(at, offset)| has_begun(*at, *offset))
}

/// Row of a moment.
fn row_of(at: Timestamp, offset: i32) -> u32 {
    let wall = wall_clock_time(at, offset);
    wall.hour * ROWS + wall.minute / ROW_MINUTES
}

/// First row of an item on a day, and the row after its last one.
fn span(day: &CalendarDay, item: &CalendarItem) -> (u32, u32) {
    let first = if item.at < day.begins_at { 0 } else { row_of(item.at, item.offset) };
    let end = match item.ends_at {
        None => first,
        Some(end) if end >= day.ends_at => DAY_ROWS,
        // A part of a row counts whole.
        Some(end) => row_of(end.plus(-1), item.end_offset) + 1,
    };
    let first = first.min(DAY_ROWS - LEAST_ROWS);
    (first, end.max(first + LEAST_ROWS))
}

#[component]
fn Day(day: CalendarDay, facts: Facts, address: Memo<ListAddress>) -> impl IntoView {
    let texts = CalendarTexts::here();
    let id = format!("day-{}", day.date);
    let words = date_words(language(), &day.date, &facts.today);
    let (date, own_date, heading, slot_words) =
        (day.date.clone(), day.date.clone(), id.clone(), words.clone());
    let href = move || address.with(|address| link_to(address, View::Day, &date));
    let (is_empty, is_past, is_today) = (day.count == 0, day.ends_at <= facts.now, day.date == facts.today);
    let has_slots = !day.free_slots.is_empty();
    view! {
        <section class="calendar-list time-day" class:is-empty=is_empty class:is-past=is_past
            data-date=own_date aria-labelledby=heading aria-current=is_today.then_some("date")>
            <h3 id=id><a href=href data-noscroll="">{words}</a>" "<span class="count" aria-hidden="true">{day.count.to_string()}</span></h3>
            <div class="time-body">
                <div class="time-hours">{hours(&day, &facts)}</div>
                {has_slots.then(|| view! { <Slots day=day.clone() words=slot_words address=address /> })}
                <Items day=day.clone() facts=facts.clone() address=address />
                {is_today.then(|| view! { <NowLine day=day.clone() /> })}
            </div>
            {is_empty.then(|| view! { <p class="visually-hidden">{texts.no_items()}</p> })}
            <MoreLink day=day.clone() address=address />
            {(facts.is_open(&day) && !has_slots).then(|| view! { <NewLink day=day facts=facts address=address /> })}
        </section>
    }
}

/// The hours, into which items are dragged.
fn hours(day: &CalendarDay, facts: &Facts) -> AnyView {
    let length = day.ends_at.since(day.begins_at) / 24;
    let hour = |hour: i64| {
        let is_past = day.begins_at.plus((hour + 1) * length) <= facts.now;
        view! { <div data-hour=format!("{}T{hour:02}:00", day.date) class:is-past=is_past></div> }
    };
    (0..24).map(hour).collect_view().into_any()
}

/// The items, each at its time.
#[component]
fn Items(day: CalendarDay, facts: Facts, address: Memo<ListAddress>) -> impl IntoView {
    let mut items: Vec<_> = day.items.iter().map(|item| (span(&day, item), item)).collect();
    items.sort_by_key(|(span, _)| *span);
    let spans: Vec<_> = items.iter().map(|(span, _)| *span).collect();
    let lanes = lanes(&spans);
    let chips = items.into_iter().zip(lanes).map(|(((first, end), item), lane)| {
        let mut look = ItemLook::of(&day, item, facts.now, false);
        let (number, count) = (lane.number.min(MOST_LANES - 1), lane.count.min(MOST_LANES));
        look.class.push_str(&format!(" q{first} s{} l{number} n{count}", end.min(DAY_ROWS) - first));
        let has_end = item.may_move && item.is_meeting();
        view! { <Chip look=look address=address has_end=has_end /> }
    });
    view! { <ul class="time-items">{chips.collect_view()}</ul> }
}

/// The free posting slots: each opens the choice of something new.
#[component]
fn Slots(
    day: CalendarDay,
    /// The day in words.
    words: String,
    address: Memo<ListAddress>,
) -> impl IntoView {
    let slots = day.free_slots.iter().map(|(at, offset)| {
        let time = clock(wall_clock_time(*at, *offset));
        let row = row_of(*at, *offset).min(DAY_ROWS - LEAST_ROWS);
        let label = SlotTexts::here().free_at(format!("{words}, {time}"));
        let local = format!("{}T{time}", day.date);
        let href = move || address.with(|address| link_with(address, NEW, &local));
        view! { <a class=format!("new-item free-slot q{row} s{LEAST_ROWS}") href=href data-noscroll="" aria-label=label>"+ "{time}</a> }
    });
    view! { <div class="time-slots">{slots.collect_view()}</div> }
}

/// The present, which moves on.
#[component]
fn NowLine(day: CalendarDay) -> impl IntoView {
    let now = live().now();
    let minute = Memo::new(move |_| now.get().millis() / 60_000);
    let row = move || {
        let now = Timestamp::from_millis(minute.get() * 60_000);
        (day.begins_at <= now && now < day.ends_at).then(|| row_of(now, day.offset))
    };
    move || row().map(|row| view! { <span class=format!("now-line q{row}") aria-hidden="true"></span> })
}
