//! What everyone sees of providers, and the identities of the user's own account.

use crate::{
    accounts::{AccountService, password_check, password_rule},
    services::internal_error,
};
use domain::{
    Actor, DomainError, ProviderId,
    accounts::sign_in::{LinkedIdentity, OfferedProvider, OwnIdentities, Provisioning, SignInProblem},
};
use store::{
    PoolRole, account,
    event::{self, NewEvent},
    passkey,
    sign_in::{self, IdentityRecord, ProviderRecord},
    sign_in_attempt,
};

/// Context of the signature that proves from which session a link comes.
const PROOF_CONTEXT: &str = "link identity";

/// Returns the enabled providers.
pub async fn offered(service: &AccountService) -> Result<Vec<OfferedProvider>, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let all = sign_in::list(lease.conn()).await.map_err(internal_error)?;
    Ok(all.into_iter().filter(|provider| provider.is_enabled != 0).map(offer).collect())
}

fn offer(record: ProviderRecord) -> OfferedProvider {
    let takes_invitations = record.provisioning != Provisioning::None.as_str();
    OfferedProvider { id: ProviderId(record.id), name: record.name, takes_invitations }
}

/// Returns what the actor has linked, and can link.
pub async fn identities(service: &AccountService, actor: &Actor) -> Result<OwnIdentities, DomainError> {
    let all = offered(service).await?;
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let linked = sign_in::identities_of(lease.conn(), actor.account).await.map_err(internal_error)?;
    let identity = |record: IdentityRecord| LinkedIdentity {
        provider: ProviderId(record.provider_id),
        name: record.name,
        address: record.address,
        linked_at: record.linked_at.into(),
        used_at: record.used_at.into(),
    };
    let linked: Vec<LinkedIdentity> = linked.into_iter().map(identity).collect();
    let is_new = |offered: &OfferedProvider| !linked.iter().any(|known| known.provider == offered.id);
    let offered = all.into_iter().filter(is_new).filter_map(|offered| {
        let proof = proof_text(actor, offered.id)
            .map(|text| service.parts.senders.vault.sign(PROOF_CONTEXT, &text))?;
        Some((offered, proof))
    });
    let offered = offered.collect();
    Ok(OwnIdentities { linked, offered })
}

/// What is signed. `None`: there is no session.
fn proof_text(actor: &Actor, provider: ProviderId) -> Option<String> {
    actor.session.as_ref().map(|session| format!("{}\n{provider}", session.hash))
}

/// Refuses a link that does not come from a page of the actor's session: another site could open it.
pub fn check_proof(
    service: &AccountService,
    actor: &Actor,
    provider: ProviderId,
    proof: &str,
) -> Result<(), DomainError> {
    let text = proof_text(actor, provider).ok_or(DomainError::LogIn)?;
    let is_own = service.parts.senders.vault.has_signed(PROOF_CONTEXT, &text, proof);
    if is_own { Ok(()) } else { Err(SignInProblem::Expired.into()) }
}

/// Removes the actor's identity at a provider.
pub async fn unlink(service: &AccountService, actor: &Actor, id: ProviderId) -> Result<(), DomainError> {
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    account::lock_with_admins(tx.conn(), [actor.account; 3]).await.map_err(internal_error)?;
    password_check::require_recent(tx.conn(), actor, now).await?;
    let person = account::find(tx.conn(), actor.account).await.map_err(internal_error)?;
    if person.ok_or(DomainError::LogIn)?.password_hash.is_none() {
        return Err(SignInProblem::OnlyWay.into());
    }
    // Nor does a password help that is refused.
    if passkey::credentials(tx.conn(), actor.account).await.map_err(internal_error)?.is_empty() {
        password_rule::require_on(tx.conn(), Some(actor.account)).await?;
    }
    if !sign_in::unlink(tx.conn(), id, actor.account).await.map_err(internal_error)? {
        return Err(DomainError::no_such("provider"));
    }
    sign_in_attempt::end_of_account(tx.conn(), id, actor.account).await.map_err(internal_error)?;
    let event = NewEvent::simple(now, Some(actor.account), "account", actor.account.0, "unlink_identity");
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}
