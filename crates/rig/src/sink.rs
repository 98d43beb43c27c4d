//! A web server that takes messages and can be told to misbehave.

use crate::port::answers;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinSet,
};

/// What the sink does with a message, once it has all of it.
#[derive(Debug, Clone)]
pub enum Manner {
    /// Answers with a status, further header lines and a text.
    Answer(u16, Vec<(&'static str, String)>, String),
    /// Answers with a status once it is told to.
    When(Arc<Notify>, u16),
    /// Never answers.
    Hang,
    /// Closes the connection without an answer.
    Cut,
    /// Answers with a status at once, and with one byte of its text a second.
    Dribble(u16),
}

impl Manner {
    /// An answer without a text.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self::Answer(status, Vec::new(), String::new())
    }
}

/// A message as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// Method and path.
    pub line: String,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The text.
    pub body: String,
}

impl Received {
    /// The value of a header; empty if there is none.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

#[derive(Debug, Default)]
struct Book {
    received: Mutex<Vec<Received>>,
    manners: Mutex<VecDeque<Manner>>,
    news: Notify,
}

/// The sink; it ends when it is dropped.
#[derive(Debug)]
pub struct Sink {
    port: u16,
    book: Arc<Book>,
    _serving: JoinSet<()>,
}

impl Sink {
    /// Starts one on a free port of the loopback. It answers 204 unless it is told otherwise.
    ///
    /// # Panics
    /// If the loopback has no free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("the loopback has a free port");
        let port = listener.local_addr().expect("its address").port();
        let book = Arc::new(Book::default());
        let mut serving = JoinSet::new();
        serving.spawn(serve(listener, Arc::clone(&book)));
        answers(port).await;
        Self { port, book, _serving: serving }
    }

    /// Where it is reached.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hook", self.port)
    }

    /// Its port, for a way to it.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// What to do with the next messages, one after the other; with all after them as usual.
    pub fn behave(&self, manners: impl IntoIterator<Item = Manner>) {
        lock(&self.book.manners).extend(manners);
    }

    /// All messages so far, in the order they came.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        lock(&self.book.received).clone()
    }

    /// Waits until so many messages have come; gives them.
    ///
    /// # Panics
    /// If they do not come within 20 s.
    pub async fn wait_for(&self, count: usize) -> Vec<Received> {
        let wait = async {
            loop {
                let news = self.book.news.notified();
                let received = self.received();
                if received.len() >= count {
                    return received;
                }
                news.await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), wait).await.expect("the messages come")
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(listener: TcpListener, book: Arc<Book>) {
    let mut open = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        open.spawn(take(stream, Arc::clone(&book)));
    }
}

async fn take(mut stream: TcpStream, book: Arc<Book>) {
    let Some(message) = read(&mut stream).await else { return };
    lock(&book.received).push(message);
    let manner = lock(&book.manners).pop_front().unwrap_or_else(|| Manner::status(204));
    book.news.notify_waiters();
    // The other side may have gone away: that is its right.
    let _ = act(&mut stream, manner).await;
}

async fn act(stream: &mut TcpStream, manner: Manner) -> std::io::Result<()> {
    match manner {
        Manner::Cut => Ok(()),
        Manner::Hang => std::future::pending().await,
        Manner::When(told, status) => {
            told.notified().await;
            Box::pin(act(stream, Manner::status(status))).await
        }
        Manner::Answer(status, headers, body) => {
            let mut head =
                format!("HTTP/1.1 {status} told\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
            for (name, value) in headers {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            stream.write_all(format!("{head}\r\n{body}").as_bytes()).await?;
            stream.shutdown().await
        }
        Manner::Dribble(status) => {
            let head = format!("HTTP/1.1 {status} told\r\ncontent-length: 1000\r\n\r\n");
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
    let mut message = Received { line, headers, body: String::new() };
    let length: usize = message.header("content-length").parse().unwrap_or(0);
    while bytes.len() < head + 4 + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    message.body = String::from_utf8_lossy(&bytes[head + 4..]).into_owned();
    Some(message)
}
