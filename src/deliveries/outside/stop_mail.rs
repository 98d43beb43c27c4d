//! `/stop-mail/TOKEN`: the owner of an address asks for no more mail, without a log-in. Opening the page
//! changes nothing: programs that check mail open links too. Mail programs send the same POST (RFC 8058).

use crate::{
    http::{Web, assets, header::policy::Policy, health::refused},
    senders::stop_link,
    services::internal_error,
    text::html::escape,
};
use axum::{
    Extension,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{
    ChannelId, DomainError, EmailAddress,
    channel::{Channel, MAIL_SERVER},
    settings::SiteSettings,
};
use serde_json::json;
use store::{
    PoolRole, channel,
    event::{self, NewEvent},
    mail::blocked,
};
use texts::{Language, mail::footer::StopMailTexts};

/// Path of the page.
pub const PATH: &str = "/stop-mail/{token}";

/// Whom a link concerns.
enum Concerned {
    /// The owner of this address.
    Address(EmailAddress),
    /// A recipient of this channel, who says who it is.
    Channel(ChannelId),
}

fn concerned(web: &Web, token: &str) -> Option<Concerned> {
    let vault = &web.parts.senders.vault;
    let address = stop_link::address(vault, token).map(Concerned::Address);
    address.or_else(|| stop_link::channel(vault, token).map(Concerned::Channel))
}

/// Asks.
pub async fn show(State(web): State<Web>, Path(token): Path<String>) -> Response {
    let site = match web.services.settings.settings().await {
        Ok(site) => site,
        Err(refusal) => return refused(&refusal),
    };
    match concerned(&web, &token) {
        Some(concerned) => respond(StatusCode::OK, &site, &question(&site, &concerned)),
        None => respond(StatusCode::NOT_FOUND, &site, &unknown(&site)),
    }
}

/// Blocks the address. Only the form of a channel says something: the address.
pub async fn submit(State(web): State<Web>, Path(token): Path<String>, body: Bytes) -> Response {
    let site = match web.services.settings.settings().await {
        Ok(site) => site,
        Err(refusal) => return refused(&refusal),
    };
    let Some(concerned) = concerned(&web, &token) else {
        return respond(StatusCode::NOT_FOUND, &site, &unknown(&site));
    };
    let blocked = match &concerned {
        Concerned::Address(address) => block(&web, address).await,
        Concerned::Channel(channel) => block_recipient(&web, *channel, &body).await,
    };
    match blocked {
        Ok(()) => respond(StatusCode::OK, &site, &stopped(&site, &concerned)),
        Err(refusal) => refused(&refusal),
    }
}

/// Blocks the address in a form if it is a recipient of the channel. The answer does not reveal whether it is.
async fn block_recipient(web: &Web, id: ChannelId, body: &[u8]) -> Result<(), DomainError> {
    let typed = url::form_urlencoded::parse(body).find(|(name, _)| name == "address");
    let Some(address) = typed.and_then(|(_, typed)| EmailAddress::parse(&typed).ok()) else { return Ok(()) };
    let mut lease = web.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = channel::find(lease.conn(), id).await.map_err(internal_error)?;
    drop(lease);
    let found = found.map(Channel::try_from).transpose().map_err(internal_error)?;
    let is_recipient = found.is_some_and(|channel| {
        let mut all = channel.settings.endpoint.recipients().iter();
        all.any(|to| EmailAddress::parse(to).is_ok_and(|to| to == address))
    });
    if is_recipient { block(web, &address).await } else { Ok(()) }
}

async fn block(web: &Web, address: &EmailAddress) -> Result<(), DomainError> {
    let now = web.parts.clock.now();
    let mut tx = web.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    if !blocked::block(tx.conn(), address.as_str(), None, now).await.map_err(internal_error)? {
        return Ok(());
    }
    let simple = NewEvent::simple(now, None, "channel", MAIL_SERVER.0, "change");
    let detail = json!({"name": "Blocked addresses", "blocked": address.as_str()}).to_string();
    event::append(tx.conn(), &[NewEvent { detail, ..simple }]).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    web.parts.committed.notify_waiters();
    Ok(())
}

fn question(site: &SiteSettings, concerned: &Concerned) -> String {
    let texts = StopMailTexts(site.language);
    let (text, field) = match concerned {
        Concerned::Address(address) => (texts.question(address.as_str(), &site.title), String::new()),
        Concerned::Channel(_) => {
            let label = texts.address();
            let input =
                "<input id=\"address\" name=\"address\" type=\"email\" autocomplete=\"email\" required>";
            let field = format!("<p><label for=\"address\">{label}</label> {input}</p>");
            (texts.of_channel(&site.title), field)
        }
    };
    format!(
        "<h1>{}</h1><p dir=\"auto\">{}</p><form method=\"post\" class=\"answer-form\">{field}\
         <button type=\"submit\" name=\"List-Unsubscribe\" value=\"One-Click\">{}</button></form>",
        texts.title(),
        escape(&text),
        texts.stop(),
    )
}

fn stopped(site: &SiteSettings, concerned: &Concerned) -> String {
    let texts = StopMailTexts(site.language);
    let said = match concerned {
        Concerned::Address(address) => texts.stopped(address.as_str(), &site.title),
        Concerned::Channel(_) => texts.stopped_of_channel(&site.title),
    };
    let said = escape(&said);
    format!("<h1>{}</h1><p class=\"answer-said\" role=\"status\" dir=\"auto\">{said}</p>", texts.title())
}

fn unknown(site: &SiteSettings) -> String {
    let texts = StopMailTexts(site.language);
    format!("<h1>{}</h1><p>{}</p>", texts.title(), texts.unknown())
}

fn respond(status: StatusCode, site: &SiteSettings, main: &str) -> Response {
    let html = document(&site.title, site.language, main);
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    let mut response = (status, Extension(Policy::Site), kind, html).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn document(desk: &str, language: Language, main: &str) -> String {
    let style = assets::site_style();
    let sheet = match style.is_empty() {
        true => String::new(),
        false => format!("<link rel=\"stylesheet\" href=\"{}\">", escape(&style)),
    };
    format!(
        "<!DOCTYPE html><html lang=\"{}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"robots\" content=\"noindex\">\
         <title>{1}</title>{sheet}<link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\"></head>\
         <body class=\"answer\"><header class=\"site-head\"><p class=\"brand\">{1}</p></header>\
         <main class=\"site-main\">{main}</main></body></html>",
        StopMailTexts(language).lang(),
        escape(desk),
    )
}
