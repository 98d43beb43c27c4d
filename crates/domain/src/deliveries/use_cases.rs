//! Service for channels and deliveries.

use crate::{
    Actor, ArticleId, ChannelId, DeliveryId, DomainError, Page, PostId, Timestamp, Version,
    channel::{Channel, ChannelEdit, ChannelSettings, CreatedChannel, MailEndpoint, Secret, SendingSettings},
    delivery::{
        Delivery, DeliveryCounts, DeliveryDecision, DeliveryQuery, DeliveryRow, DeliveryState, Undelivered,
    },
    mail_limits::{BlockedAddress, HeldMail, MailLimits},
    post::{Post, PostAction, PostQuery},
    task::BulkResult,
};
use async_trait::async_trait;

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
    /// Changes the settings; waiting messages are sent with the new ones. Without a secret the
    /// stored one is kept, unless it would be sent to a different peer: then it must be entered
    /// again. `Changed`: its settings are no longer those that were seen.
    async fn edit(&self, actor: &Actor, id: ChannelId, edit: ChannelEdit) -> Result<Channel, DomainError>;
    /// Changes how a channel sends; its other settings stay as they are. `Changed` if it no longer sends as
    /// `seen`.
    async fn set_sending(
        &self,
        actor: &Actor,
        id: ChannelId,
        new: SendingSettings,
        seen: SendingSettings,
    ) -> Result<Channel, DomainError>;
    /// The mail server of the desk; `None`: it has none. Its password is never returned.
    async fn mail_server(&self, actor: &Actor) -> Result<Option<Channel>, DomainError>;
    /// Whether the desk has a mail server. Every user.
    async fn has_mail_server(&self, actor: &Actor) -> Result<bool, DomainError>;
    /// Whether the desk has an active SMS channel. Every user.
    async fn has_sms_channel(&self, actor: &Actor) -> Result<bool, DomainError>;
    /// Sets or changes the mail server. Recipients of `route` do not count. Without a `secret` the
    /// stored one is kept, unless it would be sent to a different server.
    async fn set_mail_server(
        &self,
        actor: &Actor,
        route: MailEndpoint,
        secret: Option<Secret>,
    ) -> Result<Channel, DomainError>;
    /// Sends a mail to the actor through the mail server, with one attempt.
    async fn test_mail_server(&self, actor: &Actor) -> Result<DeliveryRow, DomainError>;
    /// Removes the mail server; mails that wait are cancelled.
    async fn remove_mail_server(&self, actor: &Actor) -> Result<(), DomainError>;
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
    /// Number of deliveries of a channel in each state.
    async fn delivery_counts(&self, actor: &Actor, id: ChannelId) -> Result<DeliveryCounts, DomainError>;
    /// One page of the log, newest first unless the query says otherwise. Every account may list the
    /// deliveries of one task.
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
    /// Articles at channels that publish posts, newest first.
    async fn all_posts(&self, actor: &Actor, query: PostQuery) -> Result<Page<Post>, DomainError>;
    /// Does something with a post that the actor has seen in this version.
    async fn change_post(
        &self,
        actor: &Actor,
        id: PostId,
        action: PostAction,
        seen: Version,
    ) -> Result<Post, DomainError>;
    /// An article at each channel that publishes posts, by name.
    async fn posts(&self, actor: &Actor, article: ArticleId) -> Result<Vec<Post>, DomainError>;
    /// An article at one of these channels.
    async fn post(&self, actor: &Actor, article: ArticleId, channel: ChannelId) -> Result<Post, DomainError>;
    /// Chooses an article for one of these channels, or not any more. A public article is published there at once;
    /// what is public there is withdrawn.
    async fn choose_post(
        &self,
        actor: &Actor,
        article: ArticleId,
        channel: ChannelId,
        is_chosen: bool,
    ) -> Result<Post, DomainError>;
    /// Undoes the dismissals of a channel's messages by the actor between two moments, unless a
    /// message was changed since. `CannotUndo`: there are none.
    async fn undo_dismissal(
        &self,
        actor: &Actor,
        id: ChannelId,
        between: (Timestamp, Timestamp),
    ) -> Result<BulkResult, DomainError>;
}

/// Mail to persons outside the desk: its limits, what they hold, and the addresses that get none.
#[async_trait]
pub trait OutsideMail: Send + Sync {
    /// The limits. Every account.
    async fn limits(&self, actor: &Actor) -> Result<MailLimits, DomainError>;
    /// Sets the limits. Held mails are tried again at once. Admins only.
    async fn set_limits(&self, actor: &Actor, limits: MailLimits) -> Result<MailLimits, DomainError>;
    /// One page of the blocked addresses, by address. Admins only.
    async fn blocked(
        &self,
        actor: &Actor,
        cursor: Option<String>,
        limit: Option<u32>,
    ) -> Result<Page<BlockedAddress>, DomainError>;
    /// Blocks an address: it gets no mail any more. `Taken`: it is blocked already. Admins only.
    async fn block(&self, actor: &Actor, address: &str) -> Result<BlockedAddress, DomainError>;
    /// Allows mail to an address again. `NoSuch`: it is not blocked. Admins only.
    async fn allow(&self, actor: &Actor, address: &str) -> Result<(), DomainError>;
    /// Mails of the account that wait, those that are sent next first; for admins those of all accounts.
    async fn held(&self, actor: &Actor) -> Result<Vec<HeldMail>, DomainError>;
}
