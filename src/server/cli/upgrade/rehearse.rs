//! `upgrade --check --rehearse`: migrates a copy of the database and measures it.

use crate::{
    process::{cli_error::CliError, config::Config, private, upgrade_backup as backups},
    server,
};
use std::{
    fs::{self, File, TryLockError},
    path::Path,
    time::Duration,
};
use store::{
    SchemaVersions, Store,
    upgrade_backup::{self, Rehearsal},
};

/// Name of the scratch folder in the data folder.
const FOLDER: &str = "rehearsal";
/// Space for the copy and for the log of its migration, in sizes of the database.
const SIZES: u64 = 2;

/// Migrates a copy in the data folder and removes it. Returns a sentence with the times; `None`: nothing
/// would be migrated.
pub async fn run(store: &Store, config: &Config) -> Result<Option<String>, CliError> {
    let wrong = |error| CliError::database(server::place(config), &error);
    let SchemaVersions { found, known } = store.schema_versions().await.map_err(wrong)?;
    if !(1..known).contains(&found) {
        return Ok(None);
    }
    let failed =
        |why: String| CliError::Failed(format!("the rehearsal failed: {why}; the database was not changed"));
    let needed = upgrade_backup::size(store).await.map_err(wrong)?.saturating_mul(SIZES);
    private::prepare_folder(&config.data)?;
    backups::check_space(&config.data, needed).map_err(failed)?;
    // Held until the end. It also ends with the process.
    let _alone = lock(&config.data)?;
    let folder = config.data.join(FOLDER);
    // That of a process that was killed.
    let _ = fs::remove_dir_all(&folder);
    private::create_folder(&folder)
        .map_err(|why| failed(format!("{} cannot be created: {why}", folder.display())))?;
    let done = upgrade_backup::rehearse(store, found, &folder.join("copy.db")).await;
    let _ = fs::remove_dir_all(&folder);
    let Rehearsal { copied, migrated } = done.map_err(|error| failed(error.reason()))?;
    let kind = if config.is_postgres() { "an SQLite copy" } else { "a copy" };
    let (copied, migrated) = (seconds(copied), seconds(migrated));
    Ok(Some(format!("Rehearsed on {kind} in the data folder: the steps took {migrated}, copying {copied}.")))
}

/// Locks the data folder against another rehearsal, which would remove this copy. A file system without
/// locks is used without one.
fn lock(data: &Path) -> Result<Option<File>, CliError> {
    let Ok(folder) = File::open(data) else { return Ok(None) };
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(TryLockError::Error(_)) => Ok(None),
        Err(TryLockError::WouldBlock) => {
            let why = "another rehearsal is running in the data folder; wait until it has ended";
            Err(CliError::Failed(why.to_owned()))
        }
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
