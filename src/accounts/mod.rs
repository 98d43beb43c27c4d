//! Accounts, sessions, API tokens, one-time links and site settings.

pub mod account;
pub(crate) mod check;
mod link;
mod log_in;
mod password;
pub mod password_check;
mod password_rule;
mod second_factor;
mod session;
mod set_up;
mod settings;
pub mod sign_in;
mod token;

pub use check::{email as checked_email, name as checked_name, not_an_email};
pub use log_in::passkey::api as passkey_api;
pub use second_factor::place as second_factor_place;
pub use session::{actor_of, browser};
pub use settings::{desk_api, look_api, second_factor_api};

use crate::app_state::AppState;
use async_trait::async_trait;
use domain::{
    AccountId, Actor, DomainError, Role, TokenId, Version,
    account::{
        Account, AccountUndo, Client, Invitation, InvitationRow, LoggedIn, NewAccount, NewMember, OnDisable,
        OneTimeLink, PasswordChange, ProfileEdit, Scope, SessionRow, SessionSecret, TokenRow,
    },
    accounts::{
        first_week::FirstWeek,
        second_factor::{RequiredFor, SecondFactor, SecondFactorRule, SecondFactors},
        site_look::{SiteLook, SiteStyle},
    },
    services::{Accounts, Invitations, Sessions, Settings, Tokens},
    settings::{SettingsChange, SiteSettings, ZoneChange},
    task::TaskRow,
};
use log_in::known_browser;
use std::sync::Arc;

/// The account service.
#[derive(Clone)]
pub struct AccountService {
    /// Shared state of the process.
    pub parts: AppState,
    passwords: Arc<password::Passwords>,
    known_providers: Arc<sign_in::KnownProviders>,
}

impl AccountService {
    /// Creates the service.
    #[must_use]
    pub fn new(parts: AppState) -> Self {
        Self { parts, passwords: Arc::default(), known_providers: Arc::default() }
    }

    /// Creates a one-time token for creating the first admin (`/setup?token=…`); earlier tokens
    /// become invalid. `None`: there is an admin, and the set-up is closed permanently.
    pub async fn offer_set_up(&self) -> Result<Option<String>, DomainError> {
        set_up::offer(self).await
    }

    /// Returns the actor of a session; `None`: it is invalid or has ended. Records its use at most
    /// once a minute.
    pub async fn authenticate_session(&self, secret: &SessionSecret) -> Result<Option<Actor>, DomainError> {
        session::authenticate(self, secret).await
    }

    /// The same without recording the use: a live stream does not keep a session alive.
    pub async fn look_at_session(&self, secret: &SessionSecret) -> Result<Option<Actor>, DomainError> {
        session::find(self, secret).await.map(|session| session.map(|session| session.actor))
    }

    /// Returns the actor and scope of an API token; `None`: it is invalid. Records its use, rounded
    /// to the minute.
    pub async fn authenticate_token(&self, token: &str) -> Result<Option<(Actor, Scope)>, DomainError> {
        token::authenticate(self, token).await
    }

    /// Creates an account from the command line. Works before the set-up, and closes it if the role
    /// is admin.
    pub async fn add_person(&self, person: NewAccount, role: Role) -> Result<Account, DomainError> {
        set_up::add(self, person, role).await
    }

    /// Switches log-ins with a password off for all accounts but this admin, from the command line; `None`: on.
    pub async fn switch_passwords(&self, emergency: Option<AccountId>) -> Result<(), DomainError> {
        password_rule::switch(self, emergency).await
    }

    /// Creates an API token for the account with this address, from the command line. Valid for a
    /// year, shown once.
    pub async fn create_token_for(
        &self,
        email: &str,
        name: &str,
        scope: Scope,
    ) -> Result<(TokenRow, String), DomainError> {
        token::create_for(self, email, name, scope).await
    }
}

/// Refuses all users but admins.
fn admin_only(actor: &Actor) -> Result<(), DomainError> {
    if actor.is_admin() { Ok(()) } else { Err(DomainError::NotAllowed) }
}

#[async_trait]
impl Accounts for AccountService {
    async fn own_account(&self, actor: &Actor) -> Result<Account, DomainError> {
        account::me(self, actor).await
    }
    async fn change_profile(&self, actor: &Actor, edit: ProfileEdit) -> Result<Account, DomainError> {
        account::change_profile(self, actor, edit).await
    }
    async fn list(&self, actor: &Actor) -> Result<Vec<Account>, DomainError> {
        account::list(self, actor).await
    }
    async fn change_role(&self, actor: &Actor, id: AccountId, role: Role) -> Result<Account, DomainError> {
        account::change_role(self, actor, id, role).await
    }
    async fn scheduled_tasks_of(&self, actor: &Actor, id: AccountId) -> Result<Vec<TaskRow>, DomainError> {
        account::waiting_of(self, actor, id).await
    }
    async fn disable(
        &self,
        actor: &Actor,
        id: AccountId,
        on_disable: Option<OnDisable>,
    ) -> Result<Account, DomainError> {
        account::disable(self, actor, id, on_disable).await
    }
    async fn enable(&self, actor: &Actor, id: AccountId) -> Result<Account, DomainError> {
        account::enable(self, actor, id).await
    }
    async fn undo_offer(&self, actor: &Actor, id: AccountId) -> Result<Option<AccountUndo>, DomainError> {
        account::undo_offer(self, actor, id).await
    }
    async fn undo_change(&self, actor: &Actor, id: AccountId, seen: i64) -> Result<Account, DomainError> {
        account::undo_change(self, actor, id, seen).await
    }
}

#[async_trait]
impl Sessions for AccountService {
    async fn needs_set_up(&self) -> Result<bool, DomainError> {
        set_up::is_needed(self).await
    }
    async fn set_up(
        &self,
        token: &str,
        admin: NewAccount,
        settings: SiteSettings,
        client: &Client,
    ) -> Result<LoggedIn, DomainError> {
        set_up::set_up(self, token, admin, settings, client).await
    }
    async fn log_in(&self, email: &str, password: &str, client: &Client) -> Result<LoggedIn, DomainError> {
        log_in::log_in(self, email, password, client).await
    }
    async fn log_out(&self, secret: &SessionSecret) -> Result<(), DomainError> {
        log_in::log_out(self, secret).await
    }
    async fn change_password(
        &self,
        actor: &Actor,
        change: PasswordChange,
        client: &Client,
    ) -> Result<LoggedIn, DomainError> {
        log_in::change_password(self, actor, change, client).await
    }
    async fn confirm_password(
        &self,
        actor: &Actor,
        password: &str,
        client: &Client,
    ) -> Result<Actor, DomainError> {
        log_in::confirm_password(self, actor, password, client).await
    }
    async fn sessions(
        &self,
        actor: &Actor,
        current: Option<&SessionSecret>,
    ) -> Result<Vec<SessionRow>, DomainError> {
        session::list(self, actor, current).await
    }
    async fn end_session(&self, actor: &Actor, name: &str) -> Result<(), DomainError> {
        session::end(self, actor, name).await
    }
    async fn end_other_sessions(&self, actor: &Actor) -> Result<u64, DomainError> {
        session::end_others(self, actor).await
    }
}

#[async_trait]
impl SecondFactors for AccountService {
    async fn second_factor(&self, actor: &Actor) -> Result<SecondFactor, DomainError> {
        second_factor::read(self, actor).await
    }
    async fn create_second_factor(&self, actor: &Actor) -> Result<(), DomainError> {
        second_factor::create(self, actor).await
    }
    async fn add_second_factor(&self, actor: &Actor, code: &str) -> Result<Vec<String>, DomainError> {
        second_factor::add(self, actor, code).await
    }
    async fn remove_second_factor(&self, actor: &Actor) -> Result<(), DomainError> {
        second_factor::remove(self, actor).await
    }
    async fn renew_recovery_codes(&self, actor: &Actor) -> Result<Vec<String>, DomainError> {
        second_factor::renew_codes(self, actor).await
    }
    async fn accounts_with_second_factor(&self, actor: &Actor) -> Result<Vec<Account>, DomainError> {
        second_factor::accounts(self, actor).await
    }
    async fn reset_second_factor(&self, actor: &Actor, id: AccountId) -> Result<(), DomainError> {
        second_factor::reset(self, actor, id).await
    }
    async fn second_factor_rule(&self) -> Result<SecondFactorRule, DomainError> {
        settings::second_factor::read(self).await
    }
    async fn require_second_factor(
        &self,
        actor: &Actor,
        required_for: RequiredFor,
    ) -> Result<SecondFactorRule, DomainError> {
        settings::second_factor::change(self, actor, required_for).await
    }
    async fn complete_log_in(
        &self,
        token: &str,
        code: &str,
        client: &Client,
    ) -> Result<LoggedIn, DomainError> {
        log_in::second_step::complete(self, token, code, client).await
    }
}

#[async_trait]
impl Invitations for AccountService {
    async fn invite(
        &self,
        actor: &Actor,
        email: &str,
        name: &str,
        role: Role,
    ) -> Result<OneTimeLink, DomainError> {
        link::invite(self, actor, email, name, role).await
    }
    async fn invitations(&self, actor: &Actor) -> Result<Vec<InvitationRow>, DomainError> {
        link::list(self, actor).await
    }
    async fn renew_invitation(&self, actor: &Actor, id: &str) -> Result<OneTimeLink, DomainError> {
        link::renew(self, actor, id).await
    }
    async fn withdraw_invitation(&self, actor: &Actor, id: &str) -> Result<(), DomainError> {
        link::withdraw(self, actor, id).await
    }
    async fn reset_password(&self, actor: &Actor, id: AccountId) -> Result<OneTimeLink, DomainError> {
        link::reset(self, actor, id).await
    }
    async fn invitation(&self, token: &str) -> Result<Invitation, DomainError> {
        link::find(self, token).await
    }
    async fn accept_invitation(
        &self,
        token: &str,
        member: NewMember,
        client: &Client,
    ) -> Result<LoggedIn, DomainError> {
        link::accept(self, token, member, client).await
    }
}

#[async_trait]
impl Tokens for AccountService {
    async fn tokens(&self, actor: &Actor) -> Result<Vec<TokenRow>, DomainError> {
        token::list(self, actor).await
    }
    async fn create_token(
        &self,
        actor: &Actor,
        name: &str,
        days: u32,
        scope: Scope,
    ) -> Result<(TokenRow, String), DomainError> {
        let wanted = token::Wanted { name, days, scope };
        token::create(self, actor, wanted).await
    }
    async fn tokens_of_others(&self, actor: &Actor) -> Result<Vec<TokenRow>, DomainError> {
        token::list_others(self, actor).await
    }
    async fn revoke_token(&self, actor: &Actor, id: TokenId) -> Result<(), DomainError> {
        token::revoke(self, actor, id).await
    }
}

#[async_trait]
impl Settings for AccountService {
    async fn settings(&self) -> Result<SiteSettings, DomainError> {
        settings::read(self).await
    }
    async fn change_settings(
        &self,
        actor: &Actor,
        settings: SiteSettings,
    ) -> Result<SiteSettings, DomainError> {
        settings::change(self, actor, settings).await
    }
    async fn change_desk(
        &self,
        actor: &Actor,
        settings: SiteSettings,
        zone_change: Option<ZoneChange>,
    ) -> Result<SettingsChange, DomainError> {
        settings::change_desk(self, actor, settings, zone_change).await
    }
    async fn look(&self) -> Result<SiteLook, DomainError> {
        settings::look::read(self).await
    }
    async fn change_look(
        &self,
        actor: &Actor,
        look: SiteLook,
        seen: Option<Version>,
    ) -> Result<SiteLook, DomainError> {
        settings::look::change(self, actor, look, seen).await
    }
    async fn style(&self, actor: &Actor) -> Result<SiteStyle, DomainError> {
        settings::style::read(self, actor).await
    }
    async fn keep_style(&self, actor: &Actor, css: String) -> Result<(), DomainError> {
        settings::style::keep_draft(self, actor, &css).await
    }
    async fn publish_style(&self, actor: &Actor, hash: String) -> Result<SiteLook, DomainError> {
        settings::style::publish(self, actor, &hash).await
    }
    async fn first_week(&self, actor: &Actor) -> Result<Option<FirstWeek>, DomainError> {
        settings::first_week::read(self, actor).await
    }
    async fn close_first_week(&self, actor: &Actor) -> Result<(), DomainError> {
        settings::first_week::close(self, actor).await
    }
}
