//! What follows when a provider has said who a person is: the identity is linked, the account is found or created, its role
//! and groups follow those at the provider, and the session begins.

use super::id_token::Claims;
use crate::{
    accounts::{
        AccountService, check, known_browser,
        log_in::{self, second_step},
        set_up,
    },
    security::tokens,
    services::internal_error,
};
use domain::{
    AccountId, DomainError, ProviderId, Role, Timestamp,
    account::{Account, Client, LoggedIn},
    accounts::sign_in::{ProviderSettings, Provisioning, SignInProblem},
    input_limits::MAX_NAME_CHARS,
};
use serde_json::json;
use std::collections::BTreeSet;
use store::{
    PoolRole, StoreError, Tx,
    account::{self, AccountRecord, LockedAccount},
    event::{self, NewEvent},
    invitation, session, setting,
    sign_in::{self, Identity, ProviderRecord},
    sign_in_attempt::{self, AttemptRecord, ProviderSession},
};
use uuid::Uuid;

/// A person, as a provider describes it.
pub struct Person {
    /// What the provider calls it.
    subject: String,
    /// Its session at the provider; may be empty.
    sid: String,
    /// E-mail address; empty: the provider names none, or has not verified it.
    address: String,
    name: String,
    /// Its groups; `None`: they are not read.
    groups: Option<BTreeSet<String>>,
    has_both_factors: bool,
}

impl Person {
    /// Returns the person of these claims. `info`: further claims.
    pub fn of(
        claims: &Claims,
        info: Option<&Claims>,
        (subject, groups, has_both_factors): (String, Option<BTreeSet<String>>, bool),
    ) -> Self {
        let text = |name: &str| claims.text(name).or_else(|| info.and_then(|info| info.text(name)));
        let is_refuted = |claims: &Claims| {
            claims
                .0
                .get("email_verified")
                .is_some_and(|word| *word == json!(false) || *word == json!("false"))
        };
        let is_verified = !is_refuted(claims) && !info.is_some_and(is_refuted);
        let address = text("email").filter(|_| is_verified).and_then(|email| check::email(email).ok());
        let name = text("name").or_else(|| text("preferred_username")).unwrap_or_default();
        Self {
            sid: claims.id("sid").unwrap_or_default().to_owned(),
            address: address.unwrap_or_default(),
            name: name.chars().take(MAX_NAME_CHARS).collect(),
            subject,
            groups,
            has_both_factors,
        }
    }

    fn identity(&self, provider: &ProviderRecord) -> Identity<'_> {
        Identity { provider: ProviderId(provider.id), subject: &self.subject, address: &self.address }
    }
}

/// Links the identity of a person to an account.
pub async fn link(
    service: &AccountService,
    provider: &ProviderRecord,
    person: &Person,
    account: AccountId,
) -> Result<(), DomainError> {
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    sign_in::link(tx.conn(), person.identity(provider), account, now).await.map_err(linked_elsewhere)?;
    let event = link_event(account, provider, now);
    event::append(tx.conn(), &[event]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}

fn link_event(account: AccountId, provider: &ProviderRecord, now: Timestamp) -> NewEvent {
    let event = NewEvent::simple(now, Some(account), "account", account.0, "link_identity");
    NewEvent { detail: json!({ "name": provider.name }).to_string(), ..event }
}

fn linked_elsewhere(error: StoreError) -> DomainError {
    match error.is_unique_violation() {
        true => SignInProblem::LinkedElsewhere.into(),
        false => internal_error(error),
    }
}

/// Logs a person in. Creates the account if the provider gives one.
pub async fn log_in(
    service: &AccountService,
    provider: &ProviderRecord,
    (person, attempt): (&Person, &AttemptRecord),
    client: &Client,
) -> Result<LoggedIn, DomainError> {
    let settings = provider.settings().map_err(internal_error)?;
    let now = service.parts.clock.now();
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let id = ProviderId(provider.id);
    let known = sign_in::account_of(lease.conn(), id, &person.subject).await.map_err(internal_error)?;
    drop(lease);
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let (account, mut events) = match known {
        Some(account) => (account, follow(&mut tx, (provider, &settings), person, (account, now)).await?),
        None => create(&mut tx, (provider, &settings), (person, attempt), now).await?,
    };
    let found = account::find(tx.conn(), account).await.map_err(internal_error)?;
    let record = found.ok_or(SignInProblem::Expired)?;
    events.extend(follow_groups(&mut tx, (provider, &settings), person, (account, now)).await?);
    sign_in::record_use(tx.conn(), person.identity(provider), now).await.map_err(internal_error)?;
    if !person.has_both_factors
        && let Some(code_needed) =
            second_step::ask_in(&mut tx, account, client, now).await.map_err(internal_error)?
    {
        if let DomainError::CodeNeeded { token } = &code_needed {
            let hash = tokens::hash(token);
            let of_provider = (id, person.subject.as_str(), person.sid.as_str());
            let recorded = sign_in_attempt::record_pending(tx.conn(), &hash, of_provider).await;
            recorded.map_err(internal_error)?;
        }
        commit(service, tx, &events).await?;
        return Err(code_needed);
    }
    let hash = record.password_hash.unwrap_or_default();
    let browser = known_browser::find(service, account, &hash, &client.known_browsers);
    let begun = log_in::begin_after_log_in(&mut tx, account, (client, browser), now).await;
    let (session, begun) = begun.map_err(internal_error)?;
    let of_provider = ProviderSession {
        session_hash: &tokens::hash(&session.0),
        provider: id,
        subject: &person.subject,
        sid: &person.sid,
        has_both_factors: person.has_both_factors,
    };
    sign_in_attempt::record_session(tx.conn(), of_provider).await.map_err(internal_error)?;
    events.extend(begun);
    commit(service, tx, &events).await?;
    let known_browser = known_browser::mark(service, account, &hash, browser);
    Ok(LoggedIn { session, known_browser, is_persistent: client.stays_logged_in })
}

/// Locks the account of a known identity, and gives it the role that follows from its groups.
async fn follow(
    tx: &mut Tx,
    (provider, settings): (&ProviderRecord, &ProviderSettings),
    person: &Person,
    (account, now): (AccountId, Timestamp),
) -> Result<Vec<NewEvent>, DomainError> {
    let locked = account::lock_with_admins(tx.conn(), [account; 3]).await.map_err(internal_error)?;
    let id = ProviderId(provider.id);
    let linked = sign_in::account_of(tx.conn(), id, &person.subject).await.map_err(internal_error)?;
    let record = account::find(tx.conn(), account).await.map_err(internal_error)?;
    let record = record.filter(|_| linked == Some(account)).ok_or(SignInProblem::Expired)?;
    if record.is_disabled != 0 {
        return Err(SignInProblem::Disabled.into());
    }
    let role = person.groups.as_ref().and_then(|groups| settings.role_of(groups));
    match role {
        Some(role) => follow_role(tx, (&record, &locked), (role, &provider.name), now).await,
        None => Ok(Vec::new()),
    }
}

/// Changes the role and ends the sessions, as an admin would. The last admin stays one.
async fn follow_role(
    tx: &mut Tx,
    (record, locked): (&AccountRecord, &[LockedAccount]),
    (role, provider): (Role, &str),
    now: Timestamp,
) -> Result<Vec<NewEvent>, DomainError> {
    let account = AccountId(record.id);
    let was: Role = record.role.parse().map_err(|_| DomainError::Changed)?;
    let is_other_admin =
        |one: &LockedAccount| one.id != record.id && one.is_disabled == 0 && one.role == Role::Admin.as_str();
    let is_last_admin = was == Role::Admin && !locked.iter().any(is_other_admin);
    if role == was || is_last_admin {
        return Ok(Vec::new());
    }
    let changed = account::set_role(tx.conn(), account, was, role).await.map_err(internal_error)?;
    changed.ok_or(DomainError::Changed)?;
    session::end_all(tx.conn(), account).await.map_err(internal_error)?;
    let event = NewEvent::simple(now, None, "account", record.id, "change_role");
    let detail = json!({ "role": role, "was": was, "provider": provider }).to_string();
    Ok(vec![NewEvent { detail, ..event }])
}

/// Makes the account a member of the groups that follow from those at the provider.
async fn follow_groups(
    tx: &mut Tx,
    (provider, settings): (&ProviderRecord, &ProviderSettings),
    person: &Person,
    (account, now): (AccountId, Timestamp),
) -> Result<Vec<NewEvent>, DomainError> {
    let Some(groups) = &person.groups else { return Ok(Vec::new()) };
    let (joined, left) = settings.desk_groups_of(groups);
    let changed = sign_in::set_groups(tx.conn(), account, &joined, &left).await.map_err(internal_error)?;
    let event = |(id, name): (Uuid, String)| {
        let event = NewEvent::simple(now, None, "group", id, "change");
        NewEvent { detail: json!({ "name": name, "provider": provider.name }).to_string(), ..event }
    };
    Ok(changed.into_iter().map(event).collect())
}

/// Creates the account of an unknown identity, if an invitation or a group gives one.
async fn create(
    tx: &mut Tx,
    (provider, settings): (&ProviderRecord, &ProviderSettings),
    (person, attempt): (&Person, &AttemptRecord),
    now: Timestamp,
) -> Result<(AccountId, Vec<NewEvent>), DomainError> {
    let role = person.groups.as_ref().and_then(|groups| settings.role_of(groups));
    let site = setting::site_settings(tx.conn()).await.map_err(internal_error)?;
    let invited = invited(tx, settings, attempt, now).await?;
    let (email, name, role) = match invited {
        Some(invited) => {
            let invited_as = invited.role.parse().map_err(|_| SignInProblem::InvitationSpent)?;
            let name = if person.name.is_empty() { invited.name } else { person.name.clone() };
            (invited.email, name, role.unwrap_or(invited_as))
        }
        None => {
            require_group(settings, person)?;
            if person.address.is_empty() {
                return Err(SignInProblem::MissingClaim.into());
            }
            (person.address.clone(), person.name.clone(), role.unwrap_or(Role::Creator))
        }
    };
    let name = check::person_name(&name).or_else(|_| check::person_name(&email))?;
    let account = set_up::new_account(email, name, role, &site, now);
    insert(tx, &account).await?;
    sign_in::link(tx.conn(), person.identity(provider), account.id, now).await.map_err(linked_elsewhere)?;
    let event = NewEvent::simple(now, Some(account.id), "account", account.id.0, "create");
    let detail = json!({ "role": role, "provider": provider.name }).to_string();
    Ok((account.id, vec![NewEvent { detail, ..event }]))
}

/// Uses up the invitation of a sign-in. `None`: it has none, or the provider accepts none.
async fn invited(
    tx: &mut Tx,
    settings: &ProviderSettings,
    attempt: &AttemptRecord,
    now: Timestamp,
) -> Result<Option<invitation::InvitationRecord>, DomainError> {
    let Some(hash) = &attempt.invitation_hash else { return Ok(None) };
    if settings.provisioning == Provisioning::None {
        return Ok(None);
    }
    let found = invitation::consume(tx.conn(), hash, now).await.map_err(internal_error)?;
    let found = found.filter(|found| found.purpose == "invite");
    Ok(Some(found.ok_or(SignInProblem::InvitationSpent)?))
}

/// Refuses a person without an account that no group gives one.
fn require_group(settings: &ProviderSettings, person: &Person) -> Result<(), DomainError> {
    if settings.provisioning != Provisioning::Group {
        return Err(SignInProblem::NotInvited.into());
    }
    let is_member = person.groups.as_ref().is_some_and(|groups| groups.contains(&settings.member_group));
    if is_member { Ok(()) } else { Err(SignInProblem::NotInGroup.into()) }
}

async fn insert(tx: &mut Tx, account: &Account) -> Result<(), DomainError> {
    account::insert(tx.conn(), account, None).await.map_err(|error| match error.is_unique_violation() {
        true => SignInProblem::AddressTaken.into(),
        false => internal_error(error),
    })
}

async fn commit(service: &AccountService, mut tx: Tx, events: &[NewEvent]) -> Result<(), DomainError> {
    event::append(tx.conn(), events).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}
