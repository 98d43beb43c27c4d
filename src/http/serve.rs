//! Serves HTTP on a listener, with limits for each connection and a graceful shutdown.

use super::limits::connections::Acceptor;
use axum::{Router, extract::connect_info::IntoMakeServiceWithConnectInfo};
use hyper_util::rt::TokioTimer;
use std::{io, net::SocketAddr, time::Duration};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Timeout for open requests on shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout for the head of a request; also the idle timeout of a connection.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Size of the read buffer and of the write buffer of a connection, bytes.
const BUFFER_BYTES: usize = 64 * 1024;

/// Serves until `stop`, then waits for open requests.
pub async fn until(
    listener: std::net::TcpListener,
    pages: IntoMakeServiceWithConnectInfo<Router, SocketAddr>,
    acceptor: Acceptor,
    stop: CancellationToken,
) -> io::Result<()> {
    let handle = axum_server::Handle::<SocketAddr>::new();
    let mut server = axum_server::Server::<SocketAddr>::from_listener(TcpListener::from_std(listener)?)
        .acceptor(acceptor)
        .http1_only()
        .handle(handle.clone());
    let mut http = server.http_builder().http1();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT).max_buf_size(BUFFER_BYTES);
    let serving = server.serve(pages);
    tokio::pin!(serving);
    tokio::select! {
        served = &mut serving => served,
        () = stop.cancelled() => {
            handle.graceful_shutdown(Some(SHUTDOWN_TIMEOUT));
            serving.await
        }
    }
}
