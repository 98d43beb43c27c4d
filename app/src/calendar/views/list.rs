//! The agenda: a list of the days on which something happens.

use super::month::{Facts, MoreLink, NewLink, key_of};
use crate::calendar::{
    clock_text::date_words,
    item::{ItemLook, Line},
    request::link_to,
    server_fns::CalendarBoard,
};
use crate::ui::table::address::ListAddress;
use domain::calendar::{CalendarDay, View};
use leptos::prelude::*;
use texts::calendar::CalendarTexts;
use texts::language;

/// The days, each with its items.
#[component]
pub fn DayLists(
    /// The board.
    board: Signal<CalendarBoard>,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let days = move || {
        board.with(|board| {
            let facts = Facts::of(board);
            let days = board.page.days.iter().filter(|day| day.count > 0);
            days.map(|day| (day.clone(), facts.clone())).collect::<Vec<_>>()
        })
    };
    view! {
        <div class="calendar-days is-agenda">
            <For each=days key=|(day, facts)| key_of(day, facts) children=move |(day, facts)| {
                view! { <DayList day=day facts=facts address=address /> }
            } />
        </div>
    }
}

#[component]
fn DayList(day: CalendarDay, facts: Facts, address: Memo<ListAddress>) -> impl IntoView {
    let texts = CalendarTexts::here();
    let id = format!("day-{}", day.date);
    let words = date_words(language(), &day.date, &facts.today);
    let (date, own_date) = (day.date.clone(), day.date.clone());
    let href = move || address.with(|address| link_to(address, View::Day, &date));
    let items = day.items.clone();
    let lines = items.into_iter().map(|item| {
        let look = ItemLook::of(&day, &item, facts.now, true);
        view! { <Line look=look item=item address=address /> }
    });
    let lines = lines.collect_view();
    let (is_empty, is_past) = (day.count == 0, day.ends_at <= facts.now);
    let is_today = day.date == facts.today;
    view! {
        <section class="calendar-list" class:is-empty=is_empty class:is-past=is_past
            data-date=own_date aria-labelledby=id.clone() aria-current=is_today.then_some("date")>
            <h3 id=id.clone()><a href=href data-noscroll="">{words}</a>" "<span class="count" aria-hidden="true">{day.count.to_string()}</span></h3>
            <ul>{lines}</ul>
            {is_empty.then(|| view! { <p class="visually-hidden">{texts.no_items()}</p> })}
            <MoreLink day=day.clone() address=address />
            {facts.is_open(&day).then(|| view! { <NewLink day=day facts=facts address=address /> })}
        </section>
    }
}
