//! Changes channels. Each change is one transaction with one event; events never contain secrets.

use super::{
    check::checked,
    endpoint::{self, SecretChange},
};
use crate::{
    accounts::password_check,
    app_state::AppState,
    senders::{secret_context, signature},
    services::{idempotency::claimed_result, internal_error},
};
use domain::{
    Actor, ChannelId, DomainError,
    channel::{
        Channel, ChannelEdit, ChannelSettings, ChannelState, Endpoint, MAIL_SERVER, Secret, SecretOwner,
        SendingSettings, Transport,
    },
    delivery::DeliveryRow,
    error::ValidationError,
};
use serde_json::{Value, json};
use store::{
    PoolRole, StoreError, Tx, channel, delivery,
    dispatch::unfinished,
    event::{self, NewEvent},
};

/// How long the previous secret is also used for signing, milliseconds.
const PREVIOUS_SECRET_MS: i64 = 24 * 3_600_000;

/// Creates a channel. Returns its secret if it was generated here. The same request with the same
/// idempotency key returns the same.
pub async fn add(
    parts: &AppState,
    actor: &Actor,
    new: ChannelSettings,
    given: Option<Secret>,
) -> Result<(ChannelId, Option<Secret>), DomainError> {
    endpoint::is_built(&new.endpoint)?;
    let new = checked(new, &parts.senders.rules)?;
    let id = ChannelId::generate();
    let keep = endpoint::secret(&new.endpoint, None, given)?;
    let (fresh, sealed) = match keep {
        SecretChange::Replace(secret) => (None, Some(sealed(parts, id, secret.0.as_bytes())?)),
        SecretChange::Unchanged | SecretChange::Remove
            if new.endpoint.secret_owner() == SecretOwner::Server =>
        {
            let (secret, sealed) = generate_secret(parts, id)?;
            (Some(secret), Some(sealed))
        }
        SecretChange::Unchanged | SecretChange::Remove => (None, None),
    };
    let (mut tx, now) = (parts.store.begin(PoolRole::Web).await.map_err(internal_error)?, parts.clock.now());
    if let Some(first) = claimed_result(tx.conn(), actor, id.0, now).await? {
        let secret = generated_secret(parts, &mut tx, ChannelId(first)).await?;
        return Ok((ChannelId(first), secret));
    }
    channel::insert(tx.conn(), id, &new, sealed.as_deref(), now).await.map_err(internal_error)?;
    commit_with_event(
        parts,
        actor,
        id,
        tx,
        "create",
        json!({"name": new.name, "transport": new.endpoint.transport()}),
    )
    .await?;
    Ok((id, fresh))
}

/// Returns the secret of a channel that exists, if it was generated here.
async fn generated_secret(
    parts: &AppState,
    tx: &mut Tx,
    id: ChannelId,
) -> Result<Option<Secret>, DomainError> {
    let found = channel::find(tx.conn(), id).await.map_err(internal_error)?;
    let record = found.ok_or_else(|| DomainError::no_such("channel"))?;
    let sealed = record.secret.clone();
    let owner = Channel::try_from(record).map_err(internal_error)?.settings.endpoint.secret_owner();
    let sealed = sealed.filter(|_| owner == SecretOwner::Server);
    let key = sealed.and_then(|sealed| parts.senders.vault.open(&secret_context(id), &sealed));
    Ok(key.map(|key| Secret(signature::secret_text(&key))))
}

pub(super) fn sealed(parts: &AppState, id: ChannelId, secret: &[u8]) -> Result<String, DomainError> {
    let weak = || internal_error(StoreError::Corrupt("encrypting a secret failed".to_owned()));
    parts.senders.vault.seal(&secret_context(id), secret).ok_or_else(weak)
}

fn generate_secret(parts: &AppState, id: ChannelId) -> Result<(Secret, String), DomainError> {
    let secret = signature::generate_secret();
    let weak = || internal_error(StoreError::Corrupt("a generated secret cannot be decoded".to_owned()));
    let sealed = sealed(parts, id, &signature::key(&secret).ok_or_else(weak)?)?;
    Ok((Secret(secret), sealed))
}

/// Changes the settings, unless they have changed since they were seen, and the secret if one is given.
pub async fn edit(
    parts: &AppState,
    actor: &Actor,
    id: ChannelId,
    ChannelEdit { settings, secret: given, seen }: ChannelEdit,
) -> Result<(), DomainError> {
    let edit = checked(settings, &parts.senders.rules)?;
    if let Endpoint::Mail(route) = &edit.endpoint
        && id == MAIL_SERVER
        && route.uses_desk_server()
    {
        return Err(DomainError::invalid("mail.host", ValidationError::Empty));
    }
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let was = locked(&mut tx, id).await?;
    // A repeated click is no conflict.
    if seen.is_some_and(|seen| seen != was.settings && edit != was.settings) {
        return Err(DomainError::Changed);
    }
    if edit.endpoint.transport() != was.settings.endpoint.transport() {
        return Err(DomainError::NoSigningSecret { transport: was.settings.endpoint.transport() });
    }
    let keep = endpoint::secret(&edit.endpoint, Some(&was.settings.endpoint), given)?;
    require_found(channel::change(tx.conn(), id, &edit).await.map_err(internal_error)?)?;
    match keep {
        SecretChange::Unchanged => {}
        SecretChange::Remove if !was.has_secret => {}
        SecretChange::Remove => {
            require_found(channel::set_secret(tx.conn(), id, None).await.map_err(internal_error)?)?
        }
        SecretChange::Replace(secret) => {
            let sealed = sealed(parts, id, secret.0.as_bytes())?;
            require_found(channel::set_secret(tx.conn(), id, Some(&sealed)).await.map_err(internal_error)?)?;
        }
    }
    commit_with_event(parts, actor, id, tx, "change", json!({"name": edit.name})).await
}

async fn locked(tx: &mut Tx, id: ChannelId) -> Result<Channel, DomainError> {
    let found = channel::lock(tx.conn(), id).await.map_err(internal_error)?;
    Channel::try_from(found.ok_or_else(|| DomainError::no_such("channel"))?).map_err(internal_error)
}

/// Changes how the channel sends, unless that has changed since it was `seen`. A repeated click changes nothing.
pub async fn set_sending(
    parts: &AppState,
    actor: &Actor,
    id: ChannelId,
    new: SendingSettings,
    seen: SendingSettings,
) -> Result<(), DomainError> {
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let was = locked(&mut tx, id).await?.settings;
    if was.sending() == new {
        return Ok(());
    }
    let SendingSettings { concurrency, priority, rate, rate_per } = new;
    let is_current = was.sending() == seen;
    let edit = ChannelSettings { concurrency, priority, rate, rate_per, ..was };
    let edit = checked(edit, &parts.senders.rules)?;
    if !is_current {
        return Err(DomainError::Changed);
    }
    require_found(channel::change(tx.conn(), id, &edit).await.map_err(internal_error)?)?;
    commit_with_event(parts, actor, id, tx, "change", json!({"name": edit.name})).await
}

/// Sends a test message without delay.
pub async fn test(parts: &AppState, actor: &Actor, channel: &Channel) -> Result<DeliveryRow, DomainError> {
    if channel.state != ChannelState::Active {
        return Err(wrong_state(channel.state));
    }
    let now = parts.clock.now();
    let body =
        json!({"type": "test", "timestamp": now, "data": {"channel": channel.settings.name}}).to_string();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    // A test requested by an admin ends the pause after failures.
    require_found(channel::resume(tx.conn(), channel.id, now).await.map_err(internal_error)?)?;
    let id = delivery::insert_test(tx.conn(), (channel.id, &channel.settings.name), body, now)
        .await
        .map_err(internal_error)?;
    commit_with_event(parts, actor, channel.id, tx, "test", json!({"delivery_id": id})).await?;
    super::log::row(parts, actor, id).await
}

/// Pauses or resumes the channel.
pub async fn pause(
    parts: &AppState,
    actor: &Actor,
    channel: &Channel,
    is_paused: bool,
) -> Result<(), DomainError> {
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    if is_paused {
        if !channel::pause(tx.conn(), channel.id, actor.account).await.map_err(internal_error)? {
            return Err(wrong_state(channel.state));
        }
    } else {
        // Deliveries are locked before their channel.
        channel::send_now(tx.conn(), channel.id, now).await.map_err(internal_error)?;
        let is_there = channel::resume(tx.conn(), channel.id, now).await.map_err(internal_error)?;
        require_found(is_there)?;
    }
    let verb = if is_paused { "pause" } else { "resume" };
    commit_with_event(parts, actor, channel.id, tx, verb, json!({"name": channel.settings.name})).await
}

/// Generates a new secret. The current one is also used for signing for a day.
pub async fn rotate(parts: &AppState, actor: &Actor, was: &Channel) -> Result<Secret, DomainError> {
    let (id, way) = (was.id, was.settings.endpoint.transport());
    if way != Transport::Webhook {
        return Err(DomainError::NoSigningSecret { transport: way });
    }
    let (secret, sealed) = generate_secret(parts, id)?;
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, parts.clock.now()).await?;
    let found = channel::find(tx.conn(), id).await.map_err(internal_error)?;
    let former = found.and_then(|found| found.secret).ok_or_else(|| DomainError::no_such("channel"))?;
    let until = parts.clock.now().plus(PREVIOUS_SECRET_MS);
    let is_there = channel::rotate(tx.conn(), id, &sealed, &former, until).await.map_err(internal_error)?;
    require_found(is_there)?;
    commit_with_event(parts, actor, id, tx, "rotate", json!({})).await?;
    Ok(secret)
}

/// Deletes the channel. One with many waiting messages is marked, and deleted after they were cancelled in
/// batches: one transaction for all of them would hold up what is due.
pub async fn delete(parts: &AppState, actor: &Actor, id: ChannelId) -> Result<(), DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let waiting = unfinished::count_waiting(lease.conn(), id).await.map_err(internal_error)?;
    drop(lease);
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let is_done = match waiting <= u64::from(unfinished::BATCH_SIZE) {
        true => channel::delete(tx.conn(), id, parts.clock.now()).await,
        false => unfinished::begin_deletion(tx.conn(), id, waiting).await,
    };
    if !is_done.map_err(internal_error)? {
        require_found(channel::find(tx.conn(), id).await.map_err(internal_error)?.is_some())?;
        return Err(wrong_state(ChannelState::Deleting));
    }
    commit_with_event(parts, actor, id, tx, "delete", json!({})).await
}

pub(super) fn require_found(is_there: bool) -> Result<(), DomainError> {
    if is_there { Ok(()) } else { Err(DomainError::no_such("channel")) }
}

pub(super) fn wrong_state(state: ChannelState) -> DomainError {
    DomainError::WrongState { what: "channel".to_owned(), state: state.to_string() }
}

pub(super) async fn commit_with_event(
    parts: &AppState,
    actor: &Actor,
    id: ChannelId,
    mut tx: Tx,
    verb: &'static str,
    detail: Value,
) -> Result<(), DomainError> {
    let plain = NewEvent::simple(parts.clock.now(), Some(actor.account), "channel", id.0, verb);
    event::append(tx.conn(), &[NewEvent { detail: detail.to_string(), ..plain }])
        .await
        .map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    parts.committed.notify_waiters();
    parts.deliveries_added.notify_one();
    Ok(())
}
