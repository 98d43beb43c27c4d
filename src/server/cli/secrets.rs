//! `secrets`: the key of stored secrets.

use super::require_database;
use crate::{
    accounts,
    process::{cli_error::CliError, config::Config},
    security::rotation::{self, Places, Rotation, RotationOptions},
    senders::{push::vapid, secret_context},
    server,
};
use clap::Subcommand;
use domain::{AccountId, ChannelId, ProviderId, Timestamp, clock::SystemClock};
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
        /// Leave secrets as they are that cannot be decrypted; without it they are named, and nothing
        /// changes
        #[arg(long)]
        skip_unreadable: bool,
    },
}

/// Runs the command.
pub async fn run(config: &Config, secrets: Secrets) -> Result<(), CliError> {
    let Secrets::Rotate { former_key, skip_unreadable } = secrets;
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
    let options = RotationOptions { former: former.as_deref(), skip_unreadable };
    let done = rotate(&store, config, options, now).await;
    store.close().await;
    let done = done?;
    println!("{} secrets are encrypted with a new key.", done.secrets);
    if !done.skipped.is_empty() {
        println!("Not decrypted, and left as they are: {}.", done.skipped.join(", "));
    }
    if !done.lost_nodes.is_empty() {
        println!(
            "These nodes did not stop regularly; one that still runs stops as soon as it is back: {}.",
            done.lost_nodes.join(", ")
        );
    }
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
        SealedColumn::SignInProvider => accounts::sign_in::secret_place(ProviderId(id)),
    }
}

/// Encrypts all secrets again with a new key, see [`rotation::rotate`].
pub async fn rotate(
    store: &Store,
    config: &Config,
    options: RotationOptions<'_>,
    now: Timestamp,
) -> Result<Rotation, CliError> {
    rotation::rotate(store, config, options, &PLACES, now).await
}
