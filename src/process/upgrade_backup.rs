//! The backup before a migration: written and checked first, kept in the data folder.

use crate::process::{cli_error::CliError, config::Config, disk, private};
use domain::{Clock, clock::SystemClock};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use store::{Store, StoreError, upgrade_backup};

/// Name of the folder in the data folder.
const FOLDER: &str = "backups";
/// Beginning and ending of a file name. Between them are the version of the newer program and the time.
const BEFORE: &str = "before-";
const ENDING: &str = ".backup";
/// Number of backups kept.
const MAX_BACKUPS: usize = 3;
/// Space that remains free beside a backup, bytes.
const FREE_RESERVE_BYTES: u64 = 4 << 20;

/// Returns the folder of the backups that are written automatically.
#[must_use]
pub fn folder(config: &Config) -> PathBuf {
    config.data.join(FOLDER)
}

/// Migrates the schema of the database at `place`. A database with content is backed up first; without
/// that backup nothing is migrated. One process does both, others wait for it.
pub async fn migrate(store: &Store, config: &Config, place: &str) -> Result<(), CliError> {
    let failed = |error: StoreError| CliError::database(place, &error);
    let migration = store.begin_migration().await.map_err(failed)?;
    if !migration.is_upgrade() || !config.upgrade_backup {
        return migration.run().await.map_err(failed);
    }
    let (step, folder) = (migration.versions.found, folder(config));
    let file = write(store, step, &folder).await.map_err(CliError::UpgradeBackup)?;
    tracing::info!(
        "the database (schema step {step}) was saved to {}; the previous release can go back to it with presstime rollback",
        file.display()
    );
    let done = migration.run().await;
    if done.is_ok() {
        remove_old(&folder, &file);
    } else if store.schema_versions().await.is_ok_and(|versions| versions.found == step) {
        // Otherwise each restart after a failed migration would add the same backup.
        let _ = fs::remove_file(&file);
    }
    done.map_err(failed)
}

/// Writes a checked backup of a database after migration `step`, completely or not at all. Returns its
/// path, or why there is none.
async fn write(store: &Store, step: i64, folder: &Path) -> Result<PathBuf, String> {
    let wrong = |why: io::Error| format!("{} cannot be written: {why}", folder.display());
    private::create_folder(folder).map_err(wrong)?;
    remove_incomplete(folder);
    let needed = upgrade_backup::size(store).await.map_err(|error| error.reason())?;
    check_space(folder, needed)?;
    let file = folder.join(new_name());
    let part = disk::part_of(&file);
    private::create_new(&part).map(drop).map_err(wrong)?;
    if let Err(error) = upgrade_backup::write(store, step, &part).await {
        let _ = fs::remove_file(&part);
        return Err(error.to_string());
    }
    // The folder is synced too: after a power cut in the migration the file has its name.
    disk::complete(&part, &file).map_err(wrong)?;
    Ok(file)
}

/// Returns why `needed` bytes and a reserve are not free in a folder.
pub fn check_space(folder: &Path, needed: u64) -> Result<(), String> {
    let needed = needed.saturating_add(FREE_RESERVE_BYTES);
    let Some(free) = disk::free_bytes(folder).filter(|free| *free < needed) else { return Ok(()) };
    let (needed, free) = (needed.div_ceil(1 << 20), free >> 20);
    Err(format!("it needs up to {needed} MiB in {}, {free} MiB are free", folder.display()))
}

fn new_name() -> String {
    let time: String = SystemClock.now().to_string().chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{BEFORE}{}-{time}{ENDING}", env!("CARGO_PKG_VERSION"))
}

/// Removes the files of a process that was killed.
fn remove_incomplete(folder: &Path) {
    for (name, path) in files(folder) {
        if name.starts_with(BEFORE) && name.contains(&format!("{ENDING}.part")) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Removes all but the newest backups, never `newest`.
fn remove_old(folder: &Path, newest: &Path) {
    let mut old: Vec<(String, PathBuf)> =
        files(folder).into_iter().filter(|(name, path)| is_ours(name) && path != newest).collect();
    // By time: it follows the last hyphen.
    old.sort_by_key(|(name, _)| name.rsplit('-').next().map(str::to_owned));
    let excess = (old.len() + 1).saturating_sub(MAX_BACKUPS);
    for (_, path) in old.into_iter().take(excess) {
        if let Err(why) = fs::remove_file(&path) {
            tracing::warn!("the old backup {} cannot be removed: {why}", path.display());
        }
    }
}

/// Whether a file has a name of [`new_name`]. Others may be backups by hand.
fn is_ours(name: &str) -> bool {
    let parts = name.strip_prefix(BEFORE).and_then(|name| name.strip_suffix(ENDING)?.rsplit_once('-'));
    let day = parts.and_then(|(_, time)| time.split_once('T')).map(|(day, _)| day);
    day.is_some_and(|day| day.len() == 8 && day.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns name and path of the files in a folder.
fn files(folder: &Path) -> Vec<(String, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_three_backups_are_kept_whatever_their_versions() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let names = ["before-0.10.0-20270101T", "before-0.9.0-20260101T", "before-0.9.1-20260201T"];
        let others = ["auto-20250101T.backup", "before-2026.backup", "desk.backup"];
        for name in names.map(|name| format!("{name}.backup")).iter().map(String::as_str).chain(others) {
            fs::write(path(name), "").expect("a file");
        }
        // A clock that is wrong does not cost the new backup.
        let newest = path("before-0.11.0-19700101T.backup");
        fs::write(&newest, "").expect("a file");
        remove_old(folder.path(), &newest);
        let mut left: Vec<String> = files(folder.path()).into_iter().map(|(name, _)| name).collect();
        left.sort();
        assert_eq!(
            left,
            [
                "auto-20250101T.backup",
                "before-0.10.0-20270101T.backup",
                "before-0.11.0-19700101T.backup",
                "before-0.9.1-20260201T.backup",
                "before-2026.backup",
                "desk.backup"
            ]
        );
    }
}
