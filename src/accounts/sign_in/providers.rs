//! Providers: admins add, change, test and delete them.

use super::{log_out_url, provider_client, redirect_url, secret_place};
use crate::{
    accounts::{AccountService, admin_only, password_check},
    services::internal_error,
};
use domain::{
    Actor, DomainError, ProviderId, Timestamp, Version,
    accounts::sign_in::{
        MAX_ISSUER, MAX_PROVIDERS, NewProvider, Provider, ProviderEdit, ProviderSettings, SignInProblem,
    },
    channel::AddressError,
    error::ValidationError,
    text::find_forbidden_char,
};
use serde_json::json;
use store::{
    PoolRole, Tx,
    event::{self, NewEvent},
    group,
    sign_in::{self, ProviderRecord},
    sign_in_attempt,
};

/// Name of a provider in the event log.
const ENTITY: &str = "sign_in_provider";

/// Returns all providers.
pub async fn list(service: &AccountService, actor: &Actor) -> Result<Vec<Provider>, DomainError> {
    admin_only(actor)?;
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let records = sign_in::list(lease.conn()).await.map_err(internal_error)?;
    let counts = sign_in::count_identities(lease.conn()).await.map_err(internal_error)?;
    let provider = |record: ProviderRecord| {
        let count = counts.iter().find(|(id, _)| *id == record.id).map_or(0, |(_, count)| *count);
        provider_of(service, record, count)
    };
    records.into_iter().map(provider).collect()
}

fn provider_of(
    service: &AccountService,
    record: ProviderRecord,
    identities: i64,
) -> Result<Provider, DomainError> {
    let id = ProviderId(record.id);
    Ok(Provider {
        id,
        settings: record.settings().map_err(internal_error)?,
        issuer: record.issuer,
        has_secret: record.client_secret.is_some(),
        identities,
        redirect_url: redirect_url(service, id),
        log_out_url: log_out_url(service, id),
        version: Version(record.version),
    })
}

/// Adds a provider.
pub async fn create(
    service: &AccountService,
    actor: &Actor,
    new: NewProvider,
) -> Result<Provider, DomainError> {
    admin_only(actor)?;
    let settings = new.settings.checked()?;
    let issuer = checked_issuer(service, &new.issuer)?;
    let (id, now) = (ProviderId::generate(), service.parts.clock.now());
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    check_groups(&mut tx, &settings).await?;
    sign_in::insert(tx.conn(), id, &issuer, &settings, now).await.map_err(internal_error)?;
    let secret = new.client_secret.filter(|secret| !secret.is_empty());
    if let Some(secret) = secret {
        set_secret(service, &mut tx, id, &secret).await?;
    }
    if sign_in::list(tx.conn()).await.map_err(internal_error)?.len() > MAX_PROVIDERS {
        let max = u32::try_from(MAX_PROVIDERS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("providers", ValidationError::DeskFull { max }));
    }
    finish(service, tx, (actor, now), (id, "create"), &settings.name).await?;
    find(service, actor, id).await
}

/// Changes a provider.
pub async fn change(
    service: &AccountService,
    actor: &Actor,
    (id, seen): (ProviderId, Version),
    edit: ProviderEdit,
) -> Result<Provider, DomainError> {
    admin_only(actor)?;
    let settings = edit.settings.checked()?;
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    check_groups(&mut tx, &settings).await?;
    if !sign_in::change(tx.conn(), (id, seen), &settings).await.map_err(internal_error)? {
        return Err(refused(tx, id).await);
    }
    match edit.client_secret.as_deref() {
        None => {}
        Some("") => sign_in::set_client_secret(tx.conn(), id, None).await.map_err(internal_error)?,
        Some(secret) => set_secret(service, &mut tx, id, secret).await?,
    }
    finish(service, tx, (actor, now), (id, "change"), &settings.name).await?;
    find(service, actor, id).await
}

/// Deletes a provider, and ends the sessions that began with it.
pub async fn delete(
    service: &AccountService,
    actor: &Actor,
    (id, seen): (ProviderId, Version),
) -> Result<(), DomainError> {
    admin_only(actor)?;
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    let found = sign_in::find(tx.conn(), id).await.map_err(internal_error)?;
    let name = found.ok_or_else(|| DomainError::no_such("provider"))?.name;
    sign_in_attempt::end_of_provider(tx.conn(), id).await.map_err(internal_error)?;
    if !sign_in::delete(tx.conn(), (id, seen)).await.map_err(internal_error)? {
        return Err(refused(tx, id).await);
    }
    finish(service, tx, (actor, now), (id, "delete"), &name).await?;
    service.known_providers.forget(id.0);
    Ok(())
}

/// Reads description and keys of a provider. Returns what is wrong.
pub async fn test(
    service: &AccountService,
    actor: &Actor,
    id: ProviderId,
) -> Result<Vec<SignInProblem>, DomainError> {
    admin_only(actor)?;
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = sign_in::find(lease.conn(), id).await.map_err(internal_error)?;
    drop(lease);
    let provider = found.ok_or_else(|| DomainError::no_such("provider"))?;
    Ok(match provider_client::read(service, &provider).await {
        Err(problem) => vec![problem],
        Ok(known) => {
            let keys = known.keys.is_empty().then_some(SignInProblem::UnknownKey);
            let clock = known.has_other_clock().then_some(SignInProblem::Clock);
            keys.into_iter().chain(clock).collect()
        }
    })
}

/// Returns the URL of a provider as it names itself.
fn checked_issuer(service: &AccountService, typed: &str) -> Result<String, DomainError> {
    let issuer = typed.trim();
    if issuer.chars().count() > MAX_ISSUER {
        let max = u32::try_from(MAX_ISSUER).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("issuer", ValidationError::TooLong { max }));
    }
    if find_forbidden_char(issuer).is_some() {
        return Err(DomainError::invalid("issuer", ValidationError::BadCharacters));
    }
    let wrong = |why: AddressError| DomainError::invalid("issuer", ValidationError::Address { why });
    let url = service.parts.senders.rules.check(issuer).map_err(wrong)?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong(AddressError::Unreadable));
    }
    Ok(issuer.to_owned())
}

/// Refuses groups of the desk that do not exist.
async fn check_groups(tx: &mut Tx, settings: &ProviderSettings) -> Result<(), DomainError> {
    if settings.groups.is_empty() {
        return Ok(());
    }
    let known = group::list(tx.conn()).await.map_err(internal_error)?;
    let exists = settings.groups.iter().all(|rule| known.iter().any(|group| group.id == rule.to));
    if exists { Ok(()) } else { Err(DomainError::invalid("groups", ValidationError::Unknown)) }
}

async fn set_secret(
    service: &AccountService,
    tx: &mut Tx,
    id: ProviderId,
    secret: &str,
) -> Result<(), DomainError> {
    let sealed = service.parts.senders.vault.seal(&secret_place(id), secret.trim().as_bytes());
    let sealed = sealed.ok_or_else(|| DomainError::Internal { reference: "no encryption".to_owned() })?;
    sign_in::set_client_secret(tx.conn(), id, Some(&sealed)).await.map_err(internal_error)
}

async fn find(service: &AccountService, actor: &Actor, id: ProviderId) -> Result<Provider, DomainError> {
    let all = list(service, actor).await?;
    all.into_iter().find(|provider| provider.id == id).ok_or_else(|| DomainError::no_such("provider"))
}

/// Why a change of a provider found no row: another version, or no such provider.
async fn refused(mut tx: Tx, id: ProviderId) -> DomainError {
    match sign_in::find(tx.conn(), id).await {
        Ok(Some(_)) => DomainError::Changed,
        Ok(None) => DomainError::no_such("provider"),
        Err(error) => internal_error(error),
    }
}

/// Records the event and commits.
async fn finish(
    service: &AccountService,
    mut tx: Tx,
    (actor, now): (&Actor, Timestamp),
    (id, verb): (ProviderId, &'static str),
    name: &str,
) -> Result<(), DomainError> {
    let event = NewEvent::simple(now, Some(actor.account), ENTITY, id.0, verb);
    let event = NewEvent { detail: json!({ "name": name }).to_string(), ..event };
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}
