//! "A little while after the last time": for what follows typing.

use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*};
use std::time::Duration;

/// Runs something once, a while after it was last asked to; never after its page is gone. A handle, cheap to copy.
#[derive(Clone, Copy)]
pub struct Pause(StoredValue<Option<TimeoutHandle>>);

impl Pause {
    /// One that waits for nothing yet.
    #[must_use]
    pub fn new() -> Self {
        let pause = Self(StoredValue::new(None));
        on_cleanup(move || pause.end());
        pause
    }

    /// Runs `what` in so many milliseconds, instead of what was asked before. Only in the browser.
    pub fn then(self, milliseconds: u64, what: impl FnOnce() + 'static) {
        self.end();
        let handle = set_timeout_with_handle(what, Duration::from_millis(milliseconds)).ok();
        self.0.try_set_value(handle);
    }

    /// Forgets what was asked.
    pub fn end(self) {
        if let Some(Some(handle)) = self.0.try_update_value(Option::take) {
            handle.clear();
        }
    }
}

impl Default for Pause {
    fn default() -> Self {
        Self::new()
    }
}
