//! Keys of the calendar: H and L go to the days before and after, the arrows to the day beside the focused
//! one, T to today, J and K or the arrows to the next and previous item, 1 to 4 to another view, N begins
//! something new. The focus stays in the calendar.

use super::moving::{
    focus::{DAYS, focus_days},
    tab_stop::{all, all_in},
};
use crate::ui::{
    result::{LastResult, item_selector, last_result},
    shortcut::{focused, has_single_keys, typed_digit, typed_letter},
};
use leptos::{ev, prelude::*, wasm_bindgen::JsCast as _};
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// What has the focus of an item, and of the number of items without a lane.
const ITEMS: &str = ".calendar-main .calendar-item > a:first-child, .calendar-main .time-more > .more, \
     .calendar-main .time-more summary";
/// A day beside others.
const DAY: &str = ".calendar-main [data-date]";
/// The link that opens a day.
const DAY_LINK: &str = ".day-link, h3 a";
/// What begins something new at an hour of a day that is shown alone.
const HOURS: &str = ".calendar-main .time-labels .new-item";
/// The link to the days before.
const PREVIOUS: &str = ".day-nav [rel=prev]";
/// The link to the days after.
const NEXT: &str = ".day-nav [rel=next]";
/// Where the keys have another meaning.
const ELSEWHERE: &str = "input, select, textarea, .scroll, summary:not(.time-more summary)";
/// Panels with keys of their own.
const PANELS: &str = ".calendar-carry, .calendar-new, #help-panel, dialog";

/// Handles the keys while the calendar is on the page.
pub fn use_calendar_keys() {
    let last = last_result();
    Effect::new(move |_| {
        let handle = window_event_listener(ev::keydown, move |event| handle_key(&event, last));
        on_cleanup(move || handle.remove());
    });
}

fn handle_key(event: &KeyboardEvent, last: LastResult) {
    let has_modifier = event.ctrl_key() || event.meta_key() || event.alt_key() || event.shift_key();
    if has_modifier || event.default_prevented() || event.is_composing() || is_elsewhere() {
        return;
    }
    let single = |key: Option<char>| key.filter(|_| has_single_keys());
    let is_handled = match (single(typed_letter(event)), single(typed_digit(event)), event.key().as_str()) {
        (Some('h'), ..) => follow(PREVIOUS),
        (Some('l'), ..) => follow(NEXT),
        (_, _, "ArrowLeft") => focus_day(false) || follow(PREVIOUS),
        (_, _, "ArrowRight") => focus_day(true) || follow(NEXT),
        (Some('t'), ..) => follow(".day-nav [data-today]"),
        (Some('n'), ..) => begin_new(),
        (Some('j'), ..) => focus_neighbour(current_item(last).as_ref(), true),
        (Some('k'), ..) => focus_neighbour(current_item(last).as_ref(), false),
        (_, _, key @ ("ArrowDown" | "ArrowUp")) => focus_along(last, key == "ArrowDown"),
        (_, Some(digit @ '1'..='4'), _) => follow(&format!(".calendar-views a:nth-of-type({digit})")),
        _ => false,
    };
    if is_handled {
        event.prevent_default();
    }
}

/// Whether the keys have another meaning where the focus is, or an item is being moved.
fn is_elsewhere() -> bool {
    let is_carried = document().query_selector(".calendar-carry").is_ok_and(|panel| panel.is_some());
    let is_other = |active: Element| {
        active.matches(ELSEWHERE).unwrap_or_default()
            || active.closest(PANELS).is_ok_and(|panel| panel.is_some())
    };
    is_carried || focused().is_some_and(is_other)
}

/// Presses a link. The days keep the focus if the focused item is among them.
fn follow(selector: &str) -> bool {
    let link = document().query_selector(selector).ok().flatten();
    let Some(link) = link.and_then(|link| link.dyn_into::<HtmlElement>().ok()) else { return false };
    if focused().is_some_and(|active| active.closest(DAYS).is_ok_and(|days| days.is_some())) {
        focus_days();
    }
    link.click();
    true
}

/// Presses the link to something new on the focused day, in the day at the hour of the focused item; without
/// one that of another time, or quick add. The page has the key while the focus is not on the days.
fn begin_new() -> bool {
    let Some(active) = focused().filter(|active| active.closest(DAYS).is_ok_and(|days| days.is_some()))
    else {
        return false;
    };
    let closest = |selector: &str| active.closest(selector).ok().flatten();
    let inside = |place: Option<Element>, selector: &str| place?.query_selector(selector).ok().flatten();
    let time = inside(closest("[data-item]"), "time").and_then(|time| time.text_content());
    let hour = time.as_deref().and_then(|time| time.split(':').next()).unwrap_or_default();
    let days = || closest(DAYS);
    let link = inside(closest("[data-date]"), ".new-item")
        .or_else(|| inside(days(), &format!(".time-labels .new-item[href*=\"T{hour}%3A\"]")))
        .or_else(|| inside(days(), ".time-labels .new-item[href*=\"T09%3A\"]"))
        .or_else(|| inside(days(), ".new-item"))
        .or_else(|| document().query_selector("a[href=\"/quick\"]").ok().flatten());
    let Some(link) = link.and_then(|link| link.dyn_into::<HtmlElement>().ok()) else { return false };
    link.click();
    true
}

/// The link of the focused item, or of the one that the focused result is about.
fn current_item(last: LastResult) -> Option<Element> {
    let active = focused()?;
    if active.closest(".result").is_ok_and(|result| result.is_some()) {
        return document().query_selector(&item_selector(&last.item()?)).ok().flatten();
    }
    if active.matches(ITEMS).unwrap_or_default() {
        return Some(active);
    }
    let item = active.closest(".calendar-main .calendar-item").ok().flatten()?;
    item.query_selector("a").ok().flatten()
}

/// Focuses the item after or before another one. Without one: the first item that has not passed, else
/// the first one.
fn focus_neighbour(current: Option<&Element>, is_next: bool) -> bool {
    let all = all(ITEMS);
    if current.is_some() {
        return focus_beside(&all, current, is_next, has_taken_focus);
    }
    let is_ahead = |one: &HtmlElement| one.closest(".is-past").is_ok_and(|past| past.is_none());
    let first = all.iter().position(is_ahead).unwrap_or(0);
    all.iter().skip(first).any(has_taken_focus)
}

/// By the arrows up and down: the next or previous item, the hour beside a day, or from the link of a day its
/// first item and back.
fn focus_along(last: LastResult, is_next: bool) -> bool {
    let Some(active) = focused() else { return false };
    if active.matches(HOURS).unwrap_or_default() {
        return focus_beside(&all(HOURS), Some(&active), is_next, has_taken_focus);
    }
    let day = active.closest(DAY).ok().flatten();
    let Some(current) = current_item(last) else {
        return is_next && day.is_some_and(|day| all_in(&day, ITEMS).iter().any(has_taken_focus));
    };
    let is_first = |day: &Element| {
        let first = all_in(day, ITEMS).into_iter().next();
        first.is_some_and(|first| first.unchecked_ref::<Element>() == &current)
    };
    let link = day.filter(|day| !is_next && is_first(day));
    link.is_some_and(|day| all_in(&day, DAY_LINK).iter().any(has_taken_focus))
        || focus_neighbour(Some(&current), is_next)
}

/// Focuses the day after or before the focused one. `false`: no day has the focus, or none follows.
fn focus_day(is_next: bool) -> bool {
    let day = focused().and_then(|active| active.closest(DAY).ok().flatten());
    day.is_some() && focus_beside(&all(DAY), day.as_ref(), is_next, has_focused_day)
}

/// Focuses the first item of a day, else its link.
fn has_focused_day(day: &HtmlElement) -> bool {
    all_in(day, ITEMS).iter().any(has_taken_focus) || all_in(day, DAY_LINK).iter().any(has_taken_focus)
}

/// Focuses the nearest element after or before the current one that takes the focus.
fn focus_beside(
    all: &[HtmlElement],
    current: Option<&Element>,
    is_next: bool,
    focus: fn(&HtmlElement) -> bool,
) -> bool {
    let is_current =
        |one: &HtmlElement| current.is_some_and(|current| one.unchecked_ref::<Element>() == current);
    match (all.iter().position(is_current), is_next) {
        (Some(place), true) => all.iter().skip(place + 1).any(focus),
        (Some(place), false) => all.iter().take(place).rev().any(focus),
        (None, _) => false,
    }
}

/// Focuses an element. `false`: it is hidden, as the items behind a number are until that is pressed.
fn has_taken_focus(element: &HtmlElement) -> bool {
    _ = element.focus();
    document().active_element().is_some_and(|active| &active == element.unchecked_ref::<Element>())
}
