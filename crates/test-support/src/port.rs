//! Free ports, and waiting until a server listens on one.

use std::{
    net::TcpListener,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Duration,
};
use tokio::net::TcpStream;

/// First port and number of ports. They are below the range that Linux uses for outgoing
/// connections, so a stopped server finds its port free when it restarts.
const FIRST_PORT: u32 = 20_000;
const PORT_COUNT: u32 = 12_000;

/// Returns a free loopback port. This process returns each port once before it returns one again.
///
/// # Panics
/// If the loopback has no free port.
#[must_use]
pub fn free_port() -> u16 {
    static RETURNED: AtomicU32 = AtomicU32::new(0);
    // Processes that run at the same time start at different ports.
    let begin = std::process::id().wrapping_mul(97);
    (0..PORT_COUNT)
        .map(|_| FIRST_PORT + begin.wrapping_add(RETURNED.fetch_add(1, Relaxed)) % PORT_COUNT)
        .filter_map(|port| u16::try_from(port).ok())
        .find(|port| is_free(*port))
        .expect("the loopback has a free port")
}

/// Whether nothing listens on this loopback port.
fn is_free(port: u16) -> bool {
    TcpListener::bind(("127.0.0.1", port)).is_ok()
}

/// Waits until a server listens on a loopback port.
///
/// # Panics
/// If none does within 20 s.
pub async fn wait_for_port(port: u16) {
    for _ in 0..2_000 {
        if TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("nothing listens on port {port}");
}
