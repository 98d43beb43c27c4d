//! `serve`: runs the server until it is stopped.

use super::{
    certificate,
    until_stopped::{stop_signal, stop_when_asked, warn_about_links, warn_about_redis},
    watchdog,
};
use crate::{
    process::{
        cli_error::CliError,
        config::{Config, Serving},
        systemd::Systemd,
    },
    server::{self, Server, demo},
};
use clap::Args;
use domain::engine::NodeRole;
#[cfg(debug_assertions)]
use std::path::PathBuf;
use std::sync::Arc;
use tokio::{net::TcpListener, runtime::Handle};
use tokio_util::sync::CancellationToken;

/// Flags of `serve`.
#[derive(Debug, Args)]
pub struct Serve {
    #[command(flatten)]
    pub serving: Serving,
    #[command(flatten)]
    systemd: Systemd,
    /// Add accounts, articles and tasks that are due within the first minutes; rejected if there is
    /// other content
    #[arg(long, env = "PRESSTIME_DEMO")]
    pub demo: bool,
    /// Development with `cargo xtask`: folder of the browser's files
    #[cfg(debug_assertions)]
    #[arg(long, env = "PRESSTIME_FILES", hide = true)]
    pub files: Option<PathBuf>,
    /// Development with `cargo xtask`: its port, which reports new builds
    #[cfg(debug_assertions)]
    #[arg(long, env = "PRESSTIME_WATCH", hide = true)]
    pub watch: Option<u16>,
}

/// Serves until SIGTERM or Ctrl-C, with pages on the runtime `web`; then finishes open work.
pub async fn run(config: &Config, serve: &Serve, web: Option<Handle>) -> Result<(), CliError> {
    if config.role == NodeRole::Work {
        return super::work::run(config, &serve.systemd).await;
    }
    #[cfg(debug_assertions)]
    if let Some(files) = &serve.files {
        crate::http::assets::watch::start(files.clone(), serve.watch);
    }
    warn_about_links(config);
    server::check_usage(config)?;
    let tls = server::tls(config)?;
    let listener = server::listen(config).await?;
    let redirect = server::listen_for_redirect(config).await?;
    let bound = listener.local_addr().map_err(|why| CliError::Broken(why.to_string()))?;
    let server = Server { web, tls, ..Server::open(config).await? };
    let url = server.public_url(bound);
    if serve.demo {
        demo::prepare(&server).await?;
        print_logins();
    }
    let (stopped, stop) = (stop_signal()?, CancellationToken::new());
    let followed = certificate::follow(server.tls.clone(), Arc::clone(&server.parts.engine), stop.clone())?;
    print_urls(&server, &url).await?;
    print_redirect(redirect.as_ref());
    if !config.role.runs_engine() {
        println!("This node only serves pages: run the engine on another node (presstime work).");
    }
    println!("Stop it with Ctrl-C.");
    let served = async {
        let served = server.serve(listener, stop.clone()).await;
        stop.cancel();
        served
    };
    let redirected = async {
        match redirect {
            Some(listener) => server.serve_redirect(listener, stop.clone()).await,
            None => Ok(()),
        }
    };
    let ended = stop_when_asked(&server, stopped, &stop);
    let notified = watchdog::run(&server, &serve.systemd, &stop);
    let (served, redirected, (), (), (), ()) =
        tokio::join!(served, redirected, ended, notified, followed, warn_about_redis(&server));
    served.and(redirected)
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

/// Prints at which address HTTP is redirected.
fn print_redirect(redirect: Option<&TcpListener>) {
    if let Some(Ok(address)) = redirect.map(TcpListener::local_addr) {
        println!("HTTP at {address} is redirected to it");
    }
}

/// Prints the logins of the demo.
fn print_logins() {
    println!("This is a demo with known passwords: never expose it to the internet.");
    for login in demo::LOGINS {
        println!("  {:8}  {:22}  {}", login.role.as_str(), login.email, demo::PASSWORD);
    }
}
