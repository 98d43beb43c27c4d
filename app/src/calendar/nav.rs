//! Views, previous and next, today, and a date to jump to. `keys.rs` follows the links.

use super::{
    keys::use_calendar_keys,
    request::{CalendarRequest, DATE, link_to, link_with},
    server_fns::CalendarBoard,
};
use crate::{
    calendar::clock_text::{date_words, wall_of},
    ui::{
        icon::Icon,
        shortcut::{has_single_keys, single_key},
        table::{address::ListAddress, pager::HiddenFields},
    },
};
use domain::{
    base::local_time::{date_text, parse_date},
    calendar::{View, week_number},
};
use leptos::{prelude::*, wasm_bindgen::JsCast as _};
use leptos_router::components::Form;
use texts::calendar::CalendarTexts;
use texts::{Language, language};
use web_sys::HtmlElement;

/// Keys of the views, in their order.
const VIEW_KEYS: [&str; 4] = ["1", "2", "3", "4"];

/// The links.
#[component]
pub fn CalendarNav(
    /// The board.
    board: Signal<CalendarBoard>,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let texts = CalendarTexts::here();
    use_calendar_keys();
    let title = Memo::new(move |_| board.with(|board| heading(texts, board)));
    let view = Memo::new(move |_| board.with(|board| board.view));
    let date = Memo::new(move |_| asked_date(board, address));
    Effect::new(move |_| {
        date.track();
        close_go_to();
    });
    let at = move |is_back| {
        move || {
            let asked = address.with(CalendarRequest::of).view;
            let step = asked.step(parse_date(&date.get())?, is_back).map(date_text);
            let date = step.filter(|date| parse_date(date).is_some())?;
            Some(address.with(|address| link_to(address, asked, &date)))
        }
    };
    let today = move || address.with(|address| link_with(address, DATE, ""));
    let views = View::ALL.iter().zip(VIEW_KEYS).map(|(one, key)| {
        let href = move || date.with(|date| address.with(|address| link_to(address, *one, date)));
        let current = move || (view.get() == *one).then_some("page");
        view! { <a href=href data-noscroll="" aria-current=current aria-keyshortcuts=single_key(key)>{texts.view(*one)}</a> }
    });
    let (previous_keys, next_keys) =
        if has_single_keys() { ("ArrowLeft h", "ArrowRight l") } else { ("ArrowLeft", "ArrowRight") };
    view! {
        <nav class="list-tabs calendar-views" aria-label=texts.views()>{views.collect_view()}</nav>
        <nav class="day-nav" aria-label=texts.dates()>
            <a class="button small" href=at(true) rel="prev" data-noscroll="" aria-label=texts.previous() title=texts.previous() aria-keyshortcuts=previous_keys><Icon name="left" /></a>
            <a class="button small" href=today data-noscroll="" data-today="" aria-keyshortcuts=single_key("t")>{texts.today()}</a>
            <a class="button small" href=at(false) rel="next" data-noscroll="" aria-label=texts.next() title=texts.next() aria-keyshortcuts=next_keys><Icon name="right" /></a>
            <h2 aria-live="polite">{title}</h2>
            <details class="menu go-to">
                <summary class="button bare small" aria-label=texts.go_to() title=texts.go_to()><Icon name="calendar" /></summary>
                <Form method="GET" action="/calendar" attr:class="menu-items">
                    <HiddenFields address=address without=DATE />
                    <label for="date">{texts.go_to()}</label>
                    <input id="date" class="input" type="date" name=DATE min="2000-01-01" max="2199-12-31" required value=date.get_untracked() prop:value=move || date.get() />
                    <button class="button small" type="submit">{texts.go()}</button>
                </Form>
            </details>
        </nav>
    }
}

/// Closes the choice of a date, and focuses its button.
fn close_go_to() {
    let Some(open) = document().query_selector(".go-to[open]").ok().flatten() else { return };
    let button = open.query_selector("summary").ok().flatten();
    if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
        _ = button.focus();
    }
    _ = open.remove_attribute("open");
}

/// The date in the URL, whose days may not be there yet, so that a key pressed twice goes two days on. Without one: that of
/// the board.
fn asked_date(board: Signal<CalendarBoard>, address: Memo<ListAddress>) -> String {
    let asked = address.with(|address| address.get(DATE)).filter(|date| parse_date(date).is_some());
    asked.unwrap_or_else(|| board.with(|board| board.page.date.clone()))
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
            format!("{} · {}", range(first, last, &page.today), number.unwrap_or_default())
        }
        View::Day => words(first),
        View::Agenda => range(first, last, &page.today),
    }
}

/// Two days in words. The year, if it is another one than that of today, is said once.
fn range(first: &str, last: &str, today: &str) -> String {
    let language = language();
    let (first_beside, last_beside) = match language {
        Language::En | Language::De => (last, today),
        Language::Zh => (today, first),
    };
    format!("{} – {}", date_words(language, first, first_beside), date_words(language, last, last_beside))
}
