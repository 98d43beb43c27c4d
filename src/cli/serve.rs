//! `serve`: runs the server until it is stopped.

use crate::{
    cli_error::CliError,
    config::{Config, Serving},
    demo,
    server::{self, Server},
};
use app::texts::{Language, health::HealthTexts};
use clap::Args;
use domain::engine::NodeRole;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

/// Flags of `serve`.
#[derive(Debug, Args)]
pub struct Serve {
    #[command(flatten)]
    pub serving: Serving,
    /// Add accounts, articles and tasks that are due within the first minutes; rejected if there is
    /// other content
    #[arg(long, env = "PRESSTIME_DEMO")]
    pub demo: bool,
    /// Development with `cargo xtask watch`: its port, which reports new builds
    #[cfg(debug_assertions)]
    #[arg(long, env = "PRESSTIME_WATCH", hide = true)]
    pub watch: Option<u16>,
}

/// Serves until SIGTERM or Ctrl-C, with pages on the runtime `web`; then finishes open work.
pub async fn run(config: &Config, serve: &Serve, web: Option<Handle>) -> Result<(), CliError> {
    if config.role == NodeRole::Work {
        return super::work::run(config).await;
    }
    #[cfg(debug_assertions)]
    if let Some(port) = serve.watch {
        crate::web::assets::watch::start(port);
    }
    let listener = server::listen(config).await?;
    let bound = listener.local_addr().map_err(|why| CliError::Broken(why.to_string()))?;
    let server = Server { web, ..Server::open(config).await? };
    let url = server.public_url(bound);
    if serve.demo {
        demo::prepare(&server).await?;
        print_logins();
    }
    let stopped = stop_signal()?;
    print_urls(&server, &url).await?;
    if !config.role.runs_engine() {
        println!("This node only serves pages: run the engine on another node (presstime work).");
    }
    println!("Stop it with Ctrl-C.");
    let stop = CancellationToken::new();
    let served = async {
        let served = server.serve(listener, stop.clone()).await;
        stop.cancel();
        served
    };
    let ended = async {
        tokio::select! {
            () = stopped => stop.cancel(),
            () = stop.cancelled() => {}
        }
    };
    let (served, (), ()) = tokio::join!(served, ended, warn_about_redis(&server));
    served
}

/// Logs once what is wrong with the configured Redis. Until it is fixed, tasks are executed from
/// SQL.
pub(super) async fn warn_about_redis(server: &Server) {
    let Some(url) = &server.config.redis_url else { return };
    if let Some(issue) = server.parts.hints.health().await.issue {
        tracing::warn!(
            issue = issue.kind.as_str(),
            "{url}: {}",
            HealthTexts(Language::En).explanation(&issue)
        );
    }
}

/// Prints the URL and, before setup, the one-time link to create the first admin. `cargo xtask
/// watch` waits for the line with the URL.
async fn print_urls(server: &Server, url: &str) -> Result<(), CliError> {
    println!("Presstime is at {url}");
    if let Some(token) = server.accounts.offer_set_up().await? {
        println!("Set it up (one-time link) at {url}/setup?token={token}");
    }
    Ok(())
}

/// Prints the logins of the demo.
fn print_logins() {
    println!("This is a demo with known passwords: never expose it to the internet.");
    for login in demo::LOGINS {
        println!("  {:8}  {:22}  {}", login.role.as_str(), login.email, demo::PASSWORD);
    }
}

/// Registers handlers for SIGTERM and Ctrl-C immediately; the returned future completes at the
/// first signal.
#[cfg(unix)]
pub(super) fn stop_signal() -> Result<impl Future<Output = ()>, CliError> {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind| signal(kind).map_err(|why| CliError::Broken(why.to_string()));
    let mut term = listen(SignalKind::terminate())?;
    let mut interrupt = listen(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = term.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Completes at Ctrl-C.
#[cfg(not(unix))]
pub(super) fn stop_signal() -> Result<impl Future<Output = ()>, CliError> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
