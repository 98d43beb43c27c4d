//! Previous and next day or week, by links, arrow keys and a date.

use crate::ui::icon::Icon;
use leptos::{ev, prelude::*, wasm_bindgen::JsCast as _};
use leptos_router::components::Form;
use texts::meetings::rooms::RoomTexts;
use web_sys::{HtmlElement, KeyboardEvent};

/// The links of a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayLinks {
    /// Heading.
    pub title: String,
    /// First day, `YYYY-MM-DD`.
    pub date: String,
    /// First day of the grid before.
    pub previous: String,
    /// First day of the grid after.
    pub next: String,
}

/// The heading and the links.
#[component]
pub fn DayNav(
    /// Path of the page.
    path: Signal<String>,
    /// The links.
    links: Memo<DayLinks>,
    /// Labels of the links: previous, current and next.
    labels: [&'static str; 3],
) -> impl IntoView {
    let texts = RoomTexts::here();
    use_arrow_keys();
    let to = move |date: String| format!("{}?date={date}", path.get());
    let previous = move || to(links.with(|links| links.previous.clone()));
    let next = move || to(links.with(|links| links.next.clone()));
    let [before, current, after] = labels;
    view! {
        <nav class="day-nav" aria-label=texts.days()>
            <h2 aria-live="polite">{move || links.with(|links| links.title.clone())}</h2>
            <a class="button small" href=previous rel="prev" data-noscroll="" aria-keyshortcuts="ArrowLeft"><Icon name="left" />{before}</a>
            <a class="button small" href=path data-noscroll="">{current}</a>
            <a class="button small" href=next rel="next" data-noscroll="" aria-keyshortcuts="ArrowRight">{after}<Icon name="right" /></a>
            <Form method="GET" action=path.get_untracked() attr:class="inline">
                <label class="visually-hidden" for="date">{texts.go_to()}</label>
                <input id="date" class="input" type="date" name="date" required value=move || links.with(|links| links.date.clone()) />
                <button class="button small" type="submit">{texts.go()}</button>
            </Form>
        </nav>
    }
}

/// The arrow keys follow the links, unless the focus is where they have another meaning.
fn use_arrow_keys() {
    Effect::new(move |_| {
        let handle = window_event_listener(ev::keydown, |event| follow_key(&event));
        on_cleanup(move || handle.remove());
    });
}

fn follow_key(event: &KeyboardEvent) {
    let has_modifier = event.ctrl_key() || event.meta_key() || event.alt_key() || event.shift_key();
    let selector = match event.key().as_str() {
        "ArrowLeft" => ".day-nav [rel=prev]",
        "ArrowRight" => ".day-nav [rel=next]",
        _ => return,
    };
    let is_elsewhere = document().active_element().is_some_and(|element| {
        element.matches("input, select, textarea, .scroll, summary").unwrap_or_default()
    });
    if has_modifier || is_elsewhere || event.default_prevented() || event.is_composing() {
        return;
    }
    let link = document().query_selector(selector).ok().flatten();
    if let Some(link) = link.and_then(|link| link.dyn_into::<HtmlElement>().ok()) {
        event.prevent_default();
        link.click();
    }
}
