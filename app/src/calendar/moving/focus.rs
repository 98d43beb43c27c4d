//! Keeps the keyboard where it is: a day is built again when an item of it changes, by anyone.

use super::tab_stop::{keep_stops, set_stop};
use crate::{
    calendar::server_fns::CalendarBoard,
    ui::{result::item_selector, shortcut::has_single_keys},
};
use domain::calendar::View;
use leptos::{ev, leptos_dom::helpers::request_animation_frame, prelude::*};
use wasm_bindgen::JsCast as _;
use web_sys::{Element, FocusOptions, HtmlElement};

/// The days. They have the focus when the focused item is no longer shown.
pub const DAYS: &str = ".calendar-main";
/// What has a name in the calendar: items, hours and days.
const NAMED: [&str; 3] = ["data-item", "data-hour", "data-date"];

/// Focuses what had the focus again if a change of the board has replaced it, and keeps one tab stop, unless
/// the user has switched off the keys that reach the rest.
pub fn use_kept_focus(board: Signal<CalendarBoard>) {
    let has_one_stop = has_single_keys();
    let last = StoredValue::new(Vec::<String>::new());
    Effect::new(move |_| {
        let focused = window_event_listener(ev::focusin, move |event| {
            let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            last.set_value(target.as_ref().map(places_of).unwrap_or_default());
            if let Some(target) = target.filter(|_| has_one_stop) {
                set_stop(&target);
            }
        });
        // A press elsewhere takes the focus away on purpose.
        let pressed = window_event_listener(ev::pointerdown, move |_| last.set_value(Vec::new()));
        on_cleanup(move || {
            focused.remove();
            pressed.remove();
        });
    });
    Effect::new(move |before: Option<(View, String)>| {
        let shown = board.with(|board| (board.view, board.page.date.clone()));
        // After a link to other days only the same link is looked for: else the page places the focus.
        let count = if before.as_ref() == Some(&shown) { usize::MAX } else { 1 };
        request_animation_frame(move || {
            let places = last.try_get_value().unwrap_or_default();
            if !has_focus() {
                _ = places.iter().take(count).any(|place| focus_again(place));
            }
            if has_one_stop {
                keep_stops();
            }
        });
        shown
    });
}

/// Focuses the days as a whole. The page stays where it is.
pub fn focus_days() {
    focus_again(DAYS);
}

/// Focuses an item once the page shows it, or the number that it is behind, unless something else has the
/// focus by then.
pub fn focus_item(key: &str) {
    let selector = item_selector(key);
    request_animation_frame(move || {
        if let (false, Some(link)) = (has_focus(), find(&selector)) {
            _ = link.focus();
        }
    });
}

fn has_focus() -> bool {
    document().active_element().is_some_and(|active| active.tag_name() != "BODY")
}

fn find(selector: &str) -> Option<HtmlElement> {
    document().query_selector(selector).ok().flatten()?.dyn_into().ok()
}

/// Focuses an element where it is, and opens the list in which it is. `false`: it is not there.
fn focus_again(selector: &str) -> bool {
    let Some(element) = find(selector) else { return false };
    let list = element.closest("details:not([open])").ok().flatten();
    if let Some(list) = list.filter(|_| element.tag_name() != "SUMMARY") {
        _ = list.set_attribute("open", "");
    }
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    _ = element.focus_with_options(&options);
    has_focus()
}

/// Selectors of what has the focus after the page is built again, the best first: the same link, the number
/// that the item is behind now, the day, the days.
fn places_of(element: &Element) -> Vec<String> {
    let closest = |selector: &str| element.closest(selector).ok().flatten();
    let named = |name: &str| closest(&format!("[{name}]")).and_then(|place| place.get_attribute(name));
    let item = named("data-item");
    let number = named("data-holds").filter(|_| item.is_none());
    let number = number.and_then(|keys| keys.split(' ').next().map(item_selector));
    let item = item.as_deref().map(item_selector);
    let day = closest(DAYS).and_then(|_| named("data-date"));
    let day =
        day.map(|date| format!("{DAYS} [data-date=\"{date}\"] :is(.day-link, h3 a, .calendar-item > a)"));
    let days = closest(DAYS).map(|_| DAYS.to_owned());
    [number, selector_of(element), item, day, days].into_iter().flatten().collect()
}

/// A selector that finds the same link after the page is built again.
fn selector_of(link: &Element) -> Option<String> {
    if link.tag_name() != "A" {
        return None;
    }
    let (attribute, place) =
        NAMED.iter().find_map(|name| Some((name, link.closest(&format!("[{name}]")).ok().flatten()?)))?;
    let name = place.get_attribute(attribute)?;
    let class = link.class_list().item(0).map(|class| format!(".{class}")).unwrap_or_default();
    Some(format!("[{attribute}=\"{name}\"] a{class}"))
}
