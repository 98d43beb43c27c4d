//! Invitations by mail: whenever a meeting or its attendees change, each attendee whose calendar
//! would be wrong gets a mail, stored with its task in the transaction of the change.

mod answer;
pub mod by_user;
mod collect;
mod event;
mod mail;
mod organizer;
pub mod page;
pub mod route;
mod series;
mod series_group;
mod series_mail;

pub use event::{UID_HOST, event_of_meeting};

use crate::{
    kinds::new_tasks::store_tasks,
    messages::{
        check::INVITE_KEY,
        kinds::{own_message, task_of},
    },
    security::tokens,
};
use collect::Collected;
use domain::{
    AccountId, ChannelId, MessageId, TaskId, Timestamp,
    meetings::{Answer, MeetingState},
    message::MessageOptions,
};
use mail::{InviteMail, Occasion};
use series_group::{DueMail, SeriesGroup};
use std::collections::{HashMap, HashSet};
use store::{
    StoreError, Tx, due_meetings, due_reminder,
    execute::SideEffects,
    mail::held,
    meeting::MeetingRow,
    meeting_invite::{self, InviteFacts, InvitedRow, SentInvite},
    message::{self, NewMessageRow},
    series_invite::{self, SentSeriesInvite},
    task::NewTaskRow,
};
use uuid::Uuid;

/// Mails to the attendees of meetings that the engine has changed, each by its task.
pub async fn send_by_engine(
    tx: &mut Tx,
    changed: &[(TaskId, Uuid)],
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    send_of_series(tx, (changed, &[]), at, after).await
}

/// The same also for series whose occurrences the engine has added or left out.
pub async fn send_of_series(
    tx: &mut Tx,
    (changed, series): (&[(TaskId, Uuid)], &[Uuid]),
    at: Timestamp,
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    let ids: Vec<Uuid> = changed.iter().map(|(_, id)| *id).collect();
    let tasks = store_mails(tx, (&ids, series), at).await?.tasks;
    if tasks.is_empty() {
        return Ok(());
    }
    let by: Vec<TaskId> = changed.iter().map(|(task, _)| *task).collect();
    let bucket = due_meetings::origins(tx.conn(), &by).await?.first().map_or(0, |one| one.bucket);
    schedule(tx, tasks, (u16::try_from(bucket).unwrap_or_default(), at), after).await
}

/// Mails to the attendees of meetings that were changed together, without a task. `bucket`: shard of the
/// hints of the mails.
pub async fn send_in_bucket(
    tx: &mut Tx,
    meetings: &[Uuid],
    (bucket, at): (u16, Timestamp),
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    let tasks = store_mails(tx, (meetings, &[]), at).await?.tasks;
    schedule(tx, tasks, (bucket, at), after).await
}

/// Stores the tasks that send the mails.
async fn schedule(
    tx: &mut Tx,
    mut tasks: Vec<NewTaskRow>,
    (bucket, at): (u16, Timestamp),
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    for task in &mut tasks {
        task.bucket = bucket;
    }
    store_tasks(tx, &tasks, at, after).await
}

/// What was stored of mails.
#[derive(Default)]
struct Stored {
    /// The tasks that send them, without the shards of their hints.
    tasks: Vec<NewTaskRow>,
    /// Addresses that are invited now.
    invited: Vec<String>,
}

/// Stores the mails that are due. None without a mail server.
async fn store_mails(
    tx: &mut Tx,
    (ids, series): (&[Uuid], &[Uuid]),
    at: Timestamp,
) -> Result<Stored, StoreError> {
    let mut touched = series_invite::series_of(tx.conn(), ids).await?;
    touched.extend(series);
    let mut invited = match ids.is_empty() {
        true => Vec::new(),
        false => meeting_invite::invited(tx.conn(), ids).await?,
    };
    if invited.is_empty() && touched.is_empty() {
        return Ok(Stored::default());
    }
    let mut concerned: Vec<Uuid> = invited.iter().map(|row| row.meeting_id).collect();
    concerned.dedup();
    let rows = due_meetings::load(tx.conn(), &concerned).await?;
    let asked_again = forget_outdated_answers(tx, &mut invited, &rows).await?;
    let group = SeriesGroup::load(tx, &touched, at).await?;
    let (Some(channel), _) = due_reminder::channels(tx.conn()).await? else { return Ok(Stored::default()) };
    let facts = meeting_invite::facts(tx.conn(), &concerned).await?;
    let facts: HashMap<Uuid, InviteFacts> = facts.into_iter().map(|one| (one.id, one)).collect();
    let rows: HashMap<Uuid, MeetingRow> = rows.into_iter().map(|row| (row.id, row)).collect();
    let mut batch = Batch {
        channel,
        at,
        asked_again,
        messages: Vec::new(),
        sent: Vec::new(),
        sent_of_series: Vec::new(),
        tasks: Vec::new(),
        invited: Vec::new(),
        collected: Collected::default(),
    };
    for one in &invited {
        if let Some((meeting, facts)) = rows.get(&one.meeting_id).zip(facts.get(&one.meeting_id))
            && !group.has(meeting, &one.email)
        {
            batch.add(one, meeting, facts)?;
        }
    }
    for mail in group.due((ids, at), &batch.asked_again, &mut batch.collected) {
        batch.add_of_series(mail)?;
    }
    if batch.messages.is_empty() && batch.collected.is_empty() {
        return Ok(Stored::default());
    }
    supersede(tx, &batch, at).await?;
    message::insert(tx.conn(), &batch.messages, at).await?;
    meeting_invite::insert(tx.conn(), &batch.sent, at).await?;
    series_invite::insert(tx.conn(), &batch.sent_of_series, at).await?;
    let mut tasks = batch.tasks;
    tasks.extend(batch.collected.tasks(tx).await?);
    Ok(Stored { tasks, invited: batch.invited })
}

/// Cancels mails that a limit holds and about which newer ones are stored now: an invitation must not follow
/// the cancellation.
async fn supersede(tx: &mut Tx, batch: &Batch, at: Timestamp) -> Result<(), StoreError> {
    let single = batch.sent.iter().map(|one| (one.meeting, one.email.as_str()));
    let of_series = batch.sent_of_series.iter().map(|one| (one.row.series_id, one.row.email.as_str()));
    let newer: HashSet<(Uuid, &str)> = single.chain(of_series).collect();
    let ids: HashSet<Uuid> = newer.iter().map(|(id, _)| *id).collect();
    let last = held::last_about(tx.conn(), &ids.into_iter().collect::<Vec<_>>()).await?;
    let old = last.iter().filter(|(_, id, email)| newer.contains(&(*id, email.as_str())));
    let old: Vec<Uuid> = old.map(|(delivery, ..)| *delivery).collect();
    held::supersede(tx.conn(), &old, at).await
}

/// Forgets the answers to another time than a meeting has now: calendar programs do the same (RFC 5546,
/// 3.2.2.1). Returns whose answers these were: meeting and address.
async fn forget_outdated_answers(
    tx: &mut Tx,
    invited: &mut [InvitedRow],
    rows: &[MeetingRow],
) -> Result<HashSet<(Uuid, String)>, StoreError> {
    let hashes = |row: &MeetingRow| [answered_time(row), time_and_place(row)];
    let current: HashMap<Uuid, [String; 2]> = rows.iter().map(|row| (row.id, hashes(row))).collect();
    let mut outdated = HashSet::new();
    for one in invited {
        let answered =
            one.answered_hash.as_ref().filter(|hash| !hash.is_empty()).zip(current.get(&one.meeting_id));
        if answered.is_some_and(|(answered, current)| !current.contains(answered)) {
            one.answer = Answer::Pending.as_str().to_owned();
            one.answered_hash = Some(String::new());
            outdated.insert((one.meeting_id, one.email.clone()));
        }
    }
    let all: Vec<(Uuid, String)> = outdated.iter().cloned().collect();
    meeting_invite::forget_answers(tx.conn(), &all).await?;
    Ok(outdated)
}

/// The hash of what an answer is about: it does not hold for another time or zone, but for another room.
fn answered_time(meeting: &MeetingRow) -> String {
    let MeetingRow { starts_at, ends_at, time_zone, .. } = meeting;
    tokens::hash(&serde_json::json!([starts_at, ends_at, time_zone]).to_string())
}

/// The same of answers that were stored when they did not hold for another room. No new ones are stored.
fn time_and_place(meeting: &MeetingRow) -> String {
    let MeetingRow { room_id, starts_at, ends_at, time_zone, .. } = meeting;
    tokens::hash(&serde_json::json!([room_id, starts_at, ends_at, time_zone]).to_string())
}

/// The UID of an event.
fn uid(id: Uuid) -> String {
    format!("{id}@{UID_HOST}")
}

/// Mails of one change.
struct Batch {
    channel: ChannelId,
    at: Timestamp,
    /// Attendees whose answers were to another time: meeting and address.
    asked_again: HashSet<(Uuid, String)>,
    messages: Vec<NewMessageRow>,
    sent: Vec<SentInvite>,
    sent_of_series: Vec<SentSeriesInvite>,
    tasks: Vec<NewTaskRow>,
    invited: Vec<String>,
    collected: Collected,
}

impl Batch {
    fn add(
        &mut self,
        invited: &InvitedRow,
        meeting: &MeetingRow,
        facts: &InviteFacts,
    ) -> Result<(), StoreError> {
        let content_hash = tokens::hash(&content(meeting, facts));
        let Some(occasion) = occasion(invited, meeting, &content_hash, self.at)? else { return Ok(()) };
        let starts = [Some(meeting.starts_at), invited.mailed_starts_at];
        let waits_until = collect::waits_until(invited.changed_at, starts, self.at);
        if let Some(until) = waits_until.filter(|_| occasion == Occasion::Changed) {
            self.collected.add(meeting.id, meeting.organizer(), until);
            return Ok(());
        }
        if matches!(occasion, Occasion::Invited | Occasion::Restored) {
            self.invited.push(invited.email.clone());
        }
        let is_cancelled = occasion.cancels();
        let secret = (!is_cancelled).then(tokens::generate_secret);
        let secret_hash = secret.as_deref().map(tokens::hash);
        // The answer was forgotten now, or by a change that was collected.
        let is_forgotten = invited.answered_hash.as_deref() == Some("") && invited.changed_at.is_some();
        let asks_again = self.asked_again.contains(&(meeting.id, invited.email.clone()))
            || occasion == Occasion::Changed && is_forgotten;
        let mail = InviteMail { occasion, invited, meeting, facts, asks_again, at: self.at };
        let (body, options) = mail.write(secret.as_deref())?;
        let message = self.message(meeting.organizer(), body, &options)?;
        self.sent.push(SentInvite {
            meeting: meeting.id,
            email: invited.email.clone(),
            content_hash: if is_cancelled { String::new() } else { content_hash },
            message,
            secret_hash,
            is_change: occasion == Occasion::Changed,
            starts_at: (occasion != Occasion::Removed).then_some(meeting.starts_at.into()),
        });
        Ok(())
    }

    fn add_of_series(&mut self, mail: DueMail) -> Result<(), StoreError> {
        let DueMail { organizer, body, options, row, was, link, is_new } = mail;
        if is_new {
            self.invited.push(row.email.clone());
        }
        let message = self.message(organizer, body, &options)?;
        self.sent_of_series.push(SentSeriesInvite { row, was, message, link });
        Ok(())
    }

    /// Adds a message and its task.
    fn message(
        &mut self,
        owner: AccountId,
        body: String,
        options: &MessageOptions,
    ) -> Result<MessageId, StoreError> {
        let message = own_message((self.channel, owner), INVITE_KEY, body, options)?;
        let id = message.id;
        self.tasks.push(task_of(&message, (0, self.at)));
        self.messages.push(message);
        Ok(id)
    }
}

/// Why a person gets a mail now; `None`: the person's calendar is right, or the meeting is over.
fn occasion(
    invited: &InvitedRow,
    meeting: &MeetingRow,
    content_hash: &str,
    at: Timestamp,
) -> Result<Option<Occasion>, StoreError> {
    let state: MeetingState =
        meeting.state.parse().map_err(|_| StoreError::Corrupt(format!("state of {}", meeting.id)))?;
    if state == MeetingState::Ended || meeting.ends_at <= at.millis() {
        return Ok(None);
    }
    let known = invited.content_hash.as_deref().filter(|hash| !hash.is_empty());
    let is_invited = invited.is_attendee == 1;
    Ok(match known {
        // Its last mail cancels it. That to a person who was removed names no start.
        None if is_invited && state.is_open() => {
            let was_cancelled = invited.content_hash.is_some() && invited.mailed_starts_at.is_some();
            Some(if was_cancelled { Occasion::Restored } else { Occasion::Invited })
        }
        Some(hash) if is_invited && state.is_open() => (hash != content_hash).then_some(Occasion::Changed),
        Some(_) if is_invited => Some(Occasion::Cancelled),
        Some(_) => Some(Occasion::Removed),
        None => None,
    })
}

/// What attendees are notified of when it changes.
fn content(meeting: &MeetingRow, facts: &InviteFacts) -> String {
    let is_request = meeting.state == MeetingState::Requested.as_str();
    let MeetingRow { title, description, link, starts_at, ends_at, time_zone, .. } = meeting;
    serde_json::json!([title, description, link, facts.room, starts_at, ends_at, time_zone, is_request])
        .to_string()
}
