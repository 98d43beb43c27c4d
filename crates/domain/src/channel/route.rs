//! Where a channel leads: each way with what it needs, and with nothing of what another one needs.

use super::{Happening, Way};
use crate::{
    person::Language,
    state::{UnknownWord, words},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Where a channel leads, with all that is not secret about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "way", rename_all = "snake_case")]
pub enum Route {
    /// A signed HTTP POST.
    Webhook(WebhookRoute),
    /// A mail over SMTP.
    Mail(MailRoute),
    /// A short message through an HTTP gateway.
    Sms(SmsRoute),
    /// A message to an exchange of an AMQP broker.
    Amqp(AmqpRoute),
}

/// Where a webhook leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookRoute {
    /// An `https` address.
    pub address: String,
}

/// Through which server mails go, and to whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailRoute {
    /// Name of the SMTP server.
    pub server: String,
    /// Its port.
    pub port: u16,
    /// How the connection is encrypted.
    pub security: Security,
    /// Whom to log in as; `None`: without a log-in. The password is the channel's secret.
    pub user: Option<String>,
    /// Whom the mails are from.
    pub from: String,
    /// Who gets them, each without seeing the others.
    pub to: Vec<String>,
    /// In which language they are written.
    pub language: Language,
}

/// Through which gateway short messages go, and to whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmsRoute {
    /// An `https` address.
    pub address: String,
    /// What the gateway reads.
    pub format: SmsFormat,
    /// The text of the request, with placeholders: see [`SmsRoute::PLACEHOLDERS`].
    pub template: String,
    /// Name of the header that carries the channel's secret; `None`: no secret is sent.
    pub header: Option<String>,
    /// Who gets them: `+` and digits.
    pub to: Vec<String>,
    /// In which language they are written.
    pub language: Language,
}

/// To which exchange of which broker messages go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AmqpRoute {
    /// `amqps://HOST[:PORT][/VHOST]`; `amqp://` only inside a private network.
    pub address: String,
    /// Whom to log in as. The password is the channel's secret.
    pub user: String,
    /// Name of the exchange; empty: the one that leads to the queue named by the key.
    pub exchange: String,
    /// The routing key, with a placeholder: see [`AmqpRoute::KIND`].
    pub key: String,
}

words! {
    /// How the connection to a mail server is encrypted.
    Security {
        /// It begins in the open and is encrypted before anything is said.
        StartTls = "starttls",
        /// It is encrypted from the beginning.
        Tls = "tls",
        /// Not at all: only inside a private network.
        Open = "none",
    }
}

words! {
    /// What a gateway for short messages reads.
    SmsFormat {
        /// JSON.
        Json = "json",
        /// Fields as a form sends them.
        Form = "form",
    }
}

/// Who makes the secret of a channel, and who is told it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    /// It is made here and signs; it never travels.
    Signer,
    /// An admin gives it; it is told to this peer alone.
    Peer(String),
    /// There is none.
    Nobody,
}

impl Route {
    /// A webhook that leads nowhere yet.
    #[must_use]
    pub const fn nowhere() -> Self {
        Self::Webhook(WebhookRoute { address: String::new() })
    }

    /// What an admin begins with who wants this way.
    #[must_use]
    pub fn usual(way: Way) -> Self {
        match way {
            Way::Webhook => Self::nowhere(),
            Way::Mail => Self::Mail(MailRoute {
                server: String::new(),
                port: 587,
                security: Security::StartTls,
                user: None,
                from: String::new(),
                to: Vec::new(),
                language: Language::En,
            }),
            Way::Sms => Self::Sms(SmsRoute {
                address: String::new(),
                format: SmsFormat::Json,
                template: r#"{"to": "{to}", "text": "{text}"}"#.to_owned(),
                header: None,
                to: Vec::new(),
                language: Language::En,
            }),
            Way::Amqp => Self::Amqp(AmqpRoute {
                address: String::new(),
                user: String::new(),
                exchange: "amq.topic".to_owned(),
                key: format!("presstime.{}", AmqpRoute::KIND),
            }),
        }
    }

    /// How it reaches the outside.
    #[must_use]
    pub const fn way(&self) -> Way {
        match self {
            Self::Webhook(_) => Way::Webhook,
            Self::Mail(_) => Way::Mail,
            Self::Sms(_) => Way::Sms,
            Self::Amqp(_) => Way::Amqp,
        }
    }

    /// Where it leads, in short.
    #[must_use]
    pub fn place(&self) -> String {
        match self {
            Self::Webhook(route) => route.address.clone(),
            Self::Sms(route) => route.address.clone(),
            Self::Amqp(route) => route.address.clone(),
            Self::Mail(route) => format!("{}:{}", route.server, route.port),
        }
    }

    /// Who gets its messages, where it says so.
    #[must_use]
    pub fn recipients(&self) -> &[String] {
        match self {
            Self::Webhook(_) | Self::Amqp(_) => &[],
            Self::Mail(route) => &route.to,
            Self::Sms(route) => &route.to,
        }
    }

    /// Who makes its secret, and who is told it. A secret that was given for one peer is never told to another.
    #[must_use]
    pub fn holder(&self) -> Holder {
        let peer = match self {
            Self::Webhook(_) => return Holder::Signer,
            Self::Mail(route) => route
                .user
                .as_ref()
                .map(|user| format!("{} {}:{} {user}", route.security, route.server, route.port)),
            Self::Sms(route) => route.header.as_ref().map(|header| format!("{} {header}", route.address)),
            Self::Amqp(route) => Some(format!("{} {}", route.address, route.user)),
        };
        peer.map_or(Holder::Nobody, Holder::Peer)
    }

    /// The field in which an admin gives its secret.
    #[must_use]
    pub const fn secret_field(&self) -> &'static str {
        match self {
            Self::Mail(_) | Self::Amqp(_) => "password",
            Self::Webhook(_) | Self::Sms(_) => "secret",
        }
    }
}

impl SmsRoute {
    /// What a template may hold: the numbers with commas between, the numbers as a JSON list (without quotes around it), the
    /// text, the id of the message (the same at every attempt), what happened.
    pub const PLACEHOLDERS: [&'static str; 5] = ["{to}", "{numbers}", "{text}", "{id}", "{event}"];
}

impl AmqpRoute {
    /// Stands in a routing key for what happened, e.g. `article.published`.
    pub const KIND: &'static str = "{kind}";

    /// The routing key of a message about this.
    #[must_use]
    pub fn key_of(&self, event: Happening) -> String {
        self.key.replace(Self::KIND, event.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_belongs_to_the_peer_it_was_given_for() {
        let Route::Mail(mail) = Route::usual(Way::Mail) else { unreachable!("a mail is a mail") };
        let holder = |route: &MailRoute| Route::Mail(route.clone()).holder();
        assert_eq!(holder(&mail), Holder::Nobody);
        let anna = MailRoute { user: Some("anna".to_owned()), server: "mail.example.org".to_owned(), ..mail };
        let more = MailRoute { to: vec!["b@example.org".to_owned()], ..anna.clone() };
        assert_eq!(holder(&anna), holder(&more));
        for other in [
            MailRoute { server: "mail.example.com".to_owned(), ..anna.clone() },
            MailRoute { security: Security::Open, ..anna.clone() },
            MailRoute { port: 25, ..anna.clone() },
        ] {
            assert_ne!(holder(&anna), holder(&other));
        }
        assert_eq!(Route::nowhere().holder(), Holder::Signer);
    }

    #[test]
    fn a_routing_key_tells_what_happened() {
        let Route::Amqp(route) = Route::usual(Way::Amqp) else { unreachable!("AMQP is AMQP") };
        assert_eq!(route.key_of(Happening::ArticlePublished), "presstime.article.published");
        let plain = AmqpRoute { key: "news".to_owned(), ..route };
        assert_eq!(plain.key_of(Happening::Test), "news");
    }

    #[test]
    fn a_route_keeps_its_shape_in_sql() {
        for way in Way::ALL {
            let route = Route::usual(*way);
            let text = serde_json::to_string(&route).unwrap();
            assert!(text.contains(&format!(r#""way":"{way}""#)), "{text}");
            assert_eq!(serde_json::from_str::<Route>(&text).unwrap(), route);
        }
    }
}
