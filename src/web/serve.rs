//! Serving HTTP on a listener: what a connection may take, and how it all ends.

use super::limits::clients::Acceptor;
use axum::{Router, extract::connect_info::IntoMakeServiceWithConnectInfo};
use hyper_util::rt::TokioTimer;
use std::{io, net::SocketAddr, time::Duration};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// How long open requests and transactions may take to end once the house is told to stop.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a client may take to send the head of a request, and a connection may be kept without one.
const HEADERS: Duration = Duration::from_secs(10);
/// Bytes that a connection keeps of what it reads, and of what it writes.
const BUFFER: usize = 64 * 1024;

/// Serves until `stop`; then lets open requests end.
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
    http.timer(TokioTimer::new()).header_read_timeout(HEADERS).max_buf_size(BUFFER);
    let serving = server.serve(pages);
    tokio::pin!(serving);
    tokio::select! {
        served = &mut serving => served,
        () = stop.cancelled() => {
            handle.graceful_shutdown(Some(PATIENCE));
            serving.await
        }
    }
}
