//! The time of a meeting, in the user's time zone and the desk's.

use crate::{live::live, session::visitor};
use domain::LocalizedTime;
use leptos::prelude::*;
use texts::{
    language,
    meetings::span::{span_at_desk, span_here},
};

/// Shows the span. With `is_full`, followed by the desk's time if that differs.
#[component]
pub fn SpanTime(
    /// The start.
    start: LocalizedTime,
    /// The end.
    end: LocalizedTime,
    /// Whether the desk's time is shown too.
    #[prop(optional)]
    is_full: bool,
) -> impl IntoView {
    let language = language();
    let desk = span_at_desk(language, (start, end), live().now().get_untracked(), &visitor().desk.zone);
    let beside = desk.clone().filter(|_| is_full);
    view! {
        <time datetime=start.at.to_string() title=desk>{span_here(language, start, end)}</time>
        {beside.map(|desk| view! { " " <span class="muted desk-time">{desk}</span> })}
    }
}
