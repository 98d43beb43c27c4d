//! The day or hour under a pointer.

use crate::calendar::moving::dragged::{Held, STEP, local_date};
use domain::base::{calendar::local_seconds, local_time};
use js_sys::{Function, Reflect};
use leptos::{prelude::*, wasm_bindgen::JsCast as _};
use wasm_bindgen::JsValue;
use web_sys::Element;

/// Class of the day or hour under the pointer.
const TARGET: &str = "is-target";

/// A day, or a time of a day, on the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A day, `YYYY-MM-DD`.
    Day(String),
    /// A time, see [`Held::local`], and which of two occurrences.
    Time(i64, String),
}

impl Place {
    /// The place of an element. `y`: distance of the pointer from the top of the window; in the row of
    /// an hour it chooses the quarter.
    #[must_use]
    pub fn of(element: &Element, y: f64) -> Option<Self> {
        if let Some(row) = element.closest("[data-hour]").ok().flatten() {
            let begin = local_time::parse(&row.get_attribute("data-hour")?).ok()?;
            let which = row.get_attribute("data-which").unwrap_or_default();
            return Some(Self::Time(local_seconds(begin) + quarter(&row, y) * STEP, which));
        }
        let day = element.closest("[data-date]").ok().flatten()?;
        day.get_attribute("data-date").filter(|date| local_date(date).is_some()).map(Self::Day)
    }

    /// The place at a point of the window; `None`: outside of the calendar.
    #[must_use]
    pub fn at(x: f64, y: f64) -> Option<(Element, Self)> {
        #[expect(clippy::cast_possible_truncation, reason = "pixels")]
        let top = document().element_from_point(x as f32, y as f32)?;
        top.closest(".calendar-main").ok().flatten()?;
        // In the time grid an item lies over its hour.
        #[expect(clippy::cast_possible_truncation, reason = "pixels")]
        let all = document().elements_from_point(x as f32, y as f32);
        let hour = all.iter().find_map(|one| {
            let one = one.dyn_into::<Element>().ok()?;
            one.closest("[data-hour]").ok().flatten()
        });
        let element = hour.unwrap_or(top);
        let place = Self::of(&element, y)?;
        let marked = element.closest("[data-hour], [data-date]").ok().flatten()?;
        Some((marked, place))
    }

    /// An item moved here.
    #[must_use]
    pub fn moved(&self, held: &Held) -> Held {
        match self {
            Self::Day(date) => held.on(date),
            Self::Time(local, which) => held.at(*local, which),
        }
    }

    /// A meeting that lasts until here.
    #[must_use]
    pub fn resized(&self, held: &Held) -> Held {
        match self {
            Self::Day(_) => held.clone(),
            Self::Time(local, _) => held.until(local + STEP),
        }
    }
}

/// The quarter of an hour at a height of its row. Before a clock change an hour may have fewer than four.
fn quarter(row: &Element, y: f64) -> i64 {
    let (Some(top), Some(height)) = (side(row, "top"), side(row, "height")) else { return 0 };
    let count = row.get_attribute("data-rows").and_then(|count| count.parse().ok()).unwrap_or(4.0_f64);
    let last = (count - 1.0).max(0.0);
    #[expect(clippy::cast_possible_truncation, reason = "from 0 to 3")]
    let quarter = ((y - top) / height.max(1.0) * count).floor().clamp(0.0, last) as i64;
    quarter
}

/// A number of the element's rectangle in the window. By name: the type of the rectangle is a feature
/// of `web_sys` that nothing else needs.
#[must_use]
pub fn side(element: &Element, name: &str) -> Option<f64> {
    let measure = Reflect::get(element, &JsValue::from_str("getBoundingClientRect")).ok()?;
    let measure: Function = measure.dyn_into().ok()?;
    let rectangle = measure.call0(element).ok()?;
    Reflect::get(&rectangle, &JsValue::from_str(name)).ok()?.as_f64()
}

/// Marks the day or hour under the pointer, and no other.
pub fn mark(target: Option<&Element>) {
    let marked = document().query_selector(&format!(".{TARGET}")).ok().flatten();
    if marked.as_ref() == target {
        return;
    }
    if let Some(marked) = marked {
        _ = marked.class_list().remove_1(TARGET);
    }
    if let Some(target) = target {
        _ = target.class_list().add_1(TARGET);
    }
}
