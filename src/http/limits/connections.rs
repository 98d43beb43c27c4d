//! Connections: limits per IP address and in total, a write timeout, and TLS.

use crate::{
    http::tls::ServerTls,
    process::client::{ProxyNetwork, client_network},
};
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

/// Response to a connection above the limit.
const TOO_MANY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\n\
    retry-after: 5\r\ncontent-length: 66\r\nconnection: close\r\n\r\n\
    too many connections from this address or in all; try again later\n";
/// Timeout for sending that response.
const REFUSE_TIMEOUT: Duration = Duration::from_millis(500);
/// Timeout for the TLS handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of bytes of the request that are discarded, so that the response is not lost.
const MAX_DISCARDED_BYTES: u64 = 16 * 1024;

/// The open connections of this node.
pub struct Connections {
    per_address: usize,
    all: usize,
    /// Proxies. Many clients share their addresses, so they have no limit per address.
    proxies: Vec<ProxyNetwork>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
}

impl Connections {
    /// Returns a counter without open connections.
    #[must_use]
    pub fn new(per_address: u32, all: u32, proxies: Vec<ProxyNetwork>) -> Self {
        let whole = |limit| usize::try_from(limit).unwrap_or(usize::MAX);
        Self { per_address: whole(per_address), all: whole(all), proxies, open: Mutex::default() }
    }

    /// Number of open connections.
    #[must_use]
    pub fn count(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).all
    }

    /// Counts a connection from this address; `None`: a limit is reached.
    fn open(self: &Arc<Self>, address: IpAddr) -> Option<ConnectionPermit> {
        let address = address.to_canonical();
        let network =
            (!self.proxies.iter().any(|proxy| proxy.contains(address))).then(|| client_network(address));
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
        Some(ConnectionPermit { connections: Arc::clone(self), network })
    }
}

/// Counts one connection until it is dropped.
struct ConnectionPermit {
    connections: Arc<Connections>,
    network: Option<IpAddr>,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.connections.open.lock().unwrap_or_else(PoisonError::into_inner);
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

/// Accepts connections within the limits and adds a write timeout and TLS to them.
#[derive(Clone)]
pub struct Acceptor {
    /// Counts the open connections.
    pub connections: Arc<Connections>,
    /// A connection is closed if its client reads nothing for this long.
    pub write_timeout: Duration,
    /// Certificate of the server; `None`: without TLS.
    pub tls: Option<Arc<ServerTls>>,
}

/// An accepted connection, with or without TLS.
pub trait AcceptedStream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> AcceptedStream for T {}

impl<S: Send + 'static> Accept<TcpStream, S> for Acceptor {
    type Stream = Box<dyn AcceptedStream>;
    type Service = S;
    type Future = BoxFuture<'static, io::Result<(Self::Stream, S)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let permit = stream.peer_addr().map(|peer| self.connections.open(peer.ip()));
        let (write_timeout, tls) = (self.write_timeout, self.tls.clone());
        Box::pin(async move {
            let Some(permit) = permit? else {
                // The response is lost if the client does not read it in time. With TLS there is none.
                if tls.is_none() {
                    let _ = timeout(REFUSE_TIMEOUT, refuse(stream)).await;
                }
                return Err(io::Error::other("too many connections"));
            };
            // Small responses must not wait for the client's acknowledgement.
            stream.set_nodelay(true)?;
            let stream = WriteTimeoutStream { stream, write_timeout, stalled: None, _permit: Some(permit) };
            let stream: Box<dyn AcceptedStream> = match tls {
                Some(tls) => Box::new(timeout(HANDSHAKE_TIMEOUT, tls.acceptor().accept(stream)).await??),
                None => Box::new(stream),
            };
            Ok((stream, service))
        })
    }
}

async fn refuse(mut stream: TcpStream) -> io::Result<()> {
    stream.write_all(TOO_MANY).await?;
    stream.shutdown().await?;
    tokio::io::copy(&mut stream.take(MAX_DISCARDED_BYTES), &mut tokio::io::sink()).await?;
    Ok(())
}

/// A stream with a write timeout: it fails if the client reads nothing for too long.
pub struct WriteTimeoutStream<S> {
    stream: S,
    write_timeout: Duration,
    /// Running timeout while a write is pending.
    stalled: Option<Pin<Box<Sleep>>>,
    _permit: Option<ConnectionPermit>,
}

impl<S> WriteTimeoutStream<S> {
    fn check_timeout<T>(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let wait = self.write_timeout;
        ready!(self.stalled.get_or_insert_with(|| Box::pin(sleep(wait))).as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "write timeout: the client reads nothing")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeoutStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeoutStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.check_timeout(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.check_timeout(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.check_timeout(cx, shut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::duplex;

    const WAIT: Duration = Duration::from_secs(30);

    fn with_timeout<S>(stream: S) -> WriteTimeoutStream<S> {
        WriteTimeoutStream { stream, write_timeout: WAIT, stalled: None, _permit: None }
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_disconnected() {
        let (own, _other) = duplex(64);
        let started = tokio::time::Instant::now();
        let error = with_timeout(own).write_all(&[0; 65]).await.unwrap_err();
        assert!(error.kind() == io::ErrorKind::TimedOut && started.elapsed() >= WAIT, "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_slowly_is_not_disconnected() {
        let (own, mut other) = duplex(64);
        let reads = async {
            let mut buffer = [0; 32];
            for _ in 0..20 {
                sleep(WAIT / 2).await;
                other.read_exact(&mut buffer).await.unwrap();
            }
        };
        let (written, ()) = tokio::join!(async { with_timeout(own).write_all(&[0; 20 * 32]).await }, reads);
        assert!(written.is_ok());
    }

    #[test]
    fn an_address_a_network_and_the_total_have_limits() {
        let proxies = vec!["192.0.2.8/31".parse().unwrap()];
        let connections = Arc::new(Connections::new(2, 5, proxies));
        let open = |address: &str| connections.open(address.parse().unwrap());
        let (one, other) = (open("192.0.2.1"), open("::ffff:192.0.2.1"));
        assert!(one.is_some() && other.is_some() && open("192.0.2.1").is_none());
        let six = (open("2001:db8::1"), open("2001:db8::ffff"));
        assert!(six.0.is_some() && six.1.is_some() && open("2001:db8:0:0:1::").is_none());
        let last = open("192.0.2.9");
        assert!(last.is_some() && open("192.0.2.9").is_none(), "five in all");
        drop((one, six));
        let proxied = [open("192.0.2.9"), open("192.0.2.9")];
        assert!(proxied.iter().all(Option::is_some), "a proxy has many clients");
        drop((other, last, proxied));
        let counts = connections.open.lock().unwrap();
        assert!(counts.all == 0 && counts.by_address.is_empty());
    }

    #[test]
    fn the_response_has_the_right_content_length() {
        let text = std::str::from_utf8(TOO_MANY).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}", body.len())), "{}", body.len());
    }
}
