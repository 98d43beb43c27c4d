//! The month: a row for each week, a column for each weekday. On a phone it is a list of the days on
//! which something happens.

use crate::calendar::{
    clock_text::{date_words, wall_of},
    item::{Chip, ItemLook},
    request::{NEW, link_to, link_with},
    server_fns::CalendarBoard,
};
use crate::ui::table::address::ListAddress;
use domain::{
    Timestamp,
    base::local_time::parse_date,
    calendar::{CalendarDay, View, week_number, weekday},
    time::wall_clock_time,
};
use leptos::prelude::*;
use texts::calendar::{CalendarTexts, SlotTexts};
use texts::{colon, language, number::grouped, time::clock};

/// Proposed time of something new on a day.
pub const USUAL_TIME: &str = "09:00";

/// What all days of a view share.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// Today, `YYYY-MM-DD`.
    pub today: String,
    /// The moment of the response.
    pub now: Timestamp,
    /// The shown month.
    pub month: u32,
}

impl Facts {
    /// Returns the facts of a board.
    #[must_use]
    pub fn of(board: &CalendarBoard) -> Self {
        let month = wall_of(&board.page.date).map_or(0, |day| day.month);
        Self { today: board.page.today.clone(), now: board.page.now, month }
    }

    /// Whether something new can still be planned on a day.
    #[must_use]
    pub fn is_open(&self, day: &CalendarDay) -> bool {
        day.ends_at > self.now
    }
}

/// A day that looks the same has the same key.
#[must_use]
pub fn key_of(day: &CalendarDay, facts: &Facts) -> String {
    let item = |item: &domain::calendar::CalendarItem| {
        let has_passed = item.ends_at.unwrap_or(item.at) <= facts.now;
        let (at, end) = (item.at.millis(), item.ends_at.map(|end| end.millis()).unwrap_or_default());
        let state = item.status.as_str();
        format!("{}.{}.{at}.{end}.{state}.{}.{has_passed}", item.id, item.version, item.together)
    };
    let items: Vec<String> = day.items.iter().map(item).collect();
    let is_today = day.date == facts.today;
    let slots: Vec<String> = day.free_slots.iter().map(|(at, _)| at.millis().to_string()).collect();
    let (is_open, items, slots) = (facts.is_open(day), items.join(" "), slots.join(" "));
    format!("{} {} {} {is_today} {is_open} {items} {slots}", day.date, day.offset, day.count)
}

/// The grid.
#[component]
pub fn MonthGrid(
    /// The board.
    board: Signal<CalendarBoard>,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let texts = CalendarTexts::here();
    let first_weekday = Memo::new(move |_| board.with(|board| board.first_weekday));
    let weeks = move || {
        board.with(|board| {
            let facts = Facts::of(board);
            let weeks = board.page.days.chunks(7).map(|days| (days.to_vec(), facts.clone()));
            weeks.collect::<Vec<_>>()
        })
    };
    let key = |(days, facts): &(Vec<CalendarDay>, Facts)| {
        let days: Vec<String> = days.iter().map(|day| key_of(day, facts)).collect();
        format!("{} {}", facts.month, days.join("|"))
    };
    let heads = move || {
        (0..7)
            .map(|place| texts.weekday((first_weekday.get() + place) % 7))
            .map(|name| view! { <th scope="col">{name}</th> })
            .collect_view()
    };
    view! {
        <table class="calendar-grid">
            <thead><tr><th scope="col" class="week-number">{texts.week_head()}</th>{heads}</tr></thead>
            <tbody>
                <For each=weeks key=key children=move |(days, facts)| {
                    view! { <Week days=days facts=facts address=address /> }
                } />
            </tbody>
        </table>
    }
}

#[component]
fn Week(days: Vec<CalendarDay>, facts: Facts, address: Memo<ListAddress>) -> impl IntoView {
    let texts = CalendarTexts::here();
    let first = days.first().map(|day| day.date.clone()).unwrap_or_default();
    let number = parse_date(&first).and_then(week_number).unwrap_or(0);
    let href = move || address.with(|address| link_to(address, View::Week, &first));
    let cells = days.into_iter().map(|day| view! { <Cell day=day facts=facts.clone() address=address /> });
    view! {
        <tr>
            <th scope="row" class="week-number"><a href=href data-noscroll="" aria-label=texts.week_number(number)>{number}</a></th>
            {cells.collect_view()}
        </tr>
    }
}

#[component]
fn Cell(day: CalendarDay, facts: Facts, address: Memo<ListAddress>) -> impl IntoView {
    let is_other = wall_of(&day.date).is_some_and(|wall| wall.month != facts.month);
    let is_empty = day.count == 0;
    let (is_past, is_today) = (day.ends_at <= facts.now, day.date == facts.today);
    let date = day.date.clone();
    let looks: Vec<ItemLook> =
        day.items.iter().map(|item| ItemLook::of(&day, item, facts.now, false)).collect();
    let has_items = !looks.is_empty();
    let chips = move || {
        let chips = looks.into_iter().map(|look| view! { <Chip look=look address=address /> });
        view! { <ul>{chips.collect_view()}</ul> }
    };
    view! {
        <td class="calendar-day" class:is-other=is_other class:is-empty=is_empty class:is-past=is_past
            data-date=date aria-current=is_today.then_some("date")>
            <DayLink day=day.clone() facts=facts.clone() address=address />
            {has_items.then(chips)}
            <MoreLink day=day.clone() address=address />
            {facts.is_open(&day).then(|| view! { <NewLink day=day facts=facts address=address /> })}
        </td>
    }
}

/// The number of the day: opens it.
#[component]
fn DayLink(day: CalendarDay, facts: Facts, address: Memo<ListAddress>) -> impl IntoView {
    let texts = CalendarTexts::here();
    let words = date_words(language(), &day.date, &facts.today);
    let number = wall_of(&day.date).map_or(0, |wall| wall.day);
    let name = parse_date(&day.date).map(|date| texts.weekday(weekday(date)));
    let attention = (day.attention > 0).then(|| texts.need_attention(grouped(day.attention)));
    let attention = attention.map(|text| format!(" · {text}")).unwrap_or_default();
    let label = format!("{words}{}{}{attention}", colon(), texts.count(day.count));
    let href = move || address.with(|address| link_to(address, View::Day, &day.date));
    view! {
        <a class="day-link" href=href data-noscroll="" data-weekday=name aria-label=label>{number}</a>
    }
}

/// How many items are not shown: opens the day.
#[component]
pub fn MoreLink(
    /// The day.
    day: CalendarDay,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let texts = CalendarTexts::here();
    let rest = day.count.saturating_sub(day.items.len() as u64);
    let href = move || address.with(|address| link_to(address, View::Day, &day.date));
    (rest > 0).then(|| view! { <a class="more" href=href data-noscroll="">{texts.more(grouped(rest))}</a> })
}

/// Opens the choice of something new on this day: at its first free slot, else at the usual time.
#[component]
pub fn NewLink(
    /// The day.
    day: CalendarDay,
    /// What all days share.
    facts: Facts,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let words = date_words(language(), &day.date, &facts.today);
    let slot = day.free_slots.first().map(|(at, offset)| clock(wall_clock_time(*at, *offset)));
    let label = match &slot {
        Some(time) => SlotTexts::here().free_at(format!("{words}, {time}")),
        None => CalendarTexts::here().create_on(words),
    };
    let text = slot.as_ref().map_or_else(|| "+".to_owned(), |time| format!("+ {time}"));
    let time = slot.unwrap_or_else(|| USUAL_TIME.to_owned());
    let href = move || address.with(|address| link_with(address, NEW, &format!("{}T{time}", day.date)));
    view! { <a class="new-item" href=href data-noscroll="" aria-label=label>{text}</a> }
}
