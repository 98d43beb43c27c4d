//! `work`: the engine without pages, until it is told to stop.

use super::serve::{told_to_stop, warn_of_hints};
use crate::{
    config::{Config, Serving, Working},
    house::House,
    trouble::Trouble,
};
use clap::Args;
use tokio_util::sync::CancellationToken;

/// Flags of `work`.
#[derive(Debug, Args)]
#[command(after_help = "\
Give it the same --database-url, --redis-url and --secret-key as the other nodes. There is no leader: any node may be added,
stopped or killed at any moment, and the others go on. SIGTERM lets it finish what it has begun; then it ends with 0.")]
pub struct Work {
    #[command(flatten)]
    working: Working,
}

impl Work {
    /// What decides the settings: those of `serve`, for a node that serves no pages.
    pub fn serving(&self) -> Serving {
        Serving::of_worker(self.working.clone())
    }
}

/// Works until SIGTERM or Ctrl-C; then finishes what is open.
pub async fn run(config: &Config) -> Result<(), Trouble> {
    let house = House::open(config).await?;
    let told = told_to_stop()?;
    println!("Presstime works as {} on {}", config.node, crate::house::place(config));
    println!("Stop it with Ctrl-C.");
    let stop = CancellationToken::new();
    let worked = async {
        let worked = house.work(stop.clone()).await;
        stop.cancel();
        worked
    };
    let ended = async {
        tokio::select! {
            () = told => stop.cancel(),
            () = stop.cancelled() => {}
        }
    };
    let (worked, (), ()) = tokio::join!(worked, ended, warn_of_hints(&house));
    worked
}
