//! What the product can do: one trait a noun. The server implements them; the face and the API only call them.
//!
//! Every call carries the [`Actor`] who asks and checks what they may do; a refusal means that nothing was changed.

use crate::{
    Actor, ArticleId, ChannelId, DeliveryId, Kind, Page, PersonId, Refusal, Role, State, TaskId, Timestamp,
    TokenId, Version, When,
    article::{
        Article, ArticleEdit, ArticleQuery, ArticleRow, DiffLine, NewArticle, Preview, Revision, RevisionRow,
    },
    attention::Entry,
    channel::{Channel, ChannelEdit, FreshChannel, Secret},
    delivery::{Delivery, DeliveryQuery, DeliveryRow, DeliveryState, Resolve},
    engine::{EngineReport, Heartbeat, Held, NodeReport},
    event::Event,
    kind::KindLimit,
    person::{
        Client, Invitation, Leftover, Link, LoggedIn, NewPassword, NewPerson, Person, ProfileEdit, Scope,
        SessionRow, SessionSecret, TokenRow,
    },
    settings::DeskSettings,
    task::{AttentionGroup, Board, Change, NewTask, Retried, Task, TaskQuery, TaskRow},
    time::{Moment, Picks},
};
use async_trait::async_trait;
use std::sync::Arc;

/// Everything the product can do, by noun. Cheap to clone.
#[derive(Clone)]
pub struct Desk {
    /// Texts.
    pub articles: Arc<dyn Articles>,
    /// What happens when.
    pub tasks: Arc<dyn Tasks>,
    /// Who.
    pub people: Arc<dyn People>,
    /// The ways out.
    pub channels: Arc<dyn Channels>,
    /// The machine room.
    pub engine: Arc<dyn Engine>,
    /// What needs a person.
    pub attention: Arc<dyn Attention>,
}

/// What needs a person, whatever it is about.
#[async_trait]
pub trait Attention: Send + Sync {
    /// Every cause, the worst first. `only_theirs`: for all but admins, what is about their own articles.
    async fn list(&self, actor: &Actor, only_theirs: bool) -> Result<Vec<Entry>, Refusal>;
}

/// Texts and their revisions. Everybody with an account reads all; owners and admins change.
#[async_trait]
pub trait Articles: Send + Sync {
    /// One page of the list, newest change first.
    async fn list(&self, actor: &Actor, query: ArticleQuery) -> Result<Page<ArticleRow>, Refusal>;
    /// One article with its text.
    async fn find(&self, actor: &Actor, id: ArticleId) -> Result<Article, Refusal>;
    /// A new draft, owned by the actor.
    async fn create(&self, actor: &Actor, new: NewArticle) -> Result<Article, Refusal>;
    /// A new revision; `TextConflict` if another was saved since the writer looked.
    async fn save(&self, actor: &Actor, id: ArticleId, edit: ArticleEdit) -> Result<Article, Refusal>;
    /// Another name; the old one leads to it. `Taken` if another article has it.
    async fn rename(&self, actor: &Actor, id: ArticleId, slug: String) -> Result<Article, Refusal>;
    /// All revisions, newest first.
    async fn revisions(&self, actor: &Actor, id: ArticleId) -> Result<Vec<RevisionRow>, Refusal>;
    /// One revision with its text.
    async fn revision(&self, actor: &Actor, id: ArticleId, number: i32) -> Result<Revision, Refusal>;
    /// What changed from one revision to another, by line, with three lines of context.
    async fn diff(&self, actor: &Actor, id: ArticleId, from: i32, to: i32) -> Result<Vec<DiffLine>, Refusal>;
    /// The text of an old revision as a new one.
    async fn restore(
        &self,
        actor: &Actor,
        id: ArticleId,
        number: i32,
        seen_revision: i32,
    ) -> Result<Article, Refusal>;
    /// Into the trash, from where it can be restored for [`crate::limit::TRASH_MS`]. `InTheWay` while it is public or a task waits for
    /// it; `TextConflict` if `seen_revision` is not its current one. In the trash already: nothing changes.
    async fn delete(&self, actor: &Actor, id: ArticleId, seen_revision: Option<i32>) -> Result<(), Refusal>;
    /// Out of the trash. Not in it: nothing changes.
    async fn undelete(&self, actor: &Actor, id: ArticleId) -> Result<Article, Refusal>;
    /// Markdown as readers will see it.
    async fn preview(&self, actor: &Actor, markdown: &str) -> Result<Preview, Refusal>;
}

/// What happens when. Everybody with an account reads all; owners and admins change.
#[async_trait]
pub trait Tasks: Send + Sync {
    /// The front page.
    async fn board(&self, actor: &Actor) -> Result<Board, Refusal>;
    /// One page of the list.
    async fn list(&self, actor: &Actor, query: TaskQuery) -> Result<Page<TaskRow>, Refusal>;
    /// One task with its history.
    async fn find(&self, actor: &Actor, id: TaskId) -> Result<Task, Refusal>;
    /// What needs a person, grouped by cause.
    async fn attention(&self, actor: &Actor) -> Result<Vec<AttentionGroup>, Refusal>;
    /// Takes off the list what newer time-zone data had moved when the actor looked, as far as they may change it. How many.
    async fn dismiss_zone_moves(&self, actor: &Actor, seen_at: Timestamp) -> Result<u64, Refusal>;
    /// A new task. Publishing pins (and, without a review workflow, approves) the article's current revision.
    async fn schedule(&self, actor: &Actor, new: NewTask) -> Result<TaskRow, Refusal>;
    /// The current revision of an article at once: publishes it, updates what is public, or moves the waiting publish to now.
    async fn publish_at_once(&self, actor: &Actor, article: ArticleId) -> Result<TaskRow, Refusal>;
    /// The article leaves the site at once.
    async fn unpublish_at_once(&self, actor: &Actor, article: ArticleId) -> Result<TaskRow, Refusal>;
    /// All or nothing, at most [`crate::limit::BULK_ITEMS`]; `Bulk` names the wrong ones by index.
    async fn schedule_all(&self, actor: &Actor, new: Vec<NewTask>) -> Result<Vec<TaskRow>, Refusal>;
    /// A change of a task that exists. `TaskConflict` if `seen` is not its version or its state does not allow it.
    async fn change(
        &self,
        actor: &Actor,
        id: TaskId,
        change: Change,
        seen: Version,
    ) -> Result<TaskRow, Refusal>;
    /// Retries what failed or was missed for one cause and the actor may change, each by itself: the newest `most` of it,
    /// [`crate::limit::RETRY_ITEMS`] at most.
    async fn retry_group(
        &self,
        actor: &Actor,
        state: State,
        reason: &str,
        most: u64,
    ) -> Result<Retried, Refusal>;
    /// What a time means, before it is used: the moment with both offsets, or why it cannot be.
    async fn resolve(&self, actor: &Actor, when: &When) -> Result<Moment, Refusal>;
    /// Names of time zones to choose from. Needs no actor: the first admin chooses one, too.
    async fn zones(&self) -> Vec<String>;
    /// The times people often want, in `zone`; in the actor's own if that is no zone.
    async fn usual_times(&self, actor: &Actor, zone: &str) -> Result<Picks, Refusal>;
    /// The log from `after` on, in its order, at most `limit`.
    async fn events(&self, actor: &Actor, after: i64, limit: u32) -> Result<Page<Event>, Refusal>;
}

/// Accounts, sessions, tokens, settings.
#[async_trait]
pub trait People: Send + Sync {
    /// Settings of the desk. Needs no actor: the public site shows them.
    async fn settings(&self) -> Result<DeskSettings, Refusal>;
    /// Changes the settings of the desk. Admins.
    async fn change_settings(&self, actor: &Actor, settings: DeskSettings) -> Result<DeskSettings, Refusal>;
    /// Whether the first admin is still to be made.
    async fn needs_set_up(&self) -> Result<bool, Refusal>;
    /// Makes the first admin with the one-time token, and logs them in. A second use is `LinkSpent`.
    async fn set_up(
        &self,
        token: &str,
        admin: NewPerson,
        settings: DeskSettings,
        client: &Client,
    ) -> Result<LoggedIn, Refusal>;
    /// Logs in; ends the session that the browser carried. Account, address and network are limited (`TooMany`), a browser in
    /// which this account has logged in by itself.
    async fn log_in(&self, email: &str, password: &str, client: &Client) -> Result<LoggedIn, Refusal>;
    /// Ends the session.
    async fn log_out(&self, secret: &SessionSecret) -> Result<(), Refusal>;
    /// The person behind the actor.
    async fn me(&self, actor: &Actor) -> Result<Person, Refusal>;
    /// Changes one's own profile.
    async fn change_profile(&self, actor: &Actor, edit: ProfileEdit) -> Result<Person, Refusal>;
    /// Changes one's own password; ends all sessions, known browsers, and API tokens but those to keep, and logs in again.
    async fn change_password(
        &self,
        actor: &Actor,
        change: NewPassword,
        client: &Client,
    ) -> Result<LoggedIn, Refusal>;
    /// Checks one's own password once more, see [`Actor::needs_password`]; the actor with a session that has just been given it.
    async fn confirm_password(
        &self,
        actor: &Actor,
        password: &str,
        client: &Client,
    ) -> Result<Actor, Refusal>;
    /// One's own sessions.
    async fn sessions(
        &self,
        actor: &Actor,
        current: Option<&SessionSecret>,
    ) -> Result<Vec<SessionRow>, Refusal>;
    /// Ends one of one's own sessions.
    async fn end_session(&self, actor: &Actor, name: &str) -> Result<(), Refusal>;
    /// Everybody, by name. Admins.
    async fn list(&self, actor: &Actor) -> Result<Vec<Person>, Refusal>;
    /// A one-time link for somebody new, good for 7 days. Admins.
    async fn invite(&self, actor: &Actor, email: &str, name: &str, role: Role) -> Result<Link, Refusal>;
    /// A one-time link to a new password, good for 24 hours; ends the person's sessions and tokens when used. Admins.
    async fn reset(&self, actor: &Actor, id: PersonId) -> Result<Link, Refusal>;
    /// What a link is for. `LinkSpent` if it is not good any more.
    async fn invitation(&self, token: &str) -> Result<Invitation, Refusal>;
    /// Takes up a link: the account is made (or gets its new password) and logged in.
    async fn accept(
        &self,
        token: &str,
        name: &str,
        password: &str,
        client: &Client,
    ) -> Result<LoggedIn, Refusal>;
    /// Another role, effective with the next request. Admins.
    async fn change_role(&self, actor: &Actor, id: PersonId, role: Role) -> Result<Person, Refusal>;
    /// The waiting tasks of a person. Admins.
    async fn waiting_of(&self, actor: &Actor, id: PersonId) -> Result<Vec<TaskRow>, Refusal>;
    /// Shuts an account and ends its sessions and tokens. `HasTasks` if something waits and `leftover` is `None`. Admins.
    async fn disable(
        &self,
        actor: &Actor,
        id: PersonId,
        leftover: Option<Leftover>,
    ) -> Result<Person, Refusal>;
    /// Opens it again. Admins.
    async fn enable(&self, actor: &Actor, id: PersonId) -> Result<Person, Refusal>;
    /// One's own API tokens.
    async fn tokens(&self, actor: &Actor) -> Result<Vec<TokenRow>, Refusal>;
    /// A new API token, good for `days` (at most 365), that opens `scope`; the secret is shown once.
    async fn create_token(
        &self,
        actor: &Actor,
        name: &str,
        days: u32,
        scope: Scope,
    ) -> Result<(TokenRow, String), Refusal>;
    /// The API tokens of everybody else, by owner, at most [`crate::limit::TOKENS_SHOWN`]. Admins.
    async fn tokens_of_others(&self, actor: &Actor) -> Result<Vec<TokenRow>, Refusal>;
    /// Ends one of one's own API tokens; admins end any.
    async fn revoke_token(&self, actor: &Actor, id: TokenId) -> Result<(), Refusal>;
}

/// The ways out, and what went through them. Admins, unless said otherwise.
#[async_trait]
pub trait Channels: Send + Sync {
    /// All channels, by name.
    async fn list(&self, actor: &Actor) -> Result<Vec<Channel>, Refusal>;
    /// One channel.
    async fn find(&self, actor: &Actor, id: ChannelId) -> Result<Channel, Refusal>;
    /// A new channel, active at once. `secret`: what its peer asks for; a webhook's is made here and shown once.
    async fn add(
        &self,
        actor: &Actor,
        new: ChannelEdit,
        secret: Option<Secret>,
    ) -> Result<FreshChannel, Refusal>;
    /// Other settings; messages that wait go out under them. Without a `secret` the one before stays, unless another peer
    /// would be told it: then it must be given again.
    async fn edit(
        &self,
        actor: &Actor,
        id: ChannelId,
        edit: ChannelEdit,
        secret: Option<Secret>,
    ) -> Result<Channel, Refusal>;
    /// Sends a test message, tried once. `WrongState` if the channel does not send.
    async fn test(&self, actor: &Actor, id: ChannelId) -> Result<DeliveryRow, Refusal>;
    /// Stops sending (what is to be sent waits), or goes on; going on also ends a rest and lets go what was held.
    async fn pause(&self, actor: &Actor, id: ChannelId, is_paused: bool) -> Result<Channel, Refusal>;
    /// A new secret, shown once. For 24 hours messages are signed with the one before it as well. `WrongWay` if the channel
    /// does not sign.
    async fn rotate(&self, actor: &Actor, id: ChannelId) -> Result<FreshChannel, Refusal>;
    /// Ends the channel and calls off what waits for it; the log stays.
    async fn delete(&self, actor: &Actor, id: ChannelId) -> Result<(), Refusal>;
    /// One page of the log, newest first. Everybody may ask for the deliveries of one task.
    async fn deliveries(&self, actor: &Actor, query: DeliveryQuery) -> Result<Page<DeliveryRow>, Refusal>;
    /// One delivery with its message and attempts.
    async fn delivery(&self, actor: &Actor, id: DeliveryId) -> Result<Delivery, Refusal>;
    /// Decides about a delivery. `WrongState` if that cannot be done to it any more.
    async fn resolve(&self, actor: &Actor, id: DeliveryId, resolve: Resolve) -> Result<DeliveryRow, Refusal>;
    /// Sends again what failed, or may have arrived, in a channel within the last 30 days: the newest `most`,
    /// [`crate::limit::RETRY_ITEMS`] at most. `Invalid` if that state needs nobody, `WrongState` if the channel is off.
    async fn resend_all(
        &self,
        actor: &Actor,
        id: ChannelId,
        state: DeliveryState,
        most: u64,
    ) -> Result<Retried, Refusal>;
    /// Failed and unconfirmed deliveries of the last 30 days, at most the newest 200: first those that may have arrived, channel by
    /// channel, newest first. Everybody.
    async fn needing(&self, actor: &Actor) -> Result<Vec<DeliveryRow>, Refusal>;
}

/// The machine room.
#[async_trait]
pub trait Engine: Send + Sync {
    /// Whether it lives. Needs no actor: the health check asks too. Never touches SQL on the request's path.
    async fn heartbeat(&self) -> Heartbeat;
    /// All it knows of itself. Admins.
    async fn report(&self, actor: &Actor) -> Result<EngineReport, Refusal>;
    /// The processes that serve this database, those that live first. Admins.
    async fn nodes(&self, actor: &Actor) -> Result<Vec<NodeReport>, Refusal>;
    /// How many tasks of each kind may be executed at once, over all nodes. Admins.
    async fn limits(&self, actor: &Actor) -> Result<Vec<KindLimit>, Refusal>;
    /// Another limit for a kind, `None`: none; every node keeps to it within a second. `Changed` if `seen` is not its version.
    /// Admins.
    async fn limit(
        &self,
        actor: &Actor,
        kind: Kind,
        at_once: Option<u16>,
        seen: Version,
    ) -> Result<KindLimit, Refusal>;
    /// Whether messages are held, and why; of each gap the first 1,000 lines. Admins.
    async fn held(&self, actor: &Actor) -> Result<Option<Held>, Refusal>;
    /// Lets messages go out that are held. False: none were held. Admins.
    async fn confirm_restore(&self, actor: &Actor) -> Result<bool, Refusal>;
    /// Stops (or lets go on) the publishing of everything; survives a restart. Admins.
    async fn pause(&self, actor: &Actor, is_paused: bool) -> Result<Heartbeat, Refusal>;
}
