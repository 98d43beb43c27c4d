//! M picks up the focused item, the space bar selects it, Escape ends the selection. After an action the
//! result has the focus: the keys are then about the item that it is about.

use super::mover::Mover;
use crate::ui::{
    result::{LastResult, last_result},
    shortcut::{has_single_keys, typed_letter},
};
use leptos::{ev, prelude::*};
use web_sys::Element;

/// Handles the key while the calendar is on the page.
pub fn use_move_key(mover: Mover) {
    let last = last_result();
    Effect::new(move |_| {
        let handle = window_event_listener(ev::keydown, move |event| {
            if event.default_prevented() {
                return;
            }
            let is_plain = !event.ctrl_key() && !event.meta_key() && !event.alt_key() && !event.shift_key();
            let focused = document().active_element();
            match event.key().as_str() {
                "Escape" if mover.held.with_untracked(Option::is_none) => {
                    mover.selected.update(Vec::clear);
                    mover.is_selecting.set(false);
                }
                // Links have no use for it; buttons do.
                " " if is_plain => {
                    let link = focused
                        .filter(|focused| focused.matches("[data-item] > a, .result").unwrap_or_default());
                    if let Some(key) = link.and_then(|link| key_of(&link, last)) {
                        event.prevent_default();
                        mover.select(&key);
                    }
                }
                _ if has_single_keys() && typed_letter(&event) == Some('m') => {
                    if let Some(key) = focused.and_then(|focused| key_of(&focused, last)) {
                        event.prevent_default();
                        mover.pick_up(&key);
                    }
                }
                _ => {}
            }
        });
        on_cleanup(move || handle.remove());
    });
}

/// Name of the item that an element belongs to.
fn key_of(element: &Element, last: LastResult) -> Option<String> {
    if element.closest(".result").is_ok_and(|result| result.is_some()) {
        return last.item();
    }
    element.closest("[data-item]").ok().flatten()?.get_attribute("data-item")
}
