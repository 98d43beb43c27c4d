//! What can be planned for a day and a time: links to the forms, with the time filled in.

use super::{
    moving::{focus::focus_days, place::side},
    request::{NEW, link_with},
    server_fns::CalendarBoard,
};
use crate::ui::{shortcut::focused, table::address::ListAddress, time::picker::zone_as_typed};
use domain::{
    Timestamp,
    base::{calendar::local_seconds, local_time},
    time::wall_clock_time,
};
use leptos::{ev, html, prelude::*, wasm_bindgen::JsCast as _};
use leptos_router::location::Url;
use texts::calendar::CalendarTexts;
use texts::{
    language,
    time::{place, placed_text},
};
use web_sys::{Element, HtmlElement};

/// Maximum height of a day that the choice leaves in view, in pixels.
const MAX_DAY_HEIGHT: f64 = 120.0;

/// The choice, while the URL names a day and a time: at its cell, and with the focus.
#[component]
pub fn CreatePanel(
    /// The board.
    board: Signal<CalendarBoard>,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let new = Memo::new(move |_| address.with(|address| address.get(NEW)));
    let zone = Memo::new(move |_| board.with(|board| (board.page.zone.clone(), board.page.today.clone())));
    move || {
        let (zone, today) = zone.get();
        let new = new.get()?;
        let links = Links::of(&new, &zone, &today)?;
        Some(view! { <NewItem new=new links=links address=address /> })
    }
}

#[component]
fn NewItem(new: String, links: Links, address: Memo<ListAddress>) -> impl IntoView {
    let texts = CalendarTexts::here();
    let close = move || address.with(|address| link_with(address, NEW, ""));
    let panel = NodeRef::<html::Section>::new();
    Effect::new(move |_| {
        if let Some(panel) = panel.get() {
            open_at_cell(&panel, new.clone());
        }
    });
    view! {
        <section class="calendar-panel calendar-new" role="dialog" aria-labelledby="new-question" node_ref=panel>
            <p id="new-question">{texts.create_at(links.when)}</p>
            <p class="row new-choices">
                <a class="button main" href=links.article>{texts.article_at()}</a>
                <a class="button" href=links.meeting>{texts.meeting_at()}</a>
                <a class="button" href=links.reminder>{texts.reminder_at()}</a>
                <a class="button bare" href=close data-noscroll="" data-close="">{texts.close()}</a>
            </p>
        </section>
    }
}

/// Places the choice at its cell and focuses its first link. Escape presses *Close*, and the focus returns.
fn open_at_cell(panel: &HtmlElement, new: String) {
    let opener =
        focused().filter(|active| active.closest(".calendar-layout").is_ok_and(|days| days.is_some()));
    let own = panel.clone();
    let handle = window_event_listener(ev::keydown, move |event| {
        if event.key() != "Escape" || event.default_prevented() || is_in_other_panel() {
            return;
        }
        event.prevent_default();
        if let Some(close) = find(&own, "[data-close]") {
            close.click();
        }
        let opener = opener.clone().filter(|opener| opener.is_connected());
        match opener.and_then(|opener| opener.dyn_into::<HtmlElement>().ok()) {
            Some(opener) => _ = opener.focus(),
            None => focus_days(),
        }
    });
    on_cleanup(move || handle.remove());
    let own = panel.clone();
    request_animation_frame(move || {
        place_at_cell(&own, &new);
        if let Some(first) = find(&own, "a") {
            _ = first.focus();
        }
    });
}

/// Whether Escape has another meaning where the focus is.
fn is_in_other_panel() -> bool {
    focused().is_some_and(|active| {
        active.closest("dialog, #help-panel, .result, .calendar-carry").is_ok_and(|panel| panel.is_some())
    })
}

fn find(inside: &Element, selector: &str) -> Option<HtmlElement> {
    inside.query_selector(selector).ok().flatten()?.dyn_into().ok()
}

/// Says where the cell is: below its day or quarter of an hour, or above it at the end of the window. The style
/// sheet places the choice there unless the window is narrow.
fn place_at_cell(panel: &HtmlElement, new: &str) {
    let days = panel.closest(".calendar-layout").ok().flatten();
    let (Some(days), Some((begin, end, left))) = (days, cell_of(new)) else { return };
    let of = |element: &Element, name: &str| side(element, name).unwrap_or_default();
    let window = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or_default();
    let height = of(panel, "height");
    let is_below = end + height <= window || begin < height;
    let edge = if is_below { end } else { begin - height };
    let style = HtmlElement::style(panel);
    _ = style.set_property("--top", &format!("{}px", edge - of(&days, "top")));
    _ = style.set_property("--left", &format!("{}px", left - of(&days, "left")));
    _ = panel.class_list().add_1("is-at-cell");
}

/// Top, bottom and left side in the window of the quarter of an hour, or of the day where no hours are
/// shown.
fn cell_of(new: &str) -> Option<(f64, f64, f64)> {
    let start = new.split('/').next()?;
    let (date, time) = start.split_once('T')?;
    let (hour, minute) = time.split_once(':')?;
    let find = |name: &str, value: &str| {
        let found = document().query_selector(&format!(".calendar-main [{name}=\"{value}\"]"));
        found.ok().flatten().filter(|cell| side(cell, "height").is_some_and(|height| height > 0.0))
    };
    if let Some(cell) = find("data-hour", &format!("{date}T{hour}:00")) {
        let (top, height) = (side(&cell, "top")?, side(&cell, "height")?);
        let part = f64::from(minute.parse::<u8>().unwrap_or(0)) / 60.0;
        return Some((top + height * part, top + height * (part + 0.25), side(&cell, "left")?));
    }
    let cell = find("data-date", date)?;
    let top = side(&cell, "top")?;
    Some((top, top + side(&cell, "height")?.min(MAX_DAY_HEIGHT), side(&cell, "left")?))
}

/// Addresses of the forms, and the time in words.
struct Links {
    when: String,
    article: String,
    meeting: String,
    reminder: String,
}

impl Links {
    /// `typed`: the start, and after a slash the time of the end. `None`: the text is no time.
    fn of(typed: &str, zone: &str, today: &str) -> Option<Self> {
        let (typed, end) = typed.split_once('/').map_or((typed, None), |(start, end)| (start, Some(end)));
        let local = local_time::parse(typed).ok()?;
        let wall = wall_clock_time(Timestamp::from_millis(local_seconds(local) * 1_000), 0);
        let this_year = today.split('-').next().and_then(|year| year.parse().ok());
        let when = placed_text(language(), wall, this_year, &place(language(), zone));
        let text = local_time::minute_text(local);
        let (date, time) = text.split_once('T')?;
        let end = match end.and_then(|end| local_time::parse(&format!("{date}T{end}")).ok()) {
            Some(end) if end > local => format!("{:02}:{:02}", end.hour(), end.minute()),
            _ if local.hour() == 23 => "23:59".to_owned(),
            _ => format!("{:02}:{:02}", local.hour() + 1, local.minute()),
        };
        let zone = Url::escape(&zone_as_typed(zone));
        Some(Self {
            when,
            article: format!("/articles/new?date={date}&time={time}&zone={zone}"),
            meeting: format!("/meetings/new?date={date}&start={time}&end={end}&zone={zone}"),
            reminder: format!("/reminders?date={date}&time={time}&zone={zone}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Links;

    #[test]
    fn a_time_that_was_dragged_out_has_its_own_end() {
        let meeting = |typed: &str| Links::of(typed, "UTC", "2027-01-01").map(|links| links.meeting);
        let starts = |start: &str, end: &str| {
            Some(format!("/meetings/new?date=2027-03-04&start={start}&end={end}&zone=UTC"))
        };
        assert_eq!(meeting("2027-03-04T14:00"), starts("14:00", "15:00"));
        assert_eq!(meeting("2027-03-04T14:00/16:15"), starts("14:00", "16:15"));
        for wrong in ["13:00", "25:00", "", "x"] {
            assert_eq!(meeting(&format!("2027-03-04T14:00/{wrong}")), starts("14:00", "15:00"), "{wrong}");
        }
        assert_eq!(meeting("2027-03-04T23:30"), starts("23:30", "23:59"));
        assert_eq!(meeting("never/14:00"), None);
    }
}
