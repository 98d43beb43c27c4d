//! Mails over SMTP: driven stage by stage, so that it is known whether the text was sent.
//!
//! Until the text has been sent whole, nothing has: whatever goes wrong is a refusal or an unreachable server. Between the
//! dot that ends the text and the answer to it, nobody knows. A connection is kept for the next mail; one that the other side
//! closes just when it is used again has sent nothing, and a fresh one is tried.

mod letter;
mod pool;
mod recipient;

use super::{
    Answer, End, Letter,
    guard::{Rules, Unreached},
    trust::Trust,
};
use domain::{
    channel::{MailRoute, Security},
    delivery::{Outcome, RecipientOutcome},
};
use letter::Written;
use lettre::{
    address::Envelope,
    transport::smtp::{
        Error,
        authentication::{Credentials, Mechanism},
        client::{AsyncSmtpConnection, Certificate, TlsParameters},
        commands::{Data, Mail, Rcpt},
        extension::ClientId,
        response::Response,
    },
};
use pool::{Peer, Pool};
use recipient::{Refused, standing};
use std::{error::Error as _, future::Future, net::SocketAddr, time::Duration};

/// How long everything before the text may take in all.
const BEFORE: Duration = Duration::from_secs(10);
/// How long the text and the answer to it may take: servers look into mails before they take them.
const AFTER: Duration = Duration::from_secs(20);
/// How long a farewell may take.
const FAREWELL: Duration = Duration::from_millis(500);
/// The server says good-bye, whatever it was asked.
const CLOSING: u16 = 421;
/// How much of an answer is kept, characters.
const KEPT: usize = 1_000;

/// Sends mails.
#[derive(Debug)]
pub struct Mailer {
    rules: Rules,
    trust: Trust,
    site: String,
    hello: ClientId,
    before: Duration,
    after: Duration,
    pool: Pool,
}

impl Mailer {
    /// Under these rules, to whom this trust believes; links begin with `site`, and its host is the name this desk greets with.
    #[must_use]
    pub fn new(rules: Rules, trust: &Trust, site: &str) -> Self {
        Self::patient(rules, trust, site, BEFORE, AFTER)
    }

    /// The same with another patience: before the text, and from the text on.
    #[must_use]
    pub fn patient(rules: Rules, trust: &Trust, site: &str, before: Duration, after: Duration) -> Self {
        let (trust, pool) = (trust.clone(), Pool::default());
        Self { rules, trust, site: site.to_owned(), hello: hello(site), before, after, pool }
    }

    /// Makes one attempt. Never fails: how it ended is the answer.
    pub async fn send(&self, route: &MailRoute, letter: &Letter) -> Answer {
        if !route.to.is_empty() && recipient::missing(route, letter).is_empty() {
            let recipients = standing(route, letter, &[], RecipientOutcome::Delivered, None);
            let none = Answer::none(Outcome::Delivered, "no recipient of the channel is missing");
            return Answer { recipients, ..none };
        }
        let written = match letter::write(route, letter, &self.site) {
            Ok(written) => written,
            Err(why) => return Answer::none(Outcome::Blocked, &why),
        };
        let peer = Peer::of(route, letter);
        let begun = self.begin(&peer, route, letter, &written.envelope);
        let begun = tokio::time::timeout(self.before, begun).await;
        let Addressed { connection, refused } = match begun {
            Ok(Ok(addressed)) => addressed,
            Ok(Err(answer)) => return answer,
            Err(_) => return Answer::none(Outcome::Unreachable, "the mail server did not answer in time"),
        };
        let mail = Sent { route, letter, written: &written, refused: &refused };
        let (connection, answer) = self.finish(connection, mail).await;
        if let Some(connection) = connection {
            self.pool.put(peer, connection, letter.at);
        }
        answer
    }

    /// Sends the text: what goes wrong from here on may have arrived, unless the server says that it has not. The connection, if it can
    /// be used again.
    async fn finish(
        &self,
        mut connection: AsyncSmtpConnection,
        mail: Sent<'_>,
    ) -> (Option<AsyncSmtpConnection>, Answer) {
        let answered = tokio::time::timeout(self.after, connection.message(&mail.written.bytes)).await;
        let answer = match answered {
            Ok(Ok(response)) if number(&response.code().to_string()).is_some_and(|code| code < 300) => {
                return (Some(connection), mail.taken(&response));
            }
            Ok(Err(why)) if why.status().is_some() => stopped("the text", true, &why),
            Ok(_) => return (None, mail.doubtful("cut off before an answer to the text")),
            Err(_) => return (None, mail.doubtful("no answer to the text in time")),
        };
        // Polite, and of no consequence.
        let _ = tokio::time::timeout(FAREWELL, connection.quit()).await;
        (None, answer)
    }

    /// A connection that waits for the text: one that was kept, if its server still takes the mail on it, or a fresh one.
    async fn begin(
        &self,
        peer: &Peer,
        route: &MailRoute,
        letter: &Letter,
        envelope: &Envelope,
    ) -> Result<Addressed, Answer> {
        if let Some(kept) = self.pool.take(peer, letter.at).await {
            match address(kept, envelope, (route, letter)).await {
                Err(answer) if answer.status.is_none_or(|status| status == CLOSING) => {}
                told => return told,
            }
        }
        let mut connection = self.connect(route).await?;
        if let Some(user) = &route.user {
            let password = letter.secret().ok_or_else(|| {
                Answer::none(Outcome::Blocked, "the channel's password is missing; give it again")
            })?;
            let credentials = Credentials::new(user.clone(), password.to_owned());
            let logged_in = connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials);
            stage("log-in", false, logged_in).await?;
        }
        address(connection, envelope, (route, letter)).await
    }

    /// A connection as the channel wants it encrypted, to an address that was looked at.
    async fn connect(&self, route: &MailRoute) -> Result<AsyncSmtpConnection, Answer> {
        let addresses = self.addresses(route).await?;
        let tls = || self.tls(&route.server);
        let wrapped = if route.security == Security::Tls { Some(tls()?) } else { None };
        let connected = AsyncSmtpConnection::connect_tokio1(&addresses[..], None, &self.hello, wrapped, None);
        let mut connection = stage("connection", false, connected).await?;
        if route.security == Security::StartTls {
            if !connection.can_starttls() {
                return Err(Answer::none(
                    Outcome::Refused,
                    "the mail server offers no encryption (STARTTLS)",
                ));
            }
            stage("encryption", false, connection.starttls(tls()?, &self.hello)).await?;
        }
        Ok(connection)
    }

    fn tls(&self, server: &str) -> Result<TlsParameters, Answer> {
        let named = TlsParameters::builder(server.trim_matches(['[', ']']).to_owned());
        let further = self.trust.further().iter().flat_map(|one| Certificate::from_der(one.to_vec()));
        let believing = further.fold(named, |some, one| some.add_root_certificate(one));
        let parameters = believing.build_rustls();
        parameters.map_err(|_| Answer::none(Outcome::Blocked, "the server's name fits no certificate"))
    }

    async fn addresses(&self, route: &MailRoute) -> Result<Vec<SocketAddr>, Answer> {
        let host = self.rules.check_host(&route.server);
        let blocked = |wrong| Answer::none(Outcome::Blocked, &format!("the server {wrong}"));
        let host = host.map_err(blocked)?;
        let is_open = route.security == Security::Open;
        let found = self.rules.reach(&host, route.port, is_open).await;
        found.map_err(|why| match why {
            Unreached::Unknown => Answer::none(Outcome::Unreachable, "the server's name is not known"),
            Unreached::Blocked(wrong) => blocked(wrong),
        })
    }
}

/// A connection that waits for the text, and whom its server does not take.
struct Addressed {
    connection: AsyncSmtpConnection,
    refused: Vec<Refused>,
}

/// A mail whose text was sent.
#[derive(Clone, Copy)]
struct Sent<'a> {
    route: &'a MailRoute,
    letter: &'a Letter,
    written: &'a Written,
    refused: &'a [Refused],
}

impl Sent<'_> {
    /// The server took the text, for all but those it had refused.
    fn taken(self, response: &Response) -> Answer {
        let Self { route, letter, refused, .. } = self;
        let recipients = standing(route, letter, refused, RecipientOutcome::Delivered, Some(response));
        let taken = Answer { outcome: Outcome::Delivered, is_taken: true, recipients, ..said(response) };
        match refused.first() {
            None => taken,
            Some(first) => Answer {
                outcome: Outcome::Refused,
                status: first.status(),
                text: Some(clipped(&sentences(refused))),
                ..taken
            },
        }
    }

    /// Whether the server took the text is not known.
    fn doubtful(self, why: &str) -> Answer {
        let Self { route, letter, refused, .. } = self;
        let recipients = standing(route, letter, refused, RecipientOutcome::Unknown, None);
        Answer { recipients, ..Answer::none(Outcome::Unknown, why) }
    }
}

fn sentences(refused: &[Refused]) -> String {
    refused.iter().map(Refused::sentence).collect::<Vec<_>>().join("\n")
}

/// Says whom the mail is from and to: the connection waits for the text then. An answer where no recipient is taken.
async fn address(
    mut connection: AsyncSmtpConnection,
    envelope: &Envelope,
    (route, letter): (&MailRoute, &Letter),
) -> Result<Addressed, Answer> {
    let from = envelope.from().cloned();
    stage("sender", true, connection.command(Mail::new(from, vec![]))).await?;
    let mut refused = Vec::new();
    for to in envelope.to() {
        let Err(why) = connection.command(Rcpt::new(to.clone(), vec![])).await else { continue };
        match Refused::of(to, &why) {
            Some(one) => refused.push(one),
            None => return stage(&format!("recipient {to}"), true, async { Err(why) }).await,
        }
    }
    if refused.len() == envelope.to().len() {
        // Polite, and of no consequence.
        let _ = tokio::time::timeout(FAREWELL, connection.quit()).await;
        let recipients = standing(route, letter, &refused, RecipientOutcome::Deferred, None);
        let none = Answer::none(Outcome::Refused, &clipped(&sentences(&refused)));
        return Err(Answer { status: refused.first().and_then(Refused::status), recipients, ..none });
    }
    let ready = stage("the text", true, connection.command(Data)).await?;
    if ready.has_code(354) { Ok(Addressed { connection, refused }) } else { Err(said(&ready)) }
}

/// What this desk calls itself.
fn hello(site: &str) -> ClientId {
    match url::Url::parse(site).ok().and_then(|url| url.host().map(|host| host.to_owned())) {
        Some(url::Host::Domain(name)) => ClientId::Domain(name),
        Some(url::Host::Ipv4(ip)) => ClientId::Ipv4(ip),
        Some(url::Host::Ipv6(ip)) => ClientId::Ipv6(ip),
        None => ClientId::Domain("localhost".to_owned()),
    }
}

/// One stage before the text. `is_about_it`: a permanent refusal is one of this message, and not of this desk or its log-in,
/// which somebody can mend.
async fn stage<T>(
    what: &str,
    is_about_it: bool,
    doing: impl Future<Output = Result<T, Error>>,
) -> Result<T, Answer> {
    doing.await.map_err(|why| match why.status() {
        Some(_) => stopped(what, is_about_it, &why),
        None => Answer::none(Outcome::Unreachable, &clipped(&format!("{what}: {}", reason(&why)))),
    })
}

/// The server said no.
fn stopped(what: &str, is_about_it: bool, why: &Error) -> Answer {
    Answer {
        status: why.status().and_then(|code| number(&code.to_string())),
        end: (is_about_it && why.is_permanent()).then_some(End::Message),
        ..Answer::none(Outcome::Refused, &clipped(&format!("{what}: {}", reason(why))))
    }
}

/// What the server said, as a refusal.
fn said(response: &Response) -> Answer {
    let lines: Vec<&str> = response.message().collect();
    Answer {
        status: number(&response.code().to_string()),
        ..Answer::none(Outcome::Refused, &clipped(&lines.join("\n")))
    }
}

/// The innermost reason: what the server wrote, or what the network says.
fn reason(why: &Error) -> String {
    let mut cause = why.source();
    let mut text = cause.map_or_else(|| why.to_string(), ToString::to_string);
    while let Some(inner) = cause {
        text = inner.to_string();
        cause = inner.source();
    }
    text
}

fn clipped(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control() || *letter == '\n').take(KEPT).collect()
}

fn number(code: &str) -> Option<u16> {
    code.parse().ok()
}
