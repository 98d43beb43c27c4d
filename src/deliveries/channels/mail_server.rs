//! The mail server of the desk: a mail channel without recipients of its own, through which mails go
//! to addresses that a reminder or a meeting names.

use super::{
    change::{commit_with_event, sealed, wrong_state},
    endpoint::{self, SecretChange},
    log,
};
use crate::{app_state::AppState, services::internal_error};
use domain::{
    Actor, DeliveryId, DomainError, MessageId, TaskId, Version,
    channel::{
        Channel, ChannelEvent, ChannelSettings, ChannelState, Endpoint, MAIL_SERVER, MailEndpoint, Secret,
        Transport,
    },
    delivery::DeliveryRow,
    message::MessageOptions,
};
use serde_json::json;
use store::{
    PoolRole, account, channel,
    message::{self, NewMessageRow},
    outbox::{self, NewDelivery},
};
use uuid::Uuid;

/// Name of the mail server in lists of deliveries.
const NAME: &str = "Mail server";

/// Sets or changes the mail server, and the password if one is given.
pub async fn set(
    parts: &AppState,
    actor: &Actor,
    route: MailEndpoint,
    given: Option<Secret>,
) -> Result<(), DomainError> {
    let route = endpoint::mail_server(route, &parts.senders.rules).map_err(own_field)?;
    let settings = ChannelSettings {
        name: NAME.to_owned(),
        endpoint: Endpoint::Mail(route),
        events: Vec::new(),
        ..ChannelSettings::initial(Transport::Mail)
    };
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let found = channel::lock(tx.conn(), MAIL_SERVER).await.map_err(internal_error)?;
    let was = found.map(Channel::try_from).transpose().map_err(internal_error)?;
    if was.as_ref().is_some_and(|was| was.state == ChannelState::Deleting) {
        return Err(wrong_state(ChannelState::Deleting));
    }
    let former = was.as_ref().map(|was| &was.settings.endpoint);
    let secret = endpoint::secret(&settings.endpoint, former, given).map_err(own_field)?;
    if was.is_some() {
        channel::change(tx.conn(), MAIL_SERVER, &settings).await.map_err(internal_error)?;
    } else {
        let at = parts.clock.now();
        channel::insert(tx.conn(), MAIL_SERVER, &settings, None, at).await.map_err(internal_error)?;
    }
    let secret = match secret {
        SecretChange::Unchanged => None,
        SecretChange::Remove => Some(None),
        SecretChange::Replace(secret) => Some(Some(sealed(parts, MAIL_SERVER, secret.0.as_bytes())?)),
    };
    if let Some(secret) = secret {
        channel::set_secret(tx.conn(), MAIL_SERVER, secret.as_deref()).await.map_err(internal_error)?;
    }
    let verb = if was.is_some() { "change" } else { "create" };
    commit_with_event(parts, actor, MAIL_SERVER, tx, verb, json!({"name": NAME})).await
}

/// Sends a mail to the actor without delay, with one attempt.
pub async fn test(parts: &AppState, actor: &Actor) -> Result<DeliveryRow, DomainError> {
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    // A test requested by an admin ends the pause after failures.
    if !channel::resume(tx.conn(), MAIL_SERVER, now).await.map_err(internal_error)? {
        return Err(DomainError::no_such("mail server"));
    }
    let found = account::find(tx.conn(), actor.account).await.map_err(internal_error)?;
    let to = vec![found.ok_or_else(|| DomainError::no_such("account"))?.email];
    let options = MessageOptions { to, ..MessageOptions::default() };
    let id = MessageId::generate();
    let message = NewMessageRow {
        id,
        key: format!("mail-test:{id}"),
        channel: MAIL_SERVER,
        body: format!("Presstime: test of the mail server\n\n{}", parts.senders.public_url),
        options: serde_json::to_string(&options).unwrap_or_else(|_| "{}".to_owned()),
        fingerprint: String::new(),
        task: TaskId(Uuid::nil()),
        owner: actor.account,
    };
    message::insert(tx.conn(), &[message], now).await.map_err(internal_error)?;
    let delivery = NewDelivery {
        id: DeliveryId::generate(),
        task: None,
        version: Version::FIRST,
        channel_id: MAIL_SERVER.0,
        channel: NAME.to_owned(),
        event: ChannelEvent::Test,
        title: String::new(),
        body: String::new(),
        message: Some(id),
        is_held: false,
        max_attempts: 1,
    };
    let sent = delivery.id;
    outbox::insert(tx.conn(), &[delivery], now).await.map_err(internal_error)?;
    commit_with_event(parts, actor, MAIL_SERVER, tx, "test", json!({"delivery_id": sent})).await?;
    log::row(parts, actor, sent).await
}

/// Names a field as the settings of the mail server do: `host`, not `mail.host`.
fn own_field(refusal: DomainError) -> DomainError {
    match refusal {
        DomainError::Invalid { field, problem } => {
            DomainError::Invalid { field: field.trim_start_matches("mail.").to_owned(), problem }
        }
        other => other,
    }
}
