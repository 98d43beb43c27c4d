//! Validates the endpoint of a channel and its secret.

use crate::{
    accounts,
    senders::{amqp, egress::Rules, ghost::key::AdminKey, sms},
};
use domain::{
    DomainError, EmailAddress,
    channel::{
        AddressError, Endpoint, GhostEndpoint, MailEndpoint, MailSecurity, Secret, SecretOwner, SmsEndpoint,
        WordPressEndpoint,
    },
    error::ValidationError,
    input_limits::{
        MAX_ADDRESS_BYTES, MAX_EMAIL_BYTES, MAX_RECIPIENTS, MAX_SECRET_BYTES, MAX_TEMPLATE_BYTES,
    },
};
use reqwest::header::{self, HeaderName};

/// Headers that the program sets itself.
const RESERVED_HEADERS: [HeaderName; 8] = [
    header::HOST,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::TRANSFER_ENCODING,
    header::CONNECTION,
    header::UPGRADE,
    header::EXPECT,
    header::COOKIE,
];

/// What happens to a channel's secret on a save.
pub enum SecretChange {
    /// It is unchanged, or there is none.
    Unchanged,
    /// It is replaced by this one.
    Replace(Secret),
    /// It is removed.
    Remove,
}

/// Decides what happens to the secret when an endpoint changes. A secret given for one server is
/// never sent to another.
pub fn secret(
    route: &Endpoint,
    was: Option<&Endpoint>,
    given: Option<Secret>,
) -> Result<SecretChange, DomainError> {
    let wrong = |problem| Err(DomainError::invalid(route.secret_field(), problem));
    let given = given.filter(|secret| !secret.0.is_empty());
    match (route.secret_owner(), given) {
        (SecretOwner::Server, _) => Ok(SecretChange::Unchanged),
        (SecretOwner::NoSecret, None) => Ok(SecretChange::Remove),
        (SecretOwner::NoSecret, Some(_)) => {
            let asks = match route {
                Endpoint::Mail(route) if route.uses_desk_server() => "mail.host",
                Endpoint::Mail(_) => "mail.username",
                _ => "sms.header",
            };
            Err(DomainError::invalid(asks, ValidationError::Empty))
        }
        (SecretOwner::Peer(_), Some(Secret(text))) => match text {
            text if text.len() > MAX_SECRET_BYTES => {
                wrong(ValidationError::TooLarge { max: whole(MAX_SECRET_BYTES) })
            }
            text if text.chars().any(char::is_control) => wrong(ValidationError::BadCharacters),
            text if matches!(route, Endpoint::Sms(_)) && !text.is_ascii() => {
                wrong(ValidationError::BadCharacters)
            }
            text if matches!(route, Endpoint::Ghost(_)) && AdminKey::parse(&text).is_none() => {
                wrong(ValidationError::NotAnAdminKey)
            }
            text => Ok(SecretChange::Replace(Secret(text))),
        },
        (peer, None) => match was.map(Endpoint::secret_owner) {
            Some(former) if former == peer => Ok(SecretChange::Unchanged),
            Some(SecretOwner::Peer(_)) => wrong(ValidationError::SecretAgain),
            _ => wrong(ValidationError::Empty),
        },
    }
}

pub(super) fn whole(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

pub(super) fn require_text<'a>(field: &str, typed: &'a str, most: usize) -> Result<&'a str, DomainError> {
    match typed.trim() {
        "" => Err(DomainError::invalid(field, ValidationError::Empty)),
        typed if typed.len() > most => {
            Err(DomainError::invalid(field, ValidationError::TooLarge { max: whole(most) }))
        }
        typed => Ok(typed),
    }
}

/// Validates and normalises a URL by the egress rules.
pub(super) fn url(field: &str, typed: &str, rules: &Rules) -> Result<String, DomainError> {
    let typed = require_text(field, typed, MAX_ADDRESS_BYTES)?;
    let mut url =
        rules.check(typed).map_err(|why| DomainError::invalid(field, ValidationError::Address { why }))?;
    url.set_fragment(None);
    Ok(url.into())
}

/// Validates and normalises the mail server of the desk, which has no recipients of its own.
pub fn mail_server(route: MailEndpoint, rules: &Rules) -> Result<MailEndpoint, DomainError> {
    let to = vec![route.from.clone()];
    Ok(MailEndpoint { to: Vec::new(), ..own_server(MailEndpoint { to, ..route }, rules)? })
}

/// Validates a mail channel. Without a host it uses the mail server of the desk, and has nothing else of a
/// server.
pub(super) fn mail(route: MailEndpoint, rules: &Rules) -> Result<MailEndpoint, DomainError> {
    if !route.host.trim().is_empty() {
        return own_server(route, rules);
    }
    let (to, language) = (route.to.clone(), route.language);
    let of_desk = MailEndpoint { to, language, ..MailEndpoint::of_desk() };
    if (MailEndpoint { host: String::new(), ..route }) != of_desk {
        return Err(DomainError::invalid("mail.host", ValidationError::Empty));
    }
    Ok(MailEndpoint { to: all_recipients("mail.to", &of_desk.to, mailbox)?, ..of_desk })
}

fn own_server(route: MailEndpoint, rules: &Rules) -> Result<MailEndpoint, DomainError> {
    let not = |field: &str, why| DomainError::invalid(field, ValidationError::Address { why });
    let host = require_text("mail.host", &route.host, MAX_ADDRESS_BYTES)?;
    let host = rules.check_host(host).map_err(|why| not("mail.host", why))?.to_string();
    if !matches!(route.port, 25 | 465 | 587 | 1_024..) {
        return Err(DomainError::invalid(
            "mail.port",
            ValidationError::NotOneOf { words: "25, 465, 587, 1024–65535".to_owned() },
        ));
    }
    if route.security == MailSecurity::Unencrypted && !rules.allow_private {
        return Err(not("mail.security", AddressError::Unencrypted));
    }
    let username = route.username.as_deref().map(str::trim).filter(|name| !name.is_empty());
    if username.is_some_and(|name| name.len() > MAX_EMAIL_BYTES || name.chars().any(char::is_control)) {
        return Err(DomainError::invalid("mail.username", ValidationError::BadCharacters));
    }
    let (username, from) = (username.map(str::to_owned), mailbox("mail.from", &route.from)?);
    let to = all_recipients("mail.to", &route.to, mailbox)?;
    Ok(MailEndpoint { host, username, from, to, ..route })
}

fn mailbox(field: &str, typed: &str) -> Result<String, DomainError> {
    EmailAddress::parse(typed).map(String::from).map_err(|why| accounts::not_an_email(field, why))
}

/// Validates and normalises a gateway.
pub(super) fn sms(route: SmsEndpoint, rules: &Rules) -> Result<SmsEndpoint, DomainError> {
    let url = url("sms.url", &route.url, rules)?;
    let to = all_recipients("sms.to", &route.to, number)?;
    let template = require_text("sms.template", &route.template, MAX_TEMPLATE_BYTES)?.to_owned();
    let header = route.header.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let header = header.map(header_name).transpose()?;
    let route = SmsEndpoint { url, to, template, header, ..route };
    if !route.template.contains("{text}") {
        return Err(DomainError::invalid("sms.template", ValidationError::NoText));
    }
    if !sms::is_valid_template(&route) {
        let json = route.format == domain::channel::SmsFormat::Json;
        let problem = if json { ValidationError::NotJson } else { ValidationError::BadCharacters };
        return Err(DomainError::invalid("sms.template", problem));
    }
    Ok(route)
}

/// Validates and normalises the address of a site and its user.
pub(super) fn wordpress(route: WordPressEndpoint, rules: &Rules) -> Result<WordPressEndpoint, DomainError> {
    let url = url("wordpress.url", &route.url, rules)?;
    let username = require_text("wordpress.username", &route.username, MAX_EMAIL_BYTES)?;
    if username.contains(':') || username.chars().any(char::is_control) {
        return Err(DomainError::invalid("wordpress.username", ValidationError::BadCharacters));
    }
    Ok(WordPressEndpoint { url, username: username.to_owned() })
}

/// Validates and normalises the address of a Ghost site. That of its editor leads to it.
pub(super) fn ghost(route: &GhostEndpoint, rules: &Rules) -> Result<GhostEndpoint, DomainError> {
    let url = url("ghost.url", &route.url, rules)?;
    let site = url.trim_end_matches('/');
    let site = site.strip_suffix("/ghost").filter(|rest| !rest.ends_with('/')).unwrap_or(site);
    Ok(GhostEndpoint { url: format!("{site}/") })
}

/// Refuses a transport that this build does not include.
pub fn is_built(route: &Endpoint) -> Result<(), DomainError> {
    match route {
        Endpoint::Amqp(_) if !amqp::IS_BUILT => {
            Err(DomainError::invalid("transport", ValidationError::NotBuilt))
        }
        _ => Ok(()),
    }
}

fn header_name(typed: &str) -> Result<String, DomainError> {
    let name: Option<HeaderName> = typed.parse().ok();
    let name = name.filter(|name| !RESERVED_HEADERS.contains(name) && typed.len() <= 100);
    name.map(|name| name.to_string())
        .ok_or_else(|| DomainError::invalid("sms.header", ValidationError::BadCharacters))
}

/// Normalises a phone number to an optional `+` and digits.
fn number(field: &str, typed: &str) -> Result<String, DomainError> {
    let number: String = typed.chars().filter(|c| !matches!(c, ' ' | '-' | '(' | ')' | '/' | '.')).collect();
    let digits = number.strip_prefix('+').unwrap_or(&number);
    let is_one = (3..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_one { Ok(number) } else { Err(DomainError::invalid(field, ValidationError::NotANumber)) }
}

/// Validates recipients and removes duplicates.
fn all_recipients(
    field: &str,
    typed: &[String],
    one: impl Fn(&str, &str) -> Result<String, DomainError>,
) -> Result<Vec<String>, DomainError> {
    let mut all: Vec<String> = Vec::new();
    let typed: Vec<&String> = typed.iter().filter(|typed| !typed.trim().is_empty()).collect();
    if typed.len() > MAX_RECIPIENTS {
        return Err(DomainError::invalid(field, ValidationError::TooMany { max: whole(MAX_RECIPIENTS) }));
    }
    for typed in typed {
        let one = one(field, typed)?;
        if !all.iter().any(|known| known.eq_ignore_ascii_case(&one)) {
            all.push(one);
        }
    }
    if all.is_empty() { Err(DomainError::invalid(field, ValidationError::Empty)) } else { Ok(all) }
}
