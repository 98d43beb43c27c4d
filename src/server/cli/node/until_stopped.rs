//! What `serve` and `work` share: the signals that stop them, and the checks of Redis and of links.

use crate::{
    process::{cli_error::CliError, config::Config},
    server::{Server, doctor},
};
use texts::{Language, engine::health::HealthTexts};
use tokio_util::sync::CancellationToken;

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

/// Logs that links in messages may lead nowhere, if no public base URL is given.
pub(super) fn warn_about_links(config: &Config) {
    if let Some(warning) = doctor::guessed_links(config) {
        tracing::warn!("{warning}");
    }
}

/// Cancels `stop` when a signal has `stopped` this process, or when the node was asked to stop by
/// `presstime drain`.
pub(super) async fn stop_when_asked(
    server: &Server,
    stopped: impl Future<Output = ()>,
    stop: &CancellationToken,
) {
    tokio::select! {
        () = stopped => {}
        () = server.loops.heartbeat.drain_requested() => {
            tracing::info!("this node was asked to stop by presstime drain or secrets rotate");
        }
        () = stop.cancelled() => {}
    }
    stop.cancel();
}

/// Registers handlers for SIGTERM and Ctrl-C immediately; the returned future completes at the
/// first signal.
#[cfg(unix)]
pub fn stop_signal() -> Result<impl Future<Output = ()>, CliError> {
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
pub fn stop_signal() -> Result<impl Future<Output = ()>, CliError> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
