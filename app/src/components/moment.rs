//! Moments on the screen: on the viewer's clock, on the desk's where it differs, and how far away.

use crate::{
    live::live,
    visitor::visitor,
    words::{language, time},
};
use domain::{Moment as At, Timestamp};
use leptos::prelude::*;

/// `Tue 9 Jun, 09:00 Berlin`; with the desk's time beside it where that is another one and `is_full`.
#[component]
pub fn Moment(
    /// The moment.
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
        {beside.map(|desk| view! { <span class="quiet">" · "{desk}</span> })}
    }
}

/// `in 3 min`, `12 s ago`: follows the server's clock.
#[component]
pub fn Relative(
    /// The moment.
    at: Timestamp,
    /// Whether it lies behind us, though the clock that is shown, which goes by the second, may not be there yet.
    #[prop(optional)]
    is_past: bool,
) -> impl IntoView {
    let (now, language) = (live().now(), language());
    let seen_from = move |now: Timestamp| if is_past { now.max(at) } else { now };
    let text = Memo::new(move |_| time::relative(language, at, seen_from(now.get())));
    view! { <span class="relative">{text}</span> }
}

/// `04:05:06` that run down on the server's clock; `00:00` from the moment on.
#[component]
pub fn Countdown(
    /// The moment.
    at: Timestamp,
) -> impl IntoView {
    let (now, language) = (live().now(), language());
    let text = Memo::new(move |_| time::countdown(language, at.since(now.get())));
    let is_due = Memo::new(move |_| at <= now.get());
    view! { <p class="clock" class:due=is_due role="timer" aria-live="off">{text}</p> }
}
