//! `backup` and `restore`: everything in one file, whichever database it is read from or goes back to.

use crate::{config::Config, house, private, trouble::Trouble};
use clap::Args;
use domain::{Clock, clock::SystemClock};
use std::{
    io,
    path::{Path, PathBuf},
};
use store::{backup, restore};

/// Flags of `backup`.
#[derive(Debug, Args)]
#[command(after_help = "\
The file is a SQLite database with everything as it stood at one moment; the desk goes on meanwhile. It can be restored to SQLite
and to PostgreSQL, whichever it came from. Secrets of channels stay sealed: keep DATA/secret.key (or the text of --secret-key) as
well, and somewhere else. Sessions and one-time links are not restored.")]
pub struct Backup {
    /// The file to write; refused if it exists
    file: PathBuf,
}

/// Flags of `restore`.
#[derive(Debug, Args)]
#[command(after_help = "\
Into an empty database only, without a server running on it. Afterwards all messages to the outside are held until an admin says on
the engine page (or by POST /api/v1/restore/confirm) that they may go out: if the desk the backup was made of still runs, everybody
would be told everything twice. Tasks go out by their late rules as after any standstill.")]
pub struct Restore {
    /// The file that `presstime backup` wrote
    file: PathBuf,
}

/// Writes the file, whole or not at all, and says what is in it.
pub async fn back_up(config: &Config, flags: &Backup) -> Result<(), Trouble> {
    let file = &flags.file;
    let wrong = |why: io::Error| Trouble::Failed(format!("{} cannot be written: {why}", file.display()));
    if file.exists() {
        return Err(Trouble::Failed(format!("{} exists already; choose another name", file.display())));
    }
    if config.database_url.is_none() && !config.database_file().exists() {
        return Err(Trouble::Failed(format!("there is no database at {}", house::place(config))));
    }
    let store = house::open_store(config).await?;
    let steps = store.steps().await?;
    if steps.found < steps.known {
        let why =
            "the database is older than this program; run presstime migrate first, or use the older program";
        return Err(Trouble::Failed(why.to_owned()));
    }
    let part = part_of(file);
    let _ = std::fs::remove_file(&part);
    private::create_new(&part).map(drop).map_err(wrong)?;
    let done = backup::write(&store, &part).await;
    store.close().await;
    let contents = match done {
        Ok(contents) => contents,
        Err(error) => {
            let _ = std::fs::remove_file(&part);
            return Err(error.into());
        }
    };
    std::fs::File::open(&part).and_then(|open| open.sync_all()).map_err(wrong)?;
    std::fs::rename(&part, file).map_err(wrong)?;
    let bytes = std::fs::metadata(file).map_err(wrong)?.len();
    println!("{}: {}, {} KiB", file.display(), words(contents), bytes.div_ceil(1024));
    Ok(())
}

/// Fills the empty database from the file and says what came.
pub async fn restore(config: &Config, flags: &Restore) -> Result<(), Trouble> {
    let file = &flags.file;
    if !file.is_file() {
        return Err(Trouble::Failed(format!("there is no file {}", file.display())));
    }
    let store = house::open_store(config).await?;
    house::migrate(&store, config).await?;
    let done = restore::read(&store, file, SystemClock.now()).await;
    store.close().await;
    let contents = done.map_err(|error| match error {
        restore::RestoreError::Store(error) => error.into(),
        other => Trouble::Failed(other.to_string()),
    })?;
    println!("{}: {}", house::place(config), words(contents));
    println!(
        "Messages to the outside are held until an admin confirms on the engine page that this desk takes over."
    );
    if !config.is_postgres() && config.secret_key.is_none() && !config.data.join("secret.key").exists() {
        println!(
            "Put the file secret.key of the desk it was made of into {} before you start.",
            config.data.display()
        );
    }
    Ok(())
}

fn words(contents: backup::Contents) -> String {
    let backup::Contents { articles, tasks, people } = contents;
    format!("{people} people, {articles} articles, {tasks} tasks")
}

/// Where the file is written until it is whole.
fn part_of(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    file.with_file_name(name)
}
