//! The mail to an attendee of a series: a text, and one event with the rule and its exceptions.

use super::{
    event::{event_of_meeting, place_and_notes},
    series::{InvitedSeries, View},
};
use crate::{
    text::ical::{self, Attendance, Event, EventStatus, Method, Recurrence},
    zone::Zone,
};
use domain::{
    Timestamp,
    mail_limits::MailUrgency,
    meetings::Answer,
    message::{CalendarMail, MessageOptions},
};
use std::collections::HashMap;
use store::{meeting::MeetingRow, meeting_invite::InvitedRow, series_invite::SeriesInviteRow};
use texts::{
    Language,
    calendar::rule_text::rule_text,
    mail::invitation::InvitationWords,
    meetings::MeetingSentenceTexts,
    time::{place, placed_text},
};
use uuid::Uuid;

/// Maximum number of exceptions that the text names; the event has all.
const MAX_NAMED: usize = 10;

/// A mail to one person.
pub struct SeriesMail<'a> {
    /// What the person sees.
    pub view: &'a View<'a>,
    /// The person.
    pub invited: &'a InvitedRow,
    /// What is stored of the mail.
    pub row: &'a SeriesInviteRow,
    /// The answer to most of the meetings that are still to come.
    pub usual: Answer,
    /// The answers to the meetings that are still to come.
    pub answers: HashMap<Uuid, Answer>,
    /// Whether the person is invited.
    pub is_new: bool,
    /// Whether the person is invited again because the series takes place after all.
    pub is_restored: bool,
    /// When the next meeting was to start before; `None`: it was not moved.
    pub moved_from: Option<Timestamp>,
    /// Whether the person had answered, but to another time.
    pub asks_again: bool,
    /// The present.
    pub at: Timestamp,
}

impl SeriesMail<'_> {
    /// Returns the text and the options of the message. `secret`: that of the link to answer.
    pub fn write(&self, secret: Option<&str>) -> (String, MessageOptions) {
        let series = self.view.series;
        let words = InvitationWords(language(series, self.invited));
        let title = &series.row.title;
        let subject = match (self.is_new, self.view.has_next) {
            (true, _) if self.is_restored => words.restored(title),
            (true, _) => words.invited(title),
            (false, true) => words.changed(title),
            (false, false) => words.cancelled(title),
        };
        let answer = secret.map(|secret| (words.answer().to_owned(), format!("/answer/{secret}")));
        let text = ical::message(Method::Request, &self.events());
        let options = options(series, &self.invited.email, subject, (Method::Request, text), answer);
        let urgency = match (self.is_new, self.view.has_next) {
            (true, _) => MailUrgency::Other,
            (false, true) => MailUrgency::NewTime,
            (false, false) => MailUrgency::Cancellation,
        };
        (self.body(words), MessageOptions { urgency, ..options })
    }

    fn events(&self) -> Vec<Event> {
        let changed = self.view.stored.iter().filter(|(by_rule, row)| {
            let is_changed = self.view.changed.iter().any(|(at, _)| at == by_rule);
            is_changed || self.answers.get(&row.id).is_some_and(|answer| *answer != self.usual)
        });
        let changed = changed.map(|(by_rule, row)| {
            let answer = self.answers.get(&row.id).copied().unwrap_or(self.usual);
            Event {
                uid: super::uid(self.row.uid),
                sequence: self.row.sequence,
                stamp: self.at,
                attendance: Some(self.attendance(answer)),
                recurrence_id: Some((*by_rule, self.view.series.zone)),
                ..event_of_meeting(row, self.view.series.room_of(row))
            }
        });
        [self.event()].into_iter().chain(changed).collect()
    }

    /// The event of the series itself.
    fn event(&self) -> Event {
        let (view, series) = (self.view, self.view.series);
        let (location, description) =
            place_and_notes(&series.template.description, series.template.link.as_deref(), &series.room);
        Event {
            uid: super::uid(self.row.uid),
            sequence: self.row.sequence,
            stamp: self.at,
            starts_at: view.first.0,
            ends_at: Some(view.first_ends_at),
            zone: series.zone,
            status: if view.is_request { EventStatus::Tentative } else { EventStatus::Confirmed },
            is_free: false,
            summary: series.row.title.clone(),
            description,
            location,
            url: String::new(),
            attendance: Some(self.attendance(self.usual)),
            recurrence: Some(Recurrence {
                rule: view.rule(),
                excluded: view.excluded_locals(),
                ends_at: view.last,
            }),
            recurrence_id: None,
        }
    }

    fn attendance(&self, answer: Answer) -> Attendance {
        Attendance { email: self.invited.email.clone(), name: self.invited.name.clone(), answer }
    }

    fn body(&self, words: InvitationWords) -> String {
        let (view, series) = (self.view, self.view.series);
        let (title, language) = (series.row.title.as_str(), language(series, self.invited));
        let mut lines = vec![match (self.is_new, view.has_next) {
            (true, _) if self.is_restored => words.takes_place(title),
            (true, _) => words.invites(&series.facts.organizer, title),
            (false, true) if self.moved_from.is_some() => words.moves(title),
            (false, true) => words.changes(title),
            (false, false) => words.does_not_take_place(title),
        }];
        lines.extend(series.row.rule().ok().map(|rule| rule_text(language, &rule)));
        let moment = |at: Timestamp| moment(language, at, series.zone);
        let (starts_at, ends_at) = match view.next {
            Some(next) => (next.starts_at.into(), next.ends_at.into()),
            None => (view.first.0, view.first_ends_at),
        };
        lines.extend(self.moved_from.map(|was| words.before(&moment(was))));
        lines.extend([words.starts(&moment(starts_at)), words.ends(&moment(ends_at))]);
        if !series.room.is_empty() {
            lines.push(words.room(&series.room));
        }
        let changed = view.changed.iter().filter(|(by_rule, _)| *by_rule > self.at).take(MAX_NAMED);
        lines.extend(changed.map(|(by_rule, row)| {
            let place = series.room_of(row);
            let times = format!("{} – {}", moment(row.starts_at.into()), moment(row.ends_at.into()));
            let other = if place == series.room { times } else { format!("{times}, {place}") };
            words.instead(&moment(*by_rule), &other)
        }));
        let excluded = view.excluded.iter().filter(|(_, at)| *at > self.at).take(MAX_NAMED);
        lines.extend(excluded.map(|(_, at)| words.not_on(&moment(*at))));
        if self.asks_again {
            lines.push(words.answer_again().to_owned());
        }
        lines.extend(series.template.link.clone());
        if view.is_request {
            lines.push(words.is_request().to_owned());
        }
        if !series.template.description.is_empty() {
            lines.extend([String::new(), series.template.description.clone()]);
        }
        lines.join("\n")
    }
}

/// Returns the mail that cancels all of a series. `is_removed`: it takes place without this person.
pub fn cancelled(
    series: &InvitedSeries,
    (invited, meeting): (&InvitedRow, &MeetingRow),
    (mut event, is_removed): (Event, bool),
) -> (String, MessageOptions) {
    let language = language(series, invited);
    let words = InvitationWords(language);
    let title = &series.row.title;
    let (email, name) = (invited.email.clone(), invited.name.clone());
    event.attendance = Some(Attendance { email, name, answer: Answer::Pending });
    let mut lines = vec![match is_removed {
        true => words.not_invited(title),
        false => words.does_not_take_place(title),
    }];
    if !is_removed && !meeting.reason.is_empty() {
        lines.push(words.reason(&MeetingSentenceTexts(language).reason(&meeting.reason)));
    }
    let text = ical::message(Method::Cancel, &[event]);
    let options = options(series, &invited.email, words.cancelled(title), (Method::Cancel, text), None);
    (lines.join("\n"), MessageOptions { urgency: MailUrgency::Cancellation, ..options })
}

fn options(
    series: &InvitedSeries,
    email: &str,
    subject: String,
    (method, text): (Method, String),
    answer: Option<(String, String)>,
) -> MessageOptions {
    let organizer = series.facts.organizer.clone();
    MessageOptions {
        headers: [("Subject".to_owned(), subject)].into(),
        to: vec![email.to_owned()],
        calendar: Some(CalendarMail { method: method.as_str().to_owned(), organizer, text, answer }),
        ..MessageOptions::default()
    }
}

fn language(series: &InvitedSeries, invited: &InvitedRow) -> Language {
    let own = invited.language.as_deref().unwrap_or(&series.facts.language);
    own.parse().unwrap_or(Language::En)
}

fn moment(language: Language, at: Timestamp, zone: Zone) -> String {
    let wall = zone.wall_clock_time(at);
    placed_text(language, wall, None, &place(language, zone.name()))
}
