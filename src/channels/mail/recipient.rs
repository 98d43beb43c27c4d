//! The recipients of a mail: who is to get it still, and what became of it at each.

use super::{Letter, clipped, number, reason};
use domain::{
    channel::MailRoute,
    delivery::{Recipient, RecipientOutcome},
};
use lettre::{
    Address,
    transport::smtp::{Error, response::Response},
};

/// What a mail server answered about a recipient whom it does not take.
pub struct Refused {
    to: Address,
    outcome: RecipientOutcome,
    status: Option<u16>,
    answer: String,
}

impl Refused {
    /// Of a recipient, for now or for good. `None`: what went wrong is not about the recipient.
    pub fn of(to: &Address, why: &Error) -> Option<Self> {
        let status = why.status().and_then(|code| number(&code.to_string()))?;
        let outcome = if why.is_permanent() { RecipientOutcome::Refused } else { RecipientOutcome::Deferred };
        let is_closing = status == super::CLOSING;
        let answer = clipped(&reason(why));
        (!is_closing).then(|| Self { to: to.clone(), outcome, status: Some(status), answer })
    }

    /// `recipient anna@example.org: 550 no such user`.
    pub fn sentence(&self) -> String {
        let status = self.status.map(|status| format!("{status} ")).unwrap_or_default();
        format!("recipient {}: {status}{}", self.to, self.answer)
    }

    /// Status of the answer.
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

/// Who is to get the mail in this attempt: all who neither have it, nor have refused it for good, nor may have it.
pub fn missing<'a>(route: &'a MailRoute, letter: &Letter) -> Vec<&'a str> {
    let is_missing =
        |to: &str| of(&letter.known, to).is_none_or(|one| one.outcome == RecipientOutcome::Deferred);
    route.to.iter().map(String::as_str).filter(|to| is_missing(to)).collect()
}

/// What became of the mail at each recipient of the channel, where that is not the same for all. `outcome`, `answer`: those whom the
/// server took.
pub fn standing(
    route: &MailRoute,
    letter: &Letter,
    refused: &[Refused],
    outcome: RecipientOutcome,
    answer: Option<&Response>,
) -> Vec<Recipient> {
    if refused.is_empty() && letter.known.is_empty() {
        return Vec::new();
    }
    let missing = missing(route, letter);
    let one = |to: &String| {
        if let Some(known) = of(&letter.known, to).filter(|_| !missing.contains(&to.as_str())) {
            return known.clone();
        }
        let recipient = to.clone();
        match refused.iter().find(|refused| refused.is(to)) {
            Some(Refused { outcome, status, answer, .. }) => {
                Recipient { recipient, outcome: *outcome, status: *status, answer: Some(answer.clone()) }
            }
            None => Recipient {
                recipient,
                outcome,
                status: answer.and_then(|answer| number(&answer.code().to_string())),
                answer: answer.map(|answer| clipped(&answer.message().collect::<Vec<_>>().join("\n"))),
            },
        }
    };
    route.to.iter().map(one).collect()
}
