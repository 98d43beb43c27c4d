//! Reminders about an article or a meeting.

#[cfg(feature = "ssr")]
use crate::reminders::server_fns::back;
#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::{
    reminders::server_fns::ChangedReminder,
    server_fns::{JsonOutput, Refused},
};
use domain::reminders::Reminder;
#[cfg(feature = "ssr")]
use domain::{
    Actor, DomainError, Services,
    error::ValidationError,
    reminders::{
        Anchor, MAX_MINUTES_BEFORE, NewReminder, Recipient, RelativeTime, ReminderState, ReminderTime,
    },
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Units of the distance: word and minutes.
pub const UNITS: [(&str, i32); 3] = [("minutes", 1), ("hours", 60), ("days", 24 * 60)];
/// Word of a distance before the moment.
pub const BEFORE: &str = "before";
/// Word of a distance after the moment.
pub const AFTER: &str = "after";

/// The reminders about an article or a meeting that the user created or that are for the user.
#[server(name = ListRemindersAbout, prefix = "/fn", endpoint = "reminders_about", output = JsonOutput)]
pub async fn reminders_about(id: String) -> Result<Vec<Reminder>, Refused> {
    ssr::respond(
        async {
            let id = id.parse().map_err(|_| DomainError::no_such("reminder"))?;
            ssr::services()?.reminders.about(&ssr::actor()?, id).await
        }
        .await,
    )
}

/// The form as submitted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboutFields {
    /// `article` or `meeting`.
    pub subject: String,
    /// Its id.
    pub about: String,
    /// What it says.
    pub text: String,
    /// Address of the recipient; empty: the user.
    #[serde(default)]
    pub address: String,
    /// The distance, a number.
    pub amount: String,
    /// One of [`UNITS`].
    pub unit: String,
    /// [`BEFORE`] or [`AFTER`].
    pub side: String,
    /// `start` or `end` of a meeting; empty: the start.
    #[serde(default)]
    pub anchor: String,
}

/// Creates a reminder that follows an article or a meeting.
#[server(name = RemindAbout, prefix = "/fn", endpoint = "remind_about", output = JsonOutput)]
pub async fn remind_about(
    #[server(flatten)] fields: AboutFields,
    from: String,
) -> Result<ChangedReminder, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let time = relative_time(&fields)?;
            let recipient = match fields.address.trim() {
                "" => Recipient::Account(actor.account),
                address => services.reminders.recipient_at(&actor, address).await?,
            };
            let text = ssr::normalize_newlines(&fields.text);
            let row = create_once(&services, &actor, (text, recipient, time)).await?;
            let changed = ChangedReminder { row, what: "set".to_owned() };
            back(&from, &changed);
            Ok(changed)
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
fn relative_time(fields: &AboutFields) -> Result<RelativeTime, DomainError> {
    let subject = fields.subject.parse().map_err(|_| DomainError::no_such("reminder"))?;
    let id = fields.about.parse().map_err(|_| DomainError::no_such(&fields.subject))?;
    let anchor = fields.anchor.parse().unwrap_or(Anchor::Start);
    let unit = UNITS.iter().find(|(word, _)| *word == fields.unit).map_or(1, |(_, minutes)| *minutes);
    let typed = fields.amount.trim();
    let amount: i32 =
        typed.parse().map_err(|_| DomainError::invalid("amount", ValidationError::NotANumber))?;
    let max = MAX_MINUTES_BEFORE / unit;
    if !(0..=max).contains(&amount) {
        return Err(DomainError::invalid("amount", ValidationError::NotBetween { min: 0, max }));
    }
    let offset_minutes = if fields.side == AFTER { amount * unit } else { -amount * unit };
    Ok(RelativeTime { subject, id, anchor, offset_minutes })
}

/// Creates the reminder; the same form that is sent twice creates one.
#[cfg(feature = "ssr")]
async fn create_once(
    services: &Services,
    actor: &Actor,
    (text, recipient, time): (String, Recipient, RelativeTime),
) -> Result<Reminder, DomainError> {
    let known = services.reminders.about(actor, time.id).await?;
    let same = known.into_iter().find(|one| {
        one.state == ReminderState::Scheduled
            && one.text == text.trim()
            && one.recipient == recipient
            && one.about.as_ref().is_some_and(|about| {
                (about.anchor, about.offset_minutes) == (time.anchor, time.offset_minutes)
            })
    });
    match same {
        Some(same) => Ok(same),
        None => {
            let time = ReminderTime::Relative(time);
            let new = NewReminder { text, recipient: Some(recipient), time, repeats: None };
            services.reminders.create(actor, new).await
        }
    }
}
