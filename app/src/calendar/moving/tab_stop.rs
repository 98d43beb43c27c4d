//! The one tab stop of the days (the grid pattern of ARIA): Tab reaches the current item or day with its own
//! actions, and keys go on from there. The hours beside a day that is shown alone are a stop of their own.

use leptos::{prelude::*, wasm_bindgen::JsCast as _};
use web_sys::{Element, HtmlElement, NodeList};

/// The days, and the hours beside a day that is shown alone.
const AREAS: [&str; 2] =
    [".calendar-main :is(.calendar-grid, .calendar-days, .time-day)", ".calendar-main .time-labels"];
/// What is current as a whole: an item, a number of items, a day, an hour.
const GROUPS: &str = "[data-item], .time-more, [data-date], .time-labels > div";
/// What is the stop of an area, the best first: that from before, what has not passed, today, anything.
const STOPS: [&str; 4] = [
    "[tabindex=\"0\"]",
    ".calendar-item:not(.is-past) > a:first-child",
    "[aria-current=\"date\"] a",
    ":is(a, summary)",
];

/// The elements of the page that match a selector.
#[must_use]
pub fn all(selector: &str) -> Vec<HtmlElement> {
    document().query_selector_all(selector).map(|found| elements(&found)).unwrap_or_default()
}

/// The elements inside another one that match a selector.
#[must_use]
pub fn all_in(inside: &Element, selector: &str) -> Vec<HtmlElement> {
    inside.query_selector_all(selector).map(|found| elements(&found)).unwrap_or_default()
}

fn elements(found: &NodeList) -> Vec<HtmlElement> {
    (0..found.length()).filter_map(|place| found.item(place)?.dyn_into().ok()).collect()
}

/// Makes an element, with what belongs to the same item or day, the stop of its area.
pub fn set_stop(element: &Element) {
    let is_around = |area: &&&str| element.closest(area).is_ok_and(|area| area.is_some());
    let Some(area) = AREAS.iter().find(is_around) else { return };
    for one in all(&format!("{area} [tabindex=\"0\"]")) {
        _ = one.set_attribute("tabindex", "-1");
    }
    _ = element.set_attribute("tabindex", "0");
    let Some(group) = element.closest(GROUPS).ok().flatten() else { return };
    for one in all_in(&group, "a, summary") {
        if one.closest(GROUPS).is_ok_and(|own| own.as_ref() == Some(&group)) {
            _ = one.set_attribute("tabindex", "0");
        }
    }
}

/// After a change of the days: new links are no stops, and each area has one.
pub fn keep_stops() {
    for area in AREAS {
        for one in all(&format!("{area} :is(a, summary):not([tabindex])")) {
            _ = one.set_attribute("tabindex", "-1");
        }
        let find = |stop: &&str| document().query_selector(&format!("{area} {stop}")).ok().flatten();
        if let Some(stop) = STOPS.iter().find_map(find) {
            set_stop(&stop);
        }
    }
}
