//! Reads the certificate of the server again: at SIGHUP, and each minute in case its files changed.

use crate::{http::tls::ServerTls, process::cli_error::CliError};
use domain::{Clock as _, clock::SystemClock};
use engine::EngineState;
use std::{sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;

/// Interval between the checks whether the files have changed.
const CHECK_INTERVAL: Duration = Duration::from_secs(60);

/// Registers the handler for SIGHUP immediately; the returned future reads changed files until `stop`, and
/// reports when the certificate expires: in the log, and by `engine` on the engine page.
/// Without a certificate it registers nothing: SIGHUP then ends the process, as when its terminal closes.
pub(super) fn follow(
    tls: Option<Arc<ServerTls>>,
    engine: Arc<EngineState>,
    stop: CancellationToken,
) -> Result<impl Future<Output = ()>, CliError> {
    let followed = tls.map(|tls| hangups().map(|hangups| (tls, hangups))).transpose()?;
    Ok(async move {
        let Some((tls, mut hangups)) = followed else { return };
        loop {
            tls.report_expiry(SystemClock.now());
            engine.set_certificate_expiry(tls.expires_at());
            tokio::select! {
                () = tokio::time::sleep(CHECK_INTERVAL) => {}
                () = hangups.next() => {}
                () = stop.cancelled() => return,
            }
            let again = Arc::clone(&tls);
            let read = tokio::task::spawn_blocking(move || again.read_again(SystemClock.now())).await;
            if let Err(why) = read {
                tracing::warn!("the certificate was not read again: {why}");
            }
        }
    })
}

/// Signals to read the configuration again.
#[cfg(unix)]
struct Hangups(tokio::signal::unix::Signal);

#[cfg(unix)]
impl Hangups {
    async fn next(&mut self) {
        let _ = self.0.recv().await;
    }
}

#[cfg(unix)]
fn hangups() -> Result<Hangups, CliError> {
    use tokio::signal::unix::{SignalKind, signal};
    signal(SignalKind::hangup()).map(Hangups).map_err(|why| CliError::Broken(why.to_string()))
}

/// There are no such signals.
#[cfg(not(unix))]
struct Hangups;

#[cfg(not(unix))]
impl Hangups {
    async fn next(&mut self) {
        std::future::pending::<()>().await
    }
}

#[cfg(not(unix))]
fn hangups() -> Result<Hangups, CliError> {
    Ok(Hangups)
}
