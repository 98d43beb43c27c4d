//! The history of a meeting, newest first.

use crate::ui::time::date_time::DateTime;
use domain::meetings::Meeting;
use leptos::prelude::*;
use texts::{
    language,
    layout::LayoutTexts,
    meetings::{MeetingSentenceTexts, MeetingTexts, events},
};

/// The events of a meeting.
#[component]
pub(super) fn Timeline(meeting: Meeting) -> impl IntoView {
    let (language, activity) = (language(), format!("/activity?item={}", meeting.row.id));
    let lines = meeting.timeline.iter().rev().map(|event| {
        let why = event.detail.get("reason").and_then(|why| why.as_str());
        let why = why.map(|why| MeetingSentenceTexts(language).reason(why)).unwrap_or_default();
        view! {
            <li>
                <DateTime at=event.at />
                <span>
                    {events::sentence(language, event)}
                    {(!why.is_empty()).then(|| view! { <span class="detail">{why}</span> })}
                </span>
            </li>
        }
    });
    let lines = lines.collect_view();
    view! {
        <section class="panel" aria-labelledby="timeline">
            <header><h2 id="timeline">{MeetingTexts::here().history()}</h2><a href=activity>{LayoutTexts::here().activity()}</a></header>
            <ol class="timeline">{lines}</ol>
        </section>
    }
}
