//! Converts errors of the AMQP client into results of an attempt.

use crate::senders::SendResult;
use domain::delivery::Outcome;
use lapin::{Error, ErrorKind};

/// The message was not sent, or the broker refused it. Retrying may help.
pub(super) fn refused_or_unreachable(why: &Error) -> SendResult {
    match why.kind() {
        ErrorKind::ProtocolError(said) => SendResult {
            status: Some(said.get_id()),
            ..SendResult::without_response(Outcome::Refused, &clipped(said.get_message().as_str()))
        },
        ErrorKind::IOError(why) => {
            SendResult::without_response(Outcome::Unreachable, &clipped(&why.to_string()))
        }
        _ => SendResult::without_response(Outcome::Unreachable, &clipped(&why.to_string())),
    }
}

/// AMQP reply codes: the content is too large, the user may not write, there is no such exchange, the
/// message cannot be taken as it is.
const CONTENT_TOO_LARGE: u16 = 311;
const ACCESS_REFUSED: u16 = 403;
const NOT_FOUND: u16 = 404;
const PRECONDITION_FAILED: u16 = 406;

/// The broker refused the message. A refused exchange concerns the message if that names it, else all
/// messages of the channel.
pub(super) fn refused(why: &Error, has_own_exchange: bool) -> SendResult {
    let answer = refused_or_unreachable(why);
    let is_about_message = match answer.status {
        Some(CONTENT_TOO_LARGE | PRECONDITION_FAILED) => true,
        Some(ACCESS_REFUSED | NOT_FOUND) => has_own_exchange,
        _ => false,
    };
    SendResult { is_about_message, ..answer }
}

/// Maximum length of a stored response, characters.
const MAX_RESPONSE_CHARS: usize = 1_000;

fn clipped(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MAX_RESPONSE_CHARS).collect()
}
