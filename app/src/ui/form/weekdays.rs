//! Boxes that choose weekdays.

use leptos::prelude::*;
use texts::{language, time::weekday_name};

/// Words of the weekdays, Monday first.
pub const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// One box for each weekday.
#[component]
pub fn WeekdayBoxes(
    /// Name of the list in the form: the boxes are `list[0]` to `list[6]`.
    name: &'static str,
    /// Whether the box with this name and word is on.
    is_on: impl Fn(&str, &str) -> bool,
) -> impl IntoView {
    let boxes = WEEKDAYS.into_iter().enumerate().map(|(place, day)| {
        let name = format!("{name}[{place}]");
        let checked = is_on(&name, day);
        view! {
            <label class="choice">
                <input type="checkbox" name=name value=day checked=checked />
                <span>{weekday_name(language(), place)}</span>
            </label>
        }
    });
    view! { <div class="weekday-choices">{boxes.collect_view()}</div> }
}
