//! The history of a meeting, newest first.

use crate::{
    meetings::texts::{MeetingSentenceTexts, MeetingTexts, MeetingVerbTexts},
    shell::texts::LayoutTexts,
    tasks::event_verb,
    texts::{Language, language},
    ui::time::date_time::DateTime,
};
use domain::{
    event::Event,
    meetings::{Answer, Meeting},
};
use leptos::prelude::*;

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
                    {sentence(language, event)}
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

/// What happened, and who did it.
#[must_use]
pub fn sentence(language: Language, event: &Event) -> String {
    if let Some(answered) = answered(language, event) {
        return answered;
    }
    if event.verb == "hand_over" {
        return event_verb::with_actor(language, event, &event_verb::handed_over(language, event));
    }
    let texts = MeetingVerbTexts(language);
    let verb = match event.verb.as_str() {
        "book" if event.to_state.as_deref() == Some("requested") => texts.request(),
        "book" if event.to_state.as_deref() == Some("waiting") => texts.wait(),
        "book" => texts.book(),
        "offer" => texts.offer(),
        "accept" => texts.accept(),
        "decline" => texts.decline(),
        "move" => texts.move_(),
        "edit" => texts.edit(),
        "remind" => texts.remind(),
        "approve" => texts.approve(),
        "reject" => texts.reject(),
        "cancel" => texts.cancel(),
        "start" => texts.start(),
        "end" => texts.end(),
        "extend" => texts.extend(),
        "check_in" => texts.check_in(),
        "release" => texts.release(),
        "expire" => texts.expire(),
        "confirm" => texts.confirm(),
        "hold" => texts.hold(),
        "keep" => texts.keep(),
        "undo" => texts.undo(),
        other => return format!("{} {}", event_verb::actor(language, &event.actor), other.replace('_', " ")),
    };
    event_verb::with_actor(language, event, verb)
}

/// What an attendee answered; `None`: it is another event.
fn answered(language: Language, event: &Event) -> Option<String> {
    let detail = |name: &str| event.detail.get(name).and_then(|value| value.as_str());
    let answer: Answer = detail("answer").filter(|_| event.verb == "answer")?.parse().ok()?;
    let texts = MeetingTexts(language);
    Some(texts.answered(detail("attendee")?, texts.answer_of(answer)))
}
