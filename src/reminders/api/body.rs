//! Reminders as the API takes and returns them.

use super::series::{NewReminderSeriesBody, ReminderSeriesBody, is_whole_series};
use crate::{
    deliveries::outside::api::HeldMailBody,
    http::api::{extract::word, numbers::optional_integer},
    tasks::api::when,
};
use domain::{
    DomainError, Timestamp,
    error::ValidationError,
    reminders::{
        Anchor, NewReminder, Recipient, RelativeTime, Reminder, ReminderEdit, ReminderTime, Subject,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A new reminder: `due_at`, or `local` and `zone`, or `when`, each also with `series`; or `article_id` or `meeting_id` and
/// `offset_minutes`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewReminderBody {
    /// 1 to 1,000 characters.
    #[schema(min_length = 1, max_length = 1000)]
    text: String,
    /// An instant, RFC 3339.
    due_at: Option<String>,
    /// A local time: `2027-03-28T02:30`.
    local: Option<String>,
    /// Time zone of `local`: `Europe/Berlin`; of `when`, unless its words name one.
    zone: Option<String>,
    /// `earlier` or `later`, if `local` occurs twice.
    disambiguation: Option<String>,
    /// Words: `tomorrow 9am`, `in 90 minutes`, `明天上午九点`; `every monday 9am`, `每周一上午九点` for a series; at most
    /// 200 bytes.
    when: Option<String>,
    /// How it repeats from its time on.
    series: Option<NewReminderSeriesBody>,
    /// Id of the article it is about: it counts from its publication, and moves or is cancelled with it.
    #[schema(format = Uuid)]
    article_id: Option<String>,
    /// Id of the meeting it is about.
    #[schema(format = Uuid)]
    meeting_id: Option<String>,
    /// Minutes after what it is about; negative: before; at most a year.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = -527_040, maximum = 527_040)]
    offset_minutes: Option<i32>,
    /// What it counts from: `start` (the default; of an article its publication) or `end`.
    anchor: Option<String>,
    /// Id of the account it is for; the caller if no recipient is given.
    #[schema(format = Uuid)]
    account_id: Option<String>,
    /// Address that gets a mail.
    #[schema(max_length = 254)]
    mail: Option<String>,
    /// Id of the channel that sends it; only for admins.
    #[schema(format = Uuid)]
    channel_id: Option<String>,
}

impl TryFrom<NewReminderBody> for NewReminder {
    type Error = DomainError;
    fn try_from(new: NewReminderBody) -> Result<Self, DomainError> {
        let recipient = recipient(new.account_id, new.mail, new.channel_id)?;
        let time = Time {
            due_at: new.due_at,
            local: new.local,
            zone: new.zone,
            disambiguation: new.disambiguation,
            when: new.when,
        };
        let time = match relative(new.article_id, new.meeting_id, (new.offset_minutes, new.anchor))? {
            None => time.read()?,
            Some(relative) if time.is_absent() => ReminderTime::Relative(relative),
            Some(_) => return Err(unreadable("offset_minutes", "send it without another time")),
        };
        Ok(Self { text: new.text, recipient, time, repeats: new.series.map(Into::into) })
    }
}

/// Changes to a reminder. Fields that are absent stay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReminderEditBody {
    /// 1 to 1,000 characters.
    #[schema(min_length = 1, max_length = 1000)]
    text: Option<String>,
    /// An instant, RFC 3339.
    due_at: Option<String>,
    /// A local time: `2027-03-28T02:30`.
    local: Option<String>,
    /// Time zone of `local` or `when`.
    zone: Option<String>,
    /// `earlier` or `later`, if `local` occurs twice.
    disambiguation: Option<String>,
    /// Words: `tomorrow 9am`; `every monday 9am` for a series.
    when: Option<String>,
    /// How it repeats from its time on.
    series: Option<NewReminderSeriesBody>,
    /// Which occurrences of its series change: `this` (if absent; it leaves its series), `following` or `all`.
    reach: Option<String>,
    /// Id of the account it is for.
    #[schema(format = Uuid)]
    account_id: Option<String>,
    /// Address that gets a mail.
    #[schema(max_length = 254)]
    mail: Option<String>,
    /// Id of the channel that sends it; only for admins.
    #[schema(format = Uuid)]
    channel_id: Option<String>,
    /// `version` of the reminder that the caller saw; a different current one is a conflict. Absent:
    /// no check.
    #[serde(default, deserialize_with = "optional_integer")]
    pub seen_version: Option<i32>,
}

impl TryFrom<ReminderEditBody> for ReminderEdit {
    type Error = DomainError;
    fn try_from(edit: ReminderEditBody) -> Result<Self, DomainError> {
        let recipient = recipient(edit.account_id, edit.mail, edit.channel_id)?;
        let time = Time {
            due_at: edit.due_at,
            local: edit.local,
            zone: edit.zone,
            disambiguation: edit.disambiguation,
            when: edit.when,
        };
        let time = if time.is_absent() { None } else { Some(time.read()?) };
        Ok(Self {
            text: edit.text,
            recipient,
            time,
            repeats: edit.series.map(|series| Box::new(series.into())),
            is_whole_series: is_whole_series(edit.reach.as_deref())?,
        })
    }
}

/// Until when a reminder is put off.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SnoozeBody {
    /// By how many minutes from now on; at most a year.
    #[serde(default, deserialize_with = "optional_integer")]
    #[schema(minimum = 1, maximum = 527_040)]
    pub minutes: Option<i32>,
    /// See `ReminderEditBody`.
    #[serde(default, deserialize_with = "optional_integer")]
    pub seen_version: Option<i32>,
}

/// An action on a reminder.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReminderActionBody {
    /// See `ReminderEditBody`.
    #[serde(default, deserialize_with = "optional_integer")]
    pub seen_version: Option<i32>,
}

fn unreadable(field: &str, why: &str) -> DomainError {
    DomainError::invalid(field, ValidationError::Sentence { why: why.to_owned() })
}

fn recipient(
    account: Option<String>,
    mail: Option<String>,
    channel: Option<String>,
) -> Result<Option<Recipient>, DomainError> {
    Ok(match (account, mail, channel) {
        (None, None, None) => None,
        (Some(id), None, None) => {
            let id = id.parse().map_err(|_| DomainError::invalid("account_id", ValidationError::Unknown))?;
            Some(Recipient::Account(id))
        }
        (None, Some(address), None) => Some(Recipient::Mail(address)),
        (None, None, Some(id)) => {
            let id = id.parse().map_err(|_| DomainError::invalid("channel_id", ValidationError::Unknown))?;
            Some(Recipient::Channel(id))
        }
        _ => return Err(unreadable("account_id", "send only one of account_id, mail and channel_id")),
    })
}

/// The time that follows an article or a meeting; `None`: the reminder is about neither.
fn relative(
    article: Option<String>,
    meeting: Option<String>,
    (offset, anchor): (Option<i32>, Option<String>),
) -> Result<Option<RelativeTime>, DomainError> {
    let (subject, id) = match (article, meeting) {
        (None, None) if offset.is_none() && anchor.is_none() => return Ok(None),
        (None, None) => return Err(unreadable("offset_minutes", "send article_id or meeting_id with it")),
        (Some(_), Some(_)) => {
            return Err(unreadable("article_id", "send only one of article_id and meeting_id"));
        }
        (Some(id), None) => (Subject::Article, id),
        (None, Some(id)) => (Subject::Meeting, id),
    };
    let id = id.parse().map_err(|_| DomainError::no_such(subject.as_str()))?;
    let anchor = anchor.map(|one| word("anchor", &one, Anchor::NAMES)).transpose()?.unwrap_or(Anchor::Start);
    let offset_minutes =
        offset.ok_or_else(|| DomainError::invalid("offset_minutes", ValidationError::Empty))?;
    Ok(Some(RelativeTime { subject, id, anchor, offset_minutes }))
}

/// The time of a request.
struct Time {
    due_at: Option<String>,
    local: Option<String>,
    zone: Option<String>,
    disambiguation: Option<String>,
    when: Option<String>,
}

impl Time {
    fn is_absent(&self) -> bool {
        let all = [&self.due_at, &self.local, &self.zone, &self.disambiguation, &self.when];
        all.iter().all(|field| field.is_none())
    }

    fn read(self) -> Result<ReminderTime, DomainError> {
        match self.when {
            Some(text) if self.due_at.is_none() && self.local.is_none() => {
                Ok(ReminderTime::Words { text, zone: self.zone })
            }
            Some(_) => Err(unreadable("when", "send only one of due_at, when, and local and zone")),
            None if self.due_at.is_none() && self.local.is_none() && self.zone.is_none() => {
                Err(unreadable("due_at", "send due_at, when, or local and zone"))
            }
            None => when(self.due_at, self.local, self.zone, self.disambiguation).map(ReminderTime::At),
        }
    }
}

/// A reminder.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReminderBody {
    /// Id of the reminder.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// What it says; empty: it says when and where its meeting is.
    text: String,
    /// Whom it reaches: `account`, `mail`, `channel`, `attendees`, `bell` (attendees, in the desk) or `sms`.
    recipient: &'static str,
    /// The account it is for.
    #[schema(value_type = Option<String>, format = Uuid)]
    account_id: Option<Uuid>,
    /// The address it is for.
    mail: Option<String>,
    /// The channel that sends it.
    #[schema(value_type = Option<String>, format = Uuid)]
    channel_id: Option<Uuid>,
    /// `scheduled`, `sent`, `done`, `cancelled`, `skipped` (its moment had passed) or `failed`.
    state: &'static str,
    /// Incremented by every change; send it back as `seen_version`.
    version: i32,
    /// When it is or was due.
    #[schema(value_type = String, format = DateTime)]
    due_at: Timestamp,
    /// Local time as entered.
    local: Option<String>,
    /// Time zone of the local time.
    zone: Option<String>,
    /// How it repeats; null: it is not the coming occurrence of a series.
    series: Option<ReminderSeriesBody>,
    /// The article it is about; null: none.
    #[schema(value_type = Option<String>, format = Uuid)]
    article_id: Option<Uuid>,
    /// The meeting it is about; null: none.
    #[schema(value_type = Option<String>, format = Uuid)]
    meeting_id: Option<Uuid>,
    /// `start` or `end`: what it counts from; of an article `start`, its publication.
    before: Option<&'static str>,
    /// How long before, in minutes; null: it is after.
    minutes: Option<i32>,
    /// Minutes after what it is about; negative: before.
    offset_minutes: Option<i32>,
    /// Why it is in its state.
    reason: Option<String>,
    /// When it was sent.
    #[schema(value_type = Option<String>, format = DateTime)]
    sent_at: Option<Timestamp>,
    /// Account that created it.
    #[schema(value_type = String, format = Uuid)]
    owner_id: Uuid,
    /// Its task; null: it was never scheduled.
    #[schema(value_type = Option<String>, format = Uuid)]
    task_id: Option<Uuid>,
    /// Verb of the last change, if it can be undone.
    undo: Option<String>,
    /// Its mails that a limit holds, those that are sent next first. Empty unless the caller may change it.
    held_mails: Vec<HeldMailBody>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<Reminder> for ReminderBody {
    fn from(row: Reminder) -> Self {
        let (local, zone) = row.local.map(|local| (local.local, local.zone)).unzip();
        let offset_minutes = row.about.as_ref().map(|about| about.offset_minutes);
        let about_id =
            |subject| row.about.as_ref().filter(|about| about.subject == subject).map(|about| about.id);
        let id_of = |kind: &str| row.recipient.id().filter(|_| row.recipient.kind() == kind);
        Self {
            id: row.id.0,
            recipient: row.recipient.kind(),
            account_id: id_of("account"),
            mail: row.recipient.address().map(str::to_owned),
            channel_id: id_of("channel"),
            state: row.state.as_str(),
            version: row.version.0,
            due_at: row.due.at,
            local,
            zone,
            series: row.repeats.map(ReminderSeriesBody::from),
            article_id: about_id(Subject::Article),
            meeting_id: about_id(Subject::Meeting),
            before: row.about.as_ref().map(|about| about.anchor.as_str()),
            minutes: offset_minutes.filter(|offset| *offset <= 0).map(|offset| -offset),
            offset_minutes,
            reason: row.reason,
            sent_at: row.sent.map(|at| at.at),
            owner_id: row.owner_id.0,
            task_id: row.task_id.map(|task| task.0),
            undo: row.undo,
            held_mails: row.held_mails.into_iter().map(HeldMailBody::from).collect(),
            created_at: row.created.at,
            text: row.text,
        }
    }
}
