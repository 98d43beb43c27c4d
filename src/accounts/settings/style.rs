//! The stylesheet of the public site: kept as a draft, previewed, and then published as it was previewed.

use super::style_check::check;
use crate::{
    accounts::{AccountService, admin_only},
    services::{hex::address_hash, internal_error, write_error},
    text::input,
};
use domain::{
    Actor, DomainError, Version,
    accounts::site_look::{MAX_STYLE_BYTES, SiteLook, SiteStyle},
    error::ValidationError,
};
use store::{
    Conn, PoolRole,
    event::{self, NewEvent},
    setting, site,
};
use uuid::Uuid;

async fn stored(conn: Conn<'_>, name: &str) -> Result<Option<String>, DomainError> {
    setting::find(conn, name).await.map_err(internal_error)
}

/// Returns the draft, or the published stylesheet if there is none. Admins only.
pub async fn read(service: &AccountService, actor: &Actor) -> Result<SiteStyle, DomainError> {
    admin_only(actor)?;
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let look = site::look(lease.conn()).await.map_err(internal_error)?;
    let css = match stored(lease.conn(), site::STYLE_DRAFT).await? {
        Some(draft) => draft,
        None => stored(lease.conn(), site::STYLE).await?.unwrap_or_default(),
    };
    let hash = address_hash(&css);
    Ok(SiteStyle { is_published: hash == look.style, css, hash })
}

/// Checks a stylesheet and keeps it as the draft. Admins only.
pub async fn keep_draft(service: &AccountService, actor: &Actor, css: &str) -> Result<(), DomainError> {
    admin_only(actor)?;
    let refuse = |problem| DomainError::invalid("css", problem);
    let css = input::body(css).map_err(refuse)?.trim().to_owned();
    if css.len() > MAX_STYLE_BYTES {
        let max = u32::try_from(MAX_STYLE_BYTES).unwrap_or(u32::MAX);
        return Err(refuse(ValidationError::TooLarge { max }));
    }
    check(&css).map_err(refuse)?;
    let failed = write_error(&service.parts);
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    setting::put(tx.conn(), site::STYLE_DRAFT, &css).await.map_err(&failed)?;
    tx.commit().await.map_err(&failed)
}

/// Publishes the draft with this hash. `Changed` if the draft is another one by now. Admins only.
pub async fn publish(service: &AccountService, actor: &Actor, hash: &str) -> Result<SiteLook, DomainError> {
    admin_only(actor)?;
    let failed = write_error(&service.parts);
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let draft = stored(tx.conn(), site::STYLE_DRAFT).await?.filter(|draft| address_hash(draft) == hash);
    let draft = draft.ok_or(DomainError::Changed)?;
    let before = site::look(tx.conn()).await.map_err(internal_error)?;
    if before.style == hash {
        return Ok(before);
    }
    setting::put(tx.conn(), site::STYLE, &draft).await.map_err(&failed)?;
    let look = SiteLook { style: hash.to_owned(), version: Version(before.version.0 + 1), ..before.clone() };
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
