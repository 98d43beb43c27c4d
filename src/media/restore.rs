//! Takes over files of another media library, with the addresses that they have there.

use super::{hash_lock::with_lock, read, upload};
use crate::{
    app_state::AppState,
    files::{MediaFolder, manifest::MediaCopy},
    services::{internal_error, run_blocking, write_error},
};
use domain::{
    Actor, DomainError, MediaId,
    media::{MAX_ALT_CHARS, MAX_UPLOAD_BYTES, MediaType, address, cleaned_name},
};
use serde_json::json;
use std::{collections::HashSet, fs::File, io::Read as _, iter::successors};
use store::{
    PoolRole,
    event::{self, NewEvent},
    media_file::{self, NewMediaRow},
};

/// Number of files that one transaction adds.
const BATCH_SIZE: usize = 100;
/// Number of bytes that show the type of a file.
const MAGIC_LENGTH: usize = 512;
const MAGIC_BYTES: u64 = MAGIC_LENGTH as u64;
/// Maximum number of hashes of hashes that are tried: an address is taken if its file was replaced.
const MAX_HASHES: usize = 100;

/// Takes over files that the desk does not have. Returns their number, and the names of files that
/// are missing, or of another type, size or content than they say.
pub async fn restore(
    parts: &AppState,
    actor: &Actor,
    from: &MediaFolder,
    copies: &[MediaCopy],
) -> Result<(usize, Vec<String>), DomainError> {
    let (mut added, mut refused) = (0, Vec::new());
    for batch in copies.chunks(BATCH_SIZE) {
        let hashes: Vec<String> = batch.iter().map(|copy| copy.hash.clone()).collect();
        let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let known = media_file::known(lease.conn(), &hashes).await.map_err(internal_error)?;
        drop(lease);
        let known: HashSet<String> = known.into_iter().collect();
        let new: Vec<MediaCopy> = batch.iter().filter(|copy| !known.contains(&copy.hash)).cloned().collect();
        let _change = parts.media.lock().await;
        let hashes: Vec<String> = new.iter().map(|copy| copy.hash.clone()).collect();
        let (copied, wrong) = with_lock(parts, &hashes, copy_all(parts, actor, from, new)).await?;
        added += copied;
        refused.extend(wrong);
    }
    Ok((added, refused))
}

/// Copies files whose hashes are locked, and stores their rows. Returns as [`restore`] does.
async fn copy_all(
    parts: &AppState,
    actor: &Actor,
    from: &MediaFolder,
    new: Vec<MediaCopy>,
) -> Result<(usize, Vec<String>), DomainError> {
    let valid_from = from.clone();
    let checked = run_blocking(move || new.into_iter().partition(|copy| is_valid(&valid_from, copy)));
    let (valid, wrong): (Vec<MediaCopy>, Vec<MediaCopy>) = checked.await?;
    let mut refused: Vec<String> = wrong.into_iter().map(|copy| copy.name).collect();
    let mut copied = Vec::with_capacity(valid.len());
    for copy in valid {
        match parts.media.copy_from(from, &copy.hash).await {
            Ok(()) => copied.push(copy),
            Err(why) => {
                tracing::warn!("a file of the import could not be copied: {why}");
                refused.push(copy.name);
            }
        }
    }
    insert(parts, actor, &copied).await?;
    Ok((copied.len(), refused))
}

/// Whether the file exists and is what its name, its size and its hash say. A picture is not stored as it was
/// uploaded, and neither is a file that was replaced: their hash is only an address.
fn is_valid(from: &MediaFolder, copy: &MediaCopy) -> bool {
    let Ok(kind) = copy.format.parse::<MediaType>() else { return false };
    if !address::is_hash(&copy.hash) || kind.is_picture() != copy.size.is_some() {
        return false;
    }
    let Ok(file) = File::open(from.file(&copy.hash, &address::file_name(kind, copy.size))) else {
        return false;
    };
    if !file.metadata().is_ok_and(|about| about.len() == copy.bytes) {
        return false;
    }
    let is_hashed = !kind.is_picture() && !copy.is_replaced;
    let max = if is_hashed { MAX_UPLOAD_BYTES as u64 } else { MAGIC_BYTES };
    let mut content = Vec::new();
    let is_read = file.take(max).read_to_end(&mut content).is_ok();
    is_read
        && MediaType::of_bytes(content.get(..MAGIC_LENGTH).unwrap_or(&content)) == Some(kind)
        && (!is_hashed || is_address_of(&copy.hash, &content))
        && copy.alt.chars().count() <= MAX_ALT_CHARS
}

/// Whether a file with this content has this address: its hash, or the hash of that one, see
/// [`upload::hash_of`].
fn is_address_of(hash: &str, content: &[u8]) -> bool {
    let first = upload::hash_of(content);
    let next = |known: &String| Some(upload::hash_of(known.as_bytes()));
    successors(Some(first), next).take(MAX_HASHES).any(|known| known == hash)
}

async fn insert(parts: &AppState, actor: &Actor, new: &[MediaCopy]) -> Result<(), DomainError> {
    if new.is_empty() {
        return Ok(());
    }
    let at = parts.clock.now();
    let named: Vec<(&MediaCopy, String)> = new.iter().map(|copy| (copy, cleaned_name(&copy.name))).collect();
    let rows: Vec<NewMediaRow<'_>> = named
        .iter()
        .map(|(copy, name)| NewMediaRow {
            id: MediaId::generate(),
            hash: &copy.hash,
            name,
            format: &copy.format,
            size: copy.size,
            bytes: copy.bytes,
            stored_bytes: copy.stored_bytes,
            alt: &copy.alt,
            owner: actor.account,
            at,
            is_replaced: copy.is_replaced,
        })
        .collect();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let bytes = rows.iter().fold(0_u64, |sum, row| sum.saturating_add(row.stored_bytes));
    read::check_quota(tx.conn(), bytes).await?;
    media_file::insert_all(tx.conn(), &rows).await.map_err(write_error(parts))?;
    let event = |row: &NewMediaRow<'_>| NewEvent {
        version: Some(1),
        detail: json!({ "type": row.format }).to_string(),
        ..NewEvent::simple(at, Some(actor.account), "media", row.id.0, "upload")
    };
    let events: Vec<NewEvent> = rows.iter().map(event).collect();
    event::append(tx.conn(), &events).await.map_err(write_error(parts))?;
    tx.commit().await.map_err(write_error(parts))?;
    parts.committed.notify_waiters();
    Ok(())
}
