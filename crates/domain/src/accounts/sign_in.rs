//! Sign-in with providers of OpenID Connect. A person is identified by the provider and its `sub`, never by an e-mail address.

pub use crate::error::problem::sign_in::SignInProblem;

use crate::{
    AccountId, Actor, DomainError, FieldProblems, GroupId, ProviderId, Role, Timestamp, Version,
    account::{Client, LoggedIn},
    error::ValidationError,
    state::{ParseEnumError, string_enum},
    text::find_forbidden_char,
};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, fmt, str::FromStr};

/// Maximum number of providers of a desk.
pub const MAX_PROVIDERS: usize = 10;
/// Maximum number of rules about groups of each kind.
pub const MAX_GROUP_RULES: usize = 50;
/// Maximum length of names, client ids, scopes and groups, characters.
pub const MAX_TEXT: usize = 200;
/// Maximum length of an issuer, characters.
pub const MAX_ISSUER: usize = 500;
/// How long a browser may be at the provider, milliseconds.
pub const SIGN_IN_WITHIN_MS: i64 = 10 * 60_000;
/// How far clocks may be apart, seconds.
pub const MAX_CLOCK_DIFFERENCE_SECONDS: i64 = 60;

string_enum! {
    /// Which people without an account get one. Each value includes the people of the ones before it.
    Provisioning {
        /// None.
        None = "none",
        /// People with the link of an invitation.
        Invited = "invited",
        /// Members of a group of the provider.
        Group = "group",
    }
}

/// Members of a group of the provider have at least this role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleRule {
    /// Group as the provider names it.
    pub group: String,
    /// The role.
    pub role: Role,
}

/// Members of a group of the provider are members of a group of the desk, and no others of its people are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupRule {
    /// Group as the provider names it.
    pub group: String,
    /// Group of the desk.
    pub to: GroupId,
}

/// What admins set of a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderSettings {
    /// Name on the button.
    pub name: String,
    /// What the provider calls this desk.
    pub client_id: String,
    /// Scopes, separated by blanks.
    pub scopes: String,
    /// Which people get an account.
    pub provisioning: Provisioning,
    /// The group whose members get an account; empty: none.
    pub member_group: String,
    /// Claim with the groups of a person; empty: they are not read.
    pub group_claim: String,
    /// Roles by group. Empty: the provider changes no role. Read again at each log-in.
    pub roles: Vec<RoleRule>,
    /// Groups of the desk by group. Read again at each log-in.
    pub groups: Vec<GroupRule>,
    /// Whether the provider proves both factors, so that the desk asks for no code.
    pub proves_both_factors: bool,
    /// Whether people can sign in with it.
    pub is_enabled: bool,
}

impl ProviderSettings {
    /// Returns the settings of a new provider for which nothing else is chosen.
    #[must_use]
    pub fn new(name: String, client_id: String) -> Self {
        Self {
            name,
            client_id,
            scopes: "openid profile email".to_owned(),
            provisioning: Provisioning::None,
            member_group: String::new(),
            group_claim: String::new(),
            roles: Vec::new(),
            groups: Vec::new(),
            proves_both_factors: false,
            is_enabled: true,
        }
    }

    /// Returns the settings without blanks around texts, and with the scope `openid`; or which fields are wrong.
    pub fn checked(mut self) -> Result<Self, DomainError> {
        let mut problems = FieldProblems::default();
        self.name = problems.take(checked_text("name", &self.name, true))?;
        self.client_id = problems.take(checked_text("client_id", &self.client_id, true))?;
        self.scopes = problems.take(checked_text("scopes", &self.scopes, false))?;
        self.group_claim =
            problems.take(checked_text("group_claim", &self.group_claim, self.reads_groups()))?;
        let needs_group = self.provisioning == Provisioning::Group;
        self.member_group = problems.take(checked_text("member_group", &self.member_group, needs_group))?;
        let roles = self.roles.iter().map(|rule| rule.group.as_str());
        problems.take(checked_groups("roles", roles))?;
        let groups = self.groups.iter().map(|rule| rule.group.as_str());
        problems.take(checked_groups("groups", groups))?;
        problems.finish()?;
        let mut scopes: Vec<&str> = self.scopes.split_whitespace().collect();
        if !scopes.contains(&"openid") {
            scopes.insert(0, "openid");
        }
        self.scopes = scopes.join(" ");
        Ok(self)
    }

    /// Whether a log-in needs to know the groups of a person.
    #[must_use]
    pub fn reads_groups(&self) -> bool {
        self.provisioning == Provisioning::Group || !self.roles.is_empty() || !self.groups.is_empty()
    }

    /// Returns the role of a person in these groups: the highest of all rules that fit, or the lowest. `None`: the
    /// provider changes no role.
    #[must_use]
    pub fn role_of(&self, groups: &BTreeSet<String>) -> Option<Role> {
        if self.roles.is_empty() {
            return None;
        }
        let fitting = self.roles.iter().filter(|rule| groups.contains(&rule.group)).map(|rule| rule.role);
        Some(fitting.max().unwrap_or(Role::Creator))
    }

    /// Returns the groups of the desk that a person in these groups is a member of, and those that it is not.
    #[must_use]
    pub fn desk_groups_of(&self, groups: &BTreeSet<String>) -> (Vec<GroupId>, Vec<GroupId>) {
        let fits = |rule: &&GroupRule| groups.contains(&rule.group);
        let joined: BTreeSet<GroupId> = self.groups.iter().filter(fits).map(|rule| rule.to).collect();
        let left: BTreeSet<GroupId> = self.groups.iter().map(|rule| rule.to).collect();
        let left = left.difference(&joined).copied().collect();
        (joined.into_iter().collect(), left)
    }
}

fn checked_text(field: &str, text: &str, is_required: bool) -> Result<String, DomainError> {
    let text = text.trim();
    let problem = if text.is_empty() && is_required {
        ValidationError::Empty
    } else if text.chars().count() > MAX_TEXT {
        ValidationError::TooLong { max: u32::try_from(MAX_TEXT).unwrap_or(u32::MAX) }
    } else if find_forbidden_char(text).is_some() {
        ValidationError::BadCharacters
    } else {
        return Ok(text.to_owned());
    };
    Err(DomainError::invalid(field, problem))
}

fn checked_groups<'g>(
    field: &str,
    groups: impl ExactSizeIterator<Item = &'g str>,
) -> Result<(), DomainError> {
    if groups.len() > MAX_GROUP_RULES {
        let max = u32::try_from(MAX_GROUP_RULES).unwrap_or(u32::MAX);
        return Err(DomainError::invalid(field, ValidationError::TooMany { max }));
    }
    for group in groups {
        checked_text(field, group, true)?;
    }
    Ok(())
}

/// A provider, as admins see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provider {
    /// Id.
    pub id: ProviderId,
    /// URL of the provider, as it names itself. It never changes.
    pub issuer: String,
    /// What admins set.
    pub settings: ProviderSettings,
    /// Whether there is a client secret.
    pub has_secret: bool,
    /// Number of accounts that are linked.
    pub identities: i64,
    /// Redirect address, to be entered at the provider.
    pub redirect_url: String,
    /// Address for log-outs at the provider, to be entered there.
    pub log_out_url: String,
    /// Increases with every change.
    pub version: Version,
}

/// A provider to add.
#[derive(Clone)]
pub struct NewProvider {
    /// URL of the provider, as it names itself.
    pub issuer: String,
    /// Client secret; `None`: the provider asks for none.
    pub client_secret: Option<String>,
    /// What admins set.
    pub settings: ProviderSettings,
}

/// Changes of a provider.
#[derive(Clone)]
pub struct ProviderEdit {
    /// New client secret; `None`: it stays; empty: it is removed.
    pub client_secret: Option<String>,
    /// What admins set from then on.
    pub settings: ProviderSettings,
}

/// A provider, as everyone sees it before the log-in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedProvider {
    /// Id.
    pub id: ProviderId,
    /// Name on the button.
    pub name: String,
    /// Whether the link of an invitation can be accepted with it.
    pub takes_invitations: bool,
}

/// Who an account is at a provider, as shown to its owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedIdentity {
    /// The provider.
    pub provider: ProviderId,
    /// Its name.
    pub name: String,
    /// E-mail address that the provider named last; may be empty.
    pub address: String,
    /// When it was linked.
    pub linked_at: Timestamp,
    /// When it was last used.
    pub used_at: Timestamp,
}

/// What the owner of an account can link, and has linked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnIdentities {
    /// Identities of the account.
    pub linked: Vec<LinkedIdentity>,
    /// Providers that can be linked, each with the proof that the link comes from this session.
    pub offered: Vec<(OfferedProvider, String)>,
}

/// A sign-in that begins.
#[derive(Debug, Clone)]
pub struct SignInBegin {
    /// The provider.
    pub provider: ProviderId,
    /// Path of this server that follows.
    pub next: String,
    /// Token of an invitation to accept.
    pub invitation: Option<String>,
    /// Links an identity to the account of the actor, with the proof of [`OwnIdentities`].
    pub link: Option<(Actor, String)>,
    /// Cookie of the browser from an earlier sign-in.
    pub cookie: Option<String>,
}

/// Where the browser goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInStart {
    /// Address at the provider.
    pub url: String,
    /// Cookie of the browser.
    pub cookie: String,
}

/// What the browser brings back from the provider.
#[derive(Debug, Clone, Default)]
pub struct SignInReturn {
    /// Names the sign-in.
    pub state: String,
    /// Code that is exchanged for tokens.
    pub code: Option<String>,
    /// Issuer of the response.
    pub iss: Option<String>,
    /// Error instead of a code.
    pub error: Option<String>,
    /// Cookie of the browser.
    pub cookie: Option<String>,
    /// The account of the session, if there is one.
    pub account: Option<AccountId>,
}

/// How a sign-in ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignInEnd {
    /// The user is logged in.
    LoggedIn(Box<LoggedIn>),
    /// The identity is linked.
    Linked,
}

/// Sign-in with providers of OpenID Connect.
#[async_trait]
pub trait SignIn: Send + Sync {
    /// All providers, by name. Admins only.
    async fn providers(&self, actor: &Actor) -> Result<Vec<Provider>, DomainError>;
    /// Adds a provider. Admins only.
    async fn create_provider(&self, actor: &Actor, new: NewProvider) -> Result<Provider, DomainError>;
    /// Changes a provider. `NoSuch`; `Changed` if `seen` is not its version. Admins only.
    async fn change_provider(
        &self,
        actor: &Actor,
        id: ProviderId,
        edit: ProviderEdit,
        seen: Version,
    ) -> Result<Provider, DomainError>;
    /// Deletes a provider with the identities of all accounts at it, and ends their sessions. Admins only.
    async fn delete_provider(&self, actor: &Actor, id: ProviderId, seen: Version) -> Result<(), DomainError>;
    /// Reads the description and the keys of a provider. Returns what is wrong. Admins only.
    async fn test_provider(&self, actor: &Actor, id: ProviderId) -> Result<Vec<SignInProblem>, DomainError>;
    /// The enabled providers, by name. Needs no actor: the log-in shows them.
    async fn offered(&self) -> Result<Vec<OfferedProvider>, DomainError>;
    /// What the actor has linked, and can link.
    async fn identities(&self, actor: &Actor) -> Result<OwnIdentities, DomainError>;
    /// Removes the actor's identity at a provider, and ends the sessions that began with it. `OnlyWay` for an
    /// account without a password.
    async fn unlink(&self, actor: &Actor, provider: ProviderId) -> Result<(), DomainError>;
    /// Begins a sign-in.
    async fn begin(&self, begin: SignInBegin, client: &Client) -> Result<SignInStart, DomainError>;
    /// Completes a sign-in. Also returns the path that follows: after an error it is that of the sign-in, if known.
    async fn finish(
        &self,
        provider: ProviderId,
        back: SignInReturn,
        client: &Client,
    ) -> (String, Result<SignInEnd, DomainError>);
    /// Ends the sessions that a log-out token of a provider names. `address`: that of the client.
    async fn log_out_by_provider(
        &self,
        provider: ProviderId,
        token: &str,
        address: &str,
    ) -> Result<(), DomainError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> ProviderSettings {
        ProviderSettings {
            scopes: " profile  email".to_owned(),
            group_claim: "groups".to_owned(),
            roles: vec![
                RoleRule { group: "editors".to_owned(), role: Role::Reviewer },
                RoleRule { group: "owners".to_owned(), role: Role::Admin },
            ],
            ..ProviderSettings::new(" Company ".to_owned(), "desk".to_owned())
        }
    }

    fn groups(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn settings_are_trimmed_and_ask_for_an_id_token() {
        let checked = settings().checked().unwrap();
        assert_eq!((checked.name.as_str(), checked.scopes.as_str()), ("Company", "openid profile email"));
        let without_claim = ProviderSettings { group_claim: String::new(), ..settings() };
        assert_eq!(without_claim.checked().unwrap_err().field(), Some("group_claim"));
        let without_group = ProviderSettings { provisioning: Provisioning::Group, ..settings() };
        assert_eq!(without_group.checked().unwrap_err().field(), Some("member_group"));
    }

    #[test]
    fn the_highest_role_of_the_groups_counts_and_none_means_the_lowest() {
        let settings = settings();
        assert_eq!(settings.role_of(&groups(&["editors", "owners", "other"])), Some(Role::Admin));
        assert_eq!(settings.role_of(&groups(&["editors"])), Some(Role::Reviewer));
        assert_eq!(settings.role_of(&groups(&[])), Some(Role::Creator));
        assert_eq!(ProviderSettings { roles: Vec::new(), ..settings }.role_of(&groups(&["owners"])), None);
    }

    #[test]
    fn a_desk_group_that_one_of_two_rules_gives_is_not_left() {
        let (legal, news) = (GroupId::generate(), GroupId::generate());
        let rule = |group: &str, to: GroupId| GroupRule { group: group.to_owned(), to };
        let rules = vec![rule("a", legal), rule("b", legal), rule("c", news)];
        let settings = ProviderSettings { groups: rules, ..settings() };
        assert_eq!(settings.desk_groups_of(&groups(&["b"])), (vec![legal], vec![news]));
    }
}
