//! `buckets`: the number of shards for the hints.

use super::require_database;
use crate::{
    app_state::{DEFAULT_WINDOW_MS, PREVIOUS_BUCKETS_MARGIN_MS},
    process::{cli_error::CliError, config::Config},
    server,
};
use clap::Args;
use domain::{Clock, clock::SystemClock};
use store::{
    PoolRole, buckets,
    event::{self, NewEvent},
};
use uuid::Uuid;

/// Flags of `buckets`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every node uses the new number for new hints within a second. The previous buckets are polled until they are empty; no task
is lost or executed twice. More buckets spread the load over more masters of a Redis Cluster.")]
pub struct Buckets {
    /// The new number, 1 to 256; without it, the current number is printed
    #[arg(value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    count: Option<u16>,
}

/// Changes or prints the number of buckets.
pub async fn run(config: &Config, flags: &Buckets) -> Result<(), CliError> {
    if flags.count.is_none() {
        require_database(config)?;
    }
    let store = server::open_migrated_store(config).await?;
    let now = SystemClock.now();
    let mut tx = store.begin(PoolRole::Web).await?;
    let text = match flags.count {
        None => buckets::find(tx.conn()).await?.map_or(config.buckets, |held| held.count).to_string(),
        Some(count) => {
            // Nodes with a window longer than the default may need more time; the default window is
            // covered in full.
            let changed =
                buckets::change(tx.conn(), count, now, DEFAULT_WINDOW_MS + PREVIOUS_BUCKETS_MARGIN_MS)
                    .await?;
            let detail = serde_json::json!({"count": changed.count, "former": changed.previous});
            let event = NewEvent {
                detail: detail.to_string(),
                ..NewEvent::simple(now, None, "engine", Uuid::nil(), "resize")
            };
            event::append(tx.conn(), &[event]).await?;
            format!("{count} buckets; every node uses them within a second")
        }
    };
    tx.commit().await?;
    store.close().await;
    println!("{text}");
    Ok(())
}
