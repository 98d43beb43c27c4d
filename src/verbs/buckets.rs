//! `buckets`: over how many shards the hints are spread.

use crate::{
    config::Config,
    house,
    parts::{SETTLE_MARGIN_MS, WINDOW_MS},
    trouble::Trouble,
};
use clap::Args;
use domain::{Clock, clock::SystemClock};
use store::{
    Who, buckets,
    event::{self, NewEvent},
};
use uuid::Uuid;

/// Flags of `buckets`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every node places new hints in the new number of buckets within a second. The former ones are served until their hints are gone;
nothing is lost, and nothing happens twice. More buckets spread the load over more masters of a Redis Cluster.")]
pub struct Buckets {
    /// The new number, 1 to 256; without it, the present one is printed
    #[arg(value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    count: Option<u16>,
}

/// Changes or prints the number.
pub async fn run(config: &Config, flags: &Buckets) -> Result<(), Trouble> {
    let store = house::open_store(config).await?;
    house::migrate(&store, config).await?;
    let now = SystemClock.now();
    let mut tx = store.begin(Who::People).await?;
    let text = match flags.count {
        None => buckets::find(tx.conn()).await?.map_or(config.buckets, |held| held.count).to_string(),
        Some(count) => {
            // The longest window a node may have been given would be a day; the usual one is served in full.
            let changed = buckets::change(tx.conn(), count, now, WINDOW_MS + SETTLE_MARGIN_MS).await?;
            let detail = serde_json::json!({"count": changed.count, "former": changed.former});
            let event = NewEvent {
                detail: detail.to_string(),
                ..NewEvent::plain(now, None, "engine", Uuid::nil(), "resize")
            };
            event::append(tx.conn(), &[event]).await?;
            format!("{count} buckets; every node follows within a second")
        }
    };
    tx.commit().await?;
    store.close().await;
    println!("{text}");
    Ok(())
}
