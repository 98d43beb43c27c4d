//! Moves the focus to what a user opened a page for.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Frames in which an element is waited for: after a link, a page is built before it is shown.
const FRAMES: u8 = 60;

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
