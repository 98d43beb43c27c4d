//! How the public site looks.

use crate::{
    accounts::{AccountService, admin_only, check},
    services::{internal_error, rendering::own_picture, write_error},
    text::input,
};
use domain::{
    Actor, DomainError, FieldProblems, Version,
    accounts::site_look::{
        Colour, MAX_LINK_NAME_CHARS, MAX_NAVIGATION_PAGES, MAX_SITE_LINKS, MAX_SITE_TEXT_CHARS, MIN_CONTRAST,
        SiteLink, SiteLook,
    },
    error::ValidationError,
    input_limits::{MAX_ADDRESS_BYTES, MAX_SLUG_CHARS},
};
use store::{
    Conn, PoolRole,
    event::{self, NewEvent},
    site,
};
use uuid::Uuid;

pub async fn read(service: &AccountService) -> Result<SiteLook, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    site::look(lease.conn()).await.map_err(internal_error)
}

pub async fn change(
    service: &AccountService,
    actor: &Actor,
    look: SiteLook,
    seen: Option<Version>,
) -> Result<SiteLook, DomainError> {
    admin_only(actor)?;
    let look = checked(look)?;
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let before = site::look(tx.conn()).await.map_err(internal_error)?;
    if seen.is_some_and(|seen| seen != before.version) {
        return Err(DomainError::Changed);
    }
    // A page that was deleted since does not refuse a change of something else.
    if look.navigation != before.navigation {
        require_pages(tx.conn(), &look.navigation).await?;
    }
    let (mut logo, mut favicon) = (look.logo.clone(), look.favicon.clone());
    if logo != before.logo {
        logo = own_picture(tx.conn(), "logo", &logo).await?;
    }
    if favicon != before.favicon {
        favicon = own_picture(tx.conn(), "favicon", &favicon).await?;
    }
    let look = SiteLook {
        logo,
        favicon,
        // It is published by itself.
        style: before.style.clone(),
        version: Version(before.version.0 + 1),
        ..look
    };
    let failed = write_error(&service.parts);
    if !site::put_look(tx.conn(), &before, &look).await.map_err(&failed)? {
        return Err(DomainError::Changed);
    }
    let mut event =
        NewEvent::simple(service.parts.clock.now(), Some(actor.account), "settings", Uuid::nil(), "change");
    event.version = Some(look.version.0);
    event.detail = serde_json::json!({"site": look, "was": before}).to_string();
    event::append(tx.conn(), &[event]).await.map_err(&failed)?;
    tx.commit().await.map_err(&failed)?;
    service.parts.committed.notify_waiters();
    Ok(look)
}

/// Validates all fields.
fn checked(look: SiteLook) -> Result<SiteLook, DomainError> {
    let mut problems = FieldProblems::default();
    let look = SiteLook {
        description: problems.take(line("description", &look.description, MAX_SITE_TEXT_CHARS))?,
        accent: problems.take(accent(&look.accent))?,
        footer: problems.take(line("footer", &look.footer, MAX_SITE_TEXT_CHARS))?,
        links: problems.take(links(look.links))?,
        navigation: problems.take(navigation(look.navigation))?,
        ..look
    };
    problems.finish()?;
    Ok(look)
}

fn line(field: &str, typed: &str, max: usize) -> Result<String, DomainError> {
    let refuse = |problem| DomainError::invalid(field, problem);
    let too_long = || refuse(ValidationError::TooLong { max: whole(max) });
    if typed.len() > 16 * max {
        return Err(too_long());
    }
    let text = input::body(typed).map_err(refuse)?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > max { Err(too_long()) } else { Ok(text) }
}

/// A colour that can be read on the background of the light theme. For the dark theme it is made
/// lighter.
fn accent(typed: &str) -> Result<String, DomainError> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Ok(String::new());
    }
    let refuse = |problem| DomainError::invalid("accent", problem);
    let colour = Colour::parse(typed).ok_or_else(|| refuse(ValidationError::NotAColour))?;
    if colour.contrast_in_light() < MIN_CONTRAST {
        return Err(refuse(ValidationError::LowContrast));
    }
    Ok(colour.to_string())
}

fn links(typed: Vec<SiteLink>) -> Result<Vec<SiteLink>, DomainError> {
    let refuse = |problem| DomainError::invalid("links", problem);
    if typed.len() > MAX_SITE_LINKS {
        return Err(refuse(ValidationError::TooMany { max: whole(MAX_SITE_LINKS) }));
    }
    let link = |link: SiteLink| {
        let name = line("links", &link.name, MAX_LINK_NAME_CHARS)?;
        let url = link.url.trim().to_owned();
        if name.is_empty() {
            return Err(refuse(ValidationError::Empty));
        }
        let is_plain = !url
            .chars()
            .any(|letter| letter.is_control() || letter.is_whitespace() || "\"'<>\\`".contains(letter));
        let is_address = url::Url::parse(&url).is_ok_and(|parsed| match parsed.scheme() {
            "https" => parsed.host_str().is_some() && parsed.username().is_empty(),
            "mailto" => check::email(parsed.path()).is_ok(),
            _ => false,
        });
        if url.len() > MAX_ADDRESS_BYTES || !is_plain || !is_address {
            return Err(refuse(ValidationError::NotALink));
        }
        Ok(SiteLink { name, url })
    };
    typed.into_iter().map(link).collect()
}

fn navigation(typed: Vec<String>) -> Result<Vec<String>, DomainError> {
    let refuse = |problem| DomainError::invalid("navigation", problem);
    if typed.len() > MAX_NAVIGATION_PAGES {
        return Err(refuse(ValidationError::TooMany { max: whole(MAX_NAVIGATION_PAGES) }));
    }
    typed.iter().map(|slug| line("navigation", slug, MAX_SLUG_CHARS)).collect()
}

/// Refuses a slug that no page has. The page need not be public yet.
async fn require_pages(conn: Conn<'_>, slugs: &[String]) -> Result<(), DomainError> {
    let found = site::page_slugs(conn, slugs).await.map_err(internal_error)?;
    match slugs.iter().find(|slug| !found.contains(slug)) {
        Some(slug) => Err(DomainError::invalid("navigation", ValidationError::NoPage { slug: slug.clone() })),
        None => Ok(()),
    }
}

fn whole(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_accent_must_have_enough_contrast() {
        assert_eq!(accent(" #0D567A "), Ok("#0d567a".to_owned()));
        assert_eq!(accent(""), Ok(String::new()));
        assert_eq!(accent("#ffcc00"), Err(DomainError::invalid("accent", ValidationError::LowContrast)));
        assert_eq!(accent("red;}"), Err(DomainError::invalid("accent", ValidationError::NotAColour)));
    }

    #[test]
    fn links_are_https_or_mail() {
        let of = |url: &str| links(vec![SiteLink { name: "A".to_owned(), url: url.to_owned() }]);
        assert!(of("https://a.example/@me").is_ok() && of("mailto:me@a.example").is_ok());
        for bad in ["http://a.example", "javascript:alert(1)", "mailto:no user", "/path", ""] {
            assert!(of(bad).is_err(), "{bad}");
        }
    }
}
