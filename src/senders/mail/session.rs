//! The commands of an SMTP session before the text, and what a refusal of one of them means.
//!
//! A permanent refusal of a recipient or of the text concerns that mail alone. Everything else concerns
//! the server or the settings of the channel, and so all mails.

use super::{
    QUIT_TIMEOUT, clipped, innermost_message,
    message::ComposedMail,
    number,
    recipient::{RefusedRecipient, envelope_address, recipient_outcomes},
    sentences,
};
use crate::senders::{OutboundMessage, PermanentFailure, SendResult};
use domain::{
    EmailAddress,
    channel::MailEndpoint,
    delivery::{Outcome, RecipientOutcome},
};
use lettre::transport::smtp::{
    Error,
    client::AsyncSmtpConnection,
    commands::{Data, Mail, Rcpt, Rset},
    extension::{Extension, MailParameter},
    response::Response,
};
use std::future::Future;

/// A connection ready for the text, and the recipients the server refused.
pub struct ReadyConnection {
    pub connection: AsyncSmtpConnection,
    pub refused: Vec<RefusedRecipient>,
}

/// A connection that takes no text.
pub struct NotReady {
    /// The result of the attempt.
    pub answer: SendResult,
    /// The connection if it can be used for the next mail.
    pub reusable: Option<Box<AsyncSmtpConnection>>,
}

impl From<SendResult> for NotReady {
    fn from(answer: SendResult) -> Self {
        Self { answer, reusable: None }
    }
}

/// Sends sender and recipients, after which the connection is ready for the text. Returns a result
/// as the error if the server accepts no recipient.
pub async fn address(
    mut connection: AsyncSmtpConnection,
    composed: &ComposedMail,
    (route, outbound): (&MailEndpoint, &OutboundMessage),
) -> Result<ReadyConnection, NotReady> {
    let offers_smtputf8 = connection.server_info().supports_feature(Extension::SmtpUtfEight);
    let is_ascii = |address: &EmailAddress| address.as_str().is_ascii();
    let is_all_ascii = is_ascii(&composed.from) && composed.to.iter().all(|to| is_ascii(&to.address));
    let has_smtputf8 = offers_smtputf8 && !is_all_ascii;
    let parameters = if has_smtputf8 { vec![MailParameter::SmtpUtfEight] } else { Vec::new() };
    let Some(from) = envelope_address(&composed.from, has_smtputf8) else {
        let why = format!("the sender {} {NO_SMTPUTF8}", composed.from);
        return Err(SendResult::without_response(Outcome::Blocked, &why).into());
    };
    // The sender is the same in all mails of the channel: its refusal is no failure of one of them.
    run_step("sender", false, connection.command(Mail::new(Some(from), parameters))).await?;
    let mut refused = composed.invalid.clone();
    for to in &composed.to {
        let Some(address) = envelope_address(&to.address, has_smtputf8) else {
            refused.push(RefusedRecipient::without_attempt(&to.name, NO_SMTPUTF8));
            continue;
        };
        let Err(why) = connection.command(Rcpt::new(address, vec![])).await else { continue };
        match RefusedRecipient::of(&to.name, &why) {
            Some(one) => refused.push(one),
            None => {
                let what = format!("recipient {}", to.name);
                run_step(&what, true, async { Err::<(), _>(why) }).await?;
            }
        }
    }
    if refused.len() == composed.to.len() + composed.invalid.len() {
        return Err(NotReady {
            answer: none_accepted(route, outbound, &refused),
            reusable: reset(connection, &refused).await,
        });
    }
    let ready = run_step("the text", true, connection.command(Data)).await?;
    match ready.has_code(354) {
        true => Ok(ReadyConnection { connection, refused }),
        false => Err(refusal_of(&ready).into()),
    }
}

/// Why an address cannot be sent to by a server.
const NO_SMTPUTF8: &str = "needs a mail server with SMTPUTF8 (RFC 6531), which this one does not offer";

/// Result of an attempt in which no recipient was accepted.
pub fn none_accepted(
    route: &MailEndpoint,
    outbound: &OutboundMessage,
    refused: &[RefusedRecipient],
) -> SendResult {
    let recipients = recipient_outcomes(route, outbound, refused, RecipientOutcome::Deferred, None);
    SendResult {
        status: refused.iter().find_map(RefusedRecipient::status),
        recipients,
        ..SendResult::without_response(Outcome::Refused, &clipped(&sentences(refused)))
    }
}

/// Makes a connection ready for the next mail after all recipients were refused for good; else ends it.
async fn reset(
    mut connection: AsyncSmtpConnection,
    refused: &[RefusedRecipient],
) -> Option<Box<AsyncSmtpConnection>> {
    if refused.iter().all(RefusedRecipient::is_permanent) {
        let done = tokio::time::timeout(QUIT_TIMEOUT, connection.command(Rset)).await;
        return matches!(done, Ok(Ok(_))).then(|| Box::new(connection));
    }
    // Optional by the protocol; errors are ignored.
    let _ = tokio::time::timeout(QUIT_TIMEOUT, connection.quit()).await;
    None
}

/// Runs one step before the text. `is_about_it`: a permanent refusal concerns this message;
/// otherwise it concerns the server or the login, which an admin can fix.
pub async fn run_step<T>(
    what: &str,
    is_about_it: bool,
    doing: impl Future<Output = Result<T, Error>>,
) -> Result<T, SendResult> {
    doing.await.map_err(|why| match why.status() {
        Some(_) => refused_at(what, is_about_it, &why),
        None => SendResult::without_response(
            Outcome::Unreachable,
            &clipped(&format!("{what}: {}", innermost_message(&why))),
        ),
    })
}

/// Result of a refusal by the server.
pub fn refused_at(what: &str, is_about_it: bool, why: &Error) -> SendResult {
    SendResult {
        status: why.status().and_then(|code| number(&code.to_string())),
        permanent_failure: (is_about_it && why.is_permanent()).then_some(PermanentFailure::Message),
        is_about_message: is_about_it && why.is_permanent(),
        ..SendResult::without_response(
            Outcome::Refused,
            &clipped(&format!("{what}: {}", innermost_message(why))),
        )
    }
}

/// Converts a response of the server into a refusal.
pub fn refusal_of(response: &Response) -> SendResult {
    let lines: Vec<&str> = response.message().collect();
    SendResult {
        status: number(&response.code().to_string()),
        ..SendResult::without_response(Outcome::Refused, &clipped(&lines.join("\n")))
    }
}
