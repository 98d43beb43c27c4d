//! An HTTP client on a raw socket: sends heads without bodies, and reads only on request.

use std::time::Duration;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

/// Timeout for a reaction of the server.
const TIMEOUT: Duration = Duration::from_secs(30);

/// One connection.
pub struct RawConnection(TcpStream);

impl RawConnection {
    /// Connects to a server at `http://…`.
    pub async fn connect(url: &str) -> Self {
        let address = url.trim_start_matches("http://").parse().expect("an address");
        let socket = TcpSocket::new_v4().expect("a socket");
        // A small receive buffer fills up soon.
        socket.set_recv_buffer_size(4 * 1024).expect("a small buffer");
        Self(socket.connect(address).await.expect("it is reached"))
    }

    /// Sends text. False: the server has closed the connection.
    pub async fn send(&mut self, text: &str) -> bool {
        timeout(TIMEOUT, self.0.write_all(text.as_bytes())).await.expect("it takes it, or closes").is_ok()
    }

    /// Returns the status of the next response, and the text that came with it.
    pub async fn status(&mut self) -> (u16, String) {
        let mut bytes = vec![0; 4 * 1024];
        let read = timeout(TIMEOUT, self.0.read(&mut bytes)).await.expect("it answers").unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes[..read]).into_owned();
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_default(), text)
    }
}
