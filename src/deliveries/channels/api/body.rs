//! Channels as the API returns them. Secrets are never included.

use domain::{
    Timestamp,
    channel::{
        AmqpEndpoint, Channel, ChannelEvent, CreatedChannel, Endpoint, GhostEndpoint, MailEndpoint,
        SmsEndpoint, WordPressEndpoint,
    },
};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// A channel.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChannelBody {
    /// Id of the channel.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// `webhook`, `mail`, `sms`, `amqp`, `wordpress` or `ghost`.
    transport: &'static str,
    /// Display name.
    name: String,
    /// URL of a webhook; null for other transports.
    url: Option<String>,
    /// SMTP server, sender and recipients; null unless `transport` is `mail`.
    mail: Option<MailBody>,
    /// Gateway and recipients of short messages; null unless `transport` is `sms`.
    sms: Option<SmsBody>,
    /// AMQP broker and exchange; null unless `transport` is `amqp`.
    amqp: Option<AmqpBody>,
    /// WordPress site; null unless `transport` is `wordpress`.
    wordpress: Option<WordPressBody>,
    /// Ghost site; null unless `transport` is `ghost`.
    ghost: Option<GhostBody>,
    /// Whether a secret is stored for the channel.
    has_secret: bool,
    /// Events that the channel sends; empty: only messages, notices and what rules send through it.
    events: Vec<&'static str>,
    /// Delays before each retry of a failed delivery.
    retry_schedule: String,
    /// `retry` or `hold`.
    on_unknown_outcome: &'static str,
    /// Maximum number of deliveries sent at the same time.
    concurrency: u16,
    /// Which channels send first: `high`, `normal` or `low`.
    priority: &'static str,
    /// Maximum number of attempts in `rate_per`; null: no limit.
    rate: Option<u16>,
    /// `second` or `minute`.
    rate_per: &'static str,
    /// `active`, `paused`, `off` (the receiver answered 410) or `deleting`.
    state: &'static str,
    /// Number of waiting deliveries that are still to be cancelled; null unless `state` is `deleting`.
    remaining: Option<u64>,
    /// Number of deliveries that waited when the deletion began; null unless `state` is `deleting`.
    total: Option<u64>,
    /// Until when messages are also signed with the previous secret.
    #[schema(value_type = Option<String>, format = DateTime)]
    previous_secret_valid_until: Option<Timestamp>,
    /// Number of failed attempts in a row.
    failures: u32,
    /// Until when the circuit breaker is open: nothing is sent before.
    #[schema(value_type = Option<String>, format = DateTime)]
    breaker_open_until: Option<Timestamp>,
    /// When a message was last delivered.
    #[schema(value_type = Option<String>, format = DateTime)]
    succeeded_at: Option<Timestamp>,
    /// When an attempt last failed.
    #[schema(value_type = Option<String>, format = DateTime)]
    failed_at: Option<Timestamp>,
    /// Number of deliveries that wait or are being sent; 10,001 means more than 10,000.
    waiting: u64,
    /// Number of deliveries that need attention: failed or unconfirmed, among the newest 10,000 of all channels.
    needs_attention: u64,
    /// Number of deliveries, without tests, that are not delivered and still wait.
    undelivered: u64,
    /// Number of those with at least one failed attempt.
    retried: u64,
    /// When the next of them is attempted, not before the circuit breaker closes; null: none waits, or the
    /// channel sends nothing.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_at: Option<Timestamp>,
    /// Status code of the last failed attempt.
    last_status: Option<u16>,
    /// Beginning of the response of the last failed attempt, or the error.
    last_response_body: Option<String>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// SMTP server, sender and recipients. The password is never returned. `host`, `port`, `security`,
/// `username` and `from` are null if the mail server of the desk sends.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailBody {
    /// Host name of the SMTP server.
    host: Option<String>,
    /// Port of the SMTP server.
    port: Option<u16>,
    /// `starttls`, `tls` or `none`.
    security: Option<&'static str>,
    /// User name for SMTP authentication; null: no authentication.
    username: Option<String>,
    /// Sender address.
    from: Option<String>,
    /// Recipients.
    to: Vec<String>,
    /// Language of the mails.
    language: &'static str,
}

/// HTTP gateway and recipients of short messages. The secret is never returned.
#[derive(Debug, Serialize, ToSchema)]
pub struct SmsBody {
    /// URL of the gateway.
    url: String,
    /// `json` or `form`.
    format: &'static str,
    /// Template of the request body.
    template: String,
    /// Name of the header that carries the secret; null: none.
    header: Option<String>,
    /// Recipients.
    to: Vec<String>,
    /// Language of the messages.
    language: &'static str,
}

/// AMQP broker and exchange. The password is never returned.
#[derive(Debug, Serialize, ToSchema)]
pub struct AmqpBody {
    /// URL of the broker.
    url: String,
    /// User name at the broker.
    username: String,
    /// Name of the exchange; empty: the default exchange.
    exchange: String,
    /// Routing key; `{kind}` stands for the event.
    routing_key: String,
    /// Headers of every message.
    headers: BTreeMap<String, String>,
    /// Whether the broker stores messages.
    persistent: bool,
    /// Whether a message fails that no queue takes.
    mandatory: bool,
    /// Whether a message counts as delivered only when the broker has confirmed it.
    confirm: bool,
}

/// A WordPress site. The application password is never returned.
#[derive(Debug, Serialize, ToSchema)]
pub struct WordPressBody {
    /// Address of the site.
    url: String,
    /// User that the posts belong to.
    username: String,
}

/// A Ghost site. The Admin API key is never returned.
#[derive(Debug, Serialize, ToSchema)]
pub struct GhostBody {
    /// Address of the site.
    url: String,
}

/// A channel with its signing secret.
#[derive(Serialize, ToSchema)]
pub struct CreatedChannelBody {
    /// The channel.
    #[serde(flatten)]
    channel: ChannelBody,
    /// Signing secret of a webhook (`whsec_…`), returned only once; null for other transports.
    secret: Option<String>,
}

/// All channels.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChannelPage {
    /// Ordered by name.
    items: Vec<ChannelBody>,
    /// Always null: there is one page.
    next_cursor: Option<String>,
}

impl ChannelPage {
    /// Returns the only page.
    pub fn whole(items: Vec<ChannelBody>) -> Self {
        Self { items, next_cursor: None }
    }
}

impl From<MailEndpoint> for MailBody {
    fn from(endpoint: MailEndpoint) -> Self {
        let is_own = !endpoint.uses_desk_server();
        let MailEndpoint { host, port, security, username, from, to, language } = endpoint;
        Self {
            host: is_own.then_some(host),
            port: is_own.then_some(port),
            security: is_own.then_some(security.as_str()),
            username,
            from: is_own.then_some(from),
            to,
            language: language.as_str(),
        }
    }
}

impl From<SmsEndpoint> for SmsBody {
    fn from(endpoint: SmsEndpoint) -> Self {
        let SmsEndpoint { url, format, template, header, to, language } = endpoint;
        Self { url, format: format.as_str(), template, header, to, language: language.as_str() }
    }
}

impl From<AmqpEndpoint> for AmqpBody {
    fn from(endpoint: AmqpEndpoint) -> Self {
        let AmqpEndpoint { url, username, exchange, key, headers, persistent, mandatory, confirm } = endpoint;
        Self { url, username, exchange, routing_key: key, headers, persistent, mandatory, confirm }
    }
}

impl From<WordPressEndpoint> for WordPressBody {
    fn from(endpoint: WordPressEndpoint) -> Self {
        let WordPressEndpoint { url, username } = endpoint;
        Self { url, username }
    }
}

impl From<GhostEndpoint> for GhostBody {
    fn from(endpoint: GhostEndpoint) -> Self {
        Self { url: endpoint.url }
    }
}

impl From<Channel> for ChannelBody {
    fn from(channel: Channel) -> Self {
        let (settings, health) = (channel.settings, channel.health);
        let transport = settings.endpoint.transport().as_str();
        let (mut url, mut mail, mut sms, mut amqp) = (None, None, None, None);
        let (mut wordpress, mut ghost) = (None, None);
        match settings.endpoint {
            Endpoint::Webhook(endpoint) => url = Some(endpoint.url),
            Endpoint::Mail(endpoint) => mail = Some(endpoint.into()),
            Endpoint::Sms(endpoint) => sms = Some(endpoint.into()),
            Endpoint::Amqp(endpoint) => amqp = Some(endpoint.into()),
            Endpoint::WordPress(endpoint) => wordpress = Some(endpoint.into()),
            Endpoint::Ghost(endpoint) => ghost = Some(endpoint.into()),
        }
        Self {
            id: channel.id.0,
            transport,
            name: settings.name,
            url,
            mail,
            sms,
            amqp,
            wordpress,
            ghost,
            has_secret: channel.has_secret,
            events: settings.events.into_iter().map(ChannelEvent::as_str).collect(),
            retry_schedule: settings.retry_schedule.to_string(),
            on_unknown_outcome: settings.on_unknown_outcome.as_str(),
            concurrency: settings.concurrency,
            priority: settings.priority.as_str(),
            rate: settings.rate,
            rate_per: settings.rate_per.as_str(),
            state: channel.state.as_str(),
            remaining: channel.deletion.map(|progress| progress.remaining),
            total: channel.deletion.map(|progress| progress.total),
            previous_secret_valid_until: channel.rotating_until,
            failures: health.failures,
            breaker_open_until: health.breaker_open_until,
            succeeded_at: health.succeeded_at,
            failed_at: health.failed_at,
            waiting: health.waiting,
            needs_attention: health.unresolved,
            undelivered: health.undelivered,
            retried: health.retried,
            next_at: health.next_at,
            last_status: health.last_status,
            last_response_body: health.last_response_body,
            created_at: channel.created_at,
        }
    }
}

impl From<CreatedChannel> for CreatedChannelBody {
    fn from(created: CreatedChannel) -> Self {
        Self { channel: created.channel.into(), secret: created.secret.map(|secret| secret.0) }
    }
}
