//! Converts errors of the AMQP client into results of an attempt.

use crate::deliveries::senders::SendResult;
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

/// Maximum length of a stored response, characters.
const MAX_RESPONSE_CHARS: usize = 1_000;

fn clipped(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MAX_RESPONSE_CHARS).collect()
}
