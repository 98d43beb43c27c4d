//! `backup` and `restore`: a copy of all data in one file, independent of the database type.

use super::require_database;
use crate::{
    engine::backups::{newest_first, scratch_folder},
    files::{BackupFiles, FilesError, MediaFiles, MediaFolder},
    media::backup::{self as media_backup, Presence},
    process::{
        cli_error::CliError,
        config::{Config, S3_SCHEME},
        disk, private,
    },
    security::secret_box,
    server,
};
use clap::Args;
use domain::{Clock, clock::SystemClock};
use std::{
    io,
    path::{Path, PathBuf},
};
use store::{backup, restore};

/// What is printed after a restore.
pub(super) const HELD: &str =
    "Deliveries are held until an admin confirms on the engine page that this installation should send them.";

/// Number of older backups of a bucket that are named: the newest may be damaged.
const MAX_OLDER: usize = 10;

/// Flags of `backup`.
#[derive(Debug, Args)]
#[command(after_help = "\
The file is a SQLite database with a consistent snapshot of all data; servers keep running. It can be restored to SQLite and
to PostgreSQL, whichever it came from. Uploaded pictures and files are copied to the folder FILE.media beside it. Secrets of channels stay encrypted: also keep DATA/secret.key (or the text of
--secret-key), in a different place. Sessions and one-time links are not restored.")]
pub struct Backup {
    /// The file to write; must not exist
    file: PathBuf,
}

/// Flags of `restore`.
#[derive(Debug, Args)]
#[command(after_help = "\
The database must be empty and unused. Afterwards all deliveries are held until an admin confirms on the engine page (or by
POST /api/v1/delivery-hold/confirm) that they may be sent: if the original installation is still running, receivers would get
every message twice. Overdue tasks are executed within their grace, as after any outage.")]
pub struct Restore {
    /// The file that `presstime backup` or the server wrote; in a bucket s3://BUCKET/PREFIX/FILE, or
    /// s3://BUCKET/PREFIX for the newest one there
    file: PathBuf,
}

/// Writes the backup atomically and prints its contents.
pub async fn back_up(config: &Config, flags: &Backup) -> Result<(), CliError> {
    let file = &flags.file;
    let wrong = |why: io::Error| CliError::Failed(format!("{} cannot be written: {why}", file.display()));
    if file.exists() {
        return Err(CliError::Failed(format!("{} exists already; choose another name", file.display())));
    }
    require_database(config)?;
    let files = MediaFiles::open(config)?;
    let store = server::open_store(config).await?;
    let steps = store.schema_versions().await?;
    if steps.found < steps.known {
        let why =
            "the database is older than this program; run presstime migrate first, or use the older program";
        return Err(CliError::Failed(why.to_owned()));
    }
    let media = media_backup::beside(file);
    if media.exists() {
        return Err(CliError::Failed(format!("{} exists already; choose another name", media.display())));
    }
    let part = disk::part_of(file);
    let _ = std::fs::remove_file(&part);
    private::create_new(&part).map(drop).map_err(wrong)?;
    let done = backup::write(&store, &part).await;
    store.close().await;
    let contents = match done {
        Ok(contents) => contents,
        Err(error) => {
            let _ = std::fs::remove_file(&part);
            return Err(CliError::Failed(format!("no backup was written: {}", error.reason())));
        }
    };
    // After the snapshot: every file that it names exists by now.
    let count = match files.copy_all(&MediaFiles::Folder(MediaFolder::at(media.clone()))).await {
        Ok(count) => count,
        Err(why) => {
            let _ = std::fs::remove_file(&part);
            let _ = std::fs::remove_dir_all(&media);
            return Err(match why {
                FilesError::Folder(why) => wrong(why),
                bucket @ FilesError::Bucket { .. } => {
                    CliError::Failed(format!("no backup was written: {bucket}"))
                }
            });
        }
    };
    let bytes = disk::complete(&part, file).map_err(wrong)?;
    println!("{}: {}, {} KiB", file.display(), words(contents), bytes.div_ceil(1024));
    if count > 0 {
        println!("{}: {count} uploaded files", media_backup::beside(file).display());
    }
    Ok(())
}

/// Fills an empty database from the backup and prints the contents.
pub async fn restore(config: &Config, flags: &Restore) -> Result<(), CliError> {
    let file = &flags.file;
    if let Some(address) = file.to_str().filter(|file| file.starts_with(S3_SCHEME)) {
        return restore_from_bucket(config, address).await;
    }
    if !file.is_file() {
        return Err(CliError::Failed(format!("there is no file {}", file.display())));
    }
    restore_file(config, file, &MediaFiles::Folder(MediaFolder::at(media_backup::folder_of(file)))).await
}

/// Copies a backup from a bucket into a scratch folder, and restores it.
async fn restore_from_bucket(config: &Config, address: &str) -> Result<(), CliError> {
    let scratch = scratch_folder(&config.backup.to);
    let failed = |why: FilesError| match why {
        FilesError::Folder(why) => {
            CliError::Failed(format!("nothing was restored: {} cannot be written: {why}", scratch.display()))
        }
        bucket @ FilesError::Bucket { .. } => CliError::Failed(format!("nothing was restored: {bucket}")),
    };
    let (folder, name) = split_address(address);
    let bucket = config.s3.bucket("restore", folder)?;
    let place = BackupFiles::open_bucket(&bucket, "the address", config)?;
    let (name, older): (String, Vec<String>) = match name {
        Some(name) => (name.to_owned(), Vec::new()),
        None => {
            let mut backups = newest_first(place.names().await.map_err(failed)?).into_iter();
            let none = || CliError::Failed(format!("there is no backup in {}", place.name()));
            (backups.next().ok_or_else(none)?, backups.take(MAX_OLDER).collect())
        }
    };
    println!("{name} of {}", place.name());
    if !older.is_empty() {
        println!("Older ones there: {}", older.join(", "));
    }
    private::prepare_folder(&config.data)?;
    let restored = async {
        private::create_folder(&scratch).map_err(FilesError::Folder).map_err(failed)?;
        let file = place.fetch(&name, &scratch).await.map_err(failed)?;
        restore_file(config, &file, &place.media()).await
    };
    let ended = restored.await;
    let _ = std::fs::remove_dir_all(&scratch);
    ended
}

/// Returns the address of the folder, and the name of the backup; `None`: it names no backup.
fn split_address(address: &str) -> (&str, Option<&str>) {
    match address.rsplit_once('/') {
        // A bucket may have such a name too.
        Some((folder, name)) if name.ends_with(".backup") && folder.len() > S3_SCHEME.len() => {
            (folder, Some(name))
        }
        _ => (address, None),
    }
}

/// Fills an empty database from the file. `media`: its uploaded files.
async fn restore_file(config: &Config, file: &Path, media: &MediaFiles) -> Result<(), CliError> {
    let files = MediaFiles::open(config)?;
    let store = server::open_store(config).await?;
    server::migrate(&store, config).await?;
    media
        .copy_all(&files)
        .await
        .map_err(|why| CliError::Failed(format!("the uploaded files cannot be restored: {why}")))?;
    let done = restore::restore(&store, file, SystemClock.now()).await;
    let presence = match files.inventory().await {
        Ok(inventory) => media_backup::examine(&store, &inventory).await.ok(),
        Err(_) => None,
    };
    let key = match done {
        Ok(_) => secret_box::adopt_former_key(&store, config).await?,
        Err(_) => None,
    };
    store.close().await;
    let contents = done.map_err(|error| match error {
        restore::RestoreError::Store(error) => error.into(),
        other => CliError::Failed(other.to_string()),
    })?;
    println!("{}: {}", server::place(config), words(contents));
    let from = media.bucket_name().map(str::to_owned);
    let from = from.unwrap_or_else(|| media_backup::folder_of(file).display().to_string());
    if let Some(line) = presence.and_then(|presence| missing_files(&presence, &from, &files)) {
        println!("{line}");
    }
    println!("{HELD}");
    if let Some(key) = key {
        println!("{}", former_key(&key));
    }
    if !config.is_postgres() && config.secret_key.is_none() && !config.data.join("secret.key").exists() {
        println!(
            "Copy the file secret.key of the original installation to {} before you start the server.",
            config.data.display()
        );
    }
    Ok(())
}

fn missing_files(presence: &Presence, from: &str, files: &MediaFiles) -> Option<String> {
    let count = presence.missing.len();
    let place = files.bucket_name().unwrap_or("the folder media of the data folder");
    (count > 0)
        .then(|| format!("{count} uploaded files are missing: copy the content of {from} into {place}."))
}

/// Says which key the next start uses.
pub(super) fn former_key(file: &Path) -> String {
    format!("Its secrets are encrypted with a former key: the next start uses {}.", file.display())
}

/// Says what a backup holds.
pub(super) fn words(contents: backup::BackupContents) -> String {
    let backup::BackupContents { articles, tasks, people } = contents;
    format!("{people} accounts, {articles} articles, {tasks} tasks")
}
