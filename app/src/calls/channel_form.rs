//! A channel as its form sends it.

#[cfg(feature = "ssr")]
use domain::{
    Refusal,
    channel::{AmqpRoute, ChannelEdit, MailRoute, Route, Secret, SmsRoute, WebhookRoute},
    refusal::Problem,
};
use domain::{
    channel::{Doubt, Happening, Security, SmsFormat, Way},
    person::Language,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A channel as its form sends it: fields that its way does not have are absent.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelForm {
    /// How it reaches the outside.
    pub way: Way,
    /// What it is called.
    pub name: String,
    /// What it is told.
    #[serde(default)]
    pub events: Vec<Happening>,
    /// The waits between its attempts.
    pub ladder: String,
    /// What to do when an answer was lost.
    pub on_ambiguous: Doubt,
    /// At most so many messages at once.
    pub concurrency: u16,
    /// Of a webhook, a gateway or a broker.
    #[serde(default)]
    pub address: String,
    /// Name of a mail server.
    #[serde(default)]
    pub server: String,
    /// Its port.
    #[serde(default)]
    pub port: String,
    /// How the connection to it is encrypted.
    pub security: Option<Security>,
    /// Whom to log in as.
    #[serde(default)]
    pub user: String,
    /// The password, if there is another one.
    #[serde(default)]
    pub password: String,
    /// Whom mails are from.
    #[serde(default)]
    pub from: String,
    /// Who gets its messages, one a line.
    #[serde(default)]
    pub to: String,
    /// What a gateway reads.
    pub format: Option<SmsFormat>,
    /// The text of a request to it.
    #[serde(default)]
    pub template: String,
    /// Name of the header that carries its secret.
    #[serde(default)]
    pub header: String,
    /// The value of that header, if there is another one.
    #[serde(default)]
    pub secret: String,
    /// The exchange of a broker.
    #[serde(default)]
    pub exchange: String,
    /// The routing key of its messages.
    #[serde(default)]
    pub key: String,
    /// In which language its messages are written.
    pub language: Option<Language>,
}

impl fmt::Debug for ChannelForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChannelForm")
            .field("way", &self.way)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "ssr")]
impl ChannelForm {
    /// What it decides, and the secret if one is given.
    pub fn read(self) -> Result<(ChannelEdit, Option<Secret>), Refusal> {
        let ladder = self.ladder.parse().map_err(|_| Refusal::invalid("ladder", Problem::NotALadder))?;
        let to = self.to.split(['\n', '\r', ',', ';', '，', '；']).map(str::trim);
        let to = to.filter(|one| !one.is_empty()).map(str::to_owned).collect();
        let language = self.language.unwrap_or(Language::En);
        let (route, secret) = match self.way {
            Way::Webhook => (Route::Webhook(WebhookRoute { address: self.address }), None),
            Way::Mail => {
                let ports = || Problem::NotOneOf { words: "25, 465, 587, 1024–65535".to_owned() };
                let port = self.port.trim().parse().map_err(|_| Refusal::invalid("port", ports()))?;
                let security = self.security.unwrap_or(Security::StartTls);
                let (server, user, from) = (self.server, some(self.user), self.from);
                let route = MailRoute { server, port, security, user, from, to, language };
                (Route::Mail(route), some(self.password))
            }
            Way::Sms => {
                let format = self.format.unwrap_or(SmsFormat::Json);
                let (address, template, header) = (self.address, self.template, some(self.header));
                let route = SmsRoute { address, format, template, header, to, language };
                (Route::Sms(route), some(self.secret))
            }
            Way::Amqp => {
                let (address, user, exchange, key) = (self.address, self.user, self.exchange, self.key);
                (Route::Amqp(AmqpRoute { address, user, exchange, key }), some(self.password))
            }
        };
        let (name, events) = (self.name, self.events);
        let (on_ambiguous, concurrency) = (self.on_ambiguous, self.concurrency);
        let edit = ChannelEdit { name, route, events, ladder, on_ambiguous, concurrency };
        Ok((edit, secret.map(Secret)))
    }
}

#[cfg(feature = "ssr")]
fn some(text: String) -> Option<String> {
    Some(text).filter(|text| !text.trim().is_empty())
}
