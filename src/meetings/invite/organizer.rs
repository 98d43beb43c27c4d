//! The organizer hears of answers: one notification for each meeting, and by choice one mail for the
//! answers of ten minutes.

use crate::messages::{
    check::INVITE_KEY,
    kinds::{own_message, task_of},
};
use domain::{
    AccountId, MeetingId, MessageId, NotificationId, Timestamp, account::AnswerNotices,
    message::MessageOptions,
};
use store::{
    StoreError, Tx, due_reminder,
    event::NewEvent,
    meeting::MeetingRow,
    meeting_invite::{self, AnswerCounts},
    message::{self, NewMessageRow},
    notification::{self, NewNotification},
    task::NewTaskRow,
};
use texts::{Language, mail::invitation::AnswerNoticeWords};
use uuid::Uuid;

/// How long answers are collected for one mail, milliseconds.
const COLLECT_MS: i64 = 10 * 60_000;

/// What must be stored besides.
#[derive(Default)]
pub struct Notified {
    /// Events, to be written last.
    pub events: Vec<NewEvent>,
    /// The task of a new mail, without the shard of its hint.
    pub task: Option<NewTaskRow>,
}

/// Notifies the organizer of a meeting whose target is locked of what attendees have answered. `by`: address of
/// the attendee who has just answered. `series`: all its meetings were answered.
pub async fn notify(
    tx: &mut Tx,
    (meeting, series): (&MeetingRow, Option<Uuid>),
    by: &str,
    at: Timestamp,
) -> Result<Notified, StoreError> {
    let counts = meeting_invite::answer_counts(tx.conn(), MeetingId(meeting.id)).await?;
    let Some(counts) = counts.filter(|counts| counts.email != by) else { return Ok(Notified::default()) };
    let corrupt = |_| StoreError::Corrupt(format!("answer_notices of the account {}", counts.organizer_id));
    let choice: AnswerNotices = counts.answer_notices.parse().map_err(corrupt)?;
    let words = AnswerNoticeWords(counts.language.parse().unwrap_or(Language::En));
    let AnswerCounts { accepted, tentative, declined, pending, .. } = counts;
    let text = words.answers(&meeting.title, accepted, tentative, declined, pending);
    if choice == AnswerNotices::Off {
        return Ok(Notified::default());
    }
    let notification = NewNotification {
        id: NotificationId::generate().0,
        account: counts.organizer_id,
        text: text.clone(),
        link: format!("/meetings/{}", meeting.id),
        ..NewNotification::default()
    };
    notification::replace(tx.conn(), &notification, &format!("answers:{}", series.unwrap_or(meeting.id)), at)
        .await?;
    let events = vec![NewEvent::simple(at, None, "account", counts.organizer_id, "notify")];
    let task = match choice {
        AnswerNotices::Mail => mail(tx, &counts, (words.subject(&meeting.title), text), meeting, at).await?,
        AnswerNotices::Off | AnswerNotices::Bell => None,
    };
    Ok(Notified { events, task })
}

/// Stores the mail at the end of these ten minutes, or what it says if it is stored already. Returns its
/// task if it is new. None without a mail server.
async fn mail(
    tx: &mut Tx,
    counts: &AnswerCounts,
    (subject, body): (String, String),
    meeting: &MeetingRow,
    at: Timestamp,
) -> Result<Option<NewTaskRow>, StoreError> {
    let (Some(channel), _) = due_reminder::channels(tx.conn()).await? else { return Ok(None) };
    let due_at = Timestamp::from_millis((at.millis().div_euclid(COLLECT_MS) + 1) * COLLECT_MS);
    let key = format!("{INVITE_KEY}answers:{}:{}", meeting.id, due_at.millis());
    if let Some(stored) = message::with_keys(tx.conn(), &[&key]).await?.first() {
        // Its target is not locked: that of the meeting is, and locks are taken in id order. If the
        // message is just being sent, the mail says either this or what was true before.
        message::change(tx.conn(), MessageId(stored.id), Some(&body), None).await?;
        return Ok(None);
    }
    let options = MessageOptions {
        headers: [("Subject".to_owned(), subject)].into(),
        to: vec![counts.email.clone()],
        ..MessageOptions::default()
    };
    let sender = (channel, AccountId(counts.organizer_id));
    let message = NewMessageRow { key, ..own_message(sender, INVITE_KEY, body, &options)? };
    let task = task_of(&message, (0, due_at));
    message::insert(tx.conn(), &[message], at).await?;
    Ok(Some(task))
}
