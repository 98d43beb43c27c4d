//! `rollback`: from the database of a newer release back to the backup before the upgrade.

use crate::{
    process::{
        cli_error::CliError,
        config::{Address, Config},
        disk, upgrade_backup as backups,
    },
    security::secret_box,
    server::{
        self,
        cli::{backup, require_database},
    },
};
use clap::Args;
use domain::{Clock, Timestamp, clock::SystemClock};
use std::{
    fs::{self, File},
    io::{self, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};
use store::{
    Options, PoolRole, SchemaVersions, Store,
    backup::{BackupContents, RowCount},
    db_identity,
    restore::{self, RestoreError},
    upgrade_backup,
};

/// Flags of `rollback`.
#[derive(Debug, Args)]
#[command(after_help = "\
Use the older program, after the newer one is stopped. It restores the newest backup of its own schema in DATA/backups. The
newer SQLite file is kept beside the database under another name; a newer PostgreSQL database is not changed, the backup is
restored into the one of --into. Changes since the backup are lost. Afterwards deliveries are held until an admin confirms.")]
pub struct Rollback {
    /// Go back without a question
    #[arg(long)]
    yes: bool,
    /// PostgreSQL: a new, empty database to restore into, e.g. postgres://user:password@host/name
    #[arg(long, value_name = "URL")]
    into: Option<Address>,
}

/// A backup of this program's schema.
struct Found {
    path: PathBuf,
    written_at: Timestamp,
}

/// A restored database.
struct Restored {
    /// What it holds, in words.
    contents: String,
    /// The former key that the next start uses; `None`: the current one fits.
    key: Option<PathBuf>,
}

/// Shows what would be lost, asks, and restores the backup.
pub async fn run(config: &Config, flags: &Rollback) -> Result<(), CliError> {
    require_database(config)?;
    let file = db_identity::file_of(&config.database());
    check_usage(file.is_some(), flags)?;
    let newer = server::connect_any_store(config).await?;
    let found = find(&newer, config).await;
    newer.close().await;
    let (backup, lines) = found?;
    for line in lines {
        println!("{line}");
    }
    confirm(flags.yes)?;
    match (file, &flags.into) {
        (Some(database), _) => replace_file(config, &database, &backup.path).await,
        (None, Some(url)) => restore_into(config, url, &backup.path).await,
        // Refused above.
        (None, None) => Ok(()),
    }
}

fn check_usage(is_file: bool, flags: &Rollback) -> Result<(), CliError> {
    let why = match (is_file, &flags.into) {
        (true, Some(_)) => "--into is for PostgreSQL: the SQLite file is replaced where it is",
        (false, None) => {
            "a PostgreSQL database is not replaced: create a new, empty one and name it with --into URL"
        }
        _ => return Ok(()),
    };
    Err(CliError::Usage(why.to_owned()))
}

/// Returns the backup to restore, and what going back to it loses, a sentence a line.
async fn find(newer: &Store, config: &Config) -> Result<(Found, Vec<String>), CliError> {
    let wrong = |error| CliError::database(server::place(config), &error);
    let failed = |why: String| Err(CliError::Failed(why));
    let SchemaVersions { found, known } = newer.schema_versions().await.map_err(wrong)?;
    if found <= known {
        return failed(format!(
            "the database is not newer than this program (schema step {found}, this program knows {known}); there is nothing to go back from"
        ));
    }
    let mut lease = newer.read(PoolRole::Web).await.map_err(wrong)?;
    if let Some(node) = restore::find_alive_node(lease.conn(), SystemClock.now()).await.map_err(wrong)? {
        return failed(format!("node {node} is running on this database; stop it first"));
    }
    let folder = backups::folder(config);
    let Some(backup) = newest(&folder, known).await else {
        return failed(format!(
            "there is no backup of schema step {known} in {}; use the newer program, or restore a backup of your own into an empty database with presstime restore",
            folder.display()
        ));
    };
    let saved = upgrade_backup::inspect(&backup.path).await.map_err(|error| refused(&backup.path, &error))?;
    let now = upgrade_backup::count_rows(lease.conn(), known).await;
    let mut lines = vec![
        format!(
            "The database at {} has schema step {found}, this program knows {known}.",
            server::place(config)
        ),
        format!("The backup {} was written at {}.", backup.path.display(), backup.written_at),
        "All changes since then would be lost.".to_owned(),
    ];
    lines.extend(match now {
        Ok(now) => differences(&saved, &now),
        // The newer release may have removed a table. That must not prevent the way back.
        Err(error) => vec![format!("  Its rows cannot be compared with the backup: {}.", error.reason())],
    });
    Ok((backup, lines))
}

/// Returns the newest backup of schema step `known`.
async fn newest(folder: &Path, known: i64) -> Option<Found> {
    let mut newest: Option<Found> = None;
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "backup") {
            continue;
        }
        let Some(written_at) = written_at(&path) else { continue };
        let is_newer = newest.as_ref().is_none_or(|newest| newest.written_at < written_at);
        if is_newer && upgrade_backup::step_of(&path).await == Some(known) {
            newest = Some(Found { path, written_at });
        }
    }
    newest
}

fn written_at(file: &Path) -> Option<Timestamp> {
    let since = fs::metadata(file).ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(Timestamp::from_millis)
}

/// Returns a line for each table with another number of rows.
fn differences(saved: &[RowCount], now: &[RowCount]) -> Vec<String> {
    let different = saved.iter().zip(now).filter(|((_, saved), (_, now))| saved != now);
    let lines: Vec<String> = different
        .map(|((table, saved), (_, now))| format!("  {table}: {now} rows now, {saved} in the backup"))
        .collect();
    if lines.is_empty() { vec!["  No table has another number of rows.".to_owned()] } else { lines }
}

fn confirm(is_confirmed: bool) -> Result<(), CliError> {
    if is_confirmed {
        return Ok(());
    }
    let refused = |why: &str| Err(CliError::Failed(why.to_owned()));
    if !io::stdin().is_terminal() {
        return refused("nothing was changed; run it again with --yes to go back");
    }
    print!("Go back? Type yes: ");
    // Without the question the answer is still asked for.
    let _ = io::stdout().flush();
    let mut answer = String::new();
    match io::stdin().read_line(&mut answer) {
        Ok(_) if answer.trim() == "yes" => Ok(()),
        _ => refused("nothing was changed"),
    }
}

/// Restores the backup beside the SQLite file, then exchanges the two: at each instant there is either
/// the newer or the restored database.
async fn replace_file(config: &Config, database: &Path, backup: &Path) -> Result<(), CliError> {
    let fresh = beside(database, "rollback");
    remove(&fresh);
    let exchanged = async {
        let restored = restore_to(config, &format!("sqlite:{}", fresh.display()), backup).await?;
        Ok::<_, CliError>((restored, exchange(&fresh, database).await?))
    };
    let exchanged = exchanged.await;
    if exchanged.is_err() {
        remove(&fresh);
    }
    let (Restored { contents, key }, aside) = exchanged?;
    if let Some(folder) = database.parent() {
        // If it is not possible, a power cut may bring the newer database back: no data is lost.
        let _ = disk::sync_folder(folder);
    }
    println!("{}: {contents}", database.display());
    println!("The database of the newer release was kept as {}.", aside.display());
    if let Some(key) = key {
        println!("{}", backup::former_key(&key));
    }
    println!("{}", backup::HELD);
    Ok(())
}

/// Gives the restored database `fresh` the name of the newer one, and that one another name, which it returns.
/// After an error both are as before.
async fn exchange(fresh: &Path, database: &Path) -> Result<PathBuf, CliError> {
    let place = database.display().to_string();
    let failed = |error| CliError::database(place.clone(), &error);
    let is_alone = upgrade_backup::close_log(fresh).await.map_err(failed)?
        && upgrade_backup::close_log(database).await.map_err(failed)?;
    if !is_alone {
        let why = "another process uses the database; stop it first, nothing was changed";
        return Err(CliError::Failed(why.to_owned()));
    }
    let time: String = SystemClock.now().to_string().chars().filter(char::is_ascii_alphanumeric).collect();
    let aside = beside(database, &format!("newer-{time}"));
    // A file system without links needs a copy.
    let renamed = fs::hard_link(database, &aside)
        .or_else(|_| fs::copy(database, &aside).and_then(|_| File::open(&aside)?.sync_all()))
        .and_then(|()| File::open(fresh)?.sync_all())
        .and_then(|()| fs::rename(fresh, database));
    if let Err(why) = renamed {
        // The newer database still has its name. The disk may be full: what is here may be half of a copy.
        let _ = fs::remove_file(&aside);
        return Err(CliError::Failed(format!("{place} cannot be replaced: {why}")));
    }
    Ok(aside)
}

/// Restores the backup into another, empty database.
async fn restore_into(config: &Config, url: &Address, backup: &Path) -> Result<(), CliError> {
    let Restored { contents, .. } = restore_to(config, &url.0, backup).await?;
    println!("{url}: {contents}");
    println!("The database of the newer release was not changed. Set database_url to the restored one.");
    println!("{}", backup::HELD);
    Ok(())
}

/// Fills an empty database.
async fn restore_to(config: &Config, url: &str, backup: &Path) -> Result<Restored, CliError> {
    let place =
        url.strip_prefix("sqlite:").map_or_else(|| Address(url.to_owned()).to_string(), str::to_owned);
    let failed = |error| CliError::database(place.clone(), &error);
    let store = Store::open(&Options::new(url)).await.map_err(failed)?;
    let done = fill(&store, backup).await;
    let key = match done {
        Ok(_) => secret_box::adopt_former_key(&store, config).await,
        Err(_) => Ok(None),
    };
    store.close().await;
    match done {
        Ok(contents) => Ok(Restored { contents: backup::words(contents), key: key? }),
        Err(RestoreError::Store(error)) => Err(failed(error)),
        Err(error) => Err(refused(backup, &error)),
    }
}

async fn fill(store: &Store, backup: &Path) -> Result<BackupContents, RestoreError> {
    let SchemaVersions { found, known } = store.schema_versions().await?;
    // The database of another release is not migrated, even if it has no content.
    if found != 0 && found != known {
        return Err(RestoreError::HasContent);
    }
    store.migrate().await?;
    restore::restore(store, backup, SystemClock.now()).await
}

fn refused(backup: &Path, error: &RestoreError) -> CliError {
    CliError::Failed(format!("{}: {error}", backup.display()))
}

/// Returns a path beside the database: its name, a dot and `ending`.
fn beside(database: &Path, ending: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Removes an incomplete database with its log.
fn remove(file: &Path) {
    for ending in ["", "-wal", "-shm", "-journal"] {
        let mut name = file.as_os_str().to_owned();
        name.push(ending);
        let _ = fs::remove_file(name);
    }
}
