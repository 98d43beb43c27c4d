//! `secrets`: the key of stored secrets.

use super::require_database;
use crate::{
    accounts,
    process::{cli_error::CliError, config::Config},
    security::rotation::{self, Places, Rotation},
    senders::{push::vapid, secret_context},
    server,
};
use clap::Subcommand;
use domain::{AccountId, ChannelId, Timestamp, clock::SystemClock};
use std::path::PathBuf;
use store::{Store, sealed::SealedColumn};
use uuid::Uuid;

/// Commands for stored secrets.
#[derive(Debug, Subcommand)]
pub enum Secrets {
    /// Encrypt all stored secrets again with a new key; stop all servers first
    #[command(after_help = "\
Passwords and keys of channels, of the mail server, of second factors and of notifications are encrypted again in one transaction.
With SQLite and without --secret-key a new DATA/secret.key is written; the former one is kept as DATA/secret.key.former-N, because
backups from before need it. To replace the text of --secret-key itself, give the new text with --secret-key and the former one in
a file with --former-key. Links in mails that were sent stay valid.")]
    Rotate {
        /// File with the former text of --secret-key, if that is replaced too
        #[arg(long, value_name = "FILE")]
        former_key: Option<PathBuf>,
    },
}

/// Runs the command.
pub async fn run(config: &Config, secrets: Secrets) -> Result<(), CliError> {
    let Secrets::Rotate { former_key } = secrets;
    require_database(config)?;
    let former = former_key.as_deref().map(std::fs::read_to_string).transpose();
    let former = former.map_err(|why| CliError::Failed(format!("the former key cannot be read: {why}")))?;
    let store = server::open_store(config).await?;
    if former.is_none() {
        server::check_secret_key(&store, config).await?;
    }
    server::migrate(&store, config).await?;
    // The heartbeats of nodes have times of the database's clock.
    let now = store.read_clocks(&SystemClock).await?.database;
    let done = rotate(&store, config, former.as_deref(), now).await;
    store.close().await;
    let done = done?;
    println!("{} secrets are encrypted with a new key.", done.secrets);
    if let Some(path) = done.former_key {
        println!(
            "The former key is in {}: backups from before need it. Keep it with them, or delete it when they are gone.",
            path.display()
        );
    }
    Ok(())
}

/// Where features keep encrypted secrets.
const PLACES: Places = Places { of_row: place_of_row, of_settings: &[(vapid::SETTING, vapid::PLACE)] };

fn place_of_row(column: SealedColumn, id: Uuid) -> String {
    match column {
        SealedColumn::ChannelSecret | SealedColumn::PreviousChannelSecret => secret_context(ChannelId(id)),
        SealedColumn::SecondFactor => accounts::second_factor_place(AccountId(id)),
    }
}

/// Encrypts all secrets again with a new key, see [`rotation::rotate`].
pub async fn rotate(
    store: &Store,
    config: &Config,
    former: Option<&str>,
    now: Timestamp,
) -> Result<Rotation, CliError> {
    rotation::rotate(store, config, former, &PLACES, now).await
}
