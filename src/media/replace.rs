//! Replaces the content of a file: its address and what uses it stay. The content before is kept until the next
//! replacement, and can be put back.

use super::{
    hash_lock::with_lock,
    picture::{self, Processed},
    read,
    upload::{self, hash_of, refusal},
};
use crate::{
    app_state::AppState,
    services::{Presenter, internal_error, write_error},
};
use domain::{
    Actor, DomainError, MediaId, Version,
    media::{MAX_UPLOAD_BYTES, MediaItem, MediaProblem, MediaType, NewMedia, ReplaceRefusal},
};
use serde_json::json;
use std::slice;
use store::{
    Conn, PoolRole, Tx,
    event::{self, NewEvent},
    media_content::{self, MediaContent, MediaContents},
    media_file::{self, MediaRow},
};
use uuid::Uuid;

/// Replaces the content of a file by one of the same kind.
pub async fn replace(
    parts: &AppState,
    actor: &Actor,
    id: MediaId,
    new: NewMedia,
    seen: Option<Version>,
) -> Result<MediaItem, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let row = allowed(lease.conn(), actor, id, seen).await?;
    drop(lease);
    match new.bytes.len() {
        0 => return Err(MediaProblem::NoFile.into()),
        size if size > MAX_UPLOAD_BYTES => return Err(MediaProblem::TooLarge.into()),
        _ => {}
    }
    let Processed { kind, size, files } = picture::process(actor.account, new.bytes).await?;
    if !is_same_kind(&row, kind) {
        return Err(MediaProblem::OtherKind.into());
    }
    let whole = |bytes: usize| i64::try_from(bytes).unwrap_or(i64::MAX);
    let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
    let content = MediaContent {
        // No hash of the content: a folder belongs to one file.
        folder: hash_of(Uuid::now_v7().as_bytes()),
        format: kind.as_str().to_owned(),
        width: size.map(|(width, _)| side(width)),
        height: size.map(|(_, height)| side(height)),
        bytes: files.first().map_or(0, |(_, content)| whole(content.len())),
        stored_bytes: files.iter().map(|(_, content)| whole(content.len())).sum(),
        is_restored: false,
    };
    // Without the lock: see `upload`.
    parts.media.check().await.map_err(|why| refusal(&why))?;
    let _change = parts.media.lock().await;
    let stored = async {
        parts.media.store(&content.folder, files).await.map_err(|why| refusal(&why))?;
        let replaced = put_new(parts, actor, (id, seen), &content).await;
        if replaced.is_err() {
            upload::remove_unknown(parts, &content.folder).await;
        }
        replaced
    };
    with_lock(parts, &[row.hash.clone(), content.folder.clone()], stored).await
}

/// Puts the content before the last replacement back.
pub async fn put_back(
    parts: &AppState,
    actor: &Actor,
    id: MediaId,
    seen: Option<Version>,
) -> Result<MediaItem, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let row = allowed(lease.conn(), actor, id, seen).await?;
    drop(lease);
    let _change = parts.media.lock().await;
    let changed = async {
        let (tx, row, contents) = begin(parts, actor, (id, seen)).await?;
        let earlier = contents.earlier.ok_or(MediaProblem::NoEarlier)?;
        put(parts, actor, (tx, row), (&earlier, &contents.current), "put_back").await
    };
    with_lock(parts, slice::from_ref(&row.hash), changed).await
}

/// Whether the content may be replaced by one of this type.
fn is_same_kind(row: &MediaRow, kind: MediaType) -> bool {
    row.format.parse::<MediaType>().is_ok_and(|own| own == kind || (own.is_picture() && kind.is_picture()))
}

/// Returns the file if the actor may replace its content and saw its version.
async fn allowed(
    mut conn: Conn<'_>,
    actor: &Actor,
    id: MediaId,
    seen: Option<Version>,
) -> Result<MediaRow, DomainError> {
    let row = media_file::find(conn.reborrow(), id).await.map_err(internal_error)?;
    let row = row.filter(|row| read::is_visible(actor, row)).ok_or_else(read::no_such)?;
    match read::replace_refusal(conn, actor, &row).await? {
        None if seen.is_some_and(|seen| seen.0 != row.version) => Err(DomainError::Changed),
        None => Ok(row),
        Some(ReplaceRefusal::Reviewed) => Err(MediaProblem::Reviewed.into()),
        Some(ReplaceRefusal::Other | ReplaceRefusal::OnSite) => Err(DomainError::NotAllowed),
    }
}

/// Begins a change of the content of a file whose hash is locked.
async fn begin(
    parts: &AppState,
    actor: &Actor,
    (id, seen): (MediaId, Option<Version>),
) -> Result<(Tx, MediaRow, MediaContents), DomainError> {
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let row = allowed(tx.conn(), actor, id, seen).await?;
    let contents = media_content::find(tx.conn(), &row.hash).await.map_err(internal_error)?;
    Ok((tx, row, contents.ok_or_else(read::no_such)?))
}

/// Stores a new content, then removes the one that is no longer kept.
async fn put_new(
    parts: &AppState,
    actor: &Actor,
    file: (MediaId, Option<Version>),
    content: &MediaContent,
) -> Result<MediaItem, DomainError> {
    let (mut tx, row, MediaContents { current, earlier }) = begin(parts, actor, file).await?;
    let more = u64::try_from(content.stored_bytes).unwrap_or_default();
    read::check_quota(tx.conn(), more).await?;
    let item = put(parts, actor, (tx, row), (content, &current), "replace").await?;
    if let Some(earlier) = earlier {
        upload::remove_unknown(parts, &earlier.folder).await;
    }
    Ok(item)
}

/// Stores the contents of a file with their event, and commits.
async fn put(
    parts: &AppState,
    actor: &Actor,
    (mut tx, row): (Tx, MediaRow),
    (content, earlier): (&MediaContent, &MediaContent),
    verb: &'static str,
) -> Result<MediaItem, DomainError> {
    let presenter = Presenter::of(tx.conn(), actor, parts.clock.now()).await?;
    media_content::put(tx.conn(), &row.hash, content, earlier).await.map_err(write_error(parts))?;
    let uses = read::uses(tx.conn(), &row.hash).await?;
    let item = read::one(tx.conn(), &presenter, MediaId(row.id)).await?;
    let public = uses.iter().filter(|one| one.is_public).count();
    let event = NewEvent {
        version: Some(item.version.0),
        detail: json!({ "type": content.format, "was_type": earlier.format, "public_articles": public })
            .to_string(),
        ..NewEvent::simple(presenter.now, Some(actor.account), "media", row.id, verb)
    };
    event::append(tx.conn(), &[event]).await.map_err(write_error(parts))?;
    tx.commit().await.map_err(write_error(parts))?;
    parts.committed.notify_waiters();
    Ok(item)
}
