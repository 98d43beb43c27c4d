//! Views, previous and next, today, and a date to jump to. The arrow keys follow the links.

use super::{
    request::{DATE, link_to, link_with},
    server_fns::CalendarBoard,
};
use crate::calendar::clock_text::{date_words, wall_of};
use crate::{
    meetings::rooms_page::day_nav::use_arrow_keys,
    ui::{
        icon::Icon,
        table::{address::ListAddress, pager::HiddenFields},
    },
};
use domain::{
    base::local_time::parse_date,
    calendar::{View, week_number},
};
use leptos::prelude::*;
use leptos_router::components::Form;
use texts::calendar::CalendarTexts;
use texts::language;

/// The links.
#[component]
pub fn CalendarNav(
    /// The board.
    board: Signal<CalendarBoard>,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let texts = CalendarTexts::here();
    use_arrow_keys();
    let title = Memo::new(move |_| board.with(|board| heading(texts, board)));
    let view = Memo::new(move |_| board.with(|board| board.view));
    let date = Memo::new(move |_| board.with(|board| board.page.date.clone()));
    let previous = Memo::new(move |_| board.with(|board| board.previous.clone()));
    let next = Memo::new(move |_| board.with(|board| board.next.clone()));
    let at = move |date: Memo<Option<String>>| {
        move || date.get().map(|date| address.with(|address| link_to(address, view.get(), &date)))
    };
    let today = move || address.with(|address| link_with(address, DATE, ""));
    let views = View::ALL.iter().map(|one| {
        let href = move || date.with(|date| address.with(|address| link_to(address, *one, date)));
        let current = move || (view.get() == *one).then_some("page");
        view! { <a href=href data-noscroll="" aria-current=current>{texts.view(*one)}</a> }
    });
    view! {
        <nav class="list-tabs calendar-views" aria-label=texts.views()>{views.collect_view()}</nav>
        <nav class="day-nav" aria-label=texts.dates()>
            <h2 aria-live="polite">{title}</h2>
            <a class="button small" href=at(previous) rel="prev" data-noscroll="" aria-keyshortcuts="ArrowLeft"><Icon name="left" />{texts.previous()}</a>
            <a class="button small" href=today data-noscroll="">{texts.today()}</a>
            <a class="button small" href=at(next) rel="next" data-noscroll="" aria-keyshortcuts="ArrowRight">{texts.next()}<Icon name="right" /></a>
            <Form method="GET" action="/calendar" attr:class="inline">
                <HiddenFields address=address without=DATE />
                <label class="visually-hidden" for="date">{texts.go_to()}</label>
                <input id="date" class="input" type="date" name=DATE min="2000-01-01" max="2199-12-31" required value=move || date.get() />
                <button class="button small" type="submit">{texts.go()}</button>
            </Form>
        </nav>
    }
}

/// What the shown days are called.
fn heading(texts: CalendarTexts, board: &CalendarBoard) -> String {
    let (page, language) = (&board.page, language());
    let words = |date: &str| date_words(language, date, &page.today);
    let first = page.days.first().map(|day| day.date.as_str()).unwrap_or_default();
    let last = page.days.last().map(|day| day.date.as_str()).unwrap_or_default();
    match board.view {
        View::Month => wall_of(&page.date).map(|day| texts.month_of(day.year, day.month)).unwrap_or_default(),
        View::Week => {
            let number = parse_date(first).and_then(week_number).map(|number| texts.week_number(number));
            format!("{} – {} · {}", words(first), words(last), number.unwrap_or_default())
        }
        View::Day => words(first),
        View::Agenda => format!("{} – {}", words(first), words(last)),
    }
}
