//! `/notifications/choices`: what the caller is notified of.

use crate::http::{
    Web,
    api::{
        ApiError, ErrorBody,
        extract::{Auth, AuthJson, word},
        numbers::WholeNumber,
    },
};
use axum::{Json, extract::State};
use domain::{
    DomainError,
    base::local_time::minute_of_day,
    error::ValidationError,
    reminders::{MailTime, NotificationChoice, NotificationChoices, QuietHours, usual_minutes},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What the caller is notified of, and how.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NotificationChoicesBody {
    /// A task has published or unpublished an article of the caller, who has not just done it.
    went_out: NotificationChoiceBody,
    /// A task for something that belongs to the caller has failed.
    failed: NotificationChoiceBody,
    /// A task for something that belongs to the caller has missed its time.
    missed: NotificationChoiceBody,
    /// A text or a meeting waits for the approval of the caller.
    approval: NotificationChoiceBody,
    /// A text or a meeting of the caller was approved, rejected, cancelled or released, not by the caller.
    decided: NotificationChoiceBody,
    /// Another account has changed, moved, cancelled, deleted or handed over something of the caller. Left out: it
    /// stays as it is.
    #[serde(default)]
    changed: Option<NotificationChoiceBody>,
    /// An article of the caller is unpublished within 24 hours.
    expires_soon: NotificationChoiceBody,
    /// Someone has logged in to the account of the caller in a new browser, changed its password or created a token in
    /// the desk. Left out: it stays as it is.
    #[serde(default)]
    access: Option<NotificationChoiceBody>,
    /// Hours without mails and without messages on devices; null: none.
    quiet: Option<QuietHoursBody>,
    /// When the daily mail is sent, `HH:MM` in the time zone of the caller.
    #[schema(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    daily_at: String,
    /// When the caller and the attendees are reminded by mail of a meeting that the caller makes without choosing
    /// reminders, in minutes before the start, unless its room has usual reminders. Left out: it stays as it is.
    #[serde(default)]
    #[schema(value_type = Option<Vec<i32>>, max_items = 3)]
    meeting_reminder_minutes: Option<Vec<WholeNumber>>,
}

/// How the caller is notified of an event.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NotificationChoiceBody {
    /// In the list of notifications.
    bell: bool,
    /// `off`, `now` (after the quiet hours) or `daily` (in one mail a day, if it is still unread).
    mail: String,
    /// On the devices of the caller.
    push: bool,
}

/// Quiet hours in the time zone of the caller; they may span midnight.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuietHoursBody {
    /// First minute, `HH:MM`.
    #[schema(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    from: String,
    /// First minute after them, `HH:MM`; differs from `from`.
    #[schema(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    until: String,
}

fn time(minute: u16) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

fn minute(field: &str, text: &str) -> Result<u16, DomainError> {
    let found = minute_of_day(text).and_then(|minute| u16::try_from(minute).ok());
    found
        .filter(|minute| *minute < 24 * 60 && text.len() == "08:00".len())
        .ok_or_else(|| DomainError::invalid(field, ValidationError::NotATime { like: "08:00".to_owned() }))
}

impl From<NotificationChoices> for NotificationChoicesBody {
    fn from(choices: NotificationChoices) -> Self {
        let body = |choice: NotificationChoice| NotificationChoiceBody {
            bell: choice.bell,
            mail: choice.mail.as_str().to_owned(),
            push: choice.push,
        };
        Self {
            went_out: body(choices.went_out),
            failed: body(choices.failed),
            missed: body(choices.missed),
            approval: body(choices.approval),
            decided: body(choices.decided),
            changed: Some(body(choices.changed)),
            expires_soon: body(choices.expires_soon),
            access: Some(body(choices.access)),
            quiet: choices
                .quiet
                .map(|quiet| QuietHoursBody { from: time(quiet.from), until: time(quiet.until) }),
            daily_at: time(choices.daily_at),
            meeting_reminder_minutes: Some(choices.usual_minutes().into_iter().map(WholeNumber).collect()),
        }
    }
}

impl NotificationChoicesBody {
    /// `before`: the choices that are replaced.
    fn choices(self, before: &NotificationChoices) -> Result<NotificationChoices, DomainError> {
        let choice = |body: NotificationChoiceBody| -> Result<NotificationChoice, DomainError> {
            let mail: MailTime = word("mail", &body.mail, MailTime::NAMES)?;
            Ok(NotificationChoice { bell: body.bell, mail, push: body.push })
        };
        let quiet = |body: QuietHoursBody| -> Result<QuietHours, DomainError> {
            Ok(QuietHours {
                from: minute("quiet_from", &body.from)?,
                until: minute("quiet_until", &body.until)?,
            })
        };
        let minutes = |all: Vec<WholeNumber>| {
            let all: Vec<i32> = all.into_iter().map(|one| one.0).collect();
            usual_minutes("meeting_reminder_minutes", &all)
        };
        Ok(NotificationChoices {
            went_out: choice(self.went_out)?,
            failed: choice(self.failed)?,
            missed: choice(self.missed)?,
            approval: choice(self.approval)?,
            decided: choice(self.decided)?,
            changed: self.changed.map_or(Ok(before.changed), choice)?,
            expires_soon: choice(self.expires_soon)?,
            access: self.access.map_or(Ok(before.access), choice)?,
            quiet: self.quiet.map(quiet).transpose()?,
            daily_at: minute("daily_at", &self.daily_at)?,
            meeting_minutes: self.meeting_reminder_minutes.map_or(Ok(before.meeting_minutes), minutes)?,
        })
    }
}

/// Returns what the caller is notified of.
#[utoipa::path(get, path = "/notifications/choices", tag = "reminders", responses(
    (status = 200, description = "The choices", body = NotificationChoicesBody)))]
pub async fn find(
    State(web): State<Web>,
    Auth(actor): Auth,
) -> Result<Json<NotificationChoicesBody>, ApiError> {
    Ok(Json(web.services.notifications.choices(&actor).await?.into()))
}

/// Replaces what the caller is notified of. It holds for what happens from now on.
#[utoipa::path(put, path = "/notifications/choices", tag = "reminders", request_body = NotificationChoicesBody, responses(
    (status = 200, description = "The choices", body = NotificationChoicesBody),
    (status = 422, description = "A field is invalid", body = ErrorBody)))]
pub async fn change(
    State(web): State<Web>,
    AuthJson(actor, body): AuthJson<NotificationChoicesBody>,
) -> Result<Json<NotificationChoicesBody>, ApiError> {
    let before = web.services.notifications.choices(&actor).await?;
    Ok(Json(web.services.notifications.choose(&actor, body.choices(&before)?).await?.into()))
}
