//! Failed attempts are no events, so pages that show them are fetched again from time to time.

use crate::live::live;
use leptos::prelude::*;

/// How often these pages are fetched again, milliseconds.
const REFRESH_MS: i64 = 10_000;

/// Part of the key of a [`crate::live::live_resource`]: changes every ten seconds, and with the
/// number of items on Attention, which each heartbeat counts.
#[must_use]
pub fn refresh_tick() -> Memo<(i64, u64)> {
    let (now, beat) = (live().now(), live().heartbeat());
    Memo::new(move |_| (now.get().millis() / REFRESH_MS, beat.with(|beat| beat.attention)))
}
