//! `serve`: the desk, until it is told to stop.

use crate::{
    config::{Config, Serving},
    demo,
    house::{self, House},
    trouble::Trouble,
};
use clap::Args;
use domain::engine::NodeRole;
use tokio::runtime::Handle;
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

/// Serves until SIGTERM or Ctrl-C, pages on the runtime `web`; then finishes what is open.
pub async fn run(config: &Config, serve: &Serve, web: Option<Handle>) -> Result<(), Trouble> {
    if config.role == NodeRole::Work {
        return super::work::run(config).await;
    }
    let listener = house::listen(config).await?;
    let bound = listener.local_addr().map_err(|why| Trouble::Broken(why.to_string()))?;
    let house = House { web, ..House::open(config).await? };
    let url = house.public_url(bound);
    if serve.demo {
        demo::prepare(&house).await?;
        show_logins();
    }
    let told = told_to_stop()?;
    greet(&house, &url).await?;
    if !config.role.works() {
        println!("This node serves pages only: something else must work (presstime work).");
    }
    println!("Stop it with Ctrl-C.");
    let stop = CancellationToken::new();
    let served = async {
        let served = house.serve(listener, stop.clone()).await;
        stop.cancel();
        served
    };
    let ended = async {
        tokio::select! {
            () = told => stop.cancel(),
            () = stop.cancelled() => {}
        }
    };
    let (served, (), ()) = tokio::join!(served, ended, warn_of_hints(&house));
    served
}

/// Says, once, what is wrong with the Redis that was asked for; everything goes out from SQL until it is put right.
pub(super) async fn warn_of_hints(house: &House) {
    let Some(url) = &house.config.redis_url else { return };
    if let Some(trouble) = house.parts.hints.health().await.trouble {
        tracing::warn!("{url}: {trouble}; until then everything goes out from SQL, a little later");
    }
}

/// Says where the desk is and, before set-up, how to make its first admin.
async fn greet(house: &House, url: &str) -> Result<(), Trouble> {
    println!("Presstime is at {url}");
    if let Some(token) = house.people.offer_set_up().await? {
        println!("Set it up, once, at {url}/setup?token={token}");
    }
    Ok(())
}

/// Who can log in to a demo.
fn show_logins() {
    println!("This is a demo. Anybody who reads this can log in: never show it to the internet.");
    for login in demo::LOGINS {
        println!("  {:8}  {:22}  {}", login.role.as_str(), login.email, demo::PASSWORD);
    }
}

/// Listens for SIGTERM and Ctrl-C from now on, not only from the first look: what it gives returns at the first of them.
#[cfg(unix)]
pub(super) fn told_to_stop() -> Result<impl Future<Output = ()>, Trouble> {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind| signal(kind).map_err(|why| Trouble::Broken(why.to_string()));
    let mut term = listen(SignalKind::terminate())?;
    let mut interrupt = listen(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Returns at Ctrl-C.
#[cfg(not(unix))]
pub(super) fn told_to_stop() -> Result<impl Future<Output = ()>, Trouble> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
