//! Free ports, and waiting until a server listens on one.

use std::{
    net::TcpListener,
    os::{
        linux::net::SocketAddrExt as _,
        unix::net::{SocketAddr, UnixListener},
    },
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::net::TcpStream;

/// First port, number of blocks and ports of a block. They are below the range that Linux uses for
/// outgoing connections, so a stopped server finds its port free when it restarts.
const FIRST_PORT: u16 = 20_000;
const BLOCK_COUNT: u16 = 120;
const BLOCK_SIZE: u16 = 100;

/// Ports of this process: it reserves a block when those before are used up.
struct Ports {
    /// Reserved blocks, each with the socket that reserves it.
    blocks: Vec<(u16, UnixListener)>,
    /// Number of ports returned.
    returned: usize,
}

/// Returns a free loopback port that no other test process on this machine uses. This process
/// returns each port of its blocks once before it returns one again.
///
/// # Panics
/// If the loopback has no free port.
#[must_use]
pub fn free_port() -> u16 {
    static PORTS: Mutex<Ports> = Mutex::new(Ports { blocks: Vec::new(), returned: 0 });
    let mut ports = PORTS.lock().unwrap_or_else(PoisonError::into_inner);
    for _ in 0..usize::from(BLOCK_COUNT * BLOCK_SIZE) {
        let port = ports.next();
        if is_free(port) {
            return port;
        }
    }
    panic!("the loopback has no free port");
}

impl Ports {
    fn next(&mut self) -> u16 {
        let size = usize::from(BLOCK_SIZE);
        if self.returned >= self.blocks.len() * size {
            match (0..BLOCK_COUNT).find_map(|block| Some((block, reserve(block)?))) {
                Some(block) => self.blocks.push(block),
                // Others have all the rest: begin again with the first block.
                None => self.returned = 0,
            }
        }
        let (block, _) = self.blocks.get(self.returned / size).expect("a block of ports is free");
        let port = FIRST_PORT + block * BLOCK_SIZE + u16::try_from(self.returned % size).unwrap_or_default();
        self.returned += 1;
        port
    }
}

/// Reserves a block until this process ends, however it ends: the name of the socket is not a file.
/// `None`: another process has it.
fn reserve(block: u16) -> Option<UnixListener> {
    let name = format!("presstime-test-ports-{block}");
    let address = SocketAddr::from_abstract_name(name).expect("a short name");
    UnixListener::bind_addr(&address).ok()
}

/// Whether nothing listens on this loopback port.
fn is_free(port: u16) -> bool {
    TcpListener::bind(("127.0.0.1", port)).is_ok()
}

/// Waits until a server listens on a loopback port.
///
/// # Panics
/// If none does within a minute: the machine may be busy.
pub async fn wait_for_port(port: u16) {
    for _ in 0..6_000 {
        if TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("nothing listens on port {port}");
}

/// Asks again until this is true. For futures that stay on their thread: one that borrows is not [`Send`].
///
/// # Panics
/// If that takes longer than a minute: the machine may be busy.
pub async fn until(what: &str, mut is_true: impl AsyncFnMut() -> bool) {
    let begin = Instant::now();
    while !is_true().await {
        assert!(begin.elapsed() < Duration::from_secs(60), "not within a minute: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
