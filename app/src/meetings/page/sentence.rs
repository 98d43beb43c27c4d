//! What a meeting is, was, or why it did not take place, as one paragraph.

use crate::{live::live, meetings::span::SpanTime, session::visitor};
use domain::{
    LocalizedTime,
    meetings::{DeadlineDecision, MeetingRow, MeetingState},
};
use leptos::prelude::*;
use texts::meetings::span::span_here;
use texts::{language, meetings::MeetingSentenceTexts, time};

/// The paragraph, and the time until the meeting starts or ends.
#[component]
pub(super) fn Sentence(row: MeetingRow) -> impl IntoView {
    let (now, texts, language) = (live().now(), MeetingSentenceTexts::here(), language());
    let next = match row.state {
        MeetingState::Requested | MeetingState::Confirmed => Some((row.starts.at, true)),
        MeetingState::InProgress => Some((row.ends.at, false)),
        _ => None,
    };
    let left = Memo::new(move |_| {
        let (at, is_start) = next?;
        let left = at.since(now.get());
        let text = time::countdown(language, left);
        (left > 0).then(|| if is_start { texts.starts_in(text) } else { texts.ends_in(text) })
    });
    let has_desk_time = row.starts.viewer_offset != row.starts.site_offset;
    let (starts, ends) = (row.starts, row.ends);
    view! {
        <p class="task-sentence">
            {paragraph(&row)}
            {move || left.get().map(|left| view! { " " <span class="countdown" role="timer" aria-live="off">{left}</span> })}
        </p>
        {has_desk_time.then(|| view! { <p class="muted"><SpanTime start=starts end=ends is_full=true /></p> })}
    }
}

fn paragraph(row: &MeetingRow) -> String {
    let (texts, language) = (MeetingSentenceTexts::here(), language());
    let when = span_here(language, row.starts, row.ends);
    let place = if row.room.is_empty() { String::new() } else { texts.in_(row.room.clone()) };
    let first = match row.state {
        MeetingState::Waiting => texts.waiting(when, place),
        MeetingState::Offered => texts.offered(when, place),
        MeetingState::Requested => texts.requested(when, place, row.organizer.clone()),
        MeetingState::Confirmed => texts.confirmed(when, place),
        MeetingState::InProgress => texts.running(moment(row.ends), place),
        MeetingState::Ended => texts.ended(when, place),
        MeetingState::Rejected | MeetingState::Expired | MeetingState::Cancelled | MeetingState::Released => {
            texts.not_held(when, place)
        }
    };
    let why = (!row.reason.is_empty()).then(|| texts.because(texts.reason(&row.reason)));
    let second = match row.state {
        MeetingState::Waiting => Some(texts.wait_ends().to_owned()),
        MeetingState::Offered => row.decides.map(|at| texts.accept_until(moment(at))),
        MeetingState::Requested => deadline(texts, row),
        // A wait says why itself.
        MeetingState::Expired if row.reason.is_empty() || row.reason == "room_taken" => {
            Some(texts.expired().to_owned())
        }
        MeetingState::Released => Some(texts.released().to_owned()),
        _ => None,
    };
    let sentences: Vec<String> = [Some(first), second, why].into_iter().flatten().collect();
    sentences.join(texts::gap())
}

/// What happens if no one decides.
fn deadline(texts: MeetingSentenceTexts, row: &MeetingRow) -> Option<String> {
    if row.is_held {
        return Some(texts.held().to_owned());
    }
    let when = moment(row.decides?);
    Some(match row.decision? {
        DeadlineDecision::Reject => texts.reject_at(when),
        DeadlineDecision::Confirm => texts.confirm_at(when),
        DeadlineDecision::Hold => texts.hold_at(when),
    })
}

fn moment(at: LocalizedTime) -> String {
    time::moment(language(), at, visitor().zone(), live().now().get_untracked())
}
