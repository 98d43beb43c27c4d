//! `serve`: the desk, until it is told to stop.

use crate::{
    config::{Config, Serving},
    house::{self, House},
    trouble::Trouble,
};
use clap::Args;
use tokio_util::sync::CancellationToken;

/// Flags of `serve`.
#[derive(Debug, Args)]
pub struct Serve {
    #[command(flatten)]
    pub serving: Serving,
    /// Add people, articles and items that fall due within the first minutes; refused where somebody works already
    #[arg(long, env = "PRESSTIME_DEMO")]
    pub demo: bool,
}

/// Serves until SIGTERM or Ctrl-C; then finishes what is open.
pub async fn run(config: &Config, _serve: &Serve) -> Result<(), Trouble> {
    let listener = house::listen(config).await?;
    let bound = listener.local_addr().map_err(|why| Trouble::Broken(why.to_string()))?;
    let house = House::open(config).await?;
    greet(&house, &house.public_url(bound)).await?;
    let stop = CancellationToken::new();
    let served = house.serve(listener, stop.clone());
    tokio::pin!(served);
    tokio::select! {
        result = &mut served => return result,
        () = told_to_stop() => stop.cancel(),
    }
    served.await
}

/// Says where the desk is and, before set-up, how to make its first admin.
async fn greet(house: &House, url: &str) -> Result<(), Trouble> {
    println!("Presstime is at {url}");
    if let Some(token) = house.people.offer_set_up().await? {
        println!("Set it up, once, at {url}/setup?token={token}");
    }
    Ok(())
}

/// Returns at SIGTERM or Ctrl-C.
async fn told_to_stop() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut term) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = term.recv() => return,
                _ = tokio::signal::ctrl_c() => return,
            }
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
