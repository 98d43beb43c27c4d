//! A reminder that is typed in one line.

use crate::{
    dashboard::quick::server_fns::QuickWords,
    reminders::server_fns::ChangedReminder,
    server_fns::{JsonOutput, Refused},
};
#[cfg(feature = "ssr")]
use crate::{
    dashboard::quick::server_fns::{chosen, read, understood},
    reminders::server_fns::{back, create_once},
    server_fns::ssr,
};
#[cfg(feature = "ssr")]
use domain::{
    Actor, DomainError, Services,
    base::when::problem::WhenProblem,
    error::ValidationError,
    reminders::{NewReminder, Recipient, ReminderLine, ReminderTime, ReminderWords},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What a typed line means.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LineMeaning {
    /// What the reminder says; empty: the line has no time yet.
    pub text: String,
    /// Its time.
    pub time: QuickWords,
}

/// Reads a line. One without a time means nothing yet.
#[server(name = ReadReminderLine, prefix = "/fn", endpoint = "reminder_line", output = JsonOutput)]
pub async fn read_reminder_line(line: String) -> Result<LineMeaning, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let Some(ReminderLine { text, when }) = ReminderLine::split(&line) else {
                return Ok(LineMeaning::default());
            };
            Ok(LineMeaning { text, time: understood(&services, &actor, when).await })
        }
        .await,
    )
}

/// Creates the reminder of a line for the user. `reading`: the instant of the chosen reading, if its time has
/// several.
#[server(name = RemindByLine, prefix = "/fn", endpoint = "remind_by_line", output = JsonOutput)]
pub async fn remind_by_line(
    line: String,
    #[server(default)] reading: String,
    from: String,
) -> Result<ChangedReminder, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let ReminderLine { text, when } = ReminderLine::split(&line).ok_or_else(without_time)?;
            let time = time_of(&services, &actor, when, &reading).await?;
            let recipient = Some(Recipient::Account(actor.account));
            let new = NewReminder { text, recipient, time, repeats: None };
            let row = create_once(&services, &actor, new).await?;
            let changed = ChangedReminder { row, what: "set".to_owned() };
            back(&from, &changed);
            Ok(changed)
        }
        .await,
    )
}

/// The refusal of a line without a time. Not about `when`: the form itself says it.
#[cfg(feature = "ssr")]
fn without_time() -> DomainError {
    DomainError::invalid("time", ValidationError::When { why: WhenProblem::NoTime })
}

/// Returns the time that the words and the chosen reading mean.
#[cfg(feature = "ssr")]
async fn time_of(
    services: &Services,
    actor: &Actor,
    when: String,
    reading: &str,
) -> Result<ReminderTime, DomainError> {
    let ReminderWords { meaning, repeats } = read(services, actor, &when).await?;
    if repeats.is_some() {
        return Ok(ReminderTime::Words { text: when, zone: None });
    }
    Ok(ReminderTime::At(meaning.when(chosen(&meaning, reading)?)))
}
