//! Keys of the calendar: H and L or the arrows go to the days before and after, T to today, J and K or the
//! arrows to the next and previous item, 1 to 4 to another view, N begins something new. The focus stays in
//! the calendar.

use super::moving::focus::{DAYS, focus_days};
use crate::ui::{
    result::{LastResult, last_result},
    shortcut::{focused, has_single_keys, typed_digit, typed_letter},
};
use leptos::{ev, prelude::*, wasm_bindgen::JsCast as _};
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// What has the focus of an item, and of the number of items without a lane.
const ITEMS: &str = ".calendar-main .calendar-item > a:first-child, .calendar-main .time-more > .more, \
     .calendar-main .time-more summary";
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
        (Some('h'), ..) | (_, _, "ArrowLeft") => follow(".day-nav [rel=prev]"),
        (Some('l'), ..) | (_, _, "ArrowRight") => follow(".day-nav [rel=next]"),
        (Some('t'), ..) => follow(".day-nav [data-today]"),
        (Some('n'), ..) => begin_new(),
        (Some('j'), ..) => focus_neighbour(current_item(last).as_ref(), true),
        (Some('k'), ..) => focus_neighbour(current_item(last).as_ref(), false),
        (_, _, key @ ("ArrowDown" | "ArrowUp")) => {
            let current = current_item(last);
            current.is_some() && focus_neighbour(current.as_ref(), key == "ArrowDown")
        }
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
        let selector = format!(".calendar-main [data-item=\"{}\"] > a", last.item()?);
        return document().query_selector(&selector).ok().flatten();
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
    let Ok(found) = document().query_selector_all(ITEMS) else { return false };
    let nodes = (0..found.length()).filter_map(|place| found.item(place));
    let all: Vec<HtmlElement> = nodes.filter_map(|node| node.dyn_into().ok()).collect();
    let is_current =
        |one: &HtmlElement| current.is_some_and(|current| one.unchecked_ref::<Element>() == current);
    let is_ahead = |one: &HtmlElement| one.closest(".is-past").is_ok_and(|past| past.is_none());
    match (all.iter().position(is_current), is_next) {
        (Some(place), true) => all.iter().skip(place + 1).any(has_taken_focus),
        (Some(place), false) => all.iter().take(place).rev().any(has_taken_focus),
        (None, _) => {
            let first = all.iter().position(is_ahead).unwrap_or(0);
            all.iter().skip(first).any(has_taken_focus)
        }
    }
}

/// Focuses an element. `false`: it is hidden, as the items behind a number are until that is pressed.
fn has_taken_focus(element: &HtmlElement) -> bool {
    _ = element.focus();
    document().active_element().is_some_and(|active| &active == element.unchecked_ref::<Element>())
}
