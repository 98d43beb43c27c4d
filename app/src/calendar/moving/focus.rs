//! Keeps the keyboard where it is: a day is built again when an item of it changes, by anyone.

use crate::calendar::server_fns::CalendarBoard;
use leptos::{ev, leptos_dom::helpers::request_animation_frame, prelude::*};
use wasm_bindgen::JsCast as _;
use web_sys::{Element, FocusOptions, HtmlElement};

/// The days. They have the focus when the focused item is no longer shown.
pub const DAYS: &str = ".calendar-main";
/// What has a name in the calendar: items, hours and days.
const NAMED: [&str; 3] = ["data-item", "data-hour", "data-date"];

/// Focuses a link again if a change of the board has replaced it.
pub fn use_kept_focus(board: Signal<CalendarBoard>) {
    let last = StoredValue::new(None::<String>);
    Effect::new(move |_| {
        let focused = window_event_listener(ev::focusin, move |event| {
            let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            last.set_value(target.and_then(|target| selector_of(&target)));
        });
        // A press elsewhere takes the focus away on purpose.
        let pressed = window_event_listener(ev::pointerdown, move |_| last.set_value(None));
        on_cleanup(move || {
            focused.remove();
            pressed.remove();
        });
    });
    Effect::new(move |_| {
        board.track();
        request_animation_frame(move || {
            if let (false, Some(Some(selector))) = (has_focus(), last.try_get_value()) {
                let options = FocusOptions::new();
                options.set_prevent_scroll(true);
                if let Some(link) = find(&selector) {
                    _ = link.focus_with_options(&options);
                }
            }
        });
    });
}

/// Focuses the days as a whole. The page stays where it is.
pub fn focus_days() {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    if let Some(days) = find(DAYS) {
        _ = days.focus_with_options(&options);
    }
}

/// Focuses an item once the page shows it, unless something else has the focus by then.
pub fn focus_item(key: &str) {
    let selector = format!("[data-item=\"{key}\"] > a");
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
