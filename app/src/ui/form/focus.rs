//! Moves the focus to what a user opened a page for, and keeps it on the page after links.

use crate::{live::focus_page, ui::shortcut::focused};
use leptos::{html, prelude::*};
use leptos_router::hooks::use_location;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Frames in which an element is waited for: after a link, a page is built before it is shown.
const FRAMES: u8 = 60;
/// Frames in which the page of a link is waited for: its data may take long.
const PAGE_FRAMES: u16 = 600;
/// Frames after which a page has placed the focus and its title.
const SETTLED_FRAMES: u8 = 3;

/// Focuses the first of these elements that can be focused, once one of them is on the page. The focus
/// stays where it is if the user types already, or if an error or the result of an action has it.
pub fn focus_first(selectors: &'static [&'static str]) {
    Effect::new(move |_| try_focus(selectors, FRAMES));
}

fn try_focus(selectors: &'static [&'static str], frames: u8) {
    let (document, is_taken) = (
        document(),
        "input:focus, textarea:focus, select:focus, .cm-content:focus, [autofocus]:focus, .result",
    );
    if document.query_selector(is_taken).is_ok_and(|taken| taken.is_some()) {
        return;
    }
    for selector in selectors {
        let found = document.query_selector(selector).ok().flatten();
        if let Some(element) = found.and_then(|found| found.dyn_into::<web_sys::HtmlElement>().ok()) {
            _ = element.focus();
            if document.active_element().is_some_and(|active| &active == element.unchecked_ref()) {
                return;
            }
        }
    }
    if frames > 0 {
        request_animation_frame(move || try_focus(selectors, frames - 1));
    }
}

/// After a link, `main` takes the focus if the link is gone, unless the page has placed the focus.
/// Returns the title of the page that the last link has opened, for screen readers.
pub fn follow_links(main: NodeRef<html::Main>) -> RwSignal<String> {
    let links = Links {
        main,
        title: RwSignal::new(String::new()),
        addresses: StoredValue::new(0),
        pages: StoredValue::new(0),
    };
    let location = use_location();
    Effect::new(move |before: Option<String>| {
        let path = location.pathname.get();
        location.search.track();
        if let Some(before) = before {
            links.addresses.update_value(|number| *number += 1);
            links.keep_focus(links.addresses.get_value(), PAGE_FRAMES, 0);
            if before != path {
                links.title.set(String::new());
                links.pages.update_value(|number| *number += 1);
                let before = (heading(), document().title());
                links.say_title(links.pages.get_value(), before, PAGE_FRAMES, 0);
            }
        }
        path
    });
    links.title
}

/// The links that were followed. Cheap to copy.
#[derive(Clone, Copy)]
struct Links {
    main: NodeRef<html::Main>,
    title: RwSignal<String>,
    /// Number of addresses, and of those with another path.
    addresses: StoredValue<u32>,
    pages: StoredValue<u32>,
}

impl Links {
    /// Waits for the loss of the focus, until the next link. `lost`: frames since then.
    fn keep_focus(self, number: u32, frames: u16, lost: u8) {
        if self.addresses.try_get_value() != Some(number) || frames == 0 {
            return;
        }
        let is_lost = focused().is_none_or(|focused| focused.tag_name() == "BODY");
        let lost = if is_lost { lost + 1 } else { 0 };
        if lost <= SETTLED_FRAMES {
            request_animation_frame(move || self.keep_focus(number, frames - 1, lost));
        } else {
            focus_page(self.main);
        }
    }

    /// Waits for another heading or title than that of the page before. `shown`: frames since then.
    fn say_title(self, number: u32, before: (Option<Element>, String), frames: u16, shown: u8) {
        if self.pages.try_get_value() != Some(number) || frames == 0 {
            return;
        }
        let (heading, title) = (heading(), document().title());
        let is_shown = heading.is_some() && (heading != before.0 || title != before.1);
        let shown = if is_shown { shown + 1 } else { 0 };
        if shown <= SETTLED_FRAMES {
            request_animation_frame(move || self.say_title(number, before, frames - 1, shown));
        } else {
            self.title.try_set(title);
        }
    }
}

/// Heading of the page.
fn heading() -> Option<Element> {
    document().query_selector("main h1").ok().flatten()
}
