//! Sends mails over SMTP command by command, so that it is known whether the text was sent.
//!
//! An error before the text is complete means "refused" or "unreachable". Between the final dot of
//! the text and the server's response the outcome is unknown. Connections are pooled. If the server
//! closes a pooled connection just when it is used, nothing was sent, and a new connection is
//! tried.

mod footer;
mod message;
mod pool;
mod recipient;
mod session;

use super::{
    OutboundMessage, SendResult,
    egress::{ResolveError, Rules},
    stop_link::StopLink,
};
use crate::process::tls_roots::TlsRoots;
use domain::{
    channel::{MailEndpoint, MailSecurity},
    delivery::{NoResponse, Outcome, RecipientOutcome},
};
use lettre::transport::smtp::{
    Error,
    authentication::{Credentials, Mechanism},
    client::{AsyncSmtpConnection, Certificate, TlsParameters},
    extension::ClientId,
    response::Response,
};
use message::{ComposeError, ComposedMail};
use pool::{Peer, Pool};
use recipient::{RefusedRecipient, recipient_outcomes};
use session::{NotReady, ReadyConnection, address, none_accepted, refusal_of, refused_at, run_step};
use std::{error::Error as _, net::SocketAddr, time::Duration};

/// Timeout for all steps before the text.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout for the text and its response. Servers scan mails before they accept them.
const TEXT_TIMEOUT: Duration = Duration::from_secs(20);
/// Timeout for QUIT.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);
/// SMTP status: the server closes the connection.
const CLOSING: u16 = 421;
/// Maximum length of a stored response, characters.
const MAX_RESPONSE_CHARS: usize = 1_000;

/// Sends mails.
#[derive(Debug)]
pub struct MailSender {
    rules: Rules,
    trust: TlsRoots,
    site: String,
    ehlo_name: ClientId,
    before: Duration,
    after: Duration,
    pool: Pool,
}

impl MailSender {
    /// Creates the sender with these egress rules and trusted CAs. Links begin with `site`; its
    /// host is the name in EHLO.
    #[must_use]
    pub fn new(rules: Rules, trust: &TlsRoots, site: &str) -> Self {
        Self::with_timeouts(rules, trust, site, CONNECT_TIMEOUT, TEXT_TIMEOUT)
    }

    /// The same with other timeouts: before the text, and from the text on.
    #[must_use]
    pub fn with_timeouts(
        rules: Rules,
        trust: &TlsRoots,
        site: &str,
        before: Duration,
        after: Duration,
    ) -> Self {
        let (trust, pool) = (trust.clone(), Pool::default());
        Self { rules, trust, site: site.to_owned(), ehlo_name: ehlo_name(site), before, after, pool }
    }

    /// Makes one attempt. It returns every error as a result.
    pub async fn send(&self, route: &MailEndpoint, outbound: &OutboundMessage) -> SendResult {
        self.send_with_link(route, outbound, None).await
    }

    /// The same for a mail with a link on which its recipients ask for no more mail.
    pub async fn send_with_link(
        &self,
        route: &MailEndpoint,
        outbound: &OutboundMessage,
        stop: Option<&StopLink>,
    ) -> SendResult {
        if !route.to.is_empty() && recipient::pending_recipients(route, outbound).is_empty() {
            let recipients = recipient_outcomes(route, outbound, &[], RecipientOutcome::Delivered, None);
            let none =
                SendResult::without_response(Outcome::Delivered, "no recipient of the channel is missing");
            return SendResult { recipients, ..none };
        }
        let composed = match message::compose(route, outbound, (&self.site, stop)) {
            Ok(composed) => composed,
            Err(ComposeError::Channel(why)) => return SendResult::without_response(Outcome::Blocked, &why),
            Err(ComposeError::Message(why)) => return SendResult::unsendable(&why),
        };
        if composed.to.is_empty() {
            return none_accepted(route, outbound, &composed.invalid);
        }
        let peer = Peer::of(route, outbound);
        let begun = self.begin(&peer, (route, outbound), &composed);
        let begun = tokio::time::timeout(self.before, begun).await;
        let ReadyConnection { connection, refused } = match begun {
            Ok(Ok(addressed)) => addressed,
            Ok(Err(NotReady { answer, reusable })) => {
                if let Some(connection) = reusable {
                    self.pool.put(peer, *connection, outbound.at);
                }
                return answer;
            }
            Err(_) => {
                return SendResult::without_response(
                    Outcome::Unreachable,
                    "the mail server did not answer in time",
                );
            }
        };
        let mail = PendingMail { route, outbound, composed: &composed, refused: &refused };
        let (connection, answer) = self.finish(connection, mail).await;
        if let Some(connection) = connection {
            self.pool.put(peer, connection, outbound.at);
        }
        answer
    }

    /// Sends the text. From here on an error means that the outcome is unknown, unless the server
    /// refuses the mail. Returns the connection if it can be reused.
    async fn finish(
        &self,
        mut connection: AsyncSmtpConnection,
        mail: PendingMail<'_>,
    ) -> (Option<AsyncSmtpConnection>, SendResult) {
        let answered = tokio::time::timeout(self.after, connection.message(&mail.composed.bytes)).await;
        let answer = match answered {
            Ok(Ok(response)) if number(&response.code().to_string()).is_some_and(|code| code < 300) => {
                return (Some(connection), mail.accepted(&response));
            }
            Ok(Err(why)) if why.status().is_some() => refused_at("the text", true, &why),
            Ok(_) => return (None, mail.unknown_outcome(NoResponse::CutOffAfterText)),
            Err(_) => return (None, mail.unknown_outcome(NoResponse::NoAnswerToText)),
        };
        // Optional by the protocol; errors are ignored.
        let _ = tokio::time::timeout(QUIT_TIMEOUT, connection.quit()).await;
        (None, answer)
    }

    /// Returns a connection ready for the text: a pooled one if it still works, or a new one.
    async fn begin(
        &self,
        peer: &Peer,
        (route, outbound): (&MailEndpoint, &OutboundMessage),
        composed: &ComposedMail,
    ) -> Result<ReadyConnection, NotReady> {
        if let Some(kept) = self.pool.take(peer, outbound.at).await {
            match address(kept, composed, (route, outbound)).await {
                Err(NotReady { answer, reusable: None })
                    if answer.status.is_none_or(|status| status == CLOSING)
                        && answer.recipients.is_empty() => {}
                result => return result,
            }
        }
        let mut connection = self.connect(route).await?;
        if let Some(user) = &route.username {
            let password = outbound.secret().ok_or_else(|| {
                SendResult::without_response(
                    Outcome::Blocked,
                    "the channel's password is missing; give it again",
                )
            })?;
            let credentials = Credentials::new(user.clone(), password.to_owned());
            let logged_in = connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials);
            run_step("log-in", false, logged_in).await?;
        }
        address(connection, composed, (route, outbound)).await
    }

    /// Opens a connection with the channel's encryption, to an address that passes the egress
    /// rules.
    async fn connect(&self, route: &MailEndpoint) -> Result<AsyncSmtpConnection, SendResult> {
        let addresses = self.addresses(route).await?;
        let tls = || self.tls(&route.host);
        let wrapped = if route.security == MailSecurity::Tls { Some(tls()?) } else { None };
        let connected =
            AsyncSmtpConnection::connect_tokio1(&addresses[..], None, &self.ehlo_name, wrapped, None);
        let mut connection = run_step("connection", false, connected).await?;
        if route.security == MailSecurity::StartTls {
            if !connection.can_starttls() {
                return Err(SendResult::without_response(
                    Outcome::Refused,
                    "the mail server offers no encryption (STARTTLS)",
                ));
            }
            run_step("encryption", false, connection.starttls(tls()?, &self.ehlo_name)).await?;
        }
        Ok(connection)
    }

    fn tls(&self, server: &str) -> Result<TlsParameters, SendResult> {
        let named = TlsParameters::builder(server.trim_matches(['[', ']']).to_owned());
        let further = self.trust.further().iter().flat_map(|one| Certificate::from_der(one.to_vec()));
        let believing = further.fold(named, |some, one| some.add_root_certificate(one));
        let parameters = believing.build_rustls();
        parameters.map_err(|_| {
            SendResult::without_response(Outcome::Blocked, "the server's name fits no certificate")
        })
    }

    async fn addresses(&self, route: &MailEndpoint) -> Result<Vec<SocketAddr>, SendResult> {
        let host = self.rules.check_host(&route.host);
        let blocked = |wrong| SendResult::without_response(Outcome::Blocked, &format!("the server {wrong}"));
        let host = host.map_err(blocked)?;
        let is_open = route.security == MailSecurity::Unencrypted;
        let found = self.rules.resolve(&host, route.port, is_open).await;
        found.map_err(|why| match why {
            ResolveError::Unknown => {
                SendResult::without_response(Outcome::Unreachable, "the server's name is not known")
            }
            ResolveError::Blocked(wrong) => blocked(wrong),
        })
    }
}

/// A mail whose text is being sent.
#[derive(Clone, Copy)]
struct PendingMail<'a> {
    route: &'a MailEndpoint,
    outbound: &'a OutboundMessage,
    composed: &'a ComposedMail,
    refused: &'a [RefusedRecipient],
}

impl PendingMail<'_> {
    /// The server accepted the text for all recipients it had not refused.
    fn accepted(self, response: &Response) -> SendResult {
        let Self { route, outbound, refused, .. } = self;
        let recipients =
            recipient_outcomes(route, outbound, refused, RecipientOutcome::Delivered, Some(response));
        let accepted =
            SendResult { outcome: Outcome::Delivered, is_taken: true, recipients, ..refusal_of(response) };
        match refused.first() {
            None => accepted,
            Some(first) => SendResult {
                outcome: Outcome::Refused,
                status: first.status(),
                text: Some(clipped(&sentences(refused))),
                ..accepted
            },
        }
    }

    /// It is unknown whether the server accepted the text.
    fn unknown_outcome(self, why: NoResponse) -> SendResult {
        let Self { route, outbound, refused, .. } = self;
        let recipients = recipient_outcomes(route, outbound, refused, RecipientOutcome::Unknown, None);
        SendResult { recipients, ..SendResult::without_response(why.outcome(), why.as_str()) }
    }
}

fn sentences(refused: &[RefusedRecipient]) -> String {
    refused.iter().map(RefusedRecipient::sentence).collect::<Vec<_>>().join("\n")
}

/// Returns the name used in EHLO.
fn ehlo_name(site: &str) -> ClientId {
    match url::Url::parse(site).ok().and_then(|url| url.host().map(|host| host.to_owned())) {
        Some(url::Host::Domain(name)) => ClientId::Domain(name),
        Some(url::Host::Ipv4(ip)) => ClientId::Ipv4(ip),
        Some(url::Host::Ipv6(ip)) => ClientId::Ipv6(ip),
        None => ClientId::Domain("localhost".to_owned()),
    }
}

/// Returns the innermost error message: the server's text, or the network error.
fn innermost_message(why: &Error) -> String {
    let mut cause = why.source();
    let mut text = cause.map_or_else(|| why.to_string(), ToString::to_string);
    while let Some(inner) = cause {
        text = inner.to_string();
        cause = inner.source();
    }
    text
}

fn clipped(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || *c == '\n').take(MAX_RESPONSE_CHARS).collect()
}

fn number(code: &str) -> Option<u16> {
    code.parse().ok()
}
