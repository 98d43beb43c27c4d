//! Channels as programs read them. Secrets are not in them.

use domain::{
    Timestamp,
    channel::{AmqpRoute, Channel, FreshChannel, Happening, MailRoute, Route, SmsRoute},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A channel.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChannelBody {
    /// Identity.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// `webhook`, `mail`, `sms` or `amqp`.
    way: &'static str,
    /// What it is called.
    name: String,
    /// Where a webhook leads.
    address: Option<String>,
    /// Through which server mails go, and to whom.
    mail: Option<MailBody>,
    /// Through which gateway short messages go, and to whom.
    sms: Option<SmsBody>,
    /// To which exchange of which broker messages go.
    amqp: Option<AmqpBody>,
    /// Whether a secret is kept for it.
    has_secret: bool,
    /// What it is told.
    events: Vec<&'static str>,
    /// After which waits a failed message is sent again.
    ladder: String,
    /// `retry` or `hold`.
    on_ambiguous: &'static str,
    /// At most so many messages on their way at once.
    concurrency: u16,
    /// `active`, `paused` or `off` (the other side answered 410).
    state: &'static str,
    /// Until when messages are signed with the former secret too.
    #[schema(value_type = Option<String>, format = DateTime)]
    rotating_until: Option<Timestamp>,
    /// Attempts that failed in a row.
    failures: u32,
    /// Nothing is sent before this moment.
    #[schema(value_type = Option<String>, format = DateTime)]
    rests_until: Option<Timestamp>,
    /// When a message last arrived.
    #[schema(value_type = Option<String>, format = DateTime)]
    succeeded_at: Option<Timestamp>,
    /// When an attempt last failed.
    #[schema(value_type = Option<String>, format = DateTime)]
    failed_at: Option<Timestamp>,
    /// How many messages wait or are on their way.
    waiting: u64,
    /// How many need a person.
    needing: u64,
    /// How many messages, tests aside, are not delivered and still wait.
    undelivered: u64,
    /// How many of those were tried, and failed.
    retried: u64,
    /// When the next one may be tried.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_at: Option<Timestamp>,
    /// Status of the last answer that was no.
    last_status: Option<u16>,
    /// Beginning of the last answer that was no, or what went wrong.
    last_answer: Option<String>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// Through which server mails go, and to whom. The password is never shown.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailBody {
    /// Name of the SMTP server.
    server: String,
    /// Its port.
    port: u16,
    /// `starttls`, `tls` or `none`.
    security: &'static str,
    /// Whom to log in as; null: no log-in.
    user: Option<String>,
    /// Whom the mails are from.
    from: String,
    /// Who gets them.
    to: Vec<String>,
    /// Language of the mails.
    language: &'static str,
}

/// Through which gateway short messages go, and to whom. The secret is never shown.
#[derive(Debug, Serialize, ToSchema)]
pub struct SmsBody {
    /// Where the gateway is.
    address: String,
    /// `json` or `form`.
    format: &'static str,
    /// The text of the request.
    template: String,
    /// Name of the header that carries the secret; null: none.
    header: Option<String>,
    /// Who gets them.
    to: Vec<String>,
    /// Language of the messages.
    language: &'static str,
}

/// To which exchange of which broker messages go. The password is never shown.
#[derive(Debug, Serialize, ToSchema)]
pub struct AmqpBody {
    /// Where the broker is.
    address: String,
    /// Whom to log in as.
    user: String,
    /// Name of the exchange; empty: the default one.
    exchange: String,
    /// The routing key, with `{kind}`.
    key: String,
}

/// A channel with its secret.
#[derive(Serialize, ToSchema)]
pub struct FreshChannelBody {
    /// The channel.
    #[serde(flatten)]
    channel: ChannelBody,
    /// `whsec_…` of a webhook, shown only now; null for the other ways.
    secret: Option<String>,
}

/// All channels.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChannelPage {
    /// By name.
    items: Vec<ChannelBody>,
    /// Always null: this is the only page.
    next_cursor: Option<String>,
}

impl ChannelPage {
    /// The only page.
    pub fn whole(items: Vec<ChannelBody>) -> Self {
        Self { items, next_cursor: None }
    }
}

impl From<MailRoute> for MailBody {
    fn from(route: MailRoute) -> Self {
        let MailRoute { server, port, security, user, from, to, language } = route;
        Self { server, port, security: security.as_str(), user, from, to, language: language.as_str() }
    }
}

impl From<SmsRoute> for SmsBody {
    fn from(route: SmsRoute) -> Self {
        let SmsRoute { address, format, template, header, to, language } = route;
        Self { address, format: format.as_str(), template, header, to, language: language.as_str() }
    }
}

impl From<AmqpRoute> for AmqpBody {
    fn from(route: AmqpRoute) -> Self {
        let AmqpRoute { address, user, exchange, key } = route;
        Self { address, user, exchange, key }
    }
}

impl From<Channel> for ChannelBody {
    fn from(channel: Channel) -> Self {
        let (settings, health) = (channel.settings, channel.health);
        let way = settings.route.way().as_str();
        let (mut address, mut mail, mut sms, mut amqp) = (None, None, None, None);
        match settings.route {
            Route::Webhook(route) => address = Some(route.address),
            Route::Mail(route) => mail = Some(route.into()),
            Route::Sms(route) => sms = Some(route.into()),
            Route::Amqp(route) => amqp = Some(route.into()),
        }
        Self {
            id: channel.id.0,
            way,
            name: settings.name,
            address,
            mail,
            sms,
            amqp,
            has_secret: channel.has_secret,
            events: settings.events.into_iter().map(Happening::as_str).collect(),
            ladder: settings.ladder.to_string(),
            on_ambiguous: settings.on_ambiguous.as_str(),
            concurrency: settings.concurrency,
            state: channel.state.as_str(),
            rotating_until: channel.rotating_until,
            failures: health.failures,
            rests_until: health.rests_until,
            succeeded_at: health.succeeded_at,
            failed_at: health.failed_at,
            waiting: health.waiting,
            needing: health.needing,
            undelivered: health.undelivered,
            retried: health.retried,
            next_at: health.next_at,
            last_status: health.last_status,
            last_answer: health.last_answer,
            created_at: channel.created_at,
        }
    }
}

impl From<FreshChannel> for FreshChannelBody {
    fn from(fresh: FreshChannel) -> Self {
        Self { channel: fresh.channel.into(), secret: fresh.secret.map(|secret| secret.0) }
    }
}
