//! Days as a time grid: hours down, days across; the height of a meeting is its length. The week has a
//! column for each day, the day a single one. On a narrow screen the week is a list of days.

use super::{
    column::{Column, class_of},
    lanes::{Lane, lanes_within},
    month::{Facts, MoreLink, NewLink, key_of},
    overflow::{OverflowDetails, OverflowLink},
    rows::{DayRows, MIN_ROWS, USUAL_ROWS, is_all_day, is_early, opening_hour},
};
use crate::{
    calendar::{
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
    time::clock,
};

/// Maximum number of items beside each other in a column of the week, so that each has room for its title.
const WEEK_LANES: usize = 2;
/// Maximum number of items beside each other in the day.
const DAY_LANES: usize = 4;

/// The columns of the days.
#[component]
pub fn TimeGrid(
    /// The board.
    board: Signal<CalendarBoard>,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
    /// Whether the board has a single day.
    #[prop(optional)]
    is_day: bool,
    /// The labels of the hours.
    children: Children,
) -> impl IntoView {
    let days = move || {
        board.with(|board| {
            let facts = Facts::of(board);
            let days = board.page.days.iter().take(if is_day { 1 } else { usize::MAX });
            days.map(|day| (day.clone(), facts.clone())).collect::<Vec<_>>()
        })
    };
    // An hour that has passed changes the look of a day.
    let key = move |(day, facts): &(CalendarDay, Facts)| {
        let hours = DayRows::of(day, is_day).hours(day);
        let past = hours.iter().filter(|hour| hour.ends_at <= facts.now).count();
        format!("{} {past}", key_of(day, facts))
    };
    let class = Memo::new(move |_| {
        board.with(|board| {
            let days = &board.page.days;
            let rows = days.first().map_or(USUAL_ROWS, |day| DayRows::of(day, is_day).count());
            let (name, rows) = if is_day { ("is-day", rows) } else { ("is-week", USUAL_ROWS) };
            // The low rows are those before seven only on a day without a clock change.
            let is_early = rows != USUAL_ROWS || days.iter().any(is_early);
            let early = if is_early { " is-early" } else { "" };
            format!("time-grid {name} r{rows}{early}")
        })
    });
    view! {
        <div class=move || class.get()>
            {children()}
            <For each=days key=key children=move |(day, facts)| {
                let column = Column { day, facts, address, is_alone: is_day };
                view! { <DayColumn column=column /> }
            } />
        </div>
    }
}

/// The week: a column for each day.
#[component]
pub fn WeekGrid(
    /// The board.
    board: Signal<CalendarBoard>,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
) -> impl IntoView {
    view! {
        <TimeGrid board=board address=address>
            <div class="time-labels" aria-hidden="true">
                {(0..24).map(|hour| view! { <span>{format!("{hour:02}")}</span> }).collect_view()}
            </div>
        </TimeGrid>
    }
}

#[component]
fn DayColumn(column: Column) -> impl IntoView {
    let texts = CalendarTexts::here();
    let Column { day, facts, address, is_alone } = column.clone();
    let heading = format!("day-{}", day.date);
    let own_date = day.date.clone();
    let (is_empty, is_past, is_today) = (day.count == 0, day.ends_at <= facts.now, day.date == facts.today);
    let has_slots = !day.free_slots.is_empty();
    // The day has a link in each of its hours.
    let has_new = facts.is_open(&day) && !has_slots && !is_alone;
    view! {
        <section class="calendar-list time-day" class:is-empty=is_empty class:is-past=is_past
            data-date=own_date aria-labelledby=heading aria-current=is_today.then_some("date")>
            {head(&column)}
            {all_day_items(&column)}
            <div class="time-body">
                <div class="time-hours">{hours(&column)}</div>
                {has_slots.then(|| slots(&column))}
                {items(&column)}
                {is_today.then(|| view! { <NowLine rows=column.rows() /> })}
            </div>
            {(is_empty && !is_alone).then(|| view! { <p class="visually-hidden">{texts.no_items()}</p> })}
            {(!is_alone).then(|| view! { <MoreLink day=day.clone() address=address /> })}
            {has_new.then(|| view! { <NewLink day=day.clone() facts=facts.clone() address=address /> })}
        </section>
    }
}

/// The heading of a day: opens it, unless it is shown alone.
fn head(column: &Column) -> AnyView {
    let Column { day, address, .. } = column.clone();
    let (id, words, count) = (format!("day-{}", day.date), column.words(), day.count.to_string());
    if column.is_alone {
        return view! { <h3 id=id class="visually-hidden">{words}</h3> }.into_any();
    }
    let href = move || address.with(|address| link_to(address, View::Day, &day.date));
    view! {
        <h3 id=id><a href=href data-noscroll="">{words}</a>" "<span class="count" aria-hidden="true">{count}</span></h3>
    }
    .into_any()
}

/// What lasts for the whole day, above the hours.
fn all_day_items(column: &Column) -> Option<AnyView> {
    let items = column.day.items.iter().filter(|item| is_all_day(&column.day, item));
    let items: Vec<_> = items.map(|item| column.item(item, "")).collect();
    (!items.is_empty()).then(|| view! { <ul class="time-all-day">{items}</ul> }.into_any())
}

/// The hours, into which items are dragged. The style sheet scrolls a day alone to its opening hour.
fn hours(column: &Column) -> AnyView {
    let opening = opening_hour(&column.day, column.facts.now).filter(|_| column.is_alone);
    let hours = column.rows().hours(&column.day).into_iter().enumerate().map(|(place, hour)| {
        let past = if hour.ends_at <= column.facts.now { "is-past " } else { "" };
        let opens = if opening == Some(place) { "opens-here " } else { "" };
        let class = format!("{past}{opens}s{}", hour.rows);
        let begin = format!("{}T{}", column.day.date, hour.begin);
        let id = column.is_alone.then(|| hour.id());
        view! { <div id=id class=class data-hour=begin data-which=hour.which data-rows=hour.rows.to_string()></div> }
    });
    hours.collect_view().into_any()
}

/// The items, each at its time. What has no lane is counted at its place.
fn items(column: &Column) -> AnyView {
    let (day, rows) = (&column.day, column.rows());
    let items = day.items.iter().filter(|item| !is_all_day(day, item));
    let mut items: Vec<_> = items.map(|item| (rows.span(item), item)).collect();
    items.sort_by_key(|(span, _)| *span);
    let spans: Vec<_> = items.iter().map(|(span, _)| *span).collect();
    let max_lanes = if column.is_alone { DAY_LANES } else { WEEK_LANES };
    let layout = lanes_within(&spans, max_lanes);
    let views = items.iter().zip(&layout.lanes).enumerate().filter_map(|(place, ((span, item), lane))| {
        if let Some(lane) = lane {
            return Some(column.item(item, &class_of(*span, *lane)));
        }
        let overflow = layout.overflows.iter().find(|one| one.places.first() == Some(&place))?;
        let counted = overflow.places.iter().filter_map(|place| items.get(*place));
        let counted: Vec<CalendarItem> = counted.map(|(_, item)| (*item).clone()).collect();
        let class = class_of(overflow.span, Lane { number: max_lanes - 1, count: max_lanes });
        Some(if column.is_alone {
            view! { <OverflowDetails column=column.clone() items=counted class=class /> }.into_any()
        } else {
            view! { <OverflowLink column=column.clone() items=counted class=class /> }.into_any()
        })
    });
    let views = views.collect_view();
    view! { <ul class="time-items">{views}</ul> }.into_any()
}

/// The free posting slots: each opens the choice of something new.
fn slots(column: &Column) -> AnyView {
    let (rows, address) = (column.rows(), column.address);
    let slots = column.day.free_slots.iter().map(|(at, offset)| {
        let time = clock(wall_clock_time(*at, *offset));
        let row = rows.row(*at, *offset).min(rows.count() - MIN_ROWS);
        let label = SlotTexts::here().free_at(format!("{}, {time}", column.words()));
        let local = format!("{}T{time}", column.day.date);
        let href = move || address.with(|address| link_with(address, NEW, &local));
        let class = format!("new-item free-slot q{row} s{MIN_ROWS}");
        view! { <a class=class href=href data-noscroll="" aria-label=label>"+ "{time}</a> }
    });
    view! { <div class="time-slots">{slots.collect_view()}</div> }.into_any()
}

/// The present, which moves on.
#[component]
fn NowLine(rows: DayRows) -> impl IntoView {
    let now = live().now();
    let row = Memo::new(move |_| {
        let minute = now.get().millis().div_euclid(60_000);
        rows.now_row(Timestamp::from_millis(minute * 60_000))
    });
    move || row.get().map(|row| view! { <span class=format!("now-line q{row}") aria-hidden="true"></span> })
}
