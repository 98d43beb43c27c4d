//! Writes one backup: database and uploaded files.

use super::files;
use crate::{
    app_state::AppState,
    files::{BackupFiles, MediaFiles},
    media::backup as media_backup,
    process::{
        config::{BackupSettings, Config},
        disk, private,
    },
    services::run_blocking,
};
use domain::Timestamp;
use std::path::Path;
use store::{
    Options, PoolRole, Store, StoreError, backup,
    backup_run::{self, RunEnd},
};

/// Free space that a backup needs, as a multiple of the size of the last one, or of the database. The
/// uploaded files that are not copied yet are added.
const SPACE_FACTOR: u64 = 2;
/// Number of connections to the database that writing takes.
const CONNECTIONS: u32 = 2;

/// Writes the backup of this time to its place, if enough space is free.
pub async fn write(parts: &AppState, config: &Config, place: &BackupFiles, at: Timestamp) -> RunEnd {
    let failed = |detail| RunEnd { state: "failed", file: None, bytes: None, detail: Some(detail) };
    match missing_space(parts, &config.backup, place).await {
        Ok(None) => {}
        Ok(Some(needed)) => {
            let bytes = i64::try_from(needed).ok();
            return RunEnd { state: "skipped", file: None, bytes, detail: None };
        }
        Err(detail) => return failed(detail),
    }
    match write_file(parts, config, place, at).await {
        Ok((file, bytes)) => {
            RunEnd { state: "written", file: Some(file), bytes: i64::try_from(bytes).ok(), detail: None }
        }
        Err(detail) => failed(detail),
    }
}

/// Creates the folder. Returns the free space that is needed, bytes; `None`: it is free.
async fn missing_space(
    parts: &AppState,
    settings: &BackupSettings,
    place: &BackupFiles,
) -> Result<Option<u64>, String> {
    let folder = settings.to.clone();
    let media = match (&parts.media, media_copy(&parts.media, place)) {
        (MediaFiles::Folder(from), Some(MediaFiles::Folder(to))) => Some((from.clone(), to)),
        _ => None,
    };
    let prepared = run_blocking(move || {
        private::create_folder(&folder)?;
        files::remove_unfinished(&folder);
        let uploaded = media.map_or(0, |(from, to)| media_backup::missing_bytes(&from, &to));
        // If it is not known, the backup is tried.
        Ok::<_, std::io::Error>((disk::free_bytes(&folder).unwrap_or(u64::MAX), uploaded))
    });
    let (free, uploaded) = blocking(prepared).await?;
    let read = async {
        let mut lease = parts.store.read(PoolRole::Web).await?;
        let last = backup_run::last_written(lease.conn()).await?.and_then(|run| run.bytes);
        let database = backup_run::database_bytes(lease.conn()).await?;
        Ok::<_, StoreError>(last.unwrap_or(database))
    };
    let size = read.await.map_err(|error| error.reason())?;
    let database = u64::try_from(size).unwrap_or_default().saturating_mul(SPACE_FACTOR);
    let needed = database.saturating_add(uploaded);
    Ok((free < needed).then_some(needed))
}

/// Waits for work on a blocking thread.
async fn blocking<T>(
    work: impl Future<Output = Result<std::io::Result<T>, domain::DomainError>>,
) -> Result<T, String> {
    match work.await {
        Ok(done) => done.map_err(|why| why.to_string()),
        Err(refused) => Err(refused.to_string()),
    }
}

/// Writes database and uploaded files. Returns name and size of the backup.
async fn write_file(
    parts: &AppState,
    config: &Config,
    place: &BackupFiles,
    at: Timestamp,
) -> Result<(String, u64), String> {
    let name = files::free_name(&place.names().await.map_err(|why| why.to_string())?, at);
    let part = disk::part_of(&config.backup.to.join(&name));
    let stored = match write_part(parts, config, place, &part).await {
        Ok(()) => place.store(&part, &name).await.map_err(|why| why.to_string()),
        Err(detail) => Err(detail),
    };
    // In a folder it has its name by now.
    let _ = std::fs::remove_file(&part);
    stored.map(|bytes| (name, bytes))
}

async fn write_part(
    parts: &AppState,
    config: &Config,
    place: &BackupFiles,
    part: &Path,
) -> Result<(), String> {
    private::create_new(part).map_err(|why| why.to_string())?;
    // Connections of its own: those of the engine and of users are not kept busy.
    let options = Options {
        web_connections: CONNECTIONS,
        engine_connections: CONNECTIONS,
        silence_timeout: config.statement_timeout,
        ..Options::new(config.database())
    };
    let store = Store::open(&options).await.map_err(|error| error.reason())?;
    let written = backup::write(&store, part).await;
    store.close().await;
    written.map_err(|error| error.reason())?;
    // After the snapshot: every file that it names exists by now.
    if let Some(to) = media_copy(&parts.media, place) {
        parts.media.copy_all(&to).await.map_err(|why| why.to_string())?;
    }
    Ok(())
}

/// Returns the place of the uploaded files of all backups; `None`: they are in a bucket of their own,
/// which is not copied.
pub fn media_copy(media: &MediaFiles, place: &BackupFiles) -> Option<MediaFiles> {
    media.bucket_name().is_none().then(|| place.media())
}
