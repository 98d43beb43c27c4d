//! Free ports, and waiting for a server to answer on one.

use std::{net::TcpListener, time::Duration};
use tokio::net::TcpStream;

/// A port of the loopback that was free a moment ago.
///
/// # Panics
/// If the loopback has no free port.
#[must_use]
pub fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0))
        .and_then(|l| l.local_addr())
        .expect("the loopback has a free port")
        .port()
}

/// Whether nothing listens on that port of the loopback.
pub(crate) fn is_free(port: u16) -> bool {
    TcpListener::bind(("127.0.0.1", port)).is_ok()
}

/// Waits up to 20 s for something to listen on `port`.
///
/// # Panics
/// If nothing does.
pub async fn answers(port: u16) {
    for _ in 0..2_000 {
        if TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("nothing listens on port {port}");
}
