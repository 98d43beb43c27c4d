//! The result of a change of a meeting, and its undo.

use crate::{
    live::live,
    meetings::server_fns::{ChangedMeeting, UndoMeetingChange},
    server_fns::Refused,
    session::visitor,
    ui::{
        form::Form,
        result::{ActionResult, Undo, announce, last_result, view::UndoButton},
    },
};
use domain::meetings::{MeetingRow, MeetingState};
use leptos::prelude::*;
use texts::meetings::span::span_here;
use texts::{
    language,
    meetings::{MeetingResultTexts, MeetingTexts},
    time,
};

/// Announces each success of an action that changes a meeting.
pub fn announce_meeting<F>(action: ServerAction<F>)
where
    F: server_fn::ServerFn<Output = ChangedMeeting, Error = Refused> + Clone + Send + Sync + 'static,
{
    announce(action, result_of_meeting);
}

/// Describes the last change of a meeting.
#[must_use]
pub fn result_of_meeting(changed: ChangedMeeting) -> ActionResult {
    let ChangedMeeting { row, what } = changed;
    let language = language();
    let end = time::moment(language, row.ends, visitor().zone(), live().now().get_untracked());
    let sentence = sentence(&row, &what, span_here(language, row.starts, row.ends), end);
    let href = format!("/meetings/{}", row.id);
    let result = ActionResult::new(sentence).with_link(href, MeetingTexts::here().open());
    match row.undo {
        Some(_) => result.with_undo(Undo::Meeting(Box::new(row))),
        None => result,
    }
}

/// Says what the last change did.
fn sentence(row: &MeetingRow, what: &str, when: String, end: String) -> String {
    let (texts, title) = (MeetingResultTexts::here(), row.title.clone());
    let kept = what.strip_prefix("cancel_series.").and_then(|kept| kept.parse().ok());
    if let Some(kept) = kept {
        return texts.cancelled_series_but(title, kept);
    }
    match (what, row.state) {
        ("book", MeetingState::Waiting | MeetingState::Offered) => texts.waits(title, when),
        ("accept", MeetingState::Confirmed) => texts.accepted(title, when),
        ("decline", _) => texts.declined(title),
        ("book" | "book_series" | "accept", MeetingState::Requested) => texts.requested(title, when),
        ("book", _) => texts.booked(title, when),
        ("book_series", MeetingState::Confirmed) => texts.booked_series(title, when),
        ("move_series", _) => texts.moved_series(title, when),
        ("cancel_series", _) => texts.cancelled_series(title),
        ("move", _) => texts.moved(title, when),
        ("edit", _) => texts.edited(title),
        ("hand_over", _) => texts.handed_over(title, row.organizer.clone()),
        ("approve", _) => texts.approved(title),
        ("reject", _) => texts.rejected(title),
        ("cancel", _) => texts.cancelled(title),
        ("check_in", _) => texts.checked_in(title),
        ("end", _) => texts.ended(title),
        ("undo", MeetingState::Cancelled) => texts.undone_cancelled(title),
        ("undo", _) => texts.undone(title, when),
        (extended, _) if extended.starts_with("extend") => texts.extended(title, end),
        _ => texts.changed(title),
    }
}

/// The form that undoes the last change of a meeting.
#[component]
pub fn UndoMeeting(
    /// The meeting.
    row: MeetingRow,
) -> impl IntoView {
    let action = ServerAction::<UndoMeetingChange>::new();
    announce_meeting(action);
    let label = MeetingTexts::here().undo_of(row.undo.as_ref().map_or("", |undo| &undo.verb));
    let id = row.id.to_string();
    view! {
        <Form action=action about=id.clone() class="inline">
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=row.version.0 />
            <UndoButton label=label />
        </Form>
    }
}

/// The undo on the page of a meeting: while it is possible and not shown as the last result.
#[component]
pub fn LaterUndoMeeting(
    /// The meeting.
    row: MeetingRow,
) -> impl IntoView {
    let (is_shown, now) = (last_result().offers_undo_of_meeting(row.id), live().now());
    let undo = row.undo.clone();
    let is_offered =
        Memo::new(move |_| undo.as_ref().is_some_and(|undo| undo.until > now.get()) && !is_shown());
    move || is_offered.get().then(|| view! { <UndoMeeting row=row.clone() /> })
}
