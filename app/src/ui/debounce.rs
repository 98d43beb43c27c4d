//! Debounce timer, for actions that follow typing.

use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*};
use std::time::Duration;

/// Runs a callback once, after a delay since the last request. Never runs after its page was left.
/// Cheap to copy.
#[derive(Clone, Copy)]
pub struct Debounce(StoredValue<Option<TimeoutHandle>>);

impl Debounce {
    /// Returns a timer that is not running.
    #[must_use]
    pub fn new() -> Self {
        let timer = Self(StoredValue::new(None));
        on_cleanup(move || timer.cancel());
        timer
    }

    /// Runs `what` after the delay, and cancels the previous callback. Browser only.
    pub fn schedule(self, milliseconds: u64, what: impl FnOnce() + 'static) {
        self.cancel();
        let handle = set_timeout_with_handle(what, Duration::from_millis(milliseconds)).ok();
        self.0.try_set_value(handle);
    }

    /// Cancels the callback.
    pub fn cancel(self) {
        if let Some(Some(handle)) = self.0.try_update_value(Option::take) {
            handle.clear();
        }
    }
}

impl Default for Debounce {
    fn default() -> Self {
        Self::new()
    }
}
