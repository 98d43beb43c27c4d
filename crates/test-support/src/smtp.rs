//! An SMTP server whose behaviour a test decides.

use std::{
    collections::{BTreeMap, VecDeque},
    io, mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinSet,
};
use tokio_rustls::TlsAcceptor;

/// Progress of an SMTP session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Before the first reply.
    Greeting,
    /// After AUTH.
    Login,
    /// After MAIL FROM.
    Sender,
    /// After RCPT TO.
    Recipient,
    /// After DATA.
    Data,
    /// After the dot that ends the text.
    Text,
}

/// What the server does at one stage of a connection instead of accepting.
#[derive(Debug, Clone, Copy)]
pub enum SmtpBehaviour {
    /// Accepts everything.
    Accept,
    /// Sends this reply.
    Reply(Stage, &'static str),
    /// Closes the connection.
    Disconnect(Stage),
    /// Sends nothing more.
    Hang(Stage),
}

/// A mail whose text was received completely, whatever the reply was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReceivedMail {
    /// The argument of `AUTH PLAIN`.
    pub login: String,
    /// Sender address.
    pub from: String,
    /// Recipient addresses.
    pub to: Vec<String>,
    /// Headers and body.
    pub text: String,
    /// Whether the client used SMTPUTF8 (RFC 6531).
    pub is_smtputf8: bool,
}

impl ReceivedMail {
    /// Returns the value of a one-line header; empty if there is none.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let head = self.text.split("\r\n\r\n").next().unwrap_or_default();
        let found = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        found.unwrap_or_default()
    }
}

#[derive(Debug, Default)]
struct State {
    received: Mutex<Vec<ReceivedMail>>,
    behaviours: Mutex<VecDeque<SmtpBehaviour>>,
    refusals: Mutex<BTreeMap<String, VecDeque<&'static str>>>,
    text_refusals: Mutex<Vec<(String, &'static str)>>,
    offers_smtputf8: AtomicBool,
    arrived: Notify,
    connections: Mutex<usize>,
    hang_up: Notify,
    hung_up: Notify,
}

/// An SMTP server. Stops when dropped.
#[derive(Debug)]
pub struct SmtpSink {
    /// Its loopback port.
    pub port: u16,
    state: Arc<State>,
    _serving: JoinSet<()>,
}

impl SmtpSink {
    /// Starts a server without encryption on a free loopback port. It accepts every mail unless
    /// [`SmtpSink::behave`] or [`SmtpSink::refuse`] says otherwise.
    ///
    /// # Panics
    /// If the loopback has no free port.
    pub async fn start() -> Self {
        Self::begin(None).await
    }

    /// Starts a server that also offers STARTTLS.
    ///
    /// # Panics
    /// If the loopback has no free port.
    pub async fn start_with(encryption: TlsAcceptor) -> Self {
        Self::begin(Some(encryption)).await
    }

    async fn begin(encryption: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("the loopback has a free port");
        let port = listener.local_addr().expect("its address").port();
        let state = Arc::new(State::default());
        let mut serving = JoinSet::new();
        serving.spawn(serve(listener, encryption, Arc::clone(&state)));
        Self { port, state, _serving: serving }
    }

    /// Sets the behaviour for the next connections, one each. Later connections are accepted.
    pub fn behave(&self, behaviours: impl IntoIterator<Item = SmtpBehaviour>) {
        lock(&self.state.behaviours).extend(behaviours);
    }

    /// Sets the replies to the next mails for this recipient, one each. Later mails are accepted.
    pub fn refuse(&self, recipient: &str, replies: impl IntoIterator<Item = &'static str>) {
        lock(&self.state.refusals).entry(recipient.to_owned()).or_default().extend(replies);
    }

    /// Refuses with this reply each text that contains `part`.
    pub fn refuse_text(&self, part: &str, reply: &'static str) {
        lock(&self.state.text_refusals).push((part.to_owned(), reply));
    }

    /// Offers SMTPUTF8 to the next connections.
    pub fn offer_smtputf8(&self) {
        self.state.offers_smtputf8.store(true, Ordering::Relaxed);
    }

    /// Waits until it has received this number of mails.
    pub async fn wait_for(&self, count: usize) {
        loop {
            let arrived = self.state.arrived.notified();
            if lock(&self.state.received).len() >= count {
                return;
            }
            arrived.await;
        }
    }

    /// Returns all mails so far in the order of arrival.
    #[must_use]
    pub fn received(&self) -> Vec<ReceivedMail> {
        lock(&self.state.received).clone()
    }

    /// Closes all open connections, as a server does with idle ones.
    pub async fn hang_up(&self) {
        self.state.hang_up.notify_one();
        self.state.hung_up.notified().await;
    }

    /// Returns the number of connections so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        *lock(&self.state.connections)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(listener: TcpListener, encryption: Option<TlsAcceptor>, state: Arc<State>) {
    let mut open = JoinSet::new();
    loop {
        let stream = tokio::select! {
            Ok((stream, _)) = listener.accept() => stream,
            () = state.hang_up.notified() => {
                open.shutdown().await;
                state.hung_up.notify_one();
                continue;
            }
        };
        *lock(&state.connections) += 1;
        let behaviour = lock(&state.behaviours).pop_front();
        let behaviour = behaviour.unwrap_or(SmtpBehaviour::Accept);
        open.spawn(serve_client(stream, behaviour, encryption.clone(), Arc::clone(&state)));
    }
}

async fn serve_client(
    stream: TcpStream,
    behaviour: SmtpBehaviour,
    encryption: Option<TlsAcceptor>,
    state: Arc<State>,
) {
    let mut session = Session {
        stream: BufReader::new(Box::new(stream)),
        behaviour,
        encryption,
        mail: ReceivedMail::default(),
    };
    // The client may have closed the connection.
    let _ = session.run(&state).await;
}

/// A connection, encrypted or not.
trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

struct Session {
    stream: BufReader<Box<dyn Stream>>,
    behaviour: SmtpBehaviour,
    /// STARTTLS, as long as it is offered.
    encryption: Option<TlsAcceptor>,
    mail: ReceivedMail,
}

impl Session {
    async fn run(&mut self, state: &State) -> io::Result<()> {
        self.reply_at(Stage::Greeting, "220 sink").await?;
        loop {
            let line = self.line().await?;
            let (verb, rest) = line.split_at_checked(4).unwrap_or((&line, ""));
            match verb.to_ascii_uppercase().as_str() {
                "EHLO" if self.encryption.is_some() => self.reply("250-sink\r\n250 STARTTLS").await?,
                "EHLO" if state.offers_smtputf8.load(Ordering::Relaxed) => {
                    self.reply("250-sink\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 AUTH PLAIN").await?;
                }
                "EHLO" => self.reply("250-sink\r\n250-8BITMIME\r\n250 AUTH PLAIN").await?,
                "STAR" => self.encrypt().await?,
                "AUTH" => {
                    self.mail.login = rest.trim().trim_start_matches("PLAIN ").to_owned();
                    self.reply_at(Stage::Login, "235 welcome").await?;
                }
                "MAIL" => {
                    self.mail.from = path(rest);
                    self.mail.is_smtputf8 = rest.ends_with(" SMTPUTF8\r\n");
                    self.mail.to.clear();
                    self.reply_at(Stage::Sender, "250 good").await?;
                }
                "RCPT" => {
                    let to = path(rest);
                    let refusal = lock(&state.refusals).get_mut(&to).and_then(VecDeque::pop_front);
                    match refusal {
                        Some(reply) => self.reply(reply).await?,
                        None if self.reply_at(Stage::Recipient, "250 good").await? => self.mail.to.push(to),
                        None => {}
                    }
                }
                "DATA" if self.reply_at(Stage::Data, "354 go on").await? => {
                    self.mail.text = self.text().await?;
                    if let Some(refusal) = refusal_of(state, &self.mail.text) {
                        self.reply(refusal).await?;
                        continue;
                    }
                    lock(&state.received).push(self.mail.clone());
                    self.mail =
                        ReceivedMail { login: mem::take(&mut self.mail.login), ..ReceivedMail::default() };
                    state.arrived.notify_waiters();
                    self.reply_at(Stage::Text, "250 taken").await?;
                }
                "DATA" => {}
                "NOOP" => self.reply("250 here").await?,
                "RSET" => self.reply("250 reset").await?,
                "QUIT" => return self.reply("221 bye").await,
                _ => self.reply("500 what?").await?,
            }
        }
    }

    /// Continues with TLS if STARTTLS was offered.
    async fn encrypt(&mut self) -> io::Result<()> {
        let Some(encryption) = self.encryption.take() else { return self.reply("454 not here").await };
        self.reply("220 go on").await?;
        let nothing: Box<dyn Stream> = Box::new(tokio::io::empty());
        let open = mem::replace(&mut self.stream, BufReader::new(nothing)).into_inner();
        self.stream = BufReader::new(Box::new(encryption.accept(open).await?));
        Ok(())
    }

    /// Sends the usual reply, or does what the behaviour says. Returns whether it sent the usual
    /// reply.
    async fn reply_at(&mut self, stage: Stage, usual: &str) -> io::Result<bool> {
        match self.behaviour {
            SmtpBehaviour::Reply(at, text) if at == stage => self.reply(text).await.map(|()| false),
            SmtpBehaviour::Disconnect(at) if at == stage => Err(io::ErrorKind::ConnectionAborted.into()),
            SmtpBehaviour::Hang(at) if at == stage => std::future::pending().await,
            _ => self.reply(usual).await.map(|()| true),
        }
    }

    async fn reply(&mut self, text: &str) -> io::Result<()> {
        self.stream.get_mut().write_all(format!("{text}\r\n").as_bytes()).await
    }

    async fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(line),
        }
    }

    /// Reads the text up to the final dot and removes doubled dots.
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

/// Returns the reply that refuses a text.
fn refusal_of(state: &State, text: &str) -> Option<&'static str> {
    let refusals = lock(&state.text_refusals);
    refusals.iter().find(|(part, _)| text.contains(part.as_str())).map(|(_, reply)| *reply)
}

/// Returns the address between the angle brackets.
fn path(text: &str) -> String {
    text.split(['<', '>']).nth(1).unwrap_or_default().to_owned()
}
