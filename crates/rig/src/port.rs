//! Free ports, and waiting for a server to answer on one.

use std::{
    net::TcpListener,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Duration,
};
use tokio::net::TcpStream;

/// Below what Linux gives to outgoing connections: a server that is stopped finds its port free when it starts again.
const FROM: u32 = 20_000;
const COUNT: u32 = 12_000;

/// A port of the loopback that was free a moment ago. This process names none twice until all have been named.
///
/// # Panics
/// If the loopback has no free port.
#[must_use]
pub fn free_port() -> u16 {
    static NAMED: AtomicU32 = AtomicU32::new(0);
    // Processes that run beside each other begin far from each other.
    let begin = std::process::id().wrapping_mul(97);
    (0..COUNT)
        .map(|_| FROM + begin.wrapping_add(NAMED.fetch_add(1, Relaxed)) % COUNT)
        .filter_map(|port| u16::try_from(port).ok())
        .find(|port| is_free(*port))
        .expect("the loopback has a free port")
}

/// Whether nothing listens on that port of the loopback.
fn is_free(port: u16) -> bool {
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
