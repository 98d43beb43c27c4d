//! `migrate`: migrates the database schema.

use crate::{
    process::{cli_error::CliError, config::Config},
    server,
};

/// Migrates the schema and prints the location of the database.
pub async fn run(config: &Config) -> Result<(), CliError> {
    let store = server::open_migrated_store(config).await?;
    store.close().await;
    println!("the database at {} is up to date", server::place(config));
    Ok(())
}
