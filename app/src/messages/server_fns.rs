//! Delayed messages: list, one message, creation, and changes of several.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::{
    messages::result,
    server_fns::{
        header_lines::headers_of,
        result_url::{with_changed, with_done},
        ssr,
        time_of_form::local_time,
    },
};
use domain::message::{MessageDetails, MessageList, MessageQuery};
#[cfg(feature = "ssr")]
use domain::{
    DomainError, State,
    error::ValidationError,
    message::{BulkMessageChange, MessageChange, MessageOptions, MessageRef, NewMessage, SendTime},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A page of the list of messages.
#[server(name = ListMessages, prefix = "/fn", endpoint = "messages", output = JsonOutput)]
pub async fn list_messages(#[server(default)] query: MessageQuery) -> Result<MessageList, Refused> {
    ssr::respond(async { ssr::services()?.messages.list_with_tasks(&ssr::actor()?, query).await }.await)
}

/// A message by its id or key.
#[server(name = FindMessage, prefix = "/fn", endpoint = "message", output = JsonOutput)]
pub async fn find_message(id: String) -> Result<MessageDetails, Refused> {
    ssr::respond(async { ssr::services()?.messages.details(&ssr::actor()?, &id).await }.await)
}

/// A message as submitted by its form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageForm {
    /// Id of its channel.
    pub channel_id: String,
    /// Key; empty: its id.
    #[serde(default)]
    pub key: String,
    /// Body.
    #[serde(default)]
    pub body: String,
    /// Headers, as lines like `Name: value`.
    #[serde(default)]
    pub headers: String,
    /// Date, `YYYY-MM-DD`.
    pub date: String,
    /// Time, `HH:MM[:SS]`.
    pub time: String,
    /// City or IANA name of the time zone.
    pub zone: String,
    /// `earlier`, `later`, or a local time, see [`crate::server_fns::time_of_form::local_time`].
    #[serde(default)]
    pub which: String,
}

/// Schedules a message.
#[server(name = CreateMessage, prefix = "/fn", endpoint = "create_message", output = JsonOutput)]
pub async fn create_message(#[server(flatten)] message: MessageForm) -> Result<(), Refused> {
    ssr::respond(create(message).await)
}

#[cfg(feature = "ssr")]
async fn create(typed: MessageForm) -> Result<(), DomainError> {
    let actor = ssr::actor()?;
    let new = NewMessage {
        key: Some(typed.key.trim().to_owned()).filter(|key| !key.is_empty()),
        channel_id: typed.channel_id.parse().map_err(|_| DomainError::no_such("channel"))?,
        time: SendTime::At(local_time(&typed.date, &typed.time, &typed.zone, &typed.which)),
        body: ssr::normalize_newlines(&typed.body),
        options: MessageOptions {
            headers: headers_of("headers", actor.language, &typed.headers)?,
            ..MessageOptions::default()
        },
        priority: None,
    };
    let row = ssr::services()?.messages.schedule(&actor, new).await?;
    ssr::redirect(&with_changed(&format!("/messages/{}", row.id), row.task_id));
    Ok(())
}

/// Changes the selected messages; `what` is `cancel` or `run`.
#[server(name = ChangeMessages, prefix = "/fn", endpoint = "change_messages", output = JsonOutput)]
pub async fn change_messages(
    what: String,
    #[server(default)] ids: Vec<String>,
    from: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let change = match what.as_str() {
                "cancel" => BulkMessageChange::Cancel,
                "run" => BulkMessageChange::RunNow,
                _ => {
                    let words = "cancel, run".to_owned();
                    return Err(DomainError::invalid("what", ValidationError::NotOneOf { words }));
                }
            };
            let ids = ids.iter().map(|id| id.parse().map_err(|_| DomainError::no_such("message")));
            let ids = ids.collect::<Result<Vec<_>, _>>()?;
            let done = ssr::services()?.messages.change_all(&ssr::actor()?, ids, change).await?;
            ssr::redirect(&with_done(&from, &result::value(&what, done.changed, done.unchanged)));
            Ok(())
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
fn by_id(id: &str) -> Result<MessageRef, DomainError> {
    id.parse().map(MessageRef::Id).map_err(|_| DomainError::no_such("message"))
}

/// Acknowledges a notice.
#[server(name = AcknowledgeNotice, prefix = "/fn", endpoint = "acknowledge_notice", output = JsonOutput)]
pub async fn acknowledge_notice(id: String, from: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.messages.acknowledge(&ssr::actor()?, by_id(&id)?).await?;
            ssr::redirect(&with_done(&from, result::ACKNOWLEDGED));
            Ok(())
        }
        .await,
    )
}

/// Gives a message another channel. One that failed or was missed is sent by it now.
#[server(name = ChangeMessageChannel, prefix = "/fn", endpoint = "change_message_channel", output = JsonOutput)]
pub async fn change_message_channel(id: String, channel_id: String, from: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (messages, actor) = (ssr::services()?.messages, ssr::actor()?);
            let channel_id = Some(channel_id.parse().map_err(|_| DomainError::no_such("channel"))?);
            let edit = MessageChange::Edit { time: None, body: None, channel_id };
            let row = messages.change(&actor, by_id(&id)?, edit, None).await?;
            let done = match row.state {
                State::Scheduled => result::CHANNEL_CHANGED,
                _ => {
                    let (which, seen) = (MessageRef::Id(row.id), Some(row.version));
                    messages.change(&actor, which, MessageChange::RunNow, seen).await?;
                    result::CHANNEL_CHOSEN
                }
            };
            ssr::redirect(&with_done(&from, done));
            Ok(())
        }
        .await,
    )
}
