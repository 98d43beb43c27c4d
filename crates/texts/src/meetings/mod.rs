//! Texts of meetings: states, actions, the list, the form and the page.

pub mod door;
pub mod events;
mod page;
pub mod rooms;
mod series;
pub mod span;

pub use page::{MeetingSentenceTexts, MeetingVerbTexts};
pub use series::{RepeatTexts, SeriesTexts};

use crate::punctuation;
use domain::meetings::{Answer, MeetingState};

sets!(meetings: MeetingTexts, MeetingFormTexts, MeetingResultTexts);

impl MeetingResultTexts {
    /// Says that a series is cancelled without `kept` meetings that were moved one by one.
    #[must_use]
    pub fn cancelled_series_but(self, title: String, kept: usize) -> String {
        let rest = if kept == 1 { self.kept_moved_one().to_owned() } else { self.kept_moved_many(kept) };
        [&self.cancelled_series(title), punctuation::gap(self.0), &rest].concat()
    }
}

impl MeetingTexts {
    /// Word of a state.
    #[must_use]
    pub fn state_of(self, state: MeetingState) -> &'static str {
        match state {
            MeetingState::Waiting => self.waiting(),
            MeetingState::Offered => self.offered(),
            MeetingState::Requested => self.requested(),
            MeetingState::Confirmed => self.confirmed(),
            MeetingState::InProgress => self.in_progress(),
            MeetingState::Ended => self.ended(),
            MeetingState::Rejected => self.rejected(),
            MeetingState::Expired => self.expired(),
            MeetingState::Cancelled => self.cancelled(),
            MeetingState::Released => self.released(),
        }
    }

    /// Word of an answer.
    #[must_use]
    pub fn answer_of(self, answer: Answer) -> &'static str {
        match answer {
            Answer::Pending => self.answer_pending(),
            Answer::Accepted => self.answer_accepted(),
            Answer::Tentative => self.answer_tentative(),
            Answer::Declined => self.answer_declined(),
        }
    }

    /// What a task of a meeting does; `None`: it is not one.
    #[must_use]
    pub fn task_of(self, kind: &str) -> Option<&'static str> {
        Some(match kind {
            "meeting.start" => self.task_start(),
            "meeting.end" => self.task_end(),
            "meeting.release" => self.task_release(),
            "meeting.warn_release" => self.task_warn_release(),
            "meeting.warn" => self.task_warn(),
            "meeting.warn_again" => self.task_warn_again(),
            "meeting.decide" => self.task_decide(),
            "meeting.wait" => self.task_wait(),
            "meeting.offer" => self.task_offer(),
            "meeting.mail" => self.task_mail(),
            "series.extend" => self.task_extend(),
            _ => return None,
        })
    }

    /// Label of the button that undoes a change with this verb.
    #[must_use]
    pub fn undo_of(self, verb: &str) -> &'static str {
        match verb {
            "book" => self.undo_book(),
            "move" => self.undo_move(),
            "cancel" => self.undo_cancel(),
            "approve" => self.undo_approve(),
            "reject" => self.undo_reject(),
            "decline" => self.undo_decline(),
            "end" => self.undo_end(),
            "extend" => self.undo_extend(),
            "check_in" => self.undo_check_in(),
            "edit" => self.undo_edit(),
            "book_series" => self.undo_book_series(),
            "move_series" => self.undo_move_series(),
            "cancel_series" => self.undo_cancel_series(),
            _ => self.undo(),
        }
    }
}
