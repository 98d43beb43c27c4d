//! Connections: so many from one address, so many in all, and none on which nothing is taken of what is written.

use crate::client::client_network;
use axum_server::accept::Accept;
use futures::future::BoxFuture;
use std::{
    collections::HashMap,
    io::{self, IoSlice},
    net::IpAddr,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf},
    net::TcpStream,
    time::{Sleep, sleep, timeout},
};

/// What a connection too many is told.
const TOO_MANY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\n\
    retry-after: 5\r\ncontent-length: 66\r\nconnection: close\r\n\r\n\
    too many connections from this address or in all; try again later\n";
/// How long it may take to read that.
const FAREWELL: Duration = Duration::from_millis(500);
/// Bytes of its request that are read and thrown away, so that the answer is not lost.
const UNREAD: u64 = 16 * 1024;

/// The open connections of this node.
pub struct Clients {
    per_address: usize,
    all: usize,
    /// Many clients share the address of a proxy.
    proxies: Vec<IpAddr>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
}

impl Clients {
    /// No connection is open.
    #[must_use]
    pub fn new(per_address: u32, all: u32, proxies: Vec<IpAddr>) -> Self {
        let whole = |limit| usize::try_from(limit).unwrap_or(usize::MAX);
        Self { per_address: whole(per_address), all: whole(all), proxies, open: Mutex::default() }
    }

    /// How many are open.
    #[must_use]
    pub fn count(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).all
    }

    /// Takes a place for a connection from this address; `None`: there is none.
    fn enter(self: &Arc<Self>, address: IpAddr) -> Option<Client> {
        let address = address.to_canonical();
        let network = (!self.proxies.contains(&address)).then(|| client_network(address));
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.all >= self.all {
            return None;
        }
        if let Some(network) = network {
            let own = open.by_address.entry(network).or_default();
            if *own >= self.per_address {
                return None;
            }
            *own += 1;
        }
        open.all += 1;
        Some(Client { clients: Arc::clone(self), network })
    }
}

/// The place of one connection, until it is dropped.
struct Client {
    clients: Arc<Clients>,
    network: Option<IpAddr>,
}

impl Drop for Client {
    fn drop(&mut self) {
        let mut open = self.clients.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.all -= 1;
        let Some(network) = self.network else { return };
        if let Some(own) = open.by_address.get_mut(&network) {
            *own -= 1;
            if *own == 0 {
                open.by_address.remove(&network);
            }
        }
    }
}

/// Takes connections while there are places, and watches what is written to them.
#[derive(Clone)]
pub struct Acceptor {
    /// Where places are counted.
    pub clients: Arc<Clients>,
    /// How long a client may take nothing of what is written to it.
    pub write_timeout: Duration,
}

impl<S: Send + 'static> Accept<TcpStream, S> for Acceptor {
    type Stream = Watched<TcpStream>;
    type Service = S;
    type Future = BoxFuture<'static, io::Result<(Self::Stream, S)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let place = stream.peer_addr().map(|peer| self.clients.enter(peer.ip()));
        let write_timeout = self.write_timeout;
        Box::pin(async move {
            let Some(client) = place? else {
                // Nothing is owed to a client that does not read it.
                let _ = timeout(FAREWELL, refuse(stream)).await;
                return Err(io::Error::other("too many connections"));
            };
            // Small answers must not wait for the client's acknowledgement.
            stream.set_nodelay(true)?;
            Ok((Watched { stream, write_timeout, stalled: None, _client: Some(client) }, service))
        })
    }
}

async fn refuse(mut stream: TcpStream) -> io::Result<()> {
    stream.write_all(TOO_MANY).await?;
    stream.shutdown().await?;
    tokio::io::copy(&mut stream.take(UNREAD), &mut tokio::io::sink()).await?;
    Ok(())
}

/// A connection that breaks when its client takes nothing for too long of what is written.
pub struct Watched<S> {
    stream: S,
    write_timeout: Duration,
    /// Runs while the client takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    _client: Option<Client>,
}

impl<S> Watched<S> {
    fn watch<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let wait = self.write_timeout;
        ready!(self.stalled.get_or_insert_with(|| Box::pin(sleep(wait))).as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client reads nothing")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.watch(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.watch(cx, shut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::duplex;

    const WAIT: Duration = Duration::from_secs(30);

    fn watched<S>(stream: S) -> Watched<S> {
        Watched { stream, write_timeout: WAIT, stalled: None, _client: None }
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_cut_off() {
        let (own, _other) = duplex(64);
        let begun = tokio::time::Instant::now();
        let error = watched(own).write_all(&[0; 65]).await.unwrap_err();
        assert!(error.kind() == io::ErrorKind::TimedOut && begun.elapsed() >= WAIT, "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_slowly_is_not() {
        let (own, mut other) = duplex(64);
        let reads = async {
            let mut buffer = [0; 32];
            for _ in 0..20 {
                sleep(WAIT / 2).await;
                other.read_exact(&mut buffer).await.unwrap();
            }
        };
        let (written, ()) = tokio::join!(async { watched(own).write_all(&[0; 20 * 32]).await }, reads);
        assert!(written.is_ok());
    }

    #[test]
    fn an_address_a_network_and_all_together_have_limits() {
        let proxy: IpAddr = "192.0.2.9".parse().unwrap();
        let clients = Arc::new(Clients::new(2, 5, vec![proxy]));
        let enter = |address: &str| clients.enter(address.parse().unwrap());
        let (one, other) = (enter("192.0.2.1"), enter("::ffff:192.0.2.1"));
        assert!(one.is_some() && other.is_some() && enter("192.0.2.1").is_none());
        let six = (enter("2001:db8::1"), enter("2001:db8::ffff"));
        assert!(six.0.is_some() && six.1.is_some() && enter("2001:db8:0:0:1::").is_none());
        let last = enter("192.0.2.9");
        assert!(last.is_some() && enter("192.0.2.9").is_none(), "five in all");
        drop((one, six));
        let proxied = [enter("192.0.2.9"), enter("192.0.2.9")];
        assert!(proxied.iter().all(Option::is_some), "a proxy has many clients");
        drop((other, last, proxied));
        let open = clients.open.lock().unwrap();
        assert!(open.all == 0 && open.by_address.is_empty());
    }

    #[test]
    fn the_refusal_says_how_long_it_is() {
        let text = std::str::from_utf8(TOO_MANY).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}", body.len())), "{}", body.len());
    }
}
