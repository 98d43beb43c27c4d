//! `work`: runs the engine without pages until it is stopped.

use super::{
    until_stopped::{stop_signal, stop_when_asked, warn_about_links, warn_about_redis},
    watchdog,
};
use crate::{
    process::{
        cli_error::CliError,
        config::{Config, Serving, Working},
        systemd::Systemd,
    },
    server::Server,
};
use clap::Args;
use tokio_util::sync::CancellationToken;

/// Flags of `work`.
#[derive(Debug, Args)]
#[command(after_help = "\
Use the same --database-url, --redis-url, --secret-key and --public-url as the other nodes. There is no leader: any node
may be added, stopped or killed at any time, and the others continue. After SIGTERM it finishes open work and exits with
code 0.")]
pub struct Work {
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    pub systemd: Systemd,
}

impl Work {
    /// Settings, as for `serve`, of a node that serves no pages.
    pub fn serving(&self) -> Serving {
        Serving::of_worker(self.working.clone())
    }
}

/// Runs the engine until SIGTERM or Ctrl-C; then finishes open work.
pub async fn run(config: &Config, systemd: &Systemd) -> Result<(), CliError> {
    warn_about_links(config);
    let server = Server::open(config).await?;
    let stopped = stop_signal()?;
    println!("Presstime engine {} on {}", config.node, crate::server::place(config));
    println!("Stop it with Ctrl-C.");
    let stop = CancellationToken::new();
    let worked = async {
        let worked = server.work(stop.clone()).await;
        stop.cancel();
        worked
    };
    let ended = stop_when_asked(&server, stopped, &stop);
    let notified = watchdog::run(&server, systemd, &stop);
    let (worked, (), (), ()) = tokio::join!(worked, ended, notified, warn_about_redis(&server));
    worked
}
