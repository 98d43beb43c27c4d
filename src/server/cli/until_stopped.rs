//! What `serve` and `work` share: the signals that stop them, and the check of Redis.

use crate::{cli_error::CliError, server::Server};

/// Logs once what is wrong with the configured Redis. Until it is fixed, tasks are executed from
/// SQL.
pub(super) async fn warn_about_redis(server: &Server) {
    let Some(url) = &server.config.redis_url else { return };
    if let Some(fault) = server.parts.hints.health().await.fault {
        tracing::warn!("{url}: {fault}; until that is fixed, tasks are executed from SQL, a little later");
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
