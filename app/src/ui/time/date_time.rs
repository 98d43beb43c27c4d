//! Times in the user's time zone, in the desk's time zone if it differs, and relative times.

use crate::{live::live, session::visitor};
use domain::{LocalizedTime as At, Timestamp};
use leptos::prelude::*;
use texts::{language, time};

/// `Tue 9 Jun, 09:00 Berlin`. With `is_full`, followed by the time in the desk's time zone if that
/// differs.
#[component]
pub fn DateTime(
    /// The time.
    at: At,
    /// Whether the desk's time is shown too.
    #[prop(optional)]
    is_full: bool,
) -> impl IntoView {
    let (visitor, language) = (visitor(), language());
    let now = live().now().get_untracked();
    let shown = time::moment(language, at, visitor.zone(), now);
    let desk = time::desk_moment(language, at, &visitor.desk.zone, now);
    let beside = desk.clone().filter(|_| is_full);
    view! {
        <time datetime=at.at.to_string() title=desk>{shown}</time>
        {beside.map(|desk| view! { " " <span class="muted desk-time">{desk}</span> })}
    }
}

/// `in 3 min`, `12 s ago`: follows the server's clock.
#[component]
pub fn Relative(
    /// The time.
    at: Timestamp,
    /// Whether the time has passed. The displayed clock has a resolution of one second and may be
    /// behind it.
    #[prop(optional)]
    is_past: bool,
) -> impl IntoView {
    view! { <span class="relative">{relative(at, is_past)}</span> }
}

/// The text of [`Relative`] without its element: the rows of a list are many.
pub fn relative(at: Timestamp, is_past: bool) -> Memo<String> {
    let (now, language) = (live().now(), language());
    let seen_from = move |now: Timestamp| if is_past { now.max(at) } else { now };
    Memo::new(move |_| time::relative(language, at, seen_from(now.get())))
}

/// `04:05:06`, counted down on the server's clock; `00:00` once the time has passed.
#[component]
pub fn Countdown(
    /// The time.
    at: Timestamp,
) -> impl IntoView {
    let (now, language) = (live().now(), language());
    let text = Memo::new(move |_| time::countdown(language, at.since(now.get())));
    let is_due = Memo::new(move |_| at <= now.get());
    view! { <p class="clock" class:due=is_due role="timer" aria-live="off">{text}</p> }
}
