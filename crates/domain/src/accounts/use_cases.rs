//! Services for accounts, sessions, one-time links, API tokens and site settings.

use crate::{
    AccountId, Actor, DomainError, Role, SavedViewId, TokenId, Version,
    account::{
        Account, AccountUndo, Client, Invitation, InvitationRow, LoggedIn, NewAccount, NewMember, OnDisable,
        OneTimeLink, PasswordChange, ProfileEdit, Scope, SessionRow, SessionSecret, TokenRow,
    },
    accounts::{
        first_week::FirstWeek,
        saved_view::{NewSavedView, SavedView, ViewedList},
        site_look::{SiteLook, SiteStyle},
    },
    settings::{SettingsChange, SiteSettings, ZoneChange},
    values::task_row::TaskRow,
};
use async_trait::async_trait;
use uuid::Uuid;

/// Accounts: the own profile, and changes by admins.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// The actor's account.
    async fn own_account(&self, actor: &Actor) -> Result<Account, DomainError>;
    /// Changes the actor's own profile.
    async fn change_profile(&self, actor: &Actor, edit: ProfileEdit) -> Result<Account, DomainError>;
    /// All accounts, by name. Admins only.
    async fn list(&self, actor: &Actor) -> Result<Vec<Account>, DomainError>;
    /// Changes the role, effective with the next request. Admins only.
    async fn change_role(&self, actor: &Actor, id: AccountId, role: Role) -> Result<Account, DomainError>;
    /// The scheduled tasks of an account. Admins only.
    async fn scheduled_tasks_of(&self, actor: &Actor, id: AccountId) -> Result<Vec<TaskRow>, DomainError>;
    /// Disables an account and ends its sessions and tokens. `HasTasks` if it has scheduled tasks
    /// and `on_disable` is `None`. Admins only.
    async fn disable(
        &self,
        actor: &Actor,
        id: AccountId,
        on_disable: Option<OnDisable>,
    ) -> Result<Account, DomainError>;
    /// Enables a disabled account. Admins only.
    async fn enable(&self, actor: &Actor, id: AccountId) -> Result<Account, DomainError>;
    /// The last change of an account if the actor made it and may undo it now. Admins only.
    async fn undo_offer(&self, actor: &Actor, id: AccountId) -> Result<Option<AccountUndo>, DomainError>;
    /// Undoes the change `seen` of an account, see [`AccountUndo`]. `CannotUndo` if there was
    /// another one since, or it can no longer be undone. Admins only.
    async fn undo_change(&self, actor: &Actor, id: AccountId, seen: i64) -> Result<Account, DomainError>;
}

/// Log-in, passwords and sessions.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Whether the first admin has not been created yet.
    async fn needs_set_up(&self) -> Result<bool, DomainError>;
    /// Creates the first admin with the one-time token, and logs them in. A second use is
    /// `LinkSpent`.
    async fn set_up(
        &self,
        token: &str,
        admin: NewAccount,
        settings: SiteSettings,
        client: &Client,
    ) -> Result<LoggedIn, DomainError>;
    /// Logs in and ends the session that the browser carried. Attempts are limited by account,
    /// address and network (`TooMany`); browsers in which this account has logged in before have a
    /// limit of their own. `CodeNeeded` if the account has a second factor; there is no session yet.
    async fn log_in(&self, email: &str, password: &str, client: &Client) -> Result<LoggedIn, DomainError>;
    /// Ends the session.
    async fn log_out(&self, secret: &SessionSecret) -> Result<(), DomainError>;
    /// Changes the actor's password. Ends all sessions, known browsers and all API tokens except
    /// those listed, then logs in again.
    async fn change_password(
        &self,
        actor: &Actor,
        change: PasswordChange,
        client: &Client,
    ) -> Result<LoggedIn, DomainError>;
    /// Checks the actor's password again, see [`Actor::needs_password`]. Returns the actor with the
    /// updated session.
    async fn confirm_password(
        &self,
        actor: &Actor,
        password: &str,
        client: &Client,
    ) -> Result<Actor, DomainError>;
    /// The actor's own sessions.
    async fn sessions(
        &self,
        actor: &Actor,
        current: Option<&SessionSecret>,
    ) -> Result<Vec<SessionRow>, DomainError>;
    /// Ends one of the actor's own sessions.
    async fn end_session(&self, actor: &Actor, name: &str) -> Result<(), DomainError>;
    /// Ends the actor's sessions except the one of the request. Returns their number.
    async fn end_other_sessions(&self, actor: &Actor) -> Result<u64, DomainError>;
}

/// One-time links: invitations and password resets.
#[async_trait]
pub trait Invitations: Send + Sync {
    /// Creates a one-time invitation link, valid for 7 days. Admins only.
    async fn invite(
        &self,
        actor: &Actor,
        email: &str,
        name: &str,
        role: Role,
    ) -> Result<OneTimeLink, DomainError>;
    /// Invitations that were not accepted yet, also expired ones, newest first. Admins only.
    async fn invitations(&self, actor: &Actor) -> Result<Vec<InvitationRow>, DomainError>;
    /// Replaces the link of an invitation by a new one, valid for 7 days. `NoSuch` if it was
    /// accepted, withdrawn or renewed in the meantime. Admins only.
    async fn renew_invitation(&self, actor: &Actor, id: &str) -> Result<OneTimeLink, DomainError>;
    /// Withdraws an invitation. `NoSuch` as for a renewal. Admins only.
    async fn withdraw_invitation(&self, actor: &Actor, id: &str) -> Result<(), DomainError>;
    /// Creates a one-time password reset link, valid for 24 hours. Its use ends the account's
    /// sessions and tokens. Admins only.
    async fn reset_password(&self, actor: &Actor, id: AccountId) -> Result<OneTimeLink, DomainError>;
    /// What a link is for. `LinkSpent` if it is no longer valid.
    async fn invitation(&self, token: &str) -> Result<Invitation, DomainError>;
    /// Accepts a link: creates the account (or sets its new password) and logs in. `CodeNeeded` if the account has
    /// a second factor; its new password is set.
    async fn accept_invitation(
        &self,
        token: &str,
        member: NewMember,
        client: &Client,
    ) -> Result<LoggedIn, DomainError>;
}

/// API tokens.
#[async_trait]
pub trait Tokens: Send + Sync {
    /// The actor's own API tokens.
    async fn tokens(&self, actor: &Actor) -> Result<Vec<TokenRow>, DomainError>;
    /// Creates an API token, valid for `days` (at most 365), with `scope`. Returns the secret,
    /// which is shown once.
    async fn create_token(
        &self,
        actor: &Actor,
        name: &str,
        days: u32,
        scope: Scope,
    ) -> Result<(TokenRow, String), DomainError>;
    /// The API tokens of all other accounts, by owner, at most
    /// [`crate::input_limits::MAX_TOKENS_SHOWN`]. Admins only.
    async fn tokens_of_others(&self, actor: &Actor) -> Result<Vec<TokenRow>, DomainError>;
    /// Revokes one of the actor's own API tokens; admins may revoke any.
    async fn revoke_token(&self, actor: &Actor, id: TokenId) -> Result<(), DomainError>;
}

/// Settings of the site.
#[async_trait]
pub trait Settings: Send + Sync {
    /// Site settings. Needs no actor: the public site shows them.
    async fn settings(&self) -> Result<SiteSettings, DomainError>;
    /// Changes the site settings. Scheduled items keep their instants. Admins only.
    async fn change_settings(
        &self,
        actor: &Actor,
        settings: SiteSettings,
    ) -> Result<SiteSettings, DomainError>;
    /// Changes the site settings. Admins only. `ZoneChoice` if the time zone changes, scheduled items are
    /// planned in the current one, and `zone_change` does not say what they keep.
    async fn change_desk(
        &self,
        actor: &Actor,
        settings: SiteSettings,
        zone_change: Option<ZoneChange>,
    ) -> Result<SettingsChange, DomainError>;
    /// How the public site looks. Needs no actor: everyone sees it.
    async fn look(&self) -> Result<SiteLook, DomainError>;
    /// Changes how the public site looks. Admins only. `Changed` if `seen` is not the current version.
    async fn change_look(
        &self,
        actor: &Actor,
        look: SiteLook,
        seen: Option<Version>,
    ) -> Result<SiteLook, DomainError>;
    /// The draft of the site's stylesheet. Admins only.
    async fn style(&self, actor: &Actor) -> Result<SiteStyle, DomainError>;
    /// Checks a stylesheet and keeps it as the draft, which readers do not see. Admins only.
    async fn keep_style(&self, actor: &Actor, css: String) -> Result<(), DomainError>;
    /// Publishes the draft with this hash. `Changed` if the draft is another one by now. Admins only.
    async fn publish_style(&self, actor: &Actor, hash: String) -> Result<SiteLook, DomainError>;
    /// The first steps on a new desk; `None` for users who are not admins.
    async fn first_week(&self, actor: &Actor) -> Result<Option<FirstWeek>, DomainError>;
    /// Closes the first steps for all admins. Admins only.
    async fn close_first_week(&self, actor: &Actor) -> Result<(), DomainError>;
}

/// Who has an article or a meeting open.
#[async_trait]
pub trait Presence: Send + Sync {
    /// Records that the actor has an item open. Returns the names of the other accounts that have, at most
    /// 20. `NoSuch` unless it is an article or a meeting.
    async fn see(&self, actor: &Actor, item: Uuid) -> Result<Vec<String>, DomainError>;
    /// The same names, without recording anything.
    async fn others(&self, actor: &Actor, item: Uuid) -> Result<Vec<String>, DomainError>;
}

/// Saved views of lists. Each account has its own, which no other account sees.
#[async_trait]
pub trait SavedViews: Send + Sync {
    /// The views of a list, by name.
    async fn list(&self, actor: &Actor, list: ViewedList) -> Result<Vec<SavedView>, DomainError>;
    /// Saves a view; one with the same name gets its filters. `Invalid` names the field.
    async fn save(&self, actor: &Actor, new: NewSavedView) -> Result<SavedView, DomainError>;
    /// Renames a view. `NoSuch`; `Changed` if `seen` is not its version; `Taken` if another one has this name.
    async fn rename(
        &self,
        actor: &Actor,
        id: SavedViewId,
        name: String,
        seen: Version,
    ) -> Result<SavedView, DomainError>;
    /// Deletes a view and returns it. `NoSuch`; `Changed` if `seen` is not its version.
    async fn delete(&self, actor: &Actor, id: SavedViewId, seen: Version) -> Result<SavedView, DomainError>;
}
