//! Connections to AMQP brokers: only to addresses that pass the egress rules, with TLS if the URL
//! requires it.

use super::failure::refused_or_unreachable;
use crate::{
    process::tls_roots::TlsRoots,
    senders::{
        SendResult,
        egress::{ResolveError, Rules},
    },
};
use domain::{channel::AmqpEndpoint, delivery::Outcome};
use lapin::{
    AsyncTcpStream, Connection, ConnectionProperties,
    runtime::default_runtime,
    tcp::TLSConfig,
    uri::{AMQPScheme, AMQPUri, AMQPUserInfo},
};
use std::{
    io,
    net::{Shutdown, SocketAddr, TcpStream},
    os::fd::AsFd as _,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::time::timeout;

/// A broker and its login.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Peer {
    address: String,
    user: String,
    password: String,
    /// Whether it confirms messages.
    pub confirms: bool,
}

impl Peer {
    /// The broker of this route, with the password of its user.
    pub fn of(route: &AmqpEndpoint, password: &str) -> Self {
        Self {
            address: route.url.clone(),
            user: route.username.clone(),
            password: password.to_owned(),
            confirms: route.confirm,
        }
    }
}

/// Opens a connection and logs in.
pub async fn connect(
    rules: &Rules,
    trust: &TlsRoots,
    peer: Peer,
    limit: Duration,
) -> Result<Connection, SendResult> {
    let blocked = |why: &str| SendResult::without_response(Outcome::Blocked, why);
    let broker = rules.check_broker(&peer.address);
    let broker = broker.map_err(|wrong| blocked(&format!("the address {wrong}")))?;
    let mut uri: AMQPUri = peer.address.parse().map_err(|_| blocked("the address cannot be read"))?;
    if broker.vhost.is_empty() {
        "/".clone_into(&mut uri.vhost);
    }
    uri.authority.host = broker.host.to_string().trim_matches(['[', ']']).to_owned();
    uri.authority.port = broker.port;
    uri.authority.userinfo = AMQPUserInfo { username: peer.user, password: peer.password };
    let found = rules.resolve(&broker.host, broker.port, broker.is_open).await;
    let found = found.map_err(|why| match why {
        ResolveError::Unknown => {
            SendResult::without_response(Outcome::Unreachable, "the broker's name is not known")
        }
        ResolveError::Blocked(wrong) => blocked(&format!("the broker {wrong}")),
    })?;
    negotiate(uri, found, trust.clone(), limit).await.map_err(|why| refused_or_unreachable(&why))
}

async fn negotiate(
    uri: AMQPUri,
    found: Vec<SocketAddr>,
    trust: TlsRoots,
    limit: Duration,
) -> lapin::Result<Connection> {
    let socket_guard = SocketGuard::default();
    let socket = Arc::clone(&socket_guard.0);
    let properties = ConnectionProperties::default().with_connection_name("Presstime".into());
    // Runs in the connection's own thread, which cannot be cancelled from outside, so it has its
    // own timeout.
    let connection = Connection::connector(
        uri,
        default_runtime()?,
        async move |uri, runtime| {
            let connected = timeout(limit, async {
                let stream = AsyncTcpStream::connect(&runtime, found.clone()).await?;
                if let AsyncTcpStream::Plain(open) = &stream {
                    let socket_copy = TcpStream::from(open.get_ref().as_fd().try_clone_to_owned()?);
                    *socket.lock().unwrap_or_else(PoisonError::into_inner) = Some(socket_copy);
                }
                match uri.scheme {
                    AMQPScheme::AMQP => Ok(stream),
                    AMQPScheme::AMQPS => {
                        let config = TLSConfig { cert_chain: trust.pem(), ..TLSConfig::default() };
                        stream.into_tls(&uri.authority.host, config).await
                    }
                }
            });
            Ok(connected.await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?)
        },
        properties,
    )
    .await?;
    socket_guard.keep_open();
    Ok(connection)
}

/// Closes the socket when the handshake is abandoned. Otherwise a silent broker would block its
/// thread forever.
#[derive(Default)]
struct SocketGuard(Arc<Mutex<Option<TcpStream>>>);

impl SocketGuard {
    /// Keeps the socket open: the connection is established and closes itself.
    fn keep_open(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

impl Drop for SocketGuard {
    fn drop(&mut self) {
        if let Some(socket) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // It may be closed already.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}
