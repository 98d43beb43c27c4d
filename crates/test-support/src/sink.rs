//! A webhook receiver whose behaviour a test decides.

use crate::port::wait_for_port;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinSet,
};

/// What the receiver does after it has read a whole message.
#[derive(Debug, Clone)]
pub enum Behaviour {
    /// Responds with a status, further headers and a body.
    Respond(u16, Vec<(&'static str, String)>, String),
    /// Responds with a status after a notification.
    RespondWhen(Arc<Notify>, u16),
    /// Never responds.
    Hang,
    /// Closes the connection without a response.
    Disconnect,
    /// Responds with a status immediately and with one byte of the body a second.
    Trickle(u16),
}

impl Behaviour {
    /// Responds without headers and body.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self::Respond(status, Vec::new(), String::new())
    }
}

/// A received message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// Method and path.
    pub line: String,
    /// Names in lower case, and values, in the received order.
    pub headers: Vec<(String, String)>,
    /// The body as text.
    pub body: String,
    /// The body.
    pub bytes: Vec<u8>,
    /// When it had arrived, in milliseconds since 1970.
    pub at_ms: i64,
}

impl Received {
    /// Returns the value of a header; empty if there is none.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

#[derive(Debug, Default)]
struct State {
    received: Mutex<Vec<Received>>,
    behaviours: Mutex<VecDeque<Behaviour>>,
    changed: Notify,
}

/// A webhook receiver. Stops when dropped.
#[derive(Debug)]
pub struct Sink {
    port: u16,
    state: Arc<State>,
    _serving: JoinSet<()>,
}

impl Sink {
    /// Starts a receiver on a free loopback port. It responds 204 unless [`Sink::behave`] says
    /// otherwise.
    ///
    /// # Panics
    /// If the loopback has no free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("the loopback has a free port");
        let port = listener.local_addr().expect("its address").port();
        let state = Arc::new(State::default());
        let mut serving = JoinSet::new();
        serving.spawn(serve(listener, Arc::clone(&state)));
        wait_for_port(port).await;
        Self { port, state, _serving: serving }
    }

    /// Returns its URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    /// Returns its port, for a proxy.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Sets the behaviour for the next messages, one each. Later messages get 204.
    pub fn behave(&self, behaviours: impl IntoIterator<Item = Behaviour>) {
        lock(&self.state.behaviours).extend(behaviours);
    }

    /// Returns all messages so far in the order of arrival.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        lock(&self.state.received).clone()
    }

    /// Waits for this number of messages and returns all.
    ///
    /// # Panics
    /// If that takes longer than 60 s.
    pub async fn wait_for(&self, count: usize) -> Vec<Received> {
        let wait = async {
            loop {
                let changed = self.state.changed.notified();
                let received = self.received();
                if received.len() >= count {
                    return received;
                }
                changed.await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), wait).await.expect("the messages arrive")
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(listener: TcpListener, state: Arc<State>) {
    let mut open = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        open.spawn(handle(stream, Arc::clone(&state)));
    }
}

async fn handle(mut stream: TcpStream, state: Arc<State>) {
    let Some(message) = read(&mut stream).await else { return };
    lock(&state.received).push(message);
    let behaviour = lock(&state.behaviours).pop_front().unwrap_or_else(|| Behaviour::status(204));
    state.changed.notify_waiters();
    // The client may have closed the connection.
    let _ = respond(&mut stream, behaviour).await;
}

async fn respond(stream: &mut TcpStream, behaviour: Behaviour) -> std::io::Result<()> {
    match behaviour {
        Behaviour::Disconnect => Ok(()),
        Behaviour::Hang => std::future::pending().await,
        Behaviour::RespondWhen(trigger, status) => {
            trigger.notified().await;
            Box::pin(respond(stream, Behaviour::status(status))).await
        }
        Behaviour::Respond(status, headers, body) => {
            let mut head =
                format!("HTTP/1.1 {status} test\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
            for (name, value) in headers {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            stream.write_all(format!("{head}\r\n{body}").as_bytes()).await?;
            stream.shutdown().await
        }
        Behaviour::Trickle(status) => {
            let head = format!("HTTP/1.1 {status} test\r\ncontent-length: 1000\r\n\r\n");
            stream.write_all(head.as_bytes()).await?;
            loop {
                stream.write_all(b".").await?;
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let mut lines = text.lines();
    let line = lines.next()?.trim_end_matches(" HTTP/1.1").to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let mut message = Received { line, headers, body: String::new(), bytes: Vec::new(), at_ms: 0 };
    let length: usize = message.header("content-length").parse().unwrap_or(0);
    while bytes.len() < head + 4 + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    message.bytes = bytes.split_off(head + 4);
    message.body = String::from_utf8_lossy(&message.bytes).into_owned();
    message.at_ms = now_ms();
    Some(message)
}

/// The real time, which the receiver is to be compared with.
fn now_ms() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "a receiver outside the program has its own clock")]
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX)
}
