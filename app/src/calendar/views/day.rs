//! One day as a time grid. On the day of a clock change there are 23 or 25 hours, each with its offset.

use super::{
    month::USUAL_TIME,
    rows::{DayRows, GridHour},
    time_grid::TimeGrid,
};
use crate::{
    calendar::{
        moving::place::side,
        request::{CalendarRequest, NEW, SKIP, link_with, without_filters},
        server_fns::CalendarBoard,
    },
    ui::table::address::ListAddress,
};
use domain::{Timestamp, calendar::CalendarDay, time::wall_clock_time};
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use texts::{calendar::CalendarTexts, number::grouped, time::clock};
use web_sys::Element;

/// Items of one page.
const PAGE: u32 = 100;

/// The day.
#[component]
pub fn DayGrid(
    /// The board.
    board: Signal<CalendarBoard>,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let texts = CalendarTexts::here();
    scroll_to_hour(board);
    let count = Memo::new(move |_| board.with(|board| board.page.days.first().map(|day| day.count)));
    let change = Memo::new(move |_| {
        board.with(|board| {
            let day = board.page.days.first().filter(|day| day.offset != day.end_offset)?;
            Some(texts.time_change(length(day)))
        })
    });
    let skip = Memo::new(move |_| board.with(|board| board.skip));
    let earlier = move || Some(skip.get()).filter(|skip| *skip > 0).map(|skip| skip.saturating_sub(PAGE));
    let later = move || {
        let next = skip.get().saturating_add(PAGE);
        count.get().filter(|count| u64::from(next) < *count).map(|_| next)
    };
    let page_link = move |to: Option<u32>, label: &'static str| {
        let to = to?;
        let skip = if to == 0 { String::new() } else { to.to_string() };
        let href = address.with(|address| link_with(address, SKIP, &skip));
        Some(view! { <p><a class="button small" href=href data-noscroll="">{label}</a></p> })
    };
    view! {
        {move || change.get().map(|text| view! { <p class="notice">{text}</p> })}
        <DaySummary board=board address=address />
        {move || page_link(earlier(), texts.earlier())}
        <TimeGrid board=board address=address is_day=true>
            <HourLabels board=board address=address />
        </TimeGrid>
        {move || page_link(later(), texts.later())}
    }
}

/// Number of the items. Of an empty day: what it is, and where something new begins.
#[component]
fn DaySummary(board: Signal<CalendarBoard>, address: Memo<ListAddress>) -> impl IntoView {
    let texts = CalendarTexts::here();
    let count = Memo::new(move |_| board.with(|board| board.page.days.first().map_or(0, |day| day.count)));
    let new = Memo::new(move |_| {
        board.with(|board| {
            let day = board.page.days.first()?;
            Some((day.date.clone(), free_time(day, board.page.now)?))
        })
    });
    let new_link = move |(date, time): (String, String)| {
        let href = address.with(|address| link_with(address, NEW, &format!("{date}T{time}")));
        view! { <a class="button small" href=href data-noscroll="">{texts.new_at(time)}</a> }
    };
    let clear = move || address.with(without_filters);
    view! {
        <div class="day-summary muted">
            {move || match count.get() {
                0 if address.with(CalendarRequest::of).is_filtered() => view! {
                    <span>{texts.nothing_filtered()}</span>
                    <a class="button small" href=clear>{texts.clear()}</a>
                }
                .into_any(),
                0 => view! {
                    <span>{texts.nothing_on_day()}</span>
                    {new.get().map(new_link)}
                }
                .into_any(),
                count => view! { <span>{texts.count(count)}</span> }.into_any(),
            }}
        </div>
    }
}

/// When something new may begin on a day, `HH:MM`: at its first free slot, else at the first hour from the
/// usual time and from now on. `None`: no such hour begins any more.
fn free_time(day: &CalendarDay, now: Timestamp) -> Option<String> {
    if let Some((at, offset)) = day.free_slots.first() {
        return Some(clock(wall_clock_time(*at, *offset)));
    }
    let hours = DayRows::of(day, true).hours(day);
    let ahead = hours.iter().zip(hours.iter().skip(1)).filter(|(before, _)| before.ends_at >= now);
    ahead.map(|(_, hour)| hour.begin.clone()).find(|begin| begin.as_str() >= USUAL_TIME)
}

/// Scrolls to the hour that the URL names, once the day is on the page; without one to the hour at which
/// the day opens, unless it is in the window, as after the style sheet has scrolled there.
fn scroll_to_hour(board: Signal<CalendarBoard>) {
    let hash = use_location().hash;
    let date = Memo::new(move |_| board.with(|board| board.page.date.clone()));
    Effect::new(move |_| {
        date.track();
        let id = hash.with(|hash| hash.trim_start_matches('#').to_owned());
        request_animation_frame(move || {
            let hour = if id.starts_with("hour-") {
                document().get_element_by_id(&id)
            } else {
                document().query_selector(".opens-here").ok().flatten().filter(|hour| !is_in_window(hour))
            };
            if let Some(hour) = hour {
                hour.scroll_into_view();
            }
        });
    });
}

fn is_in_window(element: &Element) -> bool {
    let height = window().inner_height().ok().and_then(|height| height.as_f64());
    let (top, end) = (side(element, "top"), side(element, "bottom"));
    top.is_some_and(|top| top >= 0.0) && end.zip(height).is_some_and(|(end, height)| end <= height)
}

/// Length of a day in hours: `23`, `24.5`.
fn length(day: &CalendarDay) -> String {
    let minutes = day.ends_at.since(day.begins_at) / 60_000;
    match minutes % 60 {
        0 => grouped((minutes / 60).unsigned_abs()),
        rest => format!("{}.{}", minutes / 60, rest * 10 / 60),
    }
}

/// What is beside an hour.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct HourLabel {
    /// Its begin in words.
    text: String,
    /// Number of its rows.
    rows: u32,
    /// Whether its time occurs twice on the day.
    is_doubled: bool,
    /// Whether it is the current one.
    is_now: bool,
    /// Its begin for something new, `YYYY-MM-DDTHH:MM`; `None`: it has passed, or has a link at its free
    /// slot.
    new: Option<String>,
}

impl HourLabel {
    fn all_of(day: &CalendarDay, now: Timestamp) -> Vec<Self> {
        let mut end = day.begins_at;
        let label = |hour: GridHour| {
            let begin = std::mem::replace(&mut end, hour.ends_at);
            let is_open = hour.ends_at > now;
            let has_slot = day.free_slots.iter().any(|(at, _)| begin <= *at && *at < hour.ends_at);
            Self {
                text: hour.label,
                rows: hour.rows,
                is_doubled: hour.which.is_some(),
                is_now: begin <= now && is_open,
                new: (is_open && !has_slot).then(|| format!("{}T{}", day.date, hour.begin)),
            }
        };
        DayRows::of(day, true).hours(day).into_iter().map(label).collect()
    }
}

/// The hours, each with a link to something new in it.
#[component]
fn HourLabels(board: Signal<CalendarBoard>, address: Memo<ListAddress>) -> impl IntoView {
    let texts = CalendarTexts::here();
    let labels = move || {
        board.with(|board| {
            let day = board.page.days.first();
            day.map(|day| HourLabel::all_of(day, board.page.now)).unwrap_or_default()
        })
    };
    let new_link = move |local: String, name: String| {
        let href = move || address.with(|address| link_with(address, NEW, &local));
        view! { <a class="new-item" href=href data-noscroll="" aria-label=name>"+"</a> }
    };
    view! {
        <div class="time-labels">
            <For each=labels key=|label| label.clone() children=move |label| {
                let HourLabel { text, rows, is_doubled, is_now, new } = label;
                let name = texts.new_at(text.clone());
                view! {
                    <div class=format!("s{rows}") class:is-doubled=is_doubled aria-current=is_now.then_some("time")>
                        <span>{text}</span>
                        {new.map(|local| new_link(local, name))}
                    </div>
                }
            } />
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    #[test]
    fn an_hour_has_a_link_unless_it_has_passed_or_has_a_slot() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let day = CalendarDay {
            date: "2027-06-09".to_owned(),
            begins_at: at("2027-06-08T22:00:00Z"),
            ends_at: at("2027-06-09T22:00:00Z"),
            offset: 120,
            end_offset: 120,
            hours: Vec::new(),
            count: 0,
            attention: 0,
            items: Vec::new(),
            free_slots: vec![(at("2027-06-09T14:30:00Z"), 120)],
        };
        let labels = HourLabel::all_of(&day, at("2027-06-09T08:10:00Z"));
        let new: Vec<_> = labels.iter().map(|label| label.new.as_deref()).collect();
        assert_eq!((labels.len(), new[9], new[10]), (24, None, Some("2027-06-09T10:00")));
        assert_eq!((new[16], new[17]), (None, Some("2027-06-09T17:00")), "16:30 is a free slot");
        assert_eq!(labels.iter().position(|label| label.is_now), Some(10));
        let time = |day: &CalendarDay, now: &str| free_time(day, at(now));
        assert_eq!(time(&day, "2027-06-09T08:10:00Z").as_deref(), Some("16:30"), "the free slot");
        let day = CalendarDay { free_slots: Vec::new(), ..day };
        assert_eq!(time(&day, "2027-06-01T08:10:00Z").as_deref(), Some("09:00"));
        assert_eq!(time(&day, "2027-06-09T08:10:00Z").as_deref(), Some("11:00"));
        assert_eq!(time(&day, "2027-06-09T21:10:00Z"), None, "23:10");
    }
}
