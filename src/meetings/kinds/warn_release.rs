//! Organizer and attendees are warned once before the room of a meeting to which no user has checked in is
//! released: in the app, and by mail if the desk has a mail server. Each mail has a link to check in.

use super::MEETING;
use crate::{
    kinds::task_kind::TaskKind,
    messages::{
        check::INVITE_KEY,
        kinds::{own_message, send_now},
    },
    reminders::notifications::{NotificationBatch, language, moment},
    security::tokens,
};
use async_trait::async_trait;
use domain::{
    ChannelId, TaskId, Timestamp,
    meetings::{Answer, MeetingState, MeetingTask},
    message::MessageOptions,
};
use store::{
    StoreError, Tx,
    approver::{self, ApproverRow},
    due_meetings, due_reminder,
    execute::{ClaimedTask, SideEffects, Verdict},
    meeting::MeetingRow,
    meeting_invite::{self, InviteFacts, InvitedRow},
    message::NewMessageRow,
};
use texts::{Language, mail::reminder::ReminderWords};
use uuid::Uuid;

/// The kind `meeting.warn_release`.
pub struct WarnRelease;

#[async_trait]
impl TaskKind for WarnRelease {
    fn word(&self) -> &'static str {
        MeetingTask::WarnRelease.as_str()
    }

    fn target_kind(&self) -> &'static str {
        MEETING
    }

    fn is_managed(&self) -> bool {
        true
    }

    fn can_be_undone(&self) -> bool {
        false
    }

    fn is_warning(&self) -> bool {
        true
    }

    /// A warning that comes after the release is not sent.
    async fn execute(
        &self,
        tx: &mut Tx,
        tasks: &[ClaimedTask],
        at: Timestamp,
        after: &mut SideEffects,
    ) -> Result<Vec<Verdict>, StoreError> {
        let ids: Vec<Uuid> = tasks.iter().map(|task| task.target_id).collect();
        let rows = due_meetings::load(tx.conn(), &ids).await?;
        let unused: Vec<&MeetingRow> = rows.iter().filter(|row| is_unused(row, at)).collect();
        if !unused.is_empty() {
            let by: Vec<TaskId> = tasks.iter().map(|task| task.id).collect();
            let bucket = due_meetings::origins(tx.conn(), &by).await?.first().map_or(0, |one| one.bucket);
            warn(tx, &unused, (u16::try_from(bucket).unwrap_or_default(), at), after).await?;
        }
        Ok(tasks.iter().map(|_| Verdict::Done).collect())
    }
}

/// Whether the room will be released because no user has checked in.
fn is_unused(row: &MeetingRow, at: Timestamp) -> bool {
    [MeetingState::Confirmed, MeetingState::InProgress].iter().any(|state| state.as_str() == row.state)
        && row.checked_in_at.is_none()
        && row.release_at.is_some_and(|release_at| release_at > at.millis())
}

async fn warn(
    tx: &mut Tx,
    unused: &[&MeetingRow],
    (bucket, at): (u16, Timestamp),
    after: &mut SideEffects,
) -> Result<(), StoreError> {
    let ids: Vec<Uuid> = unused.iter().map(|row| row.id).collect();
    let organizers: Vec<Uuid> = unused.iter().map(|row| row.organizer_id).collect();
    let accounts = approver::accounts(tx.conn(), &organizers).await?;
    let all_facts = meeting_invite::facts(tx.conn(), &ids).await?;
    let invited = meeting_invite::invited(tx.conn(), &ids).await?;
    let (channel, _) = due_reminder::channels(tx.conn()).await?;
    let (mut batch, mut mails) = (NotificationBatch::default(), Mails::default());
    for row in unused.iter().copied() {
        let Some(facts) = all_facts.iter().find(|one| one.id == row.id) else { continue };
        let organizer = accounts.iter().find(|one| one.id == row.organizer_id);
        if let Some(one) = organizer {
            let text = text((row, facts), language(one), &one.time_zone);
            batch.notify(one.id, text, format!("/meetings/{}", row.id));
        }
        let Some(channel) = channel else { continue };
        for recipient in recipients((row, facts), organizer, &invited) {
            mails.add(channel, (row, facts), recipient)?;
        }
    }
    after.log.extend(batch.store(tx, at).await?);
    mails.store(tx, (bucket, at), after).await
}

/// Addresses and languages of the organizer and of the attendees who have not declined.
fn recipients(
    (row, facts): (&MeetingRow, &InviteFacts),
    organizer: Option<&ApproverRow>,
    invited: &[InvitedRow],
) -> Vec<(String, Language)> {
    let usual: Language = facts.language.parse().unwrap_or(Language::En);
    let mut all: Vec<(String, Language)> =
        organizer.map(|one| (one.email.clone(), language(one))).into_iter().collect();
    let comes = |one: &&InvitedRow| {
        one.meeting_id == row.id && one.is_attendee == 1 && one.answer != Answer::Declined.as_str()
    };
    for one in invited.iter().filter(comes) {
        let own = one.language.as_deref().and_then(|word| word.parse().ok());
        if !all.iter().any(|(email, _)| email.eq_ignore_ascii_case(&one.email)) {
            all.push((one.email.clone(), own.unwrap_or(usual)));
        }
    }
    all
}

/// What the warning says: which meeting, and when its room is released.
fn text((row, facts): (&MeetingRow, &InviteFacts), language: Language, zone: &str) -> String {
    let words = ReminderWords(language);
    let release_at = Timestamp::from_millis(row.release_at.unwrap_or(row.ends_at));
    let second = words.releases(&facts.room, &moment(language, release_at, zone));
    format!("{}\n{second}", words.no_check_in(&row.title))
}

/// Mails that are sent together.
#[derive(Default)]
struct Mails {
    messages: Vec<NewMessageRow>,
    /// Hashes of the secrets of their links, meetings and addresses.
    links: Vec<(String, Uuid, String)>,
}

impl Mails {
    /// Adds the mail to one person.
    fn add(
        &mut self,
        channel: ChannelId,
        (row, facts): (&MeetingRow, &InviteFacts),
        (email, language): (String, Language),
    ) -> Result<(), StoreError> {
        let (words, secret) = (ReminderWords(language), tokens::generate_secret());
        let options = MessageOptions {
            headers: [("Subject".to_owned(), words.check_in_subject(&row.title))].into(),
            to: vec![email.clone()],
            link: Some((words.check_in().to_owned(), format!("/check-in/{secret}"))),
            valid_until: row.release_at.map(Timestamp::from_millis),
            ..MessageOptions::default()
        };
        let (sender, key) = ((channel, row.organizer()), format!("{INVITE_KEY}releases:"));
        let body = text((row, facts), language, &row.time_zone);
        self.messages.push(own_message(sender, &key, body, &options)?);
        self.links.push((tokens::hash(&secret), row.id, email));
        Ok(())
    }

    /// Stores the mails with their tasks and links.
    async fn store(
        self,
        tx: &mut Tx,
        (bucket, at): (u16, Timestamp),
        after: &mut SideEffects,
    ) -> Result<(), StoreError> {
        if self.messages.is_empty() {
            return Ok(());
        }
        let links: Vec<(&str, Uuid, &str)> = self
            .links
            .iter()
            .map(|(hash, meeting, email)| (hash.as_str(), *meeting, email.as_str()))
            .collect();
        meeting_invite::insert_links(tx.conn(), &links, at).await?;
        send_now(tx, &self.messages, (bucket, at), after).await
    }
}
