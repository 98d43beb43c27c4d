//! M picks up the focused item.

use super::mover::Mover;
use crate::ui::shortcut::{has_single_keys, typed_letter};
use leptos::{ev, prelude::*};

/// Handles the key while the calendar is on the page.
pub fn use_move_key(mover: Mover) {
    Effect::new(move |_| {
        let handle = window_event_listener(ev::keydown, move |event| {
            if !has_single_keys() || event.default_prevented() || typed_letter(&event) != Some('m') {
                return;
            }
            let focused = document().active_element();
            let item = focused.and_then(|focused| focused.closest("[data-item]").ok().flatten());
            if let Some(key) = item.and_then(|item| item.get_attribute("data-item")) {
                event.prevent_default();
                mover.pick_up(&key);
            }
        });
        on_cleanup(move || handle.remove());
    });
}
