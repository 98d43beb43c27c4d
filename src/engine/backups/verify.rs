//! Verifies a backup: restores it into a scratch database and audits that.

use super::{
    files::{remove_scratch_folders, scratch_folder},
    write::media_copy,
};
use crate::{
    app_state::AppState,
    files::{BackupFiles, FilesError, Inventory},
    media::backup as media_backup,
    process::{disk, private},
};
use domain::Timestamp;
use std::{path::Path, time::Instant};
use store::{
    Options, PoolRole, Store, StoreError,
    audit::{self, AuditSpan},
    audit_summary,
    backup_run::VerificationEnd,
    restore,
};

/// Free space that a verification needs, as a multiple of the size of the backup: for the scratch
/// database, its write-ahead log, and what the desk writes meanwhile. The copy of one in a bucket needs
/// its size once more. Without it the disk would be full, often that of the desk itself.
const SPACE_FACTOR: u64 = 3;

/// Restores the backup and audits the result. The scratch database, in `folder`, is deleted afterwards.
pub async fn verify(parts: &AppState, place: &BackupFiles, folder: &Path, file: &str) -> VerificationEnd {
    remove_scratch_folders(folder);
    let (scratch, begun) = (scratch_folder(folder), Instant::now());
    let checked = fetch_and_check(parts, place, &scratch, file).await;
    let restore_ms = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
    let _ = std::fs::remove_dir_all(&scratch);
    VerificationEnd { at: parts.clock.now(), restore_ms, problem: checked.err() }
}

/// Returns why the backup cannot be restored.
async fn fetch_and_check(
    parts: &AppState,
    place: &BackupFiles,
    scratch: &Path,
    file: &str,
) -> Result<(), String> {
    let unreadable = |why: FilesError| why.to_string();
    let bytes = place.size(file).await.map_err(unreadable)?;
    let bytes = bytes.ok_or_else(|| format!("{file} is missing in {}", place.name()))?;
    create_scratch(scratch)?;
    check_space(bytes, place, scratch)?;
    let backup = place.fetch(file, scratch).await.map_err(unreadable)?;
    let media = match media_copy(&parts.media, place) {
        Some(media) => Some(media.inventory().await.map_err(unreadable)?),
        None => None,
    };
    check(&backup, scratch, media, parts.clock.now()).await
}

fn check_space(bytes: u64, place: &BackupFiles, scratch: &Path) -> Result<(), String> {
    let factor = if place.is_folder() { SPACE_FACTOR } else { SPACE_FACTOR + 1 };
    let (needed, free) = (bytes.saturating_mul(factor), disk::free_bytes(scratch).unwrap_or(u64::MAX));
    if free >= needed {
        return Ok(());
    }
    let (needed, free) = (needed.div_ceil(1 << 20), free >> 20);
    let folder = scratch.parent().unwrap_or(scratch);
    Err(format!("to try it, {needed} MiB must be free in {}, but only {free} MiB are", folder.display()))
}

fn create_scratch(scratch: &Path) -> Result<(), String> {
    private::create_folder(scratch).map_err(|why| why.to_string())
}

/// Restores the file into the folder `scratch`.
async fn check(
    backup: &Path,
    scratch: &Path,
    media: Option<Inventory>,
    now: Timestamp,
) -> Result<(), String> {
    let database = scratch.join("presstime.db");
    let options = Options::new(format!("sqlite:{}", database.display()));
    let store = Store::open(&options).await.map_err(|error| error.reason())?;
    let checked = check_in(&store, backup, media, now).await;
    store.close().await;
    checked
}

async fn check_in(
    store: &Store,
    backup: &Path,
    media: Option<Inventory>,
    now: Timestamp,
) -> Result<(), String> {
    store.migrate().await.map_err(|error| error.reason())?;
    restore::restore(store, backup, now).await.map_err(|error| match error {
        restore::RestoreError::Store(error) => error.reason(),
        other => other.to_string(),
    })?;
    let disagreements = new_disagreements(store).await.map_err(|error| error.reason())?;
    if disagreements > 0 {
        return Err(format!("the audit of the restored database found {disagreements} wrong executions"));
    }
    let Some(media) = media else { return Ok(()) };
    let presence = media_backup::examine(store, &media).await;
    match presence.map_err(|error| error.reason())?.missing.len() {
        0 => Ok(()),
        count => Err(format!("{count} uploaded files are missing")),
    }
}

/// Returns the number of executions that are lost, early or duplicated, without those that the audits
/// of the desk itself found.
async fn new_disagreements(store: &Store) -> Result<u64, StoreError> {
    let mut lease = store.read(PoolRole::Web).await?;
    let known = audit_summary::find(lease.conn()).await?.map_or(0, |summary| summary.disagreements());
    let always = AuditSpan { until: Timestamp::from_millis(i64::MAX), ..AuditSpan::default() };
    let found = audit::audit_executions(lease.conn(), &always).await?;
    let count = found.without_row + found.without_task + found.early + found.duplicates;
    Ok(count.saturating_sub(known.unsigned_abs()))
}
