//! Providers, and the identities of the user's own account.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use domain::{
    DomainError, GroupId, Role, Version,
    accounts::sign_in::{GroupRule, NewProvider, ProviderEdit, ProviderSettings, RoleRule},
    error::ValidationError,
};
use domain::{
    ProviderId,
    accounts::{
        group::Group,
        sign_in::{OfferedProvider, OwnIdentities, Provider, Provisioning},
    },
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
#[cfg(feature = "ssr")]
use texts::accounts::sign_in::SignInTexts;

/// The providers, and the groups of the desk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvidersAndGroups {
    /// Providers, by name.
    pub providers: Vec<Provider>,
    /// Groups of the desk, by name.
    pub groups: Vec<Group>,
}

/// What the form of a provider sends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderForm {
    /// Name on the button.
    pub name: String,
    /// Client id.
    pub client_id: String,
    /// Client secret; empty: none, or it stays.
    #[serde(default)]
    pub client_secret: String,
    /// Scopes.
    pub scopes: String,
    /// Which people get an account.
    pub provisioning: Provisioning,
    /// The group whose members get an account.
    pub member_group: String,
    /// Claim with the groups.
    pub group_claim: String,
    /// Lines `group = role`.
    pub roles: String,
    /// Lines `group = name of a group of the desk`.
    pub groups: String,
    /// Whether the provider proves both factors; an unchecked box is not sent.
    #[serde(default)]
    pub proves_both_factors: bool,
    /// Whether people can log in with it.
    #[serde(default)]
    pub is_enabled: bool,
}

#[cfg(feature = "ssr")]
impl ProviderForm {
    /// Returns the settings, and the client secret if one was entered.
    fn read(self, groups: &[Group]) -> Result<(ProviderSettings, Option<String>), DomainError> {
        let role = |group: String, word: &str| {
            let role = word.parse::<Role>().ok()?;
            Some(RoleRule { group, role })
        };
        let id_of = |name: &str| -> Option<GroupId> {
            groups.iter().find(|group| group.name.to_lowercase() == name.to_lowercase()).map(|group| group.id)
        };
        let group = |group: String, name: &str| id_of(name).map(|to| GroupRule { group, to });
        let settings = ProviderSettings {
            roles: lines("roles", &self.roles, role)?,
            groups: lines("groups", &self.groups, group)?,
            name: self.name,
            client_id: self.client_id,
            scopes: self.scopes,
            provisioning: self.provisioning,
            member_group: self.member_group,
            group_claim: self.group_claim,
            proves_both_factors: self.proves_both_factors,
            is_enabled: self.is_enabled,
        };
        let secret = self.client_secret.trim();
        Ok((settings, (!secret.is_empty()).then(|| secret.to_owned())))
    }
}

/// Reads lines `group = value`. The last sign counts: names of groups may contain it.
#[cfg(feature = "ssr")]
fn lines<T>(
    field: &str,
    text: &str,
    rule: impl Fn(String, &str) -> Option<T>,
) -> Result<Vec<T>, DomainError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = lines.map(|(place, line)| {
        let parts = line.rsplit_once('=').map(|(group, value)| (group.trim().to_owned(), value.trim()));
        parts.and_then(|(group, value)| rule(group, value)).ok_or_else(|| {
            let why = SignInTexts::here().line_wrong(place + 1);
            DomainError::invalid(field, ValidationError::Sentence { why })
        })
    });
    read.collect()
}

/// The providers with which people can log in.
#[server(name = OfferedProviders, prefix = "/fn", endpoint = "offered_providers", output = JsonOutput)]
pub async fn offered_providers() -> Result<Vec<OfferedProvider>, Refused> {
    ssr::respond(async { ssr::services()?.sign_in.offered().await }.await)
}

/// All providers and groups. For admins.
#[server(name = ListProviders, prefix = "/fn", endpoint = "providers", output = JsonOutput)]
pub async fn list_providers() -> Result<ProvidersAndGroups, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let providers = services.sign_in.providers(&actor).await?;
            Ok(ProvidersAndGroups { providers, groups: services.groups.list(&actor).await? })
        }
        .await,
    )
}

/// Adds a provider.
#[server(name = CreateProvider, prefix = "/fn", endpoint = "create_provider", output = JsonOutput)]
pub async fn create_provider(
    issuer: String,
    form: ProviderForm,
    password: Option<String>,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            let services = ssr::services()?;
            let (settings, client_secret) = form.read(&services.groups.list(&actor).await?)?;
            services.sign_in.create_provider(&actor, NewProvider { issuer, client_secret, settings }).await?;
            ssr::redirect("/settings/sign-in?done=create");
            Ok(())
        }
        .await,
    )
}

/// Changes a provider.
#[server(name = ChangeProvider, prefix = "/fn", endpoint = "change_provider", output = JsonOutput)]
pub async fn change_provider(
    id: ProviderId,
    seen: i32,
    form: ProviderForm,
    password: Option<String>,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            let services = ssr::services()?;
            let (settings, client_secret) = form.read(&services.groups.list(&actor).await?)?;
            let edit = ProviderEdit { client_secret, settings };
            services.sign_in.change_provider(&actor, id, edit, Version(seen)).await?;
            ssr::redirect("/settings/sign-in?done=save");
            Ok(())
        }
        .await,
    )
}

/// Deletes a provider.
#[server(name = DeleteProvider, prefix = "/fn", endpoint = "delete_provider", output = JsonOutput)]
pub async fn delete_provider(id: ProviderId, seen: i32, password: Option<String>) -> Result<(), Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            ssr::services()?.sign_in.delete_provider(&actor, id, Version(seen)).await?;
            ssr::redirect("/settings/sign-in?done=delete");
            Ok(())
        }
        .await,
    )
}

/// Tests a provider. The error is the first problem.
#[server(name = TestProvider, prefix = "/fn", endpoint = "test_provider", output = JsonOutput)]
pub async fn test_provider(id: ProviderId) -> Result<(), Refused> {
    ssr::respond(
        async {
            let found = ssr::services()?.sign_in.test_provider(&ssr::actor()?, id).await?;
            if let Some(problem) = found.first() {
                return Err((*problem).into());
            }
            ssr::redirect("/settings/sign-in?done=test");
            Ok(())
        }
        .await,
    )
}

/// The identities of the user's own account.
#[server(name = ReadIdentities, prefix = "/fn", endpoint = "identities", output = JsonOutput)]
pub async fn own_identities() -> Result<OwnIdentities, Refused> {
    ssr::respond(async { ssr::services()?.sign_in.identities(&ssr::actor()?).await }.await)
}

/// Confirms the password, so that an identity can be linked.
#[server(name = ConfirmLink, prefix = "/fn", endpoint = "confirm_link", output = JsonOutput)]
pub async fn confirm_link(password: Option<String>) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::confirmed(password).await?;
            ssr::redirect("/settings/profile#sign-in");
            Ok(())
        }
        .await,
    )
}

/// Removes the user's own identity at a provider.
#[server(name = UnlinkIdentity, prefix = "/fn", endpoint = "unlink_identity", output = JsonOutput)]
pub async fn unlink_identity(id: ProviderId, password: Option<String>) -> Result<(), Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            ssr::services()?.sign_in.unlink(&actor, id).await?;
            ssr::redirect("/settings/profile?done=unlinked");
            Ok(())
        }
        .await,
    )
}
