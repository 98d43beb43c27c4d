//! A mail server that takes mails and can be told to misbehave.

use std::{
    collections::{BTreeMap, VecDeque},
    io, mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinSet,
};
use tokio_rustls::TlsAcceptor;

/// Where a conversation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Before anything is said.
    Greeting,
    /// After the log-in.
    Login,
    /// After the sender.
    Sender,
    /// After a recipient.
    Recipient,
    /// After the wish to send the text.
    Data,
    /// After the dot that ends the text.
    Text,
}

/// What the mail server does at a stage of one connection, instead of agreeing.
#[derive(Debug, Clone, Copy)]
pub enum SmtpManner {
    /// It agrees to everything.
    Take,
    /// It says this.
    Say(Stage, &'static str),
    /// It closes the connection.
    Cut(Stage),
    /// It says nothing more.
    Hang(Stage),
}

/// A mail whose text came whole, whatever was answered to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mailed {
    /// What stood behind `AUTH PLAIN`.
    pub login: String,
    /// Whom it is from.
    pub from: String,
    /// Who gets it.
    pub to: Vec<String>,
    /// Headers and texts.
    pub text: String,
}

impl Mailed {
    /// The value of a header on one line; empty if there is none.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let head = self.text.split("\r\n\r\n").next().unwrap_or_default();
        let found = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        found.unwrap_or_default()
    }
}

#[derive(Debug, Default)]
struct Book {
    mailed: Mutex<Vec<Mailed>>,
    manners: Mutex<VecDeque<SmtpManner>>,
    refusals: Mutex<BTreeMap<String, VecDeque<&'static str>>>,
    connections: Mutex<usize>,
    hang_up: Notify,
    hung_up: Notify,
}

/// The mail server; it ends when it is dropped.
#[derive(Debug)]
pub struct SmtpSink {
    /// Where it listens, on the loopback.
    pub port: u16,
    book: Arc<Book>,
    _serving: JoinSet<()>,
}

impl SmtpSink {
    /// Starts one on a free port of the loopback, without encryption. It takes everything unless it is told otherwise.
    ///
    /// # Panics
    /// If the loopback has no free port.
    pub async fn start() -> Self {
        Self::begin(None).await
    }

    /// The same, and it offers encryption (STARTTLS).
    ///
    /// # Panics
    /// If the loopback has no free port.
    pub async fn start_with(encryption: TlsAcceptor) -> Self {
        Self::begin(Some(encryption)).await
    }

    async fn begin(encryption: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("the loopback has a free port");
        let port = listener.local_addr().expect("its address").port();
        let book = Arc::new(Book::default());
        let mut serving = JoinSet::new();
        serving.spawn(serve(listener, encryption, Arc::clone(&book)));
        Self { port, book, _serving: serving }
    }

    /// What to do with the next connections, one after the other; with all after them as usual.
    pub fn behave(&self, manners: impl IntoIterator<Item = SmtpManner>) {
        lock(&self.book.manners).extend(manners);
    }

    /// What to say the next times a mail is for this recipient, one after the other; all after them are taken as usual.
    pub fn refuse(&self, recipient: &str, replies: impl IntoIterator<Item = &'static str>) {
        lock(&self.book.refusals).entry(recipient.to_owned()).or_default().extend(replies);
    }

    /// All mails so far, in the order they came.
    #[must_use]
    pub fn mailed(&self) -> Vec<Mailed> {
        lock(&self.book.mailed).clone()
    }

    /// Closes all connections that are open, as a server does with those nobody uses.
    pub async fn hang_up(&self) {
        self.book.hang_up.notify_one();
        self.book.hung_up.notified().await;
    }

    /// How often somebody has connected.
    #[must_use]
    pub fn connections(&self) -> usize {
        *lock(&self.book.connections)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(listener: TcpListener, encryption: Option<TlsAcceptor>, book: Arc<Book>) {
    let mut open = JoinSet::new();
    loop {
        let stream = tokio::select! {
            Ok((stream, _)) = listener.accept() => stream,
            () = book.hang_up.notified() => {
                open.shutdown().await;
                book.hung_up.notify_one();
                continue;
            }
        };
        *lock(&book.connections) += 1;
        let manner = lock(&book.manners).pop_front();
        let manner = manner.unwrap_or(SmtpManner::Take);
        open.spawn(converse(stream, manner, encryption.clone(), Arc::clone(&book)));
    }
}

async fn converse(stream: TcpStream, manner: SmtpManner, encryption: Option<TlsAcceptor>, book: Arc<Book>) {
    let mut talk =
        Talk { stream: BufReader::new(Box::new(stream)), manner, encryption, mail: Mailed::default() };
    // The other side may have gone away: that is its right.
    let _ = talk.run(&book).await;
}

/// A connection, encrypted or not.
trait Wire: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Wire for T {}

struct Talk {
    stream: BufReader<Box<dyn Wire>>,
    manner: SmtpManner,
    /// What it offers, until it is accepted.
    encryption: Option<TlsAcceptor>,
    mail: Mailed,
}

impl Talk {
    async fn run(&mut self, book: &Book) -> io::Result<()> {
        self.at(Stage::Greeting, "220 sink").await?;
        loop {
            let line = self.line().await?;
            let (verb, rest) = line.split_at_checked(4).unwrap_or((&line, ""));
            match verb.to_ascii_uppercase().as_str() {
                "EHLO" if self.encryption.is_some() => self.say("250-sink\r\n250 STARTTLS").await?,
                "EHLO" => self.say("250-sink\r\n250-8BITMIME\r\n250 AUTH PLAIN").await?,
                "STAR" => self.encrypt().await?,
                "AUTH" => {
                    self.mail.login = rest.trim().trim_start_matches("PLAIN ").to_owned();
                    self.at(Stage::Login, "235 welcome").await?;
                }
                "MAIL" => {
                    self.mail.from = path(rest);
                    self.mail.to.clear();
                    self.at(Stage::Sender, "250 good").await?;
                }
                "RCPT" => {
                    let to = path(rest);
                    let refusal = lock(&book.refusals).get_mut(&to).and_then(VecDeque::pop_front);
                    match refusal {
                        Some(reply) => self.say(reply).await?,
                        None if self.at(Stage::Recipient, "250 good").await? => self.mail.to.push(to),
                        None => {}
                    }
                }
                "DATA" if self.at(Stage::Data, "354 go on").await? => {
                    self.mail.text = self.text().await?;
                    lock(&book.mailed).push(self.mail.clone());
                    self.mail = Mailed { login: mem::take(&mut self.mail.login), ..Mailed::default() };
                    self.at(Stage::Text, "250 taken").await?;
                }
                "DATA" => {}
                "NOOP" => self.say("250 here").await?,
                "QUIT" => return self.say("221 bye").await,
                _ => self.say("500 what?").await?,
            }
        }
    }

    /// Goes on encrypted, if it had offered that.
    async fn encrypt(&mut self) -> io::Result<()> {
        let Some(encryption) = self.encryption.take() else { return self.say("454 not here").await };
        self.say("220 go on").await?;
        let nothing: Box<dyn Wire> = Box::new(tokio::io::empty());
        let open = mem::replace(&mut self.stream, BufReader::new(nothing)).into_inner();
        self.stream = BufReader::new(Box::new(encryption.accept(open).await?));
        Ok(())
    }

    /// Agrees, or does what it was told to; whether it agreed.
    async fn at(&mut self, stage: Stage, usual: &str) -> io::Result<bool> {
        match self.manner {
            SmtpManner::Say(at, text) if at == stage => self.say(text).await.map(|()| false),
            SmtpManner::Cut(at) if at == stage => Err(io::ErrorKind::ConnectionAborted.into()),
            SmtpManner::Hang(at) if at == stage => std::future::pending().await,
            _ => self.say(usual).await.map(|()| true),
        }
    }

    async fn say(&mut self, text: &str) -> io::Result<()> {
        self.stream.get_mut().write_all(format!("{text}\r\n").as_bytes()).await
    }

    async fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(line),
        }
    }

    /// The text up to its dot, without the dots that were doubled.
    async fn text(&mut self) -> io::Result<String> {
        let mut text = String::new();
        loop {
            let line = self.line().await?;
            if line == ".\r\n" {
                return Ok(text);
            }
            text.push_str(line.strip_prefix('.').unwrap_or(&line));
        }
    }
}

/// The address between the angles.
fn path(text: &str) -> String {
    text.split(['<', '>']).nth(1).unwrap_or_default().to_owned()
}
