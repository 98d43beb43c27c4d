//! Endpoint of a channel: one type for each transport.

use super::{ChannelEvent, Transport};
use crate::{
    account::Language,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// Where a channel sends, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "transport", rename_all = "snake_case")]
pub enum Endpoint {
    /// A signed HTTP POST.
    Webhook(WebhookEndpoint),
    /// An e-mail over SMTP.
    Mail(MailEndpoint),
    /// A short message through an HTTP gateway.
    Sms(SmsEndpoint),
    /// A message to an exchange of an AMQP broker.
    Amqp(AmqpEndpoint),
    /// Articles on a WordPress site.
    #[serde(rename = "wordpress")]
    WordPress(WordPressEndpoint),
    /// Articles on a Ghost site.
    Ghost(GhostEndpoint),
}

/// A WordPress site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordPressEndpoint {
    /// Address of the site, an `https` URL.
    pub url: String,
    /// Name of the user that the posts belong to. An application password of that user is the channel's
    /// secret.
    pub username: String,
}

/// A Ghost site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GhostEndpoint {
    /// Address of the site, an `https` URL. An Admin API key of an integration there is the channel's secret.
    pub url: String,
}

/// Endpoint of a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookEndpoint {
    /// An `https` URL.
    pub url: String,
}

/// SMTP server, sender and recipients.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailEndpoint {
    /// Host name of the SMTP server; empty: the mail server of the desk sends, and the channel has no
    /// port, encryption, user name and sender of its own.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Encryption of the connection.
    pub security: MailSecurity,
    /// User name for SMTP authentication; `None`: no authentication. The password is the channel's
    /// secret.
    pub username: Option<String>,
    /// Sender address.
    pub from: String,
    /// Recipients. Each gets a mail of its own and does not see the others.
    pub to: Vec<String>,
    /// Language of the mails.
    pub language: Language,
}

/// HTTP gateway and recipients of short messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmsEndpoint {
    /// An `https` URL.
    pub url: String,
    /// Format of the request.
    pub format: SmsFormat,
    /// Body of the request, with placeholders: see [`SmsEndpoint::PLACEHOLDERS`].
    pub template: String,
    /// Name of the header that carries the channel's secret; `None`: no secret is sent.
    pub header: Option<String>,
    /// Recipients: `+` and digits.
    pub to: Vec<String>,
    /// Language of the messages.
    pub language: Language,
}

/// AMQP broker and exchange.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AmqpEndpoint {
    /// `amqps://HOST[:PORT][/VHOST]`; `amqp://` only inside a private network.
    pub url: String,
    /// User name. The password is the channel's secret.
    pub username: String,
    /// Name of the exchange; empty: the default exchange, which routes to the queue named by the
    /// routing key.
    pub exchange: String,
    /// Routing key, with a placeholder: see [`AmqpEndpoint::KIND`].
    pub key: String,
    /// Headers of every message. Those of the message itself replace them.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Whether the broker stores messages, so that they survive its restart.
    #[serde(default = "yes")]
    pub persistent: bool,
    /// Whether a message fails that no queue takes; otherwise the broker drops it.
    #[serde(default = "yes")]
    pub mandatory: bool,
    /// Whether a message counts as delivered only when the broker has confirmed it; otherwise, when the broker
    /// has received it.
    #[serde(default = "yes")]
    pub confirm: bool,
}

/// Value of a setting that endpoints stored by an earlier release do not have.
const fn yes() -> bool {
    true
}

string_enum! {
    /// Encryption of the connection to a mail server.
    MailSecurity {
        /// Starts unencrypted and is upgraded with STARTTLS before anything else is sent.
        StartTls = "starttls",
        /// TLS from the start.
        Tls = "tls",
        /// No encryption; allowed only inside a private network.
        Unencrypted = "none",
    }
}

string_enum! {
    /// Request format of an SMS gateway.
    SmsFormat {
        /// JSON.
        Json = "json",
        /// URL-encoded form fields.
        Form = "form",
    }
}

/// Who creates the secret of a channel, and to whom it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretOwner {
    /// Generated here and used to sign messages; it is never sent.
    Server,
    /// Entered by an admin and sent to this peer only.
    Peer(String),
    /// The channel has no secret.
    NoSecret,
}

impl Endpoint {
    /// Returns a webhook endpoint without an address.
    #[must_use]
    pub const fn empty_webhook() -> Self {
        Self::Webhook(WebhookEndpoint { url: String::new() })
    }

    /// Returns the initial endpoint for a transport.
    #[must_use]
    pub fn initial(transport: Transport) -> Self {
        match transport {
            Transport::Webhook => Self::empty_webhook(),
            Transport::Mail => Self::Mail(MailEndpoint::of_desk()),
            Transport::Sms => Self::Sms(SmsEndpoint {
                url: String::new(),
                format: SmsFormat::Json,
                template: r#"{"to": "{to}", "text": "{text}"}"#.to_owned(),
                header: None,
                to: Vec::new(),
                language: Language::En,
            }),
            Transport::Amqp => Self::Amqp(AmqpEndpoint::initial()),
            Transport::WordPress => {
                Self::WordPress(WordPressEndpoint { url: String::new(), username: String::new() })
            }
            Transport::Ghost => Self::Ghost(GhostEndpoint { url: String::new() }),
        }
    }

    /// Transport of this endpoint.
    #[must_use]
    pub const fn transport(&self) -> Transport {
        match self {
            Self::Webhook(_) => Transport::Webhook,
            Self::Mail(_) => Transport::Mail,
            Self::Sms(_) => Transport::Sms,
            Self::Amqp(_) => Transport::Amqp,
            Self::WordPress(_) => Transport::WordPress,
            Self::Ghost(_) => Transport::Ghost,
        }
    }

    /// Whether the mail server of the desk sends.
    #[must_use]
    pub const fn uses_desk_server(&self) -> bool {
        matches!(self, Self::Mail(route) if route.uses_desk_server())
    }

    /// Short form of the address, for lists.
    #[must_use]
    pub fn address(&self) -> String {
        match self {
            Self::Webhook(route) => route.url.clone(),
            Self::Sms(route) => route.url.clone(),
            Self::Amqp(route) => route.url.clone(),
            Self::WordPress(route) => route.url.clone(),
            Self::Ghost(route) => route.url.clone(),
            Self::Mail(route) => format!("{}:{}", route.host, route.port),
        }
    }

    /// Recipients; empty where the transport has none.
    #[must_use]
    pub fn recipients(&self) -> &[String] {
        match self {
            Self::Webhook(_) | Self::Amqp(_) | Self::WordPress(_) | Self::Ghost(_) => &[],
            Self::Mail(route) => &route.to,
            Self::Sms(route) => &route.to,
        }
    }

    /// Who creates the secret, and to whom it is sent. A secret entered for one peer is never sent
    /// to another.
    #[must_use]
    pub fn secret_owner(&self) -> SecretOwner {
        let peer = match self {
            Self::Webhook(_) => return SecretOwner::Server,
            Self::Mail(route) => route
                .username
                .as_ref()
                .map(|username| format!("{} {}:{} {username}", route.security, route.host, route.port)),
            Self::Sms(route) => route.header.as_ref().map(|header| format!("{} {header}", route.url)),
            Self::Amqp(route) => Some(format!("{} {}", route.url, route.username)),
            Self::WordPress(route) => Some(format!("{} {}", route.url, route.username)),
            Self::Ghost(route) => Some(route.url.clone()),
        };
        peer.map_or(SecretOwner::NoSecret, SecretOwner::Peer)
    }

    /// Path of the field for the secret in a request, e.g. `mail.password`.
    #[must_use]
    pub const fn secret_field(&self) -> &'static str {
        match self {
            Self::Mail(_) => "mail.password",
            Self::Amqp(_) => "amqp.password",
            Self::WordPress(_) => "wordpress.password",
            Self::Ghost(_) => "ghost.admin_key",
            Self::Sms(_) => "sms.secret",
            Self::Webhook(_) => "secret",
        }
    }
}

impl MailEndpoint {
    /// Returns an endpoint without recipients that uses the mail server of the desk.
    #[must_use]
    pub const fn of_desk() -> Self {
        Self {
            host: String::new(),
            port: 587,
            security: MailSecurity::StartTls,
            username: None,
            from: String::new(),
            to: Vec::new(),
            language: Language::En,
        }
    }

    /// Whether the mail server of the desk sends, because the channel has none of its own.
    #[must_use]
    pub const fn uses_desk_server(&self) -> bool {
        self.host.is_empty()
    }

    /// Returns the same recipients with server and sender of `desk`.
    #[must_use]
    pub fn sent_by(self, desk: Self) -> Self {
        Self { to: self.to, language: self.language, ..desk }
    }
}

impl SmsEndpoint {
    /// Placeholders of a template: the numbers separated by commas, the numbers as a JSON list
    /// (without quotes around it), the text, the id of the message (the same for every attempt),
    /// the event.
    pub const PLACEHOLDERS: [&'static str; 5] = ["{to}", "{numbers}", "{text}", "{id}", "{event}"];
}

impl AmqpEndpoint {
    /// Placeholder in a routing key for the event, e.g. `article.published`.
    pub const KIND: &'static str = "{kind}";

    /// Returns the settings of a new channel, without a broker.
    #[must_use]
    pub fn initial() -> Self {
        Self {
            url: String::new(),
            username: String::new(),
            exchange: "amq.topic".to_owned(),
            key: format!("presstime.{}", Self::KIND),
            headers: BTreeMap::new(),
            persistent: true,
            mandatory: true,
            confirm: true,
        }
    }

    /// Routing key of a message about this event.
    #[must_use]
    pub fn routing_key(&self, event: ChannelEvent) -> String {
        self.key.replace(Self::KIND, event.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_belongs_to_the_peer_it_was_given_for() {
        let Endpoint::Mail(mail) = Endpoint::initial(Transport::Mail) else {
            unreachable!("a mail is a mail")
        };
        let owner = |route: &MailEndpoint| Endpoint::Mail(route.clone()).secret_owner();
        assert_eq!(owner(&mail), SecretOwner::NoSecret);
        let anna =
            MailEndpoint { username: Some("anna".to_owned()), host: "mail.example.org".to_owned(), ..mail };
        let more = MailEndpoint { to: vec!["b@example.org".to_owned()], ..anna.clone() };
        assert_eq!(owner(&anna), owner(&more));
        for other in [
            MailEndpoint { host: "mail.example.com".to_owned(), ..anna.clone() },
            MailEndpoint { security: MailSecurity::Unencrypted, ..anna.clone() },
            MailEndpoint { port: 25, ..anna.clone() },
        ] {
            assert_ne!(owner(&anna), owner(&other));
        }
        assert_eq!(Endpoint::empty_webhook().secret_owner(), SecretOwner::Server);
    }

    #[test]
    fn recipients_stay_with_the_server_of_the_desk() {
        let to = vec!["anna@example.org".to_owned()];
        let own = MailEndpoint { to: to.clone(), language: Language::Zh, ..MailEndpoint::of_desk() };
        assert!(own.uses_desk_server());
        let desk = MailEndpoint {
            host: "mail.example.org".to_owned(),
            from: "desk@example.org".to_owned(),
            ..MailEndpoint::of_desk()
        };
        let sent = own.sent_by(desk.clone());
        assert_eq!(sent, MailEndpoint { to, language: Language::Zh, ..desk });
    }

    #[test]
    fn a_routing_key_contains_the_event() {
        let Endpoint::Amqp(route) = Endpoint::initial(Transport::Amqp) else { unreachable!("AMQP is AMQP") };
        assert_eq!(route.routing_key(ChannelEvent::ArticlePublished), "presstime.article.published");
        let plain = AmqpEndpoint { key: "news".to_owned(), ..route };
        assert_eq!(plain.routing_key(ChannelEvent::Test), "news");
    }

    #[test]
    fn an_endpoint_of_an_earlier_release_is_confirmed_and_persistent() {
        let text =
            r#"{"transport":"amqp","url":"","username":"","exchange":"amq.topic","key":"presstime.{kind}"}"#;
        assert_eq!(serde_json::from_str::<Endpoint>(text).unwrap(), Endpoint::initial(Transport::Amqp));
    }

    #[test]
    fn an_endpoint_keeps_its_json_in_sql() {
        for transport in Transport::ALL {
            let route = Endpoint::initial(*transport);
            let text = serde_json::to_string(&route).unwrap();
            assert!(text.contains(&format!(r#""transport":"{transport}""#)), "{text}");
            assert_eq!(serde_json::from_str::<Endpoint>(&text).unwrap(), route);
        }
    }
}
