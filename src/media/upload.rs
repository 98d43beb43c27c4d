//! Stores an upload: the picture is encoded again by a worker, its files are written, then its row and
//! event in one transaction.

use super::{
    hash_lock::with_lock,
    picture::{self, Processed},
    read,
};
use crate::{
    app_state::AppState,
    files::FilesError,
    services::{Presenter, internal_error, run_blocking, write_error},
};
use domain::{
    Actor, DomainError, MediaId,
    error::ValidationError,
    media::{MAX_ALT_CHARS, MAX_UPLOAD_BYTES, MediaItem, MediaProblem, NewMedia, address, cleaned_name},
};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use std::{fmt::Write as _, io, slice};
use store::{
    PoolRole, StoreError,
    event::{self, NewEvent},
    media_content,
    media_file::{self, NewMediaRow},
};

/// Stores a file, unless the account has uploaded the same one before.
pub async fn upload(parts: &AppState, actor: &Actor, new: NewMedia) -> Result<MediaItem, DomainError> {
    let NewMedia { name, alt, bytes } = new;
    let alt = checked_alt(&alt)?;
    match bytes.len() {
        0 => return Err(MediaProblem::NoFile.into()),
        size if size > MAX_UPLOAD_BYTES => return Err(MediaProblem::TooLarge.into()),
        _ => {}
    }
    let (hash, bytes) = run_blocking(move || (hash_of(&bytes), bytes)).await?;
    let hash = free_hash(parts, hash).await?;
    if let Some(item) = find_stored(parts, actor, &hash).await? {
        return Ok(item);
    }
    let Processed { kind, size, files } = picture::process(actor.account, bytes).await?;
    let name = cleaned_name(&name);
    let row = NewMediaRow {
        id: MediaId::generate(),
        hash: &hash,
        name: &name,
        format: kind.as_str(),
        size,
        bytes: files.first().map_or(0, |(_, content)| content.len() as u64),
        stored_bytes: files.iter().map(|(_, content)| content.len() as u64).sum(),
        alt: &alt,
        owner: actor.account,
        at: parts.clock.now(),
        is_replaced: false,
    };
    // Without the lock: uploads to a bucket that does not answer do not wait for each other.
    parts.media.check().await.map_err(|why| refusal(&why))?;
    let _change = parts.media.lock().await;
    let stored = async {
        parts.media.store(&hash, files).await.map_err(|why| refusal(&why))?;
        let stored = insert(parts, actor, &row).await;
        if stored.is_err() {
            remove_unknown(parts, &hash).await;
        }
        stored
    };
    with_lock(parts, slice::from_ref(&hash), stored).await
}

/// Returns the hash, or another one if its address shows what replaced this content.
async fn free_hash(parts: &AppState, mut hash: String) -> Result<String, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    while media_content::is_replaced(lease.conn(), &hash).await.map_err(internal_error)? {
        hash = hash_of(hash.as_bytes());
    }
    Ok(hash)
}

/// Returns the SHA-256 of these bytes, in hexadecimal.
pub fn hash_of(bytes: &[u8]) -> String {
    let mut hash = String::with_capacity(address::HASH_CHARS);
    for byte in Sha256::digest(bytes) {
        let _ = write!(hash, "{byte:02x}");
    }
    hash
}

/// Returns the file if the account has uploaded it before and its files exist. Also refuses an upload
/// early if the quota is used up.
async fn find_stored(parts: &AppState, actor: &Actor, hash: &str) -> Result<Option<MediaItem>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let row = media_file::find_own(lease.conn(), actor.account, hash).await.map_err(internal_error)?;
    let Some(row) = row else {
        return read::check_quota(lease.conn(), 1).await.map(|()| None);
    };
    drop(lease);
    let item = read::present(&presenter, row)?;
    let name = address::file_name(item.kind, item.size);
    let is_complete = parts.media.has(&item.hash, &name).await.map_err(|why| refusal(&why))?;
    Ok(Some(item).filter(|_| is_complete))
}

/// Stores the row with its event. The same file of the same account keeps its row.
async fn insert(parts: &AppState, actor: &Actor, row: &NewMediaRow<'_>) -> Result<MediaItem, DomainError> {
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(tx.conn(), actor, row.at).await?;
    let known = media_file::find_own(tx.conn(), actor.account, row.hash).await.map_err(internal_error)?;
    // It was replaced after its address was chosen.
    if media_content::is_replaced(tx.conn(), row.hash).await.map_err(internal_error)? {
        return Err(DomainError::Changed);
    }
    if let Some(known) = known {
        return read::present(&presenter, known);
    }
    read::check_quota(tx.conn(), row.stored_bytes).await?;
    match media_file::insert(tx.conn(), row).await {
        // Another node stored the same file at the same time.
        Err(error) if error.is_unique_violation() => return Err(DomainError::Changed),
        other => other.map_err(write_error(parts))?,
    }
    let item = read::one(tx.conn(), &presenter, row.id).await?;
    let event = NewEvent {
        version: Some(item.version.0),
        // Everyone may read the log, but not the names of files that no article uses.
        detail: json!({ "type": row.format }).to_string(),
        ..NewEvent::simple(row.at, Some(actor.account), "media", row.id.0, "upload")
    };
    event::append(tx.conn(), &[event]).await.map_err(write_error(parts))?;
    tx.commit().await.map_err(write_error(parts))?;
    parts.committed.notify_waiters();
    Ok(item)
}

/// Removes the files of a folder that no row needs. The caller has the lock of the hash.
pub async fn remove_unknown(parts: &AppState, hash: &str) {
    let known = async {
        let mut lease = parts.store.read(PoolRole::Web).await?;
        media_content::used_folders(lease.conn(), &[hash.to_owned()]).await
    };
    match known.await {
        Ok(known) if known.is_empty() => {
            if let Err(why) = parts.media.remove(hash).await {
                tracing::warn!(
                    "files of a deleted upload could not be removed; the next sweep tries again: {why}"
                );
            }
        }
        Ok(_) => {}
        Err(error) => tracing::debug!("files of an upload were not removed: {error:?}"),
    }
}

/// Says that the files cannot be used.
pub fn refusal(why: &FilesError) -> DomainError {
    match why {
        FilesError::Folder(why) => not_stored(why),
        FilesError::Bucket { .. } => {
            tracing::warn!("files of the media library were not stored or read: {why}");
            MediaProblem::StorageUnavailable.into()
        }
    }
}

/// Says that a file could not be written.
fn not_stored(why: &io::Error) -> DomainError {
    match why.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            tracing::warn!("an upload was refused: the disk is full");
            MediaProblem::DiskFull.into()
        }
        _ => internal_error(StoreError::Corrupt(format!("an upload could not be written: {why}"))),
    }
}

/// Returns an alternative text in one line; refuses one that is too long.
pub fn checked_alt(alt: &str) -> Result<String, DomainError> {
    let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
    if alt.chars().count() > MAX_ALT_CHARS {
        let max = u32::try_from(MAX_ALT_CHARS).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("alt", ValidationError::TooLong { max }));
    }
    if alt.chars().any(char::is_control) {
        return Err(DomainError::invalid("alt", ValidationError::BadCharacters));
    }
    Ok(alt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_a_plain_sentence() {
        let refusal = not_stored(&io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(refusal, MediaProblem::DiskFull.into());
        assert_eq!((refusal.status(), refusal.code()), (507, "disk_full"));
        assert_eq!(not_stored(&io::Error::from(io::ErrorKind::PermissionDenied)).status(), 500);
    }
}
