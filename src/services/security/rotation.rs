//! Replaces the data key and encrypts all stored secrets again, in one transaction.

use super::{
    key_files,
    secret_box::{self, SecretBox},
};
use crate::process::{cli_error::CliError, config::Config};
use domain::Timestamp;
use serde_json::json;
use std::path::PathBuf;
use store::{
    PoolRole, Store, Tx,
    event::{self, NewEvent},
    node, restore,
    sealed::{self, SealedColumn},
    setting,
};
use uuid::Uuid;

/// Places to which encrypted secrets are bound.
#[derive(Debug)]
pub struct Places {
    /// Place of a secret in a column, by the id of its row.
    pub of_row: fn(SealedColumn, Uuid) -> String,
    /// Names of the settings with a secret, and their places.
    pub of_settings: &'static [(&'static str, &'static str)],
}

/// How secrets are encrypted again.
#[derive(Debug, Clone, Copy, Default)]
pub struct RotationOptions<'t> {
    /// Text of the former master key, if it is neither `--secret-key` nor in the data folder.
    pub former: Option<&'t str>,
    /// Whether secrets that cannot be decrypted stay as they are.
    pub skip_unreadable: bool,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rotation {
    /// Number of secrets that were encrypted again.
    pub secrets: usize,
    /// Secrets that could not be decrypted, and stay as they are.
    pub skipped: Vec<String>,
    /// Names of nodes that have not stopped regularly. Those that still run stop at their next heartbeat.
    pub lost_nodes: Vec<String>,
    /// File with the former key, which backups of its time need; `None`: the key is not in a file.
    pub former_key: Option<PathBuf>,
}

/// Encrypts all secrets again with a new key. Refused while a node may be running at `now`: it would go on
/// with the former key. A lost node that still runs has no connection at the moment: it is asked to stop.
pub async fn rotate(
    store: &Store,
    config: &Config,
    options: RotationOptions<'_>,
    places: &Places,
    now: Timestamp,
) -> Result<Rotation, CliError> {
    let mut tx = store.begin(PoolRole::Web).await?;
    if let Some(node) = restore::find_alive_node(tx.conn(), now).await? {
        return Err(CliError::Failed(format!("node {node} is running on this database; stop it first")));
    }
    let old = secret_box::current(&mut tx, config, options.former.map(SecretBox::from_text)).await?;
    let new = old.successor();
    let (secrets, skipped) = encrypt_all_again(&mut tx, (&old, &new), places).await?;
    if !skipped.is_empty() && !options.skip_unreadable {
        return Err(unreadable(&skipped));
    }
    let master = match secret_box::given(config) {
        None if !config.is_postgres() => Some(SecretBox::from_text(&key_files::write_next(config)?)),
        given => given,
    };
    let kept = secret_box::put(&mut tx, &new, master.as_ref()).await?;
    let lost_nodes = node::request_drain_of_all(tx.conn(), now).await?;
    let event = NewEvent::simple(now, None, "engine", Uuid::nil(), "rotate_secrets");
    // Skipped ones are named where they are found after the output of the command is gone.
    let event = NewEvent { detail: json!({ "secrets": secrets, "skipped": skipped }).to_string(), ..event };
    event::append(tx.conn(), &[event]).await?;
    tx.commit().await?;
    // Otherwise the next start does it.
    let former_key = secret_box::settle(config, &kept)?;
    Ok(Rotation { secrets, skipped, lost_nodes, former_key })
}

/// Returns the number of secrets that were encrypted again, and names of those that cannot be decrypted.
async fn encrypt_all_again(
    tx: &mut Tx,
    keys: (&SecretBox, &SecretBox),
    places: &Places,
) -> Result<(usize, Vec<String>), CliError> {
    let (mut secrets, mut unreadable) = (0, Vec::new());
    for secret in sealed::list(tx.conn()).await? {
        let place = (places.of_row)(secret.column, secret.id);
        match encrypt_again(keys, &place, &secret.sealed)? {
            Some(again) => {
                sealed::replace(tx.conn(), &secret, &again).await?;
                secrets += 1;
            }
            None => {
                let (table, column) = secret.column.name();
                unreadable.push(format!("{column} of {table} {}", secret.id));
            }
        }
    }
    for (name, place) in places.of_settings {
        let Some(sealed) = setting::find(tx.conn(), name).await? else { continue };
        match encrypt_again(keys, place, &sealed)? {
            Some(again) => {
                setting::put(tx.conn(), name, &again).await?;
                secrets += 1;
            }
            None => unreadable.push(format!("setting {name}")),
        }
    }
    Ok((secrets, unreadable))
}

fn unreadable(secrets: &[String]) -> CliError {
    CliError::Failed(format!(
        "secrets that cannot be decrypted with the key of this database: {}; nothing was changed: enter them \
         again, or pass --skip-unreadable to leave them as they are",
        secrets.join(", ")
    ))
}

/// Decrypts a secret with the old key and encrypts it with the new one; `None`: it cannot be decrypted.
fn encrypt_again(
    (old, new): (&SecretBox, &SecretBox),
    place: &str,
    sealed: &str,
) -> Result<Option<String>, CliError> {
    let Some(secret) = old.open(place, sealed) else { return Ok(None) };
    let weak = || CliError::Broken("secrets cannot be encrypted on this machine".to_owned());
    new.seal(place, &secret).map(Some).ok_or_else(weak)
}
