//! `migrate`: the schema up to date.

use crate::{config::Config, house, trouble::Trouble};

/// Brings the schema up to date and says where.
pub async fn run(config: &Config) -> Result<(), Trouble> {
    let store = house::open_store(config).await?;
    house::migrate(&store, config).await?;
    store.close().await;
    println!("the database at {} is up to date", house::place(config));
    Ok(())
}
