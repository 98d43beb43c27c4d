//! Changes and deletes files: each change is one compare-and-set with its event.

use super::{
    QUOTA_SETTING,
    hash_lock::with_lock,
    read,
    upload::{self, checked_alt},
};
use crate::{
    app_state::AppState,
    services::{Presenter, internal_error, write_error},
};
use domain::{
    Actor, DomainError, MediaId, Version,
    error::ValidationError,
    media::{MediaItem, MediaProblem, MediaUsage, MediaUse, address},
};
use serde_json::json;
use std::slice;
use store::{
    PoolRole, Tx, account,
    event::{self, NewEvent},
    media_content,
    media_file::{self, MediaRow},
    setting,
};
use uuid::Uuid;

/// Largest quota, MiB: 1 PiB.
const MAX_QUOTA_MIB: u64 = 1 << 30;

/// Changes the alternative text.
pub async fn edit(
    parts: &AppState,
    actor: &Actor,
    id: MediaId,
    alt: &str,
    seen: Option<Version>,
) -> Result<MediaItem, DomainError> {
    let (mut tx, row) = begin(parts, actor, id).await?;
    let alt = checked_alt(alt)?;
    if seen.is_some_and(|seen| seen.0 != row.version) {
        return Err(DomainError::Changed);
    }
    let presenter = Presenter::of(tx.conn(), actor, parts.clock.now()).await?;
    if alt == row.alt {
        return read::present(&presenter, row);
    }
    if !media_file::set_alt(tx.conn(), id, row.version, &alt).await.map_err(write_error(parts))? {
        return Err(DomainError::Changed);
    }
    let item = read::one(tx.conn(), &presenter, id).await?;
    let event = NewEvent {
        version: Some(item.version.0),
        detail: json!({ "type": row.format, "alt": alt, "was_alt": row.alt }).to_string(),
        ..NewEvent::simple(presenter.now, Some(actor.account), "media", id.0, "edit")
    };
    commit(parts, tx, event).await?;
    Ok(item)
}

/// Deletes a file and its versions, unless something public or scheduled uses it. It disappears from the
/// pages of authors.
pub async fn delete(parts: &AppState, actor: &Actor, id: MediaId) -> Result<(), DomainError> {
    let _change = parts.media.lock().await;
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let row = media_file::find(lease.conn(), id).await.map_err(internal_error)?;
    drop(lease);
    let hash = row.ok_or_else(read::no_such)?.hash;
    with_lock(parts, slice::from_ref(&hash), delete_locked(parts, actor, id)).await
}

/// Deletes a file whose hash is locked.
async fn delete_locked(parts: &AppState, actor: &Actor, id: MediaId) -> Result<(), DomainError> {
    let (mut tx, row) = begin(parts, actor, id).await?;
    let uses = read::uses(tx.conn(), &row.hash).await?;
    let is_blocking = |one: &MediaUse| one.is_public || one.is_scheduled;
    if uses.iter().any(is_blocking) {
        return Err(MediaProblem::InUse { uses: uses.into_iter().filter(is_blocking).collect() }.into());
    }
    if read::is_on_site(tx.conn(), &row.hash).await? {
        return Err(MediaProblem::OnSite.into());
    }
    let contents = media_content::find(tx.conn(), &row.hash).await.map_err(internal_error)?;
    if !media_file::delete(tx.conn(), id, row.version).await.map_err(write_error(parts))? {
        return Err(DomainError::Changed);
    }
    let paths = address::path(&row.hash, "%");
    account::forget_picture(tx.conn(), &row.hash, &paths).await.map_err(write_error(parts))?;
    let event = NewEvent {
        version: Some(row.version),
        detail: json!({ "type": row.format, "name": row.name, "was_owner_id": row.owner_id }).to_string(),
        ..NewEvent::simple(parts.clock.now(), Some(actor.account), "media", id.0, "delete")
    };
    commit(parts, tx, event).await?;
    let folders = contents.into_iter().flat_map(|all| std::iter::once(all.current).chain(all.earlier));
    for content in folders {
        upload::remove_unknown(parts, &content.folder).await;
    }
    Ok(())
}

/// Sets the quota of the desk.
pub async fn set_quota(parts: &AppState, actor: &Actor, mib: u64) -> Result<MediaUsage, DomainError> {
    if !actor.is_admin() {
        return Err(DomainError::NotAllowed);
    }
    if mib > MAX_QUOTA_MIB {
        let why = format!("must be at most {MAX_QUOTA_MIB}");
        return Err(DomainError::invalid("quota_mib", ValidationError::Unreadable { why }));
    }
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let was = read::usage(tx.conn()).await?;
    setting::put(tx.conn(), QUOTA_SETTING, &mib.to_string()).await.map_err(write_error(parts))?;
    let usage = read::usage(tx.conn()).await?;
    if usage.quota == was.quota {
        return Ok(usage);
    }
    let event = NewEvent {
        detail: json!({ "media_quota_mib": mib }).to_string(),
        ..NewEvent::simple(parts.clock.now(), Some(actor.account), "settings", Uuid::nil(), "change")
    };
    commit(parts, tx, event).await?;
    Ok(usage)
}

/// Begins a change of a file: refuses it unless the actor may change the file.
async fn begin(parts: &AppState, actor: &Actor, id: MediaId) -> Result<(Tx, MediaRow), DomainError> {
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let row = media_file::find(tx.conn(), id).await.map_err(internal_error)?;
    let row = row.filter(|row| read::is_visible(actor, row)).ok_or_else(read::no_such)?;
    if !actor.may_change(row.owner_id.into()) {
        return Err(DomainError::NotAllowed);
    }
    Ok((tx, row))
}

async fn commit(parts: &AppState, mut tx: Tx, event: NewEvent) -> Result<(), DomainError> {
    event::append(tx.conn(), &[event]).await.map_err(write_error(parts))?;
    tx.commit().await.map_err(write_error(parts))?;
    parts.committed.notify_waiters();
    Ok(())
}
