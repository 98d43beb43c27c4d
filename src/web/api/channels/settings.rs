//! Channels as programs write them.

use super::super::sent::word;
use domain::{
    Refusal,
    channel::{
        AmqpRoute, ChannelEdit, Doubt, Happening, MailRoute, Route, Secret, Security, SmsFormat, SmsRoute,
        WebhookRoute,
    },
    ladder::Ladder,
    person::Language,
    refusal::Problem,
};
use serde::Deserialize;
use utoipa::ToSchema;

/// A new channel, or other settings of one: what is not named stays, or is as usual.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelSettings {
    /// `webhook` (unless said), `mail`, `sms` or `amqp`; chosen once.
    pub way: Option<String>,
    /// What it is called.
    name: Option<String>,
    /// Where a webhook leads: `https://example.org/hook`.
    address: Option<String>,
    /// What the way `mail` needs.
    mail: Option<MailSettings>,
    /// What the way `sms` needs.
    sms: Option<SmsSettings>,
    /// What the way `amqp` needs.
    amqp: Option<AmqpSettings>,
    /// What it is told: `article.published`, `article.updated`, `article.unpublished`; all three unless said.
    events: Option<Vec<String>>,
    /// After which waits a failed message is sent again; `5s, 5m, 30m, 2h, 5h, 10h, 10h` unless said.
    ladder: Option<String>,
    /// When an answer was lost: `retry` (a webhook and AMQP unless said) sends again with the same id, `hold` (mail and SMS
    /// unless said) asks a person.
    on_ambiguous: Option<String>,
    /// At most so many messages on their way at once, 1 to 20; 4 unless said.
    concurrency: Option<u16>,
}

/// Through which server mails go, and to whom.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MailSettings {
    /// Name of the SMTP server.
    server: Option<String>,
    /// Its port: 25, 465, 587 (unless said) or one from 1024 on.
    port: Option<u16>,
    /// `starttls` (unless said), `tls`, or `none`: only into a private network that the operator allows.
    security: Option<String>,
    /// Whom to log in as; empty: no log-in.
    user: Option<String>,
    /// The password; kept sealed, never shown. Must be given again when server, port, encryption or user change.
    #[schema(write_only)]
    password: Option<String>,
    /// Whom the mails are from.
    from: Option<String>,
    /// Who gets them, 1 to 50.
    to: Option<Vec<String>>,
    /// Language of the mails: `en` (unless said) or `zh`.
    language: Option<String>,
}

/// Through which gateway short messages go, and to whom.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SmsSettings {
    /// Where the gateway is: `https://sms.example.org/send`.
    address: Option<String>,
    /// What it reads: `json` (unless said) or `form`.
    format: Option<String>,
    /// The text of the request, with `{to}`, `{numbers}`, `{text}`, `{id}`, `{event}`; at most 4,000 bytes.
    template: Option<String>,
    /// Name of the header that carries the secret; empty: none.
    header: Option<String>,
    /// The value of that header; kept sealed, never shown. Must be given again when the address or the header change.
    #[schema(write_only)]
    secret: Option<String>,
    /// Who gets them, 1 to 50 numbers like `+49301234567`.
    to: Option<Vec<String>>,
    /// Language of the messages: `en` (unless said) or `zh`.
    language: Option<String>,
}

/// To which exchange of which broker messages go.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AmqpSettings {
    /// Where the broker is: `amqps://mq.example.org/desk`, the path its virtual host; `amqp://` only into a private network
    /// that the operator allows.
    address: Option<String>,
    /// Whom to log in as.
    user: Option<String>,
    /// The password; kept sealed, never shown. Must be given again when the address or the user change.
    #[schema(write_only)]
    password: Option<String>,
    /// Name of the exchange, `amq.topic` unless said; empty: the key names a queue.
    exchange: Option<String>,
    /// The routing key, at most 255 bytes, `presstime.{kind}` unless said; `{kind}` becomes what happened.
    key: Option<String>,
}

impl ChannelSettings {
    /// These settings over `was`, and the secret if one is given.
    pub fn over(self, was: ChannelEdit) -> Result<(ChannelEdit, Option<Secret>), Refusal> {
        let happenings = Happening::CHOICES.map(Happening::as_str);
        let events = self.events.map(|events| {
            events.iter().map(|event| word("events", event, &happenings)).collect::<Result<Vec<_>, _>>()
        });
        let (route, secret) = over_route(was.route, self.address, (self.mail, self.sms, self.amqp))?;
        let edit = ChannelEdit {
            name: self.name.unwrap_or(was.name),
            route,
            events: events.transpose()?.unwrap_or(was.events),
            ladder: self.ladder.map(|text| ladder(&text)).transpose()?.unwrap_or(was.ladder),
            on_ambiguous: one_of("on_ambiguous", self.on_ambiguous, Doubt::WORDS, was.on_ambiguous)?,
            concurrency: self.concurrency.unwrap_or(was.concurrency),
        };
        Ok((edit, secret))
    }
}

fn over_route(
    was: Route,
    address: Option<String>,
    (mail, sms, amqp): (Option<MailSettings>, Option<SmsSettings>, Option<AmqpSettings>),
) -> Result<(Route, Option<Secret>), Refusal> {
    let way = was.way();
    let strange = |field: &str, is_there: bool| {
        let why = format!("is not for a channel of the way {way}");
        if is_there { Err(Refusal::invalid(field, Problem::Unreadable { why })) } else { Ok(()) }
    };
    strange("address", address.is_some() && !matches!(was, Route::Webhook(_)))?;
    strange("mail", mail.is_some() && !matches!(was, Route::Mail(_)))?;
    strange("sms", sms.is_some() && !matches!(was, Route::Sms(_)))?;
    strange("amqp", amqp.is_some() && !matches!(was, Route::Amqp(_)))?;
    match was {
        Route::Webhook(was) => {
            Ok((Route::Webhook(WebhookRoute { address: address.unwrap_or(was.address) }), None))
        }
        Route::Mail(was) => mail.map_or(Ok((Route::Mail(was.clone()), None)), |mail| mail.over(was)),
        Route::Sms(was) => sms.map_or(Ok((Route::Sms(was.clone()), None)), |sms| sms.over(was)),
        Route::Amqp(was) => Ok(match amqp {
            Some(amqp) => amqp.over(was),
            None => (Route::Amqp(was), None),
        }),
    }
}

impl MailSettings {
    fn over(self, was: MailRoute) -> Result<(Route, Option<Secret>), Refusal> {
        let route = MailRoute {
            server: self.server.unwrap_or(was.server),
            port: self.port.unwrap_or(was.port),
            security: one_of("security", self.security, Security::WORDS, was.security)?,
            user: self.user.map_or(was.user, |user| Some(user).filter(|user| !user.is_empty())),
            from: self.from.unwrap_or(was.from),
            to: self.to.unwrap_or(was.to),
            language: one_of("language", self.language, Language::WORDS, was.language)?,
        };
        Ok((Route::Mail(route), self.password.map(Secret)))
    }
}

impl SmsSettings {
    fn over(self, was: SmsRoute) -> Result<(Route, Option<Secret>), Refusal> {
        let route = SmsRoute {
            address: self.address.unwrap_or(was.address),
            format: one_of("format", self.format, SmsFormat::WORDS, was.format)?,
            template: self.template.unwrap_or(was.template),
            header: self.header.map_or(was.header, |name| Some(name).filter(|name| !name.is_empty())),
            to: self.to.unwrap_or(was.to),
            language: one_of("language", self.language, Language::WORDS, was.language)?,
        };
        Ok((Route::Sms(route), self.secret.map(Secret)))
    }
}

impl AmqpSettings {
    fn over(self, was: AmqpRoute) -> (Route, Option<Secret>) {
        let route = AmqpRoute {
            address: self.address.unwrap_or(was.address),
            user: self.user.unwrap_or(was.user),
            exchange: self.exchange.unwrap_or(was.exchange),
            key: self.key.unwrap_or(was.key),
        };
        (Route::Amqp(route), self.password.map(Secret))
    }
}

fn one_of<T: std::str::FromStr>(
    field: &str,
    text: Option<String>,
    words: &[&str],
    was: T,
) -> Result<T, Refusal> {
    text.map_or(Ok(was), |text| word(field, &text, words))
}

fn ladder(text: &str) -> Result<Ladder, Refusal> {
    text.parse().map_err(|_| Refusal::invalid("ladder", Problem::NotALadder))
}
