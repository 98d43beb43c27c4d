//! Recipients of a mail: who still has to get it, and the outcome at each.

use super::{OutboundMessage, clipped, innermost_message, number};
use domain::{
    EmailAddress,
    channel::MailEndpoint,
    delivery::{Recipient, RecipientOutcome},
};
use lettre::{
    Address,
    transport::smtp::{Error, response::Response},
};

/// A recipient of this attempt.
#[derive(Debug, Clone)]
pub struct MailRecipient {
    /// The address as the delivery has it.
    pub name: String,
    /// The address to send to.
    pub address: EmailAddress,
}

/// Returns an address as the server can take it; `None`: only a server with SMTPUTF8 can.
pub fn envelope_address(address: &EmailAddress, has_smtputf8: bool) -> Option<Address> {
    match has_smtputf8 {
        true => Some(Address::new_dangerous(address.local(), address.domain())),
        false if address.needs_smtputf8() => None,
        false => Some(Address::new_dangerous(address.local(), address.ascii_domain())),
    }
}

/// A recipient refused by the mail server, or whose address cannot be sent to.
#[derive(Debug, Clone)]
pub struct RefusedRecipient {
    to: String,
    outcome: RecipientOutcome,
    status: Option<u16>,
    answer: String,
}

impl RefusedRecipient {
    /// Creates it from a temporary or permanent refusal. `None`: the error does not concern the
    /// recipient.
    pub fn of(to: &str, why: &Error) -> Option<Self> {
        let status = why.status().and_then(|code| number(&code.to_string()))?;
        let outcome = if why.is_permanent() { RecipientOutcome::Refused } else { RecipientOutcome::Deferred };
        let is_closing = status == super::CLOSING;
        let answer = clipped(&innermost_message(why));
        (!is_closing).then(|| Self { to: to.to_owned(), outcome, status: Some(status), answer })
    }

    /// Creates it for an address to which nothing can be sent.
    pub fn without_attempt(to: &str, why: &str) -> Self {
        Self { to: to.to_owned(), outcome: RecipientOutcome::Refused, status: None, answer: why.to_owned() }
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

    /// Whether another attempt would be refused again.
    pub fn is_permanent(&self) -> bool {
        self.outcome == RecipientOutcome::Refused
    }

    fn is(&self, to: &str) -> bool {
        self.to.eq_ignore_ascii_case(to)
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

/// Returns the recipients of this attempt whose addresses can be sent to, and the others.
pub fn valid_recipients(
    route: &MailEndpoint,
    outbound: &OutboundMessage,
) -> (Vec<MailRecipient>, Vec<RefusedRecipient>) {
    let (mut valid, mut refused) = (Vec::new(), Vec::new());
    for to in pending_recipients(route, outbound) {
        match EmailAddress::parse(to) {
            Ok(address) => valid.push(MailRecipient { name: to.to_owned(), address }),
            Err(why) => refused.push(RefusedRecipient::without_attempt(to, &why.to_string())),
        }
    }
    (valid, refused)
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
