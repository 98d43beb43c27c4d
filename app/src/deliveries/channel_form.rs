//! A channel as submitted by its form.

#[cfg(feature = "ssr")]
use super::mail_fields::OF_DESK;
#[cfg(feature = "ssr")]
use crate::server_fns::header_lines::headers_of;
#[cfg(feature = "ssr")]
use domain::{
    DomainError,
    channel::{
        AmqpEndpoint, ChannelSettings, Endpoint, GhostEndpoint, MailEndpoint, Secret, SmsEndpoint,
        WebhookEndpoint, WordPressEndpoint,
    },
    error::ValidationError,
};
use domain::{
    Priority,
    account::Language,
    channel::{ChannelEvent, MailSecurity, OnUnknownOutcome, RatePeriod, SmsFormat, Transport},
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A channel as submitted by its form. Fields of other transports are absent.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelForm {
    /// Transport.
    pub transport: Transport,
    /// Label.
    pub name: String,
    /// Events it is notified of.
    #[serde(default)]
    pub events: Vec<ChannelEvent>,
    /// Delays between the attempts.
    pub retry_schedule: String,
    /// What to do if the outcome of an attempt is unknown.
    pub on_unknown_outcome: OnUnknownOutcome,
    /// Maximum number of concurrent deliveries.
    pub concurrency: u16,
    /// Which channels send first; `None`: normal.
    pub priority: Option<Priority>,
    /// Maximum number of attempts in a period; empty: no limit.
    #[serde(default)]
    pub rate: String,
    /// That period; `None`: a second.
    pub rate_per: Option<RatePeriod>,
    /// URL of a webhook, gateway, broker or site.
    #[serde(default)]
    pub url: String,
    /// Whose mail server sends: `desk` or `own`; empty: its own if a host is given.
    #[serde(default)]
    pub server: String,
    /// Host name of a mail server.
    #[serde(default)]
    pub host: String,
    /// Port of the mail server.
    #[serde(default)]
    pub port: String,
    /// Encryption of the connection to the mail server.
    pub security: Option<MailSecurity>,
    /// User name.
    #[serde(default)]
    pub username: String,
    /// Password; empty: unchanged.
    #[serde(default)]
    pub password: String,
    /// Admin API key of a Ghost site; empty: unchanged.
    #[serde(default)]
    pub admin_key: String,
    /// Sender of mails.
    #[serde(default)]
    pub from: String,
    /// Recipients, one per line.
    #[serde(default)]
    pub to: String,
    /// Request format of a gateway.
    pub format: Option<SmsFormat>,
    /// Template of the request body.
    #[serde(default)]
    pub template: String,
    /// Name of the header that carries the secret.
    #[serde(default)]
    pub header: String,
    /// Value of that header; empty: unchanged.
    #[serde(default)]
    pub secret: String,
    /// Exchange of a broker.
    #[serde(default)]
    pub exchange: String,
    /// Routing key of the messages.
    #[serde(default)]
    pub routing_key: String,
    /// Headers of the messages, as lines like `Name: value`.
    #[serde(default)]
    pub headers: String,
    /// Whether the broker stores messages; `None`: it does.
    pub persistent: Option<bool>,
    /// Whether a message fails that no queue takes; `None`: it does.
    pub mandatory: Option<bool>,
    /// Whether the broker confirms messages; `None`: it does.
    pub confirm: Option<bool>,
    /// Language of the messages.
    pub language: Option<Language>,
}

impl fmt::Debug for ChannelForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChannelForm")
            .field("transport", &self.transport)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "ssr")]
impl ChannelForm {
    /// Whether the mail server of the desk sends.
    fn is_of_desk(&self) -> bool {
        match self.server.as_str() {
            "" => self.host.trim().is_empty(),
            server => server == OF_DESK,
        }
    }

    /// Returns the settings of a broker. `reader`: language of the problems.
    fn broker(&self, reader: Language) -> Result<AmqpEndpoint, DomainError> {
        Ok(AmqpEndpoint {
            url: self.url.clone(),
            username: self.username.clone(),
            exchange: self.exchange.clone(),
            key: self.routing_key.clone(),
            headers: headers_of("amqp.headers", reader, &self.headers)?,
            persistent: self.persistent.unwrap_or(true),
            mandatory: self.mandatory.unwrap_or(true),
            confirm: self.confirm.unwrap_or(true),
        })
    }

    /// Returns the settings, and the secret if one was entered. `reader`: language of the problems.
    pub fn read(self, reader: Language) -> Result<(ChannelSettings, Option<Secret>), DomainError> {
        let retry_schedule = self
            .retry_schedule
            .parse()
            .map_err(|_| DomainError::invalid("retry_schedule", ValidationError::InvalidRetrySchedule))?;
        let to = self.to.split(['\n', '\r', ',', ';', '，', '；']).map(str::trim);
        let to = to.filter(|one| !one.is_empty()).map(str::to_owned).collect();
        let language = self.language.unwrap_or(Language::En);
        let (endpoint, secret) = match self.transport {
            Transport::Webhook => (Endpoint::Webhook(WebhookEndpoint { url: self.url }), None),
            Transport::Mail if self.is_of_desk() => {
                (Endpoint::Mail(MailEndpoint { to, language, ..MailEndpoint::of_desk() }), None)
            }
            Transport::Mail => {
                let ports = || ValidationError::NotOneOf { words: "25, 465, 587, 1024–65535".to_owned() };
                let host = non_empty(self.host)
                    .ok_or_else(|| DomainError::invalid("mail.host", ValidationError::Empty))?;
                let port =
                    self.port.trim().parse().map_err(|_| DomainError::invalid("mail.port", ports()))?;
                let security = self.security.unwrap_or(MailSecurity::StartTls);
                let (username, from) = (non_empty(self.username), self.from);
                let endpoint = MailEndpoint { host, port, security, username, from, to, language };
                (Endpoint::Mail(endpoint), non_empty(self.password))
            }
            Transport::Sms => {
                let format = self.format.unwrap_or(SmsFormat::Json);
                let (url, template, header) = (self.url, self.template, non_empty(self.header));
                let endpoint = SmsEndpoint { url, format, template, header, to, language };
                (Endpoint::Sms(endpoint), non_empty(self.secret))
            }
            Transport::Amqp => (Endpoint::Amqp(self.broker(reader)?), non_empty(self.password)),
            Transport::WordPress => {
                let endpoint = WordPressEndpoint { url: self.url, username: self.username };
                (Endpoint::WordPress(endpoint), non_empty(self.password))
            }
            Transport::Ghost => (Endpoint::Ghost(GhostEndpoint { url: self.url }), non_empty(self.admin_key)),
        };
        let (name, events) = (self.name, self.events);
        let (on_unknown_outcome, concurrency) = (self.on_unknown_outcome, self.concurrency);
        let not_a_number = |_| DomainError::invalid("rate", ValidationError::NotANumber);
        let rate = non_empty(self.rate).map(|rate| rate.trim().parse().map_err(not_a_number)).transpose()?;
        let edit = ChannelSettings {
            name,
            endpoint,
            events,
            retry_schedule,
            on_unknown_outcome,
            concurrency,
            priority: self.priority.unwrap_or(Priority::Normal),
            rate,
            rate_per: self.rate_per.unwrap_or(RatePeriod::Second),
        };
        Ok((edit, secret.map(Secret)))
    }
}

#[cfg(feature = "ssr")]
fn non_empty(text: String) -> Option<String> {
    Some(text).filter(|text| !text.trim().is_empty())
}
