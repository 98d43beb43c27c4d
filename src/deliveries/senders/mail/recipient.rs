//! Recipients of a mail: who still has to get it, and the outcome at each.

use super::{OutboundMessage, clipped, innermost_message, number};
use domain::{
    channel::MailEndpoint,
    delivery::{Recipient, RecipientOutcome},
};
use lettre::{
    Address,
    transport::smtp::{Error, response::Response},
};

/// A recipient refused by the mail server.
pub struct RefusedRecipient {
    to: Address,
    outcome: RecipientOutcome,
    status: Option<u16>,
    answer: String,
}

impl RefusedRecipient {
    /// Creates it from a temporary or permanent refusal. `None`: the error does not concern the
    /// recipient.
    pub fn of(to: &Address, why: &Error) -> Option<Self> {
        let status = why.status().and_then(|code| number(&code.to_string()))?;
        let outcome = if why.is_permanent() { RecipientOutcome::Refused } else { RecipientOutcome::Deferred };
        let is_closing = status == super::CLOSING;
        let answer = clipped(&innermost_message(why));
        (!is_closing).then(|| Self { to: to.clone(), outcome, status: Some(status), answer })
    }

    /// Returns text such as `recipient anna@example.org: 550 no such user`.
    pub fn sentence(&self) -> String {
        let status = self.status.map(|status| format!("{status} ")).unwrap_or_default();
        format!("recipient {}: {status}{}", self.to, self.answer)
    }

    /// Status code of the response.
    pub const fn status(&self) -> Option<u16> {
        self.status
    }

    fn is(&self, to: &str) -> bool {
        let address: &str = self.to.as_ref();
        address.eq_ignore_ascii_case(to)
    }
}

fn of<'a>(known: &'a [Recipient], to: &str) -> Option<&'a Recipient> {
    known.iter().find(|one| one.recipient.eq_ignore_ascii_case(to))
}

/// Returns the recipients of this attempt: those without an outcome so far, and those that were
/// deferred.
pub fn pending_recipients<'a>(route: &'a MailEndpoint, outbound: &OutboundMessage) -> Vec<&'a str> {
    let is_pending =
        |to: &str| of(&outbound.known, to).is_none_or(|one| one.outcome == RecipientOutcome::Deferred);
    route.to.iter().map(String::as_str).filter(|to| is_pending(to)).collect()
}

/// Returns the outcome at each recipient of the channel; empty if it is the same for all. `outcome`
/// and `answer` apply to the recipients the server accepted.
pub fn recipient_outcomes(
    route: &MailEndpoint,
    outbound: &OutboundMessage,
    refused: &[RefusedRecipient],
    outcome: RecipientOutcome,
    answer: Option<&Response>,
) -> Vec<Recipient> {
    if refused.is_empty() && outbound.known.is_empty() {
        return Vec::new();
    }
    let pending = pending_recipients(route, outbound);
    let one = |to: &String| {
        if let Some(known) = of(&outbound.known, to).filter(|_| !pending.contains(&to.as_str())) {
            return known.clone();
        }
        let recipient = to.clone();
        match refused.iter().find(|refused| refused.is(to)) {
            Some(RefusedRecipient { outcome, status, answer, .. }) => Recipient {
                recipient,
                outcome: *outcome,
                status: *status,
                response_body: Some(answer.clone()),
            },
            None => Recipient {
                recipient,
                outcome,
                status: answer.and_then(|answer| number(&answer.code().to_string())),
                response_body: answer.map(|answer| clipped(&answer.message().collect::<Vec<_>>().join("\n"))),
            },
        }
    };
    route.to.iter().map(one).collect()
}
