//! Sign-in with providers of OpenID Connect: authorization code with PKCE. See `docs/SIGN-IN.md`.

pub mod api;
mod flow;
mod id_token;
mod log_out;
mod own;
mod person;
mod provider_client;
mod providers;
pub mod route;

pub use provider_client::KnownProviders;

use super::AccountService;
use crate::services::internal_error;
use async_trait::async_trait;
use domain::{
    Actor, DomainError, ProviderId, Version,
    account::Client,
    accounts::sign_in::{
        NewProvider, OfferedProvider, OwnIdentities, Provider, ProviderEdit, SignIn, SignInBegin, SignInEnd,
        SignInProblem, SignInReturn, SignInStart,
    },
};
use store::{PoolRole, sign_in::ProviderRecord};

/// Context of the encryption of a provider's client secret.
#[must_use]
pub fn secret_place(id: ProviderId) -> String {
    format!("sign-in provider/{id}")
}

/// Returns a provider. `NoSuch` if there is none.
async fn find(service: &AccountService, id: ProviderId) -> Result<ProviderRecord, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = store::sign_in::find(lease.conn(), id).await.map_err(internal_error)?;
    found.ok_or_else(|| DomainError::no_such("page"))
}

/// Returns an enabled provider. `NoSuch` if there is none.
async fn enabled(service: &AccountService, id: ProviderId) -> Result<ProviderRecord, DomainError> {
    let provider = find(service, id).await?;
    if provider.is_enabled != 0 { Ok(provider) } else { Err(DomainError::no_such("page")) }
}

/// Address to which the provider sends the browser back.
fn redirect_url(service: &AccountService, id: ProviderId) -> String {
    format!("{}/oidc/{id}/callback", service.parts.senders.public_url)
}

/// Address for log-outs at the provider.
fn log_out_url(service: &AccountService, id: ProviderId) -> String {
    format!("{}/oidc/{id}/logout", service.parts.senders.public_url)
}

#[async_trait]
impl SignIn for AccountService {
    async fn providers(&self, actor: &Actor) -> Result<Vec<Provider>, DomainError> {
        providers::list(self, actor).await
    }
    async fn create_provider(&self, actor: &Actor, new: NewProvider) -> Result<Provider, DomainError> {
        providers::create(self, actor, new).await
    }
    async fn change_provider(
        &self,
        actor: &Actor,
        id: ProviderId,
        edit: ProviderEdit,
        seen: Version,
    ) -> Result<Provider, DomainError> {
        providers::change(self, actor, (id, seen), edit).await
    }
    async fn delete_provider(&self, actor: &Actor, id: ProviderId, seen: Version) -> Result<(), DomainError> {
        providers::delete(self, actor, (id, seen)).await
    }
    async fn test_provider(&self, actor: &Actor, id: ProviderId) -> Result<Vec<SignInProblem>, DomainError> {
        providers::test(self, actor, id).await
    }
    async fn offered(&self) -> Result<Vec<OfferedProvider>, DomainError> {
        own::offered(self).await
    }
    async fn identities(&self, actor: &Actor) -> Result<OwnIdentities, DomainError> {
        own::identities(self, actor).await
    }
    async fn unlink(&self, actor: &Actor, provider: ProviderId) -> Result<(), DomainError> {
        own::unlink(self, actor, provider).await
    }
    async fn begin(&self, begin: SignInBegin, client: &Client) -> Result<SignInStart, DomainError> {
        flow::begin(self, begin, client).await
    }
    async fn finish(
        &self,
        provider: ProviderId,
        back: SignInReturn,
        client: &Client,
    ) -> (String, Result<SignInEnd, DomainError>) {
        flow::finish(self, provider, back, client).await
    }
    async fn log_out_by_provider(
        &self,
        provider: ProviderId,
        token: &str,
        address: &str,
    ) -> Result<(), DomainError> {
        log_out::log_out(self, provider, token, address).await
    }
}
