//! Where an admin may let a channel lead, and with which secret.

use crate::{
    channels::{amqp, guard::Rules, sms},
    desk::people,
};
use domain::{
    Refusal,
    channel::{
        AddressProblem, AmqpRoute, Happening, Holder, MailRoute, Route, Secret, Security, SmsRoute,
        WebhookRoute,
    },
    limit::{
        ADDRESS_BYTES, EMAIL_BYTES, EXCHANGE_BYTES, RECIPIENTS_MAX, ROUTING_KEY_BYTES, SECRET_BYTES,
        TEMPLATE_BYTES,
    },
    refusal::Problem,
};
use reqwest::header::{self, HeaderName};

/// Headers that are ours to write.
const OURS: [HeaderName; 8] = [
    header::HOST,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::TRANSFER_ENCODING,
    header::CONNECTION,
    header::UPGRADE,
    header::EXPECT,
    header::COOKIE,
];

/// The route as it is stored, if messages may go that way.
pub fn checked(route: Route, rules: &Rules) -> Result<Route, Refusal> {
    Ok(match route {
        Route::Webhook(route) => Route::Webhook(WebhookRoute { address: address(&route.address, rules)? }),
        Route::Mail(route) => Route::Mail(mail(route, rules)?),
        Route::Sms(route) => Route::Sms(sms(route, rules)?),
        Route::Amqp(route) => Route::Amqp(exchange(route, rules)?),
    })
}

/// What becomes of a channel's secret when an admin saves it.
pub enum Keep {
    /// It stays as it is, or there is none.
    AsItIs,
    /// This one from now on.
    This(Secret),
    /// None any more.
    Nothing,
}

/// What becomes of the secret of a route that was another one, or none, before. What was given for one peer is never told to
/// another.
pub fn secret(route: &Route, was: Option<&Route>, given: Option<Secret>) -> Result<Keep, Refusal> {
    let wrong = |problem| Err(Refusal::invalid(route.secret_field(), problem));
    let given = given.filter(|secret| !secret.0.is_empty());
    match (route.holder(), given) {
        (Holder::Signer, _) => Ok(Keep::AsItIs),
        (Holder::Nobody, None) => Ok(Keep::Nothing),
        (Holder::Nobody, Some(_)) => {
            let asks = if matches!(route, Route::Mail(_)) { "user" } else { "header" };
            Err(Refusal::invalid(asks, Problem::Empty))
        }
        (Holder::Peer(_), Some(Secret(text))) => match text {
            text if text.len() > SECRET_BYTES => wrong(Problem::TooLarge { max: whole(SECRET_BYTES) }),
            text if text.chars().any(char::is_control) => wrong(Problem::BadCharacters),
            text if matches!(route, Route::Sms(_)) && !text.is_ascii() => wrong(Problem::BadCharacters),
            text => Ok(Keep::This(Secret(text))),
        },
        (peer, None) => match was.map(Route::holder) {
            Some(former) if former == peer => Ok(Keep::AsItIs),
            Some(Holder::Peer(_)) => wrong(Problem::SecretAgain),
            _ => wrong(Problem::Empty),
        },
    }
}

fn whole(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn filled<'a>(field: &str, typed: &'a str, most: usize) -> Result<&'a str, Refusal> {
    match typed.trim() {
        "" => Err(Refusal::invalid(field, Problem::Empty)),
        typed if typed.len() > most => Err(Refusal::invalid(field, Problem::TooLarge { max: whole(most) })),
        typed => Ok(typed),
    }
}

fn address(typed: &str, rules: &Rules) -> Result<String, Refusal> {
    let typed = filled("address", typed, ADDRESS_BYTES)?;
    let mut url = rules.check(typed).map_err(|why| Refusal::invalid("address", Problem::Address { why }))?;
    url.set_fragment(None);
    Ok(url.into())
}

fn mail(route: MailRoute, rules: &Rules) -> Result<MailRoute, Refusal> {
    let not = |field: &str, why| Refusal::invalid(field, Problem::Address { why });
    let server = filled("server", &route.server, ADDRESS_BYTES)?;
    let server = rules.check_host(server).map_err(|why| not("server", why))?.to_string();
    if !matches!(route.port, 25 | 465 | 587 | 1_024..) {
        return Err(Refusal::invalid(
            "port",
            Problem::NotOneOf { words: "25, 465, 587, 1024–65535".to_owned() },
        ));
    }
    if route.security == Security::Open && !rules.allow_private {
        return Err(not("security", AddressProblem::Open));
    }
    let user = route.user.as_deref().map(str::trim).filter(|user| !user.is_empty());
    if user.is_some_and(|user| user.len() > EMAIL_BYTES || user.chars().any(char::is_control)) {
        return Err(Refusal::invalid("user", Problem::BadCharacters));
    }
    let (user, from) = (user.map(str::to_owned), mailbox("from", &route.from)?);
    Ok(MailRoute { server, user, from, to: everybody(&route.to, |to| mailbox("to", to))?, ..route })
}

fn mailbox(field: &str, typed: &str) -> Result<String, Refusal> {
    let typed = filled(field, typed, EMAIL_BYTES)?;
    let is_one = people::is_email(typed) && typed.parse::<lettre::Address>().is_ok();
    if is_one { Ok(typed.to_owned()) } else { Err(Refusal::invalid(field, Problem::NotAnEmail)) }
}

fn sms(route: SmsRoute, rules: &Rules) -> Result<SmsRoute, Refusal> {
    let address = address(&route.address, rules)?;
    let to = everybody(&route.to, number)?;
    let template = filled("template", &route.template, TEMPLATE_BYTES)?.to_owned();
    let header = route.header.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let header = header.map(header_name).transpose()?;
    let route = SmsRoute { address, to, template, header, ..route };
    if !route.template.contains("{text}") {
        return Err(Refusal::invalid("template", Problem::NoText));
    }
    if !sms::is_readable(&route) {
        let json = route.format == domain::channel::SmsFormat::Json;
        let problem = if json { Problem::NotJson } else { Problem::BadCharacters };
        return Err(Refusal::invalid("template", problem));
    }
    Ok(route)
}

/// Refuses a way that this program was built without.
pub fn is_built(route: &Route) -> Result<(), Refusal> {
    match route {
        Route::Amqp(_) if !amqp::IS_BUILT => Err(Refusal::invalid("way", Problem::NotBuilt)),
        _ => Ok(()),
    }
}

fn exchange(route: AmqpRoute, rules: &Rules) -> Result<AmqpRoute, Refusal> {
    let address = filled("address", &route.address, ADDRESS_BYTES)?;
    rules.check_broker(address).map_err(|why| Refusal::invalid("address", Problem::Address { why }))?;
    let user = filled("user", &route.user, EMAIL_BYTES)?;
    if user.chars().any(char::is_control) {
        return Err(Refusal::invalid("user", Problem::BadCharacters));
    }
    let exchange = route.exchange.trim();
    if exchange.len() > EXCHANGE_BYTES {
        return Err(Refusal::invalid("exchange", Problem::TooLarge { max: whole(EXCHANGE_BYTES) }));
    }
    if exchange.chars().any(|c| !(c.is_ascii_alphanumeric() || "-_.:".contains(c))) {
        return Err(Refusal::invalid("exchange", Problem::BadCharacters));
    }
    let key = filled("key", &route.key, ROUTING_KEY_BYTES)?;
    if key.replace(AmqpRoute::KIND, "").contains(['{', '}']) {
        return Err(Refusal::invalid("key", Problem::BadKey));
    }
    if key.chars().any(char::is_control) {
        return Err(Refusal::invalid("key", Problem::BadCharacters));
    }
    let (address, user) = (address.to_owned(), user.to_owned());
    let route = AmqpRoute { address, user, exchange: exchange.to_owned(), key: key.to_owned() };
    let longest = Happening::ALL.iter().map(|event| route.key_of(*event).len()).max();
    if longest.is_some_and(|longest| longest > ROUTING_KEY_BYTES) {
        return Err(Refusal::invalid("key", Problem::TooLarge { max: whole(ROUTING_KEY_BYTES) }));
    }
    Ok(route)
}

fn header_name(typed: &str) -> Result<String, Refusal> {
    let name: Option<HeaderName> = typed.parse().ok();
    let name = name.filter(|name| !OURS.contains(name) && typed.len() <= 100);
    name.map(|name| name.to_string()).ok_or_else(|| Refusal::invalid("header", Problem::BadCharacters))
}

/// A number as gateways read it: `+` and digits.
fn number(typed: &str) -> Result<String, Refusal> {
    let number: String = typed.chars().filter(|c| !matches!(c, ' ' | '-' | '(' | ')' | '/' | '.')).collect();
    let digits = number.strip_prefix('+').unwrap_or(&number);
    let is_one = (3..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_one { Ok(number) } else { Err(Refusal::invalid("to", Problem::NotANumber)) }
}

/// Recipients, each once.
fn everybody(
    typed: &[String],
    one: impl Fn(&str) -> Result<String, Refusal>,
) -> Result<Vec<String>, Refusal> {
    let mut all: Vec<String> = Vec::new();
    for typed in typed.iter().filter(|typed| !typed.trim().is_empty()) {
        let one = one(typed)?;
        if !all.iter().any(|known| known.eq_ignore_ascii_case(&one)) {
            all.push(one);
        }
    }
    match all.len() {
        0 => Err(Refusal::invalid("to", Problem::Empty)),
        1..=RECIPIENTS_MAX => Ok(all),
        _ => Err(Refusal::invalid("to", Problem::TooMany { max: whole(RECIPIENTS_MAX) })),
    }
}
