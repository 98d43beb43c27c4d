//! Encrypts all stored secrets again with a new key.

use crate::{
    accounts,
    process::{cli_error::CliError, config::Config},
    security::rotation::{self, Places, Rotation},
    senders::{push::vapid, secret_context},
};
use domain::{AccountId, ChannelId, Timestamp};
use store::{Store, sealed::SealedColumn};
use uuid::Uuid;

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
