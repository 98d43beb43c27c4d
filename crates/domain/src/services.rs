//! Service traits, one for each noun. The server implements them; the frontend and the API only
//! call them.
//!
//! Every method takes the [`Actor`] and checks its permissions. An error means that nothing was
//! changed.

use crate::{
    AccountId, Actor, ArticleId, ChannelId, DeliveryId, DomainError, Kind, Page, Role, State, TaskId,
    Timestamp, TokenId, Version, When,
    account::{
        Account, Client, Invitation, InvitationRow, LoggedIn, NewAccount, NewMember, OnDisable, OneTimeLink,
        PasswordChange, ProfileEdit, Scope, SessionRow, SessionSecret, TokenRow,
    },
    article::{
        Article, ArticleCounts, ArticleEdit, ArticleQuery, ArticleRow, DiffLine, NewArticle, Preview,
        Revision, RevisionRow,
    },
    attention::{AttentionCount, AttentionEntry, AttentionPage},
    channel::{Channel, ChannelSettings, CreatedChannel, Secret},
    delivery::{Delivery, DeliveryDecision, DeliveryQuery, DeliveryRow, DeliveryState, Undelivered},
    engine::{DeliveryHold, EngineReport, EngineStatus, NodeReport},
    event::Event,
    kind::KindLimit,
    settings::SiteSettings,
    task::{AttentionGroup, BulkResult, Change, Dashboard, NewTask, Task, TaskCounts, TaskQuery, TaskRow},
    time::{LocalizedTime, TimePresets},
};
use async_trait::async_trait;
use std::sync::Arc;

pub use crate::{messages::service::Messages, rules::service::Rules, series::service::Series};

/// All services. Cheap to clone.
#[derive(Clone)]
pub struct Services {
    /// Articles and revisions.
    pub articles: Arc<dyn Articles>,
    /// Scheduled tasks.
    pub tasks: Arc<dyn Tasks>,
    /// Accounts and sessions.
    pub accounts: Arc<dyn Accounts>,
    /// Channels and deliveries.
    pub channels: Arc<dyn Channels>,
    /// Engine status and controls.
    pub engine: Arc<dyn Engine>,
    /// Everything that needs a person.
    pub attention: Arc<dyn Attention>,
    /// Series.
    pub series: Arc<dyn Series>,
    /// Delayed messages.
    pub messages: Arc<dyn Messages>,
    /// Signals and rules.
    pub rules: Arc<dyn Rules>,
}

/// Everything that needs a person, of all kinds.
#[async_trait]
pub trait Attention: Send + Sync {
    /// All causes, most severe first. `only_theirs`: for non-admins, only what concerns their own
    /// articles.
    async fn list(&self, actor: &Actor, only_theirs: bool) -> Result<Vec<AttentionEntry>, DomainError>;
    /// The Attention page: for non-admins, only what concerns their own articles.
    async fn page(&self, actor: &Actor) -> Result<AttentionPage, DomainError>;
    /// Number of items that concern the actor; admins: of all. `may_be_cached`: a number up to
    /// 2 s old may be returned.
    async fn count(&self, actor: &Actor, may_be_cached: bool) -> Result<AttentionCount, DomainError>;
}

/// Articles and their revisions. Every account may read all; owners and admins may change.
#[async_trait]
pub trait Articles: Send + Sync {
    /// One page of the list, most recently changed first.
    async fn list(&self, actor: &Actor, query: ArticleQuery) -> Result<Page<ArticleRow>, DomainError>;
    /// Number of articles for each filter. `is_mine`: only those of the actor.
    async fn counts(&self, actor: &Actor, is_mine: bool) -> Result<ArticleCounts, DomainError>;
    /// One article with its text.
    async fn find(&self, actor: &Actor, id: ArticleId) -> Result<Article, DomainError>;
    /// Creates a draft owned by the actor.
    async fn create(&self, actor: &Actor, new: NewArticle) -> Result<Article, DomainError>;
    /// Saves a new revision; `TextConflict` if another one was saved since the edit began.
    async fn save(&self, actor: &Actor, id: ArticleId, edit: ArticleEdit) -> Result<Article, DomainError>;
    /// Changes the slug; the previous one redirects. `Taken` if another article has it.
    async fn rename(&self, actor: &Actor, id: ArticleId, slug: String) -> Result<Article, DomainError>;
    /// All revisions, newest first.
    async fn revisions(&self, actor: &Actor, id: ArticleId) -> Result<Vec<RevisionRow>, DomainError>;
    /// One revision with its text.
    async fn revision(&self, actor: &Actor, id: ArticleId, number: i32) -> Result<Revision, DomainError>;
    /// Line diff between two revisions, with three lines of context.
    async fn diff(
        &self,
        actor: &Actor,
        id: ArticleId,
        from: i32,
        to: i32,
    ) -> Result<Vec<DiffLine>, DomainError>;
    /// Saves the text of an old revision as a new one.
    async fn restore(
        &self,
        actor: &Actor,
        id: ArticleId,
        number: i32,
        seen_revision: i32,
    ) -> Result<Article, DomainError>;
    /// Moves an article to the trash, from which it can be restored for
    /// [`crate::input_limits::TRASH_RETENTION_MS`]. `InTheWay` while it is public or has scheduled
    /// tasks; `TextConflict` if `seen_revision` is not current. Does nothing if it is already in
    /// the trash.
    async fn delete(
        &self,
        actor: &Actor,
        id: ArticleId,
        seen_revision: Option<i32>,
    ) -> Result<(), DomainError>;
    /// Restores an article from the trash. Does nothing if it is not there.
    async fn undelete(&self, actor: &Actor, id: ArticleId) -> Result<Article, DomainError>;
    /// Renders Markdown as on the public site.
    async fn preview(&self, actor: &Actor, markdown: &str) -> Result<Preview, DomainError>;
}

/// Scheduled tasks. Every account may read all; owners and admins may change.
#[async_trait]
pub trait Tasks: Send + Sync {
    /// Data of the dashboard.
    async fn dashboard(&self, actor: &Actor) -> Result<Dashboard, DomainError>;
    /// One page of the list, earliest due time first unless the query says otherwise.
    async fn list(&self, actor: &Actor, query: TaskQuery) -> Result<Page<TaskRow>, DomainError>;
    /// Number of tasks in each state.
    async fn counts(&self, actor: &Actor) -> Result<TaskCounts, DomainError>;
    /// One task with its history.
    async fn find(&self, actor: &Actor, id: TaskId) -> Result<Task, DomainError>;
    /// Tasks that need a person, grouped by cause. For non-admins, only their own.
    async fn attention(&self, actor: &Actor) -> Result<Vec<AttentionGroup>, DomainError>;
    /// Dismisses the notices about tasks moved by newer time-zone data before `seen_at`, as far as
    /// the actor may change them. Returns their number.
    async fn dismiss_zone_moves(&self, actor: &Actor, seen_at: Timestamp) -> Result<u64, DomainError>;
    /// Schedules a task. Publishing pins (and, without a review workflow, approves) the article's
    /// current revision.
    async fn schedule(&self, actor: &Actor, new: NewTask) -> Result<TaskRow, DomainError>;
    /// Publishes the current revision of an article now: publishes it, updates the public text, or
    /// moves the scheduled publish to now.
    async fn publish_now(&self, actor: &Actor, article: ArticleId) -> Result<TaskRow, DomainError>;
    /// Unpublishes the article now.
    async fn unpublish_now(&self, actor: &Actor, article: ArticleId) -> Result<TaskRow, DomainError>;
    /// Schedules all or none, at most [`crate::input_limits::MAX_BULK_ITEMS`]; `Bulk` lists the
    /// invalid ones by index.
    async fn schedule_all(&self, actor: &Actor, new: Vec<NewTask>) -> Result<Vec<TaskRow>, DomainError>;
    /// Changes a task. `TaskConflict` if `seen` is not its version or its state does not allow the
    /// change.
    async fn change(
        &self,
        actor: &Actor,
        id: TaskId,
        change: Change,
        seen: Version,
    ) -> Result<TaskRow, DomainError>;
    /// Changes (retries, reschedules or cancels), each independently, the failed or missed tasks of
    /// one cause that the actor may change: the newest `most`, at most
    /// [`crate::input_limits::MAX_RETRY_ITEMS`].
    async fn change_group(
        &self,
        actor: &Actor,
        group: (State, &str),
        change: Change,
        most: u64,
    ) -> Result<BulkResult, DomainError>;
    /// Resolves a time without using it: the instant with both offsets, or why it is invalid.
    async fn resolve(&self, actor: &Actor, when: &When) -> Result<LocalizedTime, DomainError>;
    /// Names of the available time zones. Needs no actor: the first admin chooses one during setup.
    async fn time_zones(&self) -> Vec<String>;
    /// Preset times in `zone`; in the actor's own zone if `zone` is invalid.
    async fn time_presets(&self, actor: &Actor, zone: &str) -> Result<TimePresets, DomainError>;
    /// The log after sequence number `after`, in its order, at most `limit` events.
    async fn events(&self, actor: &Actor, after: i64, limit: u32) -> Result<Page<Event>, DomainError>;
}

/// Accounts, sessions, tokens, site settings.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Site settings. Needs no actor: the public site shows them.
    async fn settings(&self) -> Result<SiteSettings, DomainError>;
    /// Changes the site settings. Admins only.
    async fn change_settings(
        &self,
        actor: &Actor,
        settings: SiteSettings,
    ) -> Result<SiteSettings, DomainError>;
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
    /// limit of their own.
    async fn log_in(&self, email: &str, password: &str, client: &Client) -> Result<LoggedIn, DomainError>;
    /// Ends the session.
    async fn log_out(&self, secret: &SessionSecret) -> Result<(), DomainError>;
    /// The actor's account.
    async fn own_account(&self, actor: &Actor) -> Result<Account, DomainError>;
    /// Changes the actor's own profile.
    async fn change_profile(&self, actor: &Actor, edit: ProfileEdit) -> Result<Account, DomainError>;
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
    /// All accounts, by name. Admins only.
    async fn list(&self, actor: &Actor) -> Result<Vec<Account>, DomainError>;
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
    /// Accepts a link: creates the account (or sets its new password) and logs in.
    async fn accept_invitation(
        &self,
        token: &str,
        member: NewMember,
        client: &Client,
    ) -> Result<LoggedIn, DomainError>;
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

/// Channels and their deliveries. Admins only, unless stated otherwise.
#[async_trait]
pub trait Channels: Send + Sync {
    /// All channels, by name.
    async fn list(&self, actor: &Actor) -> Result<Vec<Channel>, DomainError>;
    /// One channel.
    async fn find(&self, actor: &Actor, id: ChannelId) -> Result<Channel, DomainError>;
    /// Creates an active channel. `secret`: the credential for its peer; a webhook's secret is
    /// generated and shown once.
    async fn add(
        &self,
        actor: &Actor,
        new: ChannelSettings,
        secret: Option<Secret>,
    ) -> Result<CreatedChannel, DomainError>;
    /// Changes the settings; waiting messages are sent with the new ones. Without a `secret` the
    /// stored one is kept, unless it would be sent to a different peer: then it must be entered
    /// again.
    async fn edit(
        &self,
        actor: &Actor,
        id: ChannelId,
        edit: ChannelSettings,
        secret: Option<Secret>,
    ) -> Result<Channel, DomainError>;
    /// Sends a test message, with one attempt. `WrongState` if the channel does not send.
    async fn test(&self, actor: &Actor, id: ChannelId) -> Result<DeliveryRow, DomainError>;
    /// Pauses or resumes sending; messages wait meanwhile. Resuming also closes the circuit breaker
    /// and releases held messages.
    async fn pause(&self, actor: &Actor, id: ChannelId, is_paused: bool) -> Result<Channel, DomainError>;
    /// Generates a new secret, shown once. For 24 hours messages are also signed with the previous
    /// one. `NoSigningSecret` if the transport does not sign.
    async fn rotate_secret(&self, actor: &Actor, id: ChannelId) -> Result<CreatedChannel, DomainError>;
    /// Deletes the channel and cancels its waiting deliveries; the log is kept.
    async fn delete(&self, actor: &Actor, id: ChannelId) -> Result<(), DomainError>;
    /// One page of the log, newest first. Every account may list the deliveries of one task.
    async fn deliveries(&self, actor: &Actor, query: DeliveryQuery)
    -> Result<Page<DeliveryRow>, DomainError>;
    /// One delivery with its message and attempts.
    async fn delivery(&self, actor: &Actor, id: DeliveryId) -> Result<Delivery, DomainError>;
    /// Resends, confirms or drops a delivery. `WrongState` if its state does not allow that.
    async fn resolve(
        &self,
        actor: &Actor,
        id: DeliveryId,
        resolve: DeliveryDecision,
    ) -> Result<DeliveryRow, DomainError>;
    /// Resends a channel's failed or unconfirmed messages of the last 30 days: the newest `most`,
    /// at most [`crate::input_limits::MAX_RETRY_ITEMS`]. `Invalid` if that state needs no decision,
    /// `WrongState` if the channel is off.
    async fn resend_all(
        &self,
        actor: &Actor,
        id: ChannelId,
        state: DeliveryState,
        most: u64,
    ) -> Result<BulkResult, DomainError>;
    /// Sends all undelivered messages of a channel now: those that wait, and the newest `most` that
    /// failed in the last 30 days. Resumes it if the receiver switched it off.
    async fn retry_all(&self, actor: &Actor, id: ChannelId, most: u64) -> Result<BulkResult, DomainError>;
    /// Cancels a channel's messages written until `seen_at`: the newest `most`, at most
    /// [`crate::input_limits::MAX_RETRY_ITEMS`].
    async fn dismiss_all(
        &self,
        actor: &Actor,
        id: ChannelId,
        which: Undelivered,
        seen_at: Timestamp,
        most: u64,
    ) -> Result<BulkResult, DomainError>;
}

/// Engine status and controls.
#[async_trait]
pub trait Engine: Send + Sync {
    /// Current status. Needs no actor, because the health check calls it. Never runs SQL in the
    /// request.
    async fn status(&self) -> EngineStatus;
    /// The full report. Admins only.
    async fn report(&self, actor: &Actor) -> Result<EngineReport, DomainError>;
    /// The nodes of this database, live ones first. Admins only.
    async fn nodes(&self, actor: &Actor) -> Result<Vec<NodeReport>, DomainError>;
    /// Concurrency limit of each kind, over all nodes. Admins only.
    async fn kind_limits(&self, actor: &Actor) -> Result<Vec<KindLimit>, DomainError>;
    /// Sets the limit of a kind, `None`: unlimited; every node applies it within a second.
    /// `Changed` if `seen` is not its version. Admins only.
    async fn set_kind_limit(
        &self,
        actor: &Actor,
        kind: Kind,
        at_once: Option<u16>,
        seen: Version,
    ) -> Result<KindLimit, DomainError>;
    /// Whether deliveries are held, and why; at most 1,000 entries of each gap. Admins only.
    async fn delivery_hold(&self, actor: &Actor) -> Result<Option<DeliveryHold>, DomainError>;
    /// Releases held deliveries. False: none were held. Admins only.
    async fn release_hold(&self, actor: &Actor) -> Result<bool, DomainError>;
    /// Pauses the execution of all tasks until this time, or until an admin resumes it; survives a
    /// restart. A pause in effect is not changed. Admins only.
    async fn pause(&self, actor: &Actor, until: Option<When>) -> Result<EngineStatus, DomainError>;
    /// Resumes the execution of tasks. Admins only.
    async fn resume(&self, actor: &Actor) -> Result<EngineStatus, DomainError>;
}
