//! What the user is notified of.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
use domain::reminders::NotificationChoices;
#[cfg(feature = "ssr")]
use domain::{
    DomainError,
    base::{local_time::minute_of_day, when::clock_text},
    error::ValidationError,
    reminders::{MailTime, NotificationChoice, QuietHours, typed_minutes, usual_minutes},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What the page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoicesPage {
    /// What the user has chosen.
    pub choices: NotificationChoices,
    /// Whether mails are sent at all.
    pub has_mail_server: bool,
}

/// The row of an event as submitted. Boxes that are not selected are absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TypedChoice {
    /// In the list.
    pub bell: String,
    /// When by mail.
    pub mail: String,
    /// On devices.
    pub push: String,
}

/// The form as submitted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TypedChoices {
    /// Articles that went out.
    pub went_out: TypedChoice,
    /// Failed tasks.
    pub failed: TypedChoice,
    /// Missed tasks.
    pub missed: TypedChoice,
    /// Texts and meetings that wait for approval.
    pub approval: TypedChoice,
    /// Texts and meetings that were decided.
    pub decided: TypedChoice,
    /// Changes by others.
    pub changed: TypedChoice,
    /// Articles that are unpublished soon.
    pub expires_soon: TypedChoice,
    /// Use of the account in new browsers.
    pub access: TypedChoice,
    /// Start of the quiet hours; empty: none.
    pub quiet_from: String,
    /// End of the quiet hours.
    pub quiet_until: String,
    /// Time of the daily mail.
    pub daily_at: String,
    /// Minutes before meetings, separated by commas.
    pub meeting_reminder_minutes: String,
}

/// What the user has chosen.
#[server(name = FindChoices, prefix = "/fn", endpoint = "notification_choices", output = JsonOutput)]
pub async fn find_choices() -> Result<ChoicesPage, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            Ok(ChoicesPage {
                choices: services.notifications.choices(&actor).await?,
                has_mail_server: services.channels.has_mail_server(&actor).await?,
            })
        }
        .await,
    )
}

/// Replaces what the user is notified of.
#[server(name = SaveChoices, prefix = "/fn", endpoint = "save_notification_choices", output = JsonOutput)]
pub async fn save_choices(#[server(flatten)] typed: TypedChoices) -> Result<(), Refused> {
    ssr::respond(
        async {
            let choices = choices_of(&typed)?;
            ssr::services()?.notifications.choose(&ssr::actor()?, choices).await?;
            ssr::redirect("/settings/notifications?done=save");
            Ok(())
        }
        .await,
    )
}

/// Field of the usual reminders of meetings.
#[cfg(feature = "ssr")]
const MINUTES: &str = "meeting_reminder_minutes";

#[cfg(feature = "ssr")]
fn choices_of(typed: &TypedChoices) -> Result<NotificationChoices, DomainError> {
    let (from, until) = (typed.quiet_from.trim(), typed.quiet_until.trim());
    let quiet = match (from, until) {
        ("", "") => None,
        _ => Some(QuietHours { from: minute("quiet_from", from)?, until: minute("quiet_until", until)? }),
    };
    Ok(NotificationChoices {
        went_out: choice(&typed.went_out)?,
        failed: choice(&typed.failed)?,
        missed: choice(&typed.missed)?,
        approval: choice(&typed.approval)?,
        decided: choice(&typed.decided)?,
        changed: choice(&typed.changed)?,
        expires_soon: choice(&typed.expires_soon)?,
        access: choice(&typed.access)?,
        quiet,
        daily_at: minute("daily_at", typed.daily_at.trim())?,
        meeting_minutes: usual_minutes(MINUTES, &typed_minutes(MINUTES, &typed.meeting_reminder_minutes)?)?,
    })
}

#[cfg(feature = "ssr")]
fn choice(typed: &TypedChoice) -> Result<NotificationChoice, DomainError> {
    let mail = typed.mail.parse().map_err(|_| {
        DomainError::invalid("mail", ValidationError::NotOneOf { words: MailTime::NAMES.join(", ") })
    })?;
    Ok(NotificationChoice { bell: !typed.bell.is_empty(), mail, push: !typed.push.is_empty() })
}

#[cfg(feature = "ssr")]
fn minute(field: &str, typed: &str) -> Result<u16, DomainError> {
    if typed.is_empty() {
        return Err(DomainError::invalid(field, ValidationError::Empty));
    }
    let found = minute_of_day(&clock_text(typed)).and_then(|minute| u16::try_from(minute).ok());
    let not_a_time = || ValidationError::NotATime { like: "08:00".to_owned() };
    found.filter(|minute| *minute < 24 * 60).ok_or_else(|| DomainError::invalid(field, not_a_time()))
}
