//! The mail to an attendee: a text, and the same as iCalendar text for calendar programs.

use super::event::event_of_meeting;
use crate::{
    text::ical::{self, Attendance, EventStatus, Method},
    zone::Zone,
};
use domain::{
    Timestamp,
    mail_limits::MailUrgency,
    meetings::{Answer, MeetingState},
    message::{CalendarMail, MessageOptions},
};
use store::{
    StoreError,
    meeting::MeetingRow,
    meeting_invite::{InviteFacts, InvitedRow},
};
use texts::{
    Language,
    mail::invitation::InvitationWords,
    meetings::MeetingSentenceTexts,
    time::{place, placed_text},
};

/// Maximum length of a description in a mail, in characters.
const MAX_DESCRIPTION_CHARS: usize = 4_000;

/// Why a mail is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// The person is invited.
    Invited,
    /// The meeting was changed.
    Changed,
    /// The meeting was cancelled, and takes place after all.
    Restored,
    /// The meeting does not take place.
    Cancelled,
    /// The person is no attendee any more.
    Removed,
}

impl Occasion {
    /// Whether the meeting leaves the person's calendar.
    pub const fn cancels(self) -> bool {
        matches!(self, Self::Cancelled | Self::Removed)
    }
}

/// A mail to one person.
pub struct InviteMail<'a> {
    /// Why it is sent.
    pub occasion: Occasion,
    /// The person.
    pub invited: &'a InvitedRow,
    /// The meeting.
    pub meeting: &'a MeetingRow,
    /// Names and language.
    pub facts: &'a InviteFacts,
    /// Whether the person had answered, but to another time.
    pub asks_again: bool,
    /// The present.
    pub at: Timestamp,
}

impl InviteMail<'_> {
    /// Returns the text and the options of the message. `secret`: that of the link to answer.
    pub fn write(&self, secret: Option<&str>) -> Result<(String, MessageOptions), StoreError> {
        let words = InvitationWords(self.language());
        let title = &self.meeting.title;
        let subject = match self.occasion {
            Occasion::Invited => words.invited(title),
            Occasion::Changed => words.changed(title),
            Occasion::Restored => words.restored(title),
            Occasion::Cancelled | Occasion::Removed => words.cancelled(title),
        };
        let answer = secret.map(|secret| (words.answer().to_owned(), format!("/answer/{secret}")));
        let (method, text) = self.calendar()?;
        let organizer = self.facts.organizer.clone();
        let options = MessageOptions {
            headers: [("Subject".to_owned(), subject)].into(),
            to: vec![self.invited.email.clone()],
            calendar: Some(CalendarMail { method: method.as_str().to_owned(), organizer, text, answer }),
            urgency: self.urgency(),
            ..MessageOptions::default()
        };
        Ok((self.body(words), options))
    }

    fn urgency(&self) -> MailUrgency {
        let has_new_time =
            self.invited.mailed_starts_at.is_some_and(|mailed| mailed != self.meeting.starts_at);
        match self.occasion {
            Occasion::Cancelled | Occasion::Removed => MailUrgency::Cancellation,
            Occasion::Changed if has_new_time => MailUrgency::NewTime,
            Occasion::Invited | Occasion::Changed | Occasion::Restored => MailUrgency::Other,
        }
    }

    fn language(&self) -> Language {
        let own = self.invited.language.as_deref().unwrap_or(&self.facts.language);
        own.parse().unwrap_or(Language::En)
    }

    fn body(&self, words: InvitationWords) -> String {
        let (meeting, language) = (self.meeting, self.language());
        let title = meeting.title.as_str();
        let was = self.invited.mailed_starts_at;
        let was = was.filter(|was| self.occasion == Occasion::Changed && *was != meeting.starts_at);
        let first = match self.occasion {
            Occasion::Invited => words.invites(&self.facts.organizer, title),
            Occasion::Changed if was.is_some() => words.moves(title),
            Occasion::Changed => words.changes(title),
            Occasion::Restored => words.takes_place(title),
            Occasion::Cancelled => words.does_not_take_place(title),
            Occasion::Removed => words.not_invited(title),
        };
        let zone = Zone::stored(&meeting.time_zone);
        let moment = |at: i64| {
            let wall = zone.wall_clock_time(at.into());
            placed_text(language, wall, None, &place(language, zone.name()))
        };
        let times = [words.starts(&moment(meeting.starts_at)), words.ends(&moment(meeting.ends_at))];
        let before = was.map(|was| words.before(&moment(was)));
        let mut lines: Vec<String> = [first].into_iter().chain(before).chain(times).collect();
        if !self.facts.room.is_empty() {
            lines.push(words.room(&self.facts.room));
        }
        if self.occasion == Occasion::Cancelled && !meeting.reason.is_empty() {
            lines.push(words.reason(&MeetingSentenceTexts(language).reason(&meeting.reason)));
        }
        if !self.occasion.cancels() {
            if self.asks_again {
                lines.push(words.answer_again().to_owned());
            }
            lines.extend(meeting.link.clone());
            if meeting.state == MeetingState::Requested.as_str() {
                lines.push(words.is_request().to_owned());
            }
            let description: String = meeting.description.chars().take(MAX_DESCRIPTION_CHARS).collect();
            if !description.is_empty() {
                lines.extend([String::new(), description]);
            }
        }
        lines.join("\n")
    }

    /// The method and the iCalendar text, without the organizer: that is the sender of the mail.
    fn calendar(&self) -> Result<(Method, String), StoreError> {
        let mut event = event_of_meeting(self.meeting, &self.facts.room);
        event.stamp = self.at;
        let method = if self.occasion.cancels() { Method::Cancel } else { Method::Request };
        if self.occasion.cancels() {
            event.status = EventStatus::Cancelled;
        }
        let corrupt = |_| StoreError::Corrupt(format!("an answer of the meeting {}", self.meeting.id));
        let answer: Answer = self.invited.answer.parse().map_err(corrupt)?;
        let attendance =
            Attendance { email: self.invited.email.clone(), name: self.invited.name.clone(), answer };
        event.attendance = Some(attendance);
        Ok((method, ical::message(method, std::slice::from_ref(&event))))
    }
}
