//! Invitations to series: each attendee gets one event. Any change of what the attendee sees is one mail.
//!
//! A person who attends only some meetings of a series, or was invited to them one by one, gets mails about
//! each of them. So does every attendee of a series that an event with a rule cannot express.

use super::{
    answered_time,
    collect::{self, Collected},
    event::event_of_meeting,
    series::{InvitedSeries, View, invited_series, takes_place},
    series_mail::{self, SeriesMail},
};
use crate::{security::tokens, text::ical};
use domain::{AccountId, Timestamp, meetings::Answer, message::MessageOptions};
use std::collections::{BTreeMap, HashMap, HashSet};
use store::{
    StoreError, Tx,
    meeting::MeetingRow,
    meeting_invite::{self, InviteFacts, InvitedRow},
    series::{self, SeriesRow},
    series_invite::{self, GivenAnswer, SeriesInviteRow},
};
use uuid::Uuid;

/// An attendee of a series who gets one event.
struct Member {
    /// Name, language.
    row: InvitedRow,
    /// The attendee's rows of the meetings of the series.
    answers: HashMap<Uuid, InvitedRow>,
    sent: Option<SeriesInviteRow>,
}

/// The series of some changed meetings, and those attendees of theirs who get one event.
pub struct SeriesGroup {
    series: HashMap<Uuid, InvitedSeries>,
    members: BTreeMap<(Uuid, String), Member>,
}

/// A mail that is due.
pub struct DueMail {
    /// Who sends it.
    pub organizer: AccountId,
    pub body: String,
    pub options: MessageOptions,
    pub row: SeriesInviteRow,
    /// The series whose event this was.
    pub was: Option<Uuid>,
    pub link: Option<(String, Uuid)>,
    /// Whether the person is invited now.
    pub is_new: bool,
}

impl SeriesGroup {
    /// Loads them. New meetings get the answers that their attendees gave to the others.
    pub async fn load(tx: &mut Tx, touched: &[Uuid], at: Timestamp) -> Result<Self, StoreError> {
        let ids = series_invite::related(tx.conn(), touched).await?;
        let mut group = Self { series: HashMap::new(), members: BTreeMap::new() };
        if ids.is_empty() {
            return Ok(group);
        }
        let meetings = series_invite::meetings(tx.conn(), &ids).await?;
        let meeting_ids: Vec<Uuid> = meetings.iter().map(|one| one.meeting.id).collect();
        let facts = meeting_invite::facts(tx.conn(), &meeting_ids).await?;
        let extending = series_invite::extending(tx.conn(), &ids).await?;
        let mut all: HashMap<Uuid, BTreeMap<String, MeetingRow>> = HashMap::new();
        for one in meetings {
            let series = one.meeting.series_id.unwrap_or_default();
            all.entry(series).or_default().insert(one.original_local, one.meeting);
        }
        let facts: HashMap<Uuid, InviteFacts> = facts.into_iter().map(|one| (one.id, one)).collect();
        let rows = series::load(tx.conn(), &ids).await?;
        let mut rooms: HashSet<Uuid> = HashSet::new();
        for row in &rows {
            rooms.extend(row.template()?.room_id.map(|room| room.0));
        }
        rooms.extend(all.values().flat_map(BTreeMap::values).filter_map(|row| row.room_id));
        let rooms: Vec<Uuid> = rooms.into_iter().collect();
        let rooms: HashMap<Uuid, String> =
            series_invite::room_names(tx.conn(), &rooms).await?.into_iter().collect();
        let organizers: Vec<Option<InviteFacts>> =
            rows.iter().map(|row| facts_of_organizer(row, &all, &facts)).collect();
        for (row, organizer) in rows.into_iter().zip(organizers) {
            let meetings = all.remove(&row.id).unwrap_or_default();
            let Some(facts) = organizer else { continue };
            let is_extended = extending.contains(&row.id);
            group.series.insert(row.id, invited_series(row, meetings, (&rooms, facts), is_extended)?);
        }
        group.members = members(tx, &group.series, &ids, &meeting_ids).await?;
        group.inherit_answers(tx, at).await?;
        Ok(group)
    }

    /// Whether this attendee of a meeting gets one event for its series.
    pub fn has(&self, meeting: &MeetingRow, email: &str) -> bool {
        let Some(id) = meeting.series_id else { return false };
        let is_expressed = self.series.get(&id).is_some_and(|series| series.series.is_some());
        is_expressed && self.members.contains_key(&(id, email.to_owned()))
    }

    /// Gives the answer that most meetings have to those that are new.
    async fn inherit_answers(&mut self, tx: &mut Tx, at: Timestamp) -> Result<(), StoreError> {
        let mut given: Vec<GivenAnswer> = Vec::new();
        for ((series, email), member) in &mut self.members {
            let Some(series) = self.series.get(series) else { continue };
            let answer = member.usual_answer(series, at);
            if answer == Answer::Pending {
                continue;
            }
            for row in series.meetings.values().filter(|row| row.starts_at > at.millis() && takes_place(row))
            {
                let Some(own) = member.answers.get_mut(&row.id) else { continue };
                if own.answer == Answer::Pending.as_str() && own.answered_hash.is_none() {
                    answer.as_str().clone_into(&mut own.answer);
                    given.push((row.id, email.clone(), answer.as_str().to_owned(), answered_time(row)));
                }
            }
        }
        series_invite::set_answers(tx.conn(), &given, at).await
    }

    /// Returns the mails that are due after a change of these meetings. `asked_again`: meetings and attendees
    /// whose answers were forgotten. Changes that are mailed later go into `collected`.
    pub fn due(
        &self,
        (changed, at): (&[Uuid], Timestamp),
        asked_again: &HashSet<(Uuid, String)>,
        collected: &mut Collected,
    ) -> Vec<DueMail> {
        let mut mails = Vec::new();
        let mut taken: HashSet<(Uuid, String)> = HashSet::new();
        // Those who have no event yet may take over that of a series with nothing left.
        let is_empty = |((series, _), member): &(&(Uuid, String), &Member)| {
            let view = self.series.get(series).and_then(|one| one.view(&member.attended(), at));
            member.is_invited() && !view.is_some_and(|view| view.has_any)
        };
        let empty: Vec<(&(Uuid, String), &Member)> = self.members.iter().filter(is_empty).collect();
        for ((id, email), member) in &self.members {
            let Some(series) = self.series.get(id) else { continue };
            let view = series.view(&member.attended(), at);
            let has_any = view.as_ref().is_some_and(|view| view.has_any);
            let from = match &member.sent {
                None if has_any => empty.iter().find(|(other, _)| {
                    other.1 == *email && self.continues(other.0, *id) && !taken.contains(*other)
                }),
                _ => None,
            };
            let sent = from.map_or(member.sent.as_ref(), |(_, other)| other.sent.as_ref());
            let was = from.map(|(other, _)| other.0);
            taken.extend(from.map(|(other, _)| (*other).clone()));
            let asks_again =
                member.answers.keys().any(|meeting| asked_again.contains(&(*meeting, email.clone())));
            let view = view.filter(|view| view.has_any);
            // A meeting that does not take place cannot wait.
            let is_off = |row: &MeetingRow| changed.contains(&row.id) && !takes_place(row);
            let waits = match series.meetings.values().any(is_off) {
                true => None,
                false => view.as_ref().and_then(|view| waits(view, sent, at)),
            };
            if let Some((meeting, until)) = waits {
                collected.add(meeting, AccountId(series.row.owner_id), until);
            } else if let Some(view) = view {
                mails.extend(self.mail(&view, member, (sent, was), (asks_again, at)));
            }
        }
        for ((id, email), member) in empty {
            let key = (*id, email.clone());
            if let Some(series) = self.series.get(id).filter(|_| !taken.contains(&key)) {
                mails.extend(self.cancellation(series, member, at));
            }
        }
        mails
    }

    /// Whether one of two series continues the other.
    fn continues(&self, one: Uuid, other: Uuid) -> bool {
        let from = |id: Uuid| self.series.get(&id).and_then(|series| series.row.split_from);
        one != other && (from(one) == Some(other) || from(other) == Some(one))
    }

    /// The mail that cancels all of a series.
    fn cancellation(&self, series: &InvitedSeries, member: &Member, at: Timestamp) -> Option<DueMail> {
        let id = series.row.id;
        // The meetings may have become those of another series.
        let others = self.series.values().filter(|other| self.continues(other.row.id, id));
        let meeting = [series].into_iter().chain(others).find_map(|one| one.meetings.values().next())?;
        let mut row = next_row(id, &member.row.email, member.sent.as_ref(), String::new());
        let is_removed = series.meetings.values().any(takes_place);
        row.mailed_starts_at = (!is_removed).then_some(meeting.starts_at);
        let mut event = event_of_meeting(meeting, series.room_of(meeting));
        event.uid = super::uid(row.uid);
        (event.sequence, event.stamp, event.status) = (row.sequence, at, ical::EventStatus::Cancelled);
        let (body, options) = series_mail::cancelled(series, (&member.row, meeting), (event, is_removed));
        let organizer = AccountId(series.row.owner_id);
        Some(DueMail { organizer, body, options, row, was: None, link: None, is_new: false })
    }

    fn mail(
        &self,
        view: &View<'_>,
        member: &Member,
        (sent, was): (Option<&SeriesInviteRow>, Option<Uuid>),
        (asks_again, at): (bool, Timestamp),
    ) -> Option<DueMail> {
        let content_hash = tokens::hash(&view.content());
        let is_same = sent.is_some_and(|sent| sent.content_hash == content_hash);
        let is_new = sent.is_none_or(|sent| sent.content_hash.is_empty());
        if is_same || (is_new && !view.has_next) {
            return None;
        }
        // Its last mail cancels it. That to a person who was removed names no start.
        let is_restored = is_new && sent.is_some_and(|sent| sent.mailed_starts_at.is_some());
        let mailed_start = sent.filter(|_| !is_new).and_then(|sent| sent.mailed_starts_at);
        let secret = view.has_next.then(tokens::generate_secret);
        let mut row = next_row(view.series.row.id, &member.row.email, sent, content_hash);
        row.changed_at = if is_new { row.changed_at } else { Some(at.millis()) };
        row.mailed_starts_at = view.next.map(|next| next.starts_at);
        let usual = member.usual_answer(view.series, at);
        let answers =
            view.series.meetings.values().filter(|row| row.ends_at > at.millis() && takes_place(row));
        let answers =
            answers.filter_map(|row| Some((row.id, member.answers.get(&row.id)?.answer.parse().ok()?)));
        let mail = SeriesMail {
            view,
            invited: &member.row,
            row: &row,
            usual,
            answers: answers.collect(),
            is_new,
            is_restored,
            moved_from: mailed_start.and_then(|start| view.moved_from(start, at)),
            asks_again,
            at,
        };
        let (body, options) = mail.write(secret.as_deref());
        let meeting = view.next.or_else(|| view.series.meetings.values().next()).map(|row| row.id);
        let link = secret.as_deref().map(tokens::hash).zip(meeting);
        let organizer = AccountId(view.series.row.owner_id);
        Some(DueMail { organizer, body, options, row, was, link, is_new })
    }
}

/// Returns the names and the language of the organizer of a series, from the last of its meetings which that
/// account organizes: one that was cancelled or has ended before a hand-over keeps the organizer it had. Without
/// one, from those of the series that it continues or that continue it, which have the same organizer.
fn facts_of_organizer(
    series: &SeriesRow,
    all: &HashMap<Uuid, BTreeMap<String, MeetingRow>>,
    facts: &HashMap<Uuid, InviteFacts>,
) -> Option<InviteFacts> {
    let meetings = all.values().flat_map(BTreeMap::values);
    let last = meetings.max_by_key(|row| {
        let (is_organized, is_own) = (row.organizer_id == series.owner_id, row.series_id == Some(series.id));
        (is_organized, is_own, takes_place(row), row.starts_at, row.id)
    })?;
    facts.get(&last.id).cloned()
}

/// Returns until when the mail about a change of a series waits, and one of its meetings; `None`: there is no
/// such mail, or it is sent at once.
fn waits(view: &View<'_>, sent: Option<&SeriesInviteRow>, at: Timestamp) -> Option<(Uuid, Timestamp)> {
    let sent = sent.filter(|sent| !sent.content_hash.is_empty())?;
    let next = view.next.filter(|_| view.has_next && sent.content_hash != tokens::hash(&view.content()))?;
    let starts = [Some(next.starts_at), sent.mailed_starts_at];
    collect::waits_until(sent.changed_at, starts, at).map(|until| (next.id, until))
}

fn next_row(
    series_id: Uuid,
    email: &str,
    sent: Option<&SeriesInviteRow>,
    content_hash: String,
) -> SeriesInviteRow {
    SeriesInviteRow {
        series_id,
        email: email.to_owned(),
        uid: sent.map_or(series_id, |sent| sent.uid),
        sequence: sent.map_or(0, |sent| sent.sequence + 1),
        content_hash,
        changed_at: sent.and_then(|sent| sent.changed_at),
        mailed_starts_at: None,
    }
}

/// The attendees who get one event: those of the series, unless they were invited to its meetings one by
/// one before.
async fn members(
    tx: &mut Tx,
    series: &HashMap<Uuid, InvitedSeries>,
    ids: &[Uuid],
    meetings: &[Uuid],
) -> Result<BTreeMap<(Uuid, String), Member>, StoreError> {
    let invited = meeting_invite::invited(tx.conn(), meetings).await?;
    let sent = series_invite::sent(tx.conn(), ids).await?;
    let of: HashMap<Uuid, Uuid> =
        series.values().flat_map(|one| one.meetings.values().map(|row| (row.id, one.row.id))).collect();
    let mut one_by_one: HashSet<(Uuid, String)> = HashSet::new();
    let mut persons: HashMap<String, InvitedRow> = HashMap::new();
    let mut answers: HashMap<(Uuid, String), HashMap<Uuid, InvitedRow>> = HashMap::new();
    for row in invited {
        let Some(series) = of.get(&row.meeting_id) else { continue };
        let key = (*series, row.email.clone());
        if row.content_hash.as_deref().is_some_and(|hash| !hash.is_empty()) {
            one_by_one.insert(key.clone());
        }
        persons.entry(row.email.clone()).or_insert_with(|| row.clone());
        if row.is_attendee == 1 {
            answers.entry(key).or_default().insert(row.meeting_id, row);
        }
    }
    let mut all = BTreeMap::new();
    for one in sent {
        let key = (one.series_id, one.email.clone());
        let row = persons.get(&one.email).cloned().unwrap_or_else(|| unknown_person(&one));
        let answers = answers.remove(&key).unwrap_or_default();
        all.insert(key, Member { row, answers, sent: Some(one) });
    }
    for one in series.values().filter(|one| one.series.is_some()) {
        for (email, _) in &one.template.attendees {
            let key = (one.row.id, email.clone());
            let Some(row) = persons.get(email).filter(|_| !one_by_one.contains(&key)) else { continue };
            if let Some(answers) = answers.remove(&key) {
                all.insert(key, Member { row: row.clone(), answers, sent: None });
            }
        }
    }
    Ok(all)
}

/// An attendee of no meeting any more.
fn unknown_person(sent: &SeriesInviteRow) -> InvitedRow {
    InvitedRow {
        meeting_id: Uuid::nil(),
        email: sent.email.clone(),
        name: String::new(),
        answer: Answer::Pending.as_str().to_owned(),
        answered_hash: None,
        language: None,
        is_attendee: 0,
        content_hash: None,
        changed_at: None,
        mailed_starts_at: None,
    }
}

impl Member {
    /// Whether the event is in the calendar of the person.
    fn is_invited(&self) -> bool {
        self.sent.as_ref().is_some_and(|sent| !sent.content_hash.is_empty())
    }

    /// The meetings that the person attends.
    fn attended(&self) -> HashSet<Uuid> {
        self.answers.keys().copied().collect()
    }

    /// The answer to most of the meetings that are still to come.
    fn usual_answer(&self, series: &InvitedSeries, at: Timestamp) -> Answer {
        let mut counts =
            [Answer::Pending, Answer::Accepted, Answer::Tentative, Answer::Declined].map(|one| (one, 0));
        for row in series.meetings.values().filter(|row| row.ends_at > at.millis() && takes_place(row)) {
            let Some(own) = self.answers.get(&row.id) else { continue };
            // One that is new has no answer yet.
            if own.answered_hash.is_none() && own.answer == Answer::Pending.as_str() {
                continue;
            }
            if let Some(count) = counts.iter_mut().find(|(answer, _)| answer.as_str() == own.answer) {
                count.1 += 1;
            }
        }
        counts.into_iter().rev().max_by_key(|(_, count)| *count).map_or(Answer::Pending, |(answer, _)| answer)
    }
}
