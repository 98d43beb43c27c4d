//! Connections to brokers: only to addresses that were looked at, encrypted as the address says.

use super::messenger::stopped;
use crate::channels::{
    Answer,
    guard::{Rules, Unreached},
    trust::Trust,
};
use domain::{channel::AmqpRoute, delivery::Outcome};
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

/// Who is connected to, as whom.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Peer {
    address: String,
    user: String,
    password: String,
}

impl Peer {
    /// Where this route leads, with the password of its user.
    pub fn of(route: &AmqpRoute, password: &str) -> Self {
        Self { address: route.address.clone(), user: route.user.clone(), password: password.to_owned() }
    }
}

/// A connection, logged in.
pub async fn connect(
    rules: &Rules,
    trust: &Trust,
    peer: Peer,
    patience: Duration,
) -> Result<Connection, Answer> {
    let blocked = |why: &str| Answer::none(Outcome::Blocked, why);
    let broker = rules.check_broker(&peer.address);
    let broker = broker.map_err(|wrong| blocked(&format!("the address {wrong}")))?;
    let mut uri: AMQPUri = peer.address.parse().map_err(|_| blocked("the address cannot be read"))?;
    if broker.vhost.is_empty() {
        "/".clone_into(&mut uri.vhost);
    }
    uri.authority.host = broker.host.to_string().trim_matches(['[', ']']).to_owned();
    uri.authority.port = broker.port;
    uri.authority.userinfo = AMQPUserInfo { username: peer.user, password: peer.password };
    let found = rules.reach(&broker.host, broker.port, broker.is_open).await;
    let found = found.map_err(|why| match why {
        Unreached::Unknown => Answer::none(Outcome::Unreachable, "the broker's name is not known"),
        Unreached::Blocked(wrong) => blocked(&format!("the broker {wrong}")),
    })?;
    negotiate(uri, found, trust.clone(), patience).await.map_err(|why| stopped(&why))
}

async fn negotiate(
    uri: AMQPUri,
    found: Vec<SocketAddr>,
    trust: Trust,
    patience: Duration,
) -> lapin::Result<Connection> {
    let hangup = Hangup::default();
    let socket = Arc::clone(&hangup.0);
    let properties = ConnectionProperties::default().with_connection_name("Presstime".into());
    // Runs in a thread of the connection's own, which nobody ends from outside: so it ends in time by itself.
    let connection = Connection::connector(
        uri,
        default_runtime()?,
        async move |uri, runtime| {
            let connected = timeout(patience, async {
                let stream = AsyncTcpStream::connect(&runtime, found.clone()).await?;
                if let AsyncTcpStream::Plain(open) = &stream {
                    let twin = TcpStream::from(open.get_ref().as_fd().try_clone_to_owned()?);
                    *socket.lock().unwrap_or_else(PoisonError::into_inner) = Some(twin);
                }
                match uri.scheme {
                    AMQPScheme::AMQP => Ok(stream),
                    AMQPScheme::AMQPS => {
                        let believed = TLSConfig { cert_chain: trust.pem(), ..TLSConfig::default() };
                        stream.into_tls(&uri.authority.host, believed).await
                    }
                }
            });
            Ok(connected.await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?)
        },
        properties,
    )
    .await?;
    hangup.stay();
    Ok(connection)
}

/// Ends a connection that nobody waits for any more: a broker that never greets would keep its thread for ever.
#[derive(Default)]
struct Hangup(Arc<Mutex<Option<TcpStream>>>);

impl Hangup {
    /// The connection stands; it ends by itself from now on.
    fn stay(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

impl Drop for Hangup {
    fn drop(&mut self) {
        if let Some(socket) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // It may have ended already.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}
