//! Events of a meeting as sentences.

use crate::{
    Language, event_verb,
    meetings::{MeetingTexts, MeetingVerbTexts},
};
use domain::{event::Event, meetings::Answer};

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
