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
    PoolRole, Store,
    event::{self, NewEvent},
    restore,
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

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rotation {
    /// Number of secrets that were encrypted again.
    pub secrets: usize,
    /// File with the former key, which backups of its time need; `None`: the key is not in a file.
    pub former_key: Option<PathBuf>,
}

/// Encrypts all secrets again with a new key. Refused while a node may be running at `now`: it would go on
/// with the former key. `former`: text of the former master key, if it is neither `--secret-key` nor in the
/// data folder.
pub async fn rotate(
    store: &Store,
    config: &Config,
    former: Option<&str>,
    places: &Places,
    now: Timestamp,
) -> Result<Rotation, CliError> {
    let mut tx = store.begin(PoolRole::Web).await?;
    if let Some(node) = restore::find_alive_node(tx.conn(), now).await? {
        return Err(CliError::Failed(format!("node {node} is running on this database; stop it first")));
    }
    let old = secret_box::current(&mut tx, config, former.map(SecretBox::from_text)).await?;
    let new = old.successor();
    let mut secrets = 0;
    for secret in sealed::list(tx.conn()).await? {
        let place = (places.of_row)(secret.column, secret.id);
        let again = encrypt_again((&old, &new), &place, &secret.sealed)?;
        sealed::replace(tx.conn(), &secret, &again).await?;
        secrets += 1;
    }
    for (name, place) in places.of_settings {
        if let Some(sealed) = setting::find(tx.conn(), name).await? {
            let again = encrypt_again((&old, &new), place, &sealed)?;
            setting::put(tx.conn(), name, &again).await?;
            secrets += 1;
        }
    }
    let master = match secret_box::given(config) {
        None if !config.is_postgres() => Some(SecretBox::from_text(&key_files::write_next(config)?)),
        given => given,
    };
    let kept = secret_box::put(&mut tx, &new, master.as_ref()).await?;
    let event = NewEvent::simple(now, None, "engine", Uuid::nil(), "rotate_secrets");
    let event = NewEvent { detail: json!({ "secrets": secrets }).to_string(), ..event };
    event::append(tx.conn(), &[event]).await?;
    tx.commit().await?;
    // Otherwise the next start does it.
    let former_key = secret_box::settle(config, &kept)?;
    Ok(Rotation { secrets, former_key })
}

/// Decrypts a secret with the old key and encrypts it with the new one.
fn encrypt_again(
    (old, new): (&SecretBox, &SecretBox),
    place: &str,
    sealed: &str,
) -> Result<String, CliError> {
    let secret = old.open(place, sealed).ok_or(CliError::SecretKey)?;
    let weak = || CliError::Broken("secrets cannot be encrypted on this machine".to_owned());
    new.seal(place, &secret).ok_or_else(weak)
}
