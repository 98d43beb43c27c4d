//! Channel settings in requests.

use crate::http::api::{extract::word, numbers::optional_integer};
use domain::{
    DomainError, Priority,
    account::Language,
    channel::{
        AmqpEndpoint, ChannelEvent, ChannelSettings as DomainSettings, Endpoint, GhostEndpoint, MailEndpoint,
        MailSecurity, OnUnknownOutcome, RatePeriod, Secret, SmsEndpoint, SmsFormat, Transport,
        WebhookEndpoint, WordPressEndpoint,
    },
    error::ValidationError,
    retry_schedule::RetrySchedule,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Settings of a new channel, or a change of them. Absent fields keep their value; in a new channel
/// they get the default.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelSettings {
    /// `webhook` (default), `mail`, `sms`, `amqp`, `wordpress` or `ghost`; cannot be changed later.
    pub transport: Option<String>,
    /// Display name.
    name: Option<String>,
    /// URL of a webhook: `https://example.org/hook`.
    url: Option<String>,
    /// Only for the transport `mail`.
    mail: Option<MailSettings>,
    /// Only for the transport `sms`.
    sms: Option<SmsSettings>,
    /// Only for the transport `amqp`.
    amqp: Option<AmqpSettings>,
    /// Only for the transport `wordpress`.
    wordpress: Option<WordPressSettings>,
    /// Only for the transport `ghost`.
    ghost: Option<GhostSettings>,
    /// Events to send: `article.published`, `article.updated`, `article.unpublished` (default: these
    /// three), `meeting.requested`, `meeting.confirmed`, `meeting.changed`, `meeting.started`,
    /// `meeting.ended`, `meeting.cancelled`, `article.submitted`, `article.approved`, `article.sent_back`,
    /// `article.held`, `article.released`, `approval.expired`, `task.failed`, `task.missed`. Empty: only
    /// messages, notices and what rules send through it. Always empty for `wordpress`
    /// and `ghost`: articles are chosen for them.
    events: Option<Vec<String>>,
    /// Delays before each retry of a failed delivery; default `5s, 5m, 30m, 2h, 5h, 10h, 10h`.
    retry_schedule: Option<String>,
    /// What to do when it is unknown whether a message arrived: `retry` (default of `webhook`,
    /// `amqp`, `wordpress` and `ghost`) sends it again with the same id; `hold` (default of `mail` and `sms`) leaves the
    /// decision to an admin.
    on_unknown_outcome: Option<String>,
    /// Maximum number of deliveries sent at the same time, 1 to 20; default 4. For AMQP each stands for 50
    /// messages that wait for their confirms. Always 1 for `wordpress` and `ghost`.
    #[serde(default, deserialize_with = "optional_integer")]
    concurrency: Option<u16>,
    /// Which channels send first when many deliveries are due: `high`, `normal` (default) or `low`.
    priority: Option<String>,
    /// Maximum number of attempts in `rate_per`, 1 to 1,000, evenly spaced; 0: no limit, the default.
    #[serde(default, deserialize_with = "optional_integer")]
    rate: Option<i64>,
    /// Period of the rate: `second` (default) or `minute`.
    rate_per: Option<String>,
}

/// Recipients; and SMTP server and sender, unless the mail server of the desk sends.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MailSettings {
    /// Host name of the SMTP server. Absent in a new channel, or empty: the mail server of the desk sends, and
    /// `port`, `security`, `username`, `password` and `from` must be absent.
    host: Option<String>,
    /// Port of the SMTP server: 25, 465, 587 (default) or one from 1024 up.
    #[serde(default, deserialize_with = "optional_integer")]
    port: Option<u16>,
    /// `starttls` (default), `tls` or `none`. `none` is allowed only in a private network that the
    /// operator permits.
    security: Option<String>,
    /// User name for SMTP authentication; empty: no authentication.
    username: Option<String>,
    /// Password; stored encrypted, never returned. Must be sent again when `host`, `port`,
    /// `security` or `username` changes.
    #[schema(write_only)]
    password: Option<String>,
    /// Sender address.
    from: Option<String>,
    /// Recipients, 1 to 50.
    to: Option<Vec<String>>,
    /// Language of the mails: `en` (default), `zh` or `de`.
    language: Option<String>,
}

/// HTTP gateway and recipients of short messages.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SmsSettings {
    /// URL of the gateway: `https://sms.example.org/send`.
    url: Option<String>,
    /// Format of the request body: `json` (default) or `form`.
    format: Option<String>,
    /// Template of the request body, with `{to}`, `{numbers}`, `{text}`, `{id}`, `{event}`; at most
    /// 4,000 bytes.
    template: Option<String>,
    /// Name of the header that carries the secret; empty: none.
    header: Option<String>,
    /// Value of that header; stored encrypted, never returned. Must be sent again when `url` or
    /// `header` changes.
    #[schema(write_only)]
    secret: Option<String>,
    /// Recipients, 1 to 50 phone numbers like `+49301234567`.
    to: Option<Vec<String>>,
    /// Language of the messages: `en` (default), `zh` or `de`.
    language: Option<String>,
}

/// AMQP broker and exchange.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AmqpSettings {
    /// URL of the broker: `amqps://mq.example.org/desk`; the path is the virtual host. `amqp://` is
    /// allowed only in a private network that the operator permits.
    url: Option<String>,
    /// User name at the broker.
    username: Option<String>,
    /// Password; stored encrypted, never returned. Must be sent again when `url` or `username`
    /// changes.
    #[schema(write_only)]
    password: Option<String>,
    /// Name of the exchange, default `amq.topic`; empty: the default exchange, where the routing
    /// key names a queue.
    exchange: Option<String>,
    /// Routing key, at most 255 bytes, default `presstime.{kind}`; `{kind}` is replaced by the
    /// event.
    routing_key: Option<String>,
    /// Headers of every message, at most 20; those of a message itself replace them. Replaces all headers of
    /// the channel.
    headers: Option<BTreeMap<String, String>>,
    /// Whether the broker stores messages, so that they survive its restart; default true.
    persistent: Option<bool>,
    /// Whether a message fails that no queue takes (default true); otherwise the broker drops it and it counts
    /// as delivered.
    mandatory: Option<bool>,
    /// Whether a message counts as delivered only when the broker has confirmed it (default true); otherwise
    /// when the broker has received it, which may lose it before it is stored.
    confirm: Option<bool>,
}

/// A WordPress site and its user.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WordPressSettings {
    /// Address of the site: `https://blog.example.org`.
    url: Option<String>,
    /// User that the posts belong to. It must be allowed to publish posts, and to change published ones.
    username: Option<String>,
    /// Application password of that user; stored encrypted, never returned. Must be sent again when `url` or
    /// `username` changes.
    #[schema(write_only)]
    password: Option<String>,
}

/// A Ghost site and its key.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GhostSettings {
    /// Address of the site: `https://blog.example.org`.
    url: Option<String>,
    /// Admin API key of a custom integration there; stored encrypted, never returned. Must be sent again when `url`
    /// changes.
    #[schema(write_only)]
    admin_key: Option<String>,
}

impl ChannelSettings {
    /// Whether the request contains settings of another transport than this one.
    pub const fn has_other_transport(&self, transport: Transport) -> bool {
        (self.url.is_some() && !matches!(transport, Transport::Webhook))
            || (self.mail.is_some() && !matches!(transport, Transport::Mail))
            || (self.sms.is_some() && !matches!(transport, Transport::Sms))
            || (self.amqp.is_some() && !matches!(transport, Transport::Amqp))
            || (self.wordpress.is_some() && !matches!(transport, Transport::WordPress))
            || (self.ghost.is_some() && !matches!(transport, Transport::Ghost))
    }

    /// Applies the request to `current`. Returns the new settings, and the secret if one was sent.
    pub fn apply_to(self, current: DomainSettings) -> Result<(DomainSettings, Option<Secret>), DomainError> {
        let names = ChannelEvent::CHOICES.map(ChannelEvent::as_str);
        let events = self.events.map(|events| {
            events.iter().map(|event| word("events", event, &names)).collect::<Result<Vec<_>, _>>()
        });
        let sites = (self.wordpress, self.ghost);
        let (endpoint, secret) =
            apply_to_endpoint(current.endpoint, self.url, (self.mail, self.sms, self.amqp), sites)?;
        let edit = DomainSettings {
            name: self.name.unwrap_or(current.name),
            endpoint,
            events: events.transpose()?.unwrap_or(current.events),
            retry_schedule: self
                .retry_schedule
                .map(|text| retry_schedule(&text))
                .transpose()?
                .unwrap_or(current.retry_schedule),
            on_unknown_outcome: one_of(
                "on_unknown_outcome",
                self.on_unknown_outcome,
                OnUnknownOutcome::NAMES,
                current.on_unknown_outcome,
            )?,
            concurrency: self.concurrency.unwrap_or(current.concurrency),
            priority: one_of("priority", self.priority, Priority::NAMES, current.priority)?,
            rate: self.rate.map_or(current.rate, rate),
            rate_per: one_of("rate_per", self.rate_per, RatePeriod::NAMES, current.rate_per)?,
        };
        Ok((edit, secret))
    }
}

fn apply_to_endpoint(
    current: Endpoint,
    url: Option<String>,
    (mail, sms, amqp): (Option<MailSettings>, Option<SmsSettings>, Option<AmqpSettings>),
    (wordpress, ghost): (Option<WordPressSettings>, Option<GhostSettings>),
) -> Result<(Endpoint, Option<Secret>), DomainError> {
    let transport = current.transport();
    let refuse_if = |field: &str, is_given: bool| {
        let why = format!("is not for a channel with the transport {transport}");
        if is_given { Err(DomainError::invalid(field, ValidationError::Unreadable { why })) } else { Ok(()) }
    };
    refuse_if("url", url.is_some() && !matches!(current, Endpoint::Webhook(_)))?;
    refuse_if("mail", mail.is_some() && !matches!(current, Endpoint::Mail(_)))?;
    refuse_if("sms", sms.is_some() && !matches!(current, Endpoint::Sms(_)))?;
    refuse_if("amqp", amqp.is_some() && !matches!(current, Endpoint::Amqp(_)))?;
    refuse_if("wordpress", wordpress.is_some() && !matches!(current, Endpoint::WordPress(_)))?;
    refuse_if("ghost", ghost.is_some() && !matches!(current, Endpoint::Ghost(_)))?;
    match current {
        Endpoint::Webhook(current) => {
            Ok((Endpoint::Webhook(WebhookEndpoint { url: url.unwrap_or(current.url) }), None))
        }
        Endpoint::Mail(current) => {
            mail.map_or(Ok((Endpoint::Mail(current.clone()), None)), |mail| mail.apply_to(current))
        }
        Endpoint::Sms(current) => {
            sms.map_or(Ok((Endpoint::Sms(current.clone()), None)), |sms| sms.apply_to(current))
        }
        Endpoint::Amqp(current) => Ok(match amqp {
            Some(amqp) => amqp.apply_to(current),
            None => (Endpoint::Amqp(current), None),
        }),
        Endpoint::WordPress(current) => Ok(match wordpress {
            Some(wordpress) => wordpress.apply_to(current),
            None => (Endpoint::WordPress(current), None),
        }),
        Endpoint::Ghost(current) => Ok(match ghost {
            Some(ghost) => ghost.apply_to(current),
            None => (Endpoint::Ghost(current), None),
        }),
    }
}

impl MailSettings {
    fn apply_to(self, current: MailEndpoint) -> Result<(Endpoint, Option<Secret>), DomainError> {
        let current = match &self.host {
            // Of a server that is given up nothing stays.
            Some(host) if host.trim().is_empty() => {
                MailEndpoint { to: current.to, language: current.language, ..MailEndpoint::of_desk() }
            }
            _ => current,
        };
        let endpoint = MailEndpoint {
            host: self.host.unwrap_or(current.host),
            port: self.port.unwrap_or(current.port),
            security: one_of("mail.security", self.security, MailSecurity::NAMES, current.security)?,
            username: self
                .username
                .map_or(current.username, |name| Some(name).filter(|name| !name.is_empty())),
            from: self.from.unwrap_or(current.from),
            to: self.to.unwrap_or(current.to),
            language: one_of("mail.language", self.language, Language::NAMES, current.language)?,
        };
        Ok((Endpoint::Mail(endpoint), self.password.map(Secret)))
    }
}

impl SmsSettings {
    fn apply_to(self, current: SmsEndpoint) -> Result<(Endpoint, Option<Secret>), DomainError> {
        let endpoint = SmsEndpoint {
            url: self.url.unwrap_or(current.url),
            format: one_of("sms.format", self.format, SmsFormat::NAMES, current.format)?,
            template: self.template.unwrap_or(current.template),
            header: self.header.map_or(current.header, |name| Some(name).filter(|name| !name.is_empty())),
            to: self.to.unwrap_or(current.to),
            language: one_of("sms.language", self.language, Language::NAMES, current.language)?,
        };
        Ok((Endpoint::Sms(endpoint), self.secret.map(Secret)))
    }
}

impl AmqpSettings {
    fn apply_to(self, current: AmqpEndpoint) -> (Endpoint, Option<Secret>) {
        let endpoint = AmqpEndpoint {
            url: self.url.unwrap_or(current.url),
            username: self.username.unwrap_or(current.username),
            exchange: self.exchange.unwrap_or(current.exchange),
            key: self.routing_key.unwrap_or(current.key),
            headers: self.headers.unwrap_or(current.headers),
            persistent: self.persistent.unwrap_or(current.persistent),
            mandatory: self.mandatory.unwrap_or(current.mandatory),
            confirm: self.confirm.unwrap_or(current.confirm),
        };
        (Endpoint::Amqp(endpoint), self.password.map(Secret))
    }
}

impl WordPressSettings {
    fn apply_to(self, current: WordPressEndpoint) -> (Endpoint, Option<Secret>) {
        let endpoint = WordPressEndpoint {
            url: self.url.unwrap_or(current.url),
            username: self.username.unwrap_or(current.username),
        };
        (Endpoint::WordPress(endpoint), self.password.map(Secret))
    }
}

impl GhostSettings {
    fn apply_to(self, current: GhostEndpoint) -> (Endpoint, Option<Secret>) {
        let endpoint = GhostEndpoint { url: self.url.unwrap_or(current.url) };
        (Endpoint::Ghost(endpoint), self.admin_key.map(Secret))
    }
}

fn one_of<T: std::str::FromStr>(
    field: &str,
    text: Option<String>,
    words: &[&str],
    current: T,
) -> Result<T, DomainError> {
    text.map_or(Ok(current), |text| word(field, &text, words))
}

fn retry_schedule(text: &str) -> Result<RetrySchedule, DomainError> {
    text.parse().map_err(|_| DomainError::invalid("retry_schedule", ValidationError::InvalidRetrySchedule))
}

/// 0 means no limit. A number that is no rate is refused with the other fields.
fn rate(rate: i64) -> Option<u16> {
    (rate != 0).then(|| u16::try_from(rate).unwrap_or(u16::MAX))
}
