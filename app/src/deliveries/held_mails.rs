//! Mails that a limit holds, on the page of what they are about.

use crate::{live::live, session::visitor};
use domain::mail_limits::{HeldMail, HeldReason};
use leptos::prelude::*;
use texts::{deliveries::held_mail::HeldMailTexts, language, time::moment};

/// Number of addresses that are named.
const MAX_ADDRESSES: usize = 3;

/// How many mails wait, until when and why; one notice for each limit.
#[component]
pub fn HeldMails(
    /// The mails.
    mails: Vec<HeldMail>,
) -> impl IntoView {
    let notices =
        [HeldReason::Account, HeldReason::Address, HeldReason::Desk].map(|reason| notice(&mails, reason));
    notices.into_iter().flatten().collect_view()
}

/// The notice about the mails that one limit holds; `None`: it holds none.
fn notice(mails: &[HeldMail], reason: HeldReason) -> Option<impl IntoView + use<>> {
    let texts = HeldMailTexts::here();
    let held: Vec<&HeldMail> = mails.iter().filter(|mail| mail.reason == reason).collect();
    let last = held.iter().filter_map(|mail| mail.until).max_by_key(|until| until.at)?;
    let until = moment(language(), last, visitor().zone(), live().now().get_untracked());
    let why = texts.why(reason)?;
    let sentence = match held.len() {
        1 => texts.one_waits(&until, why),
        count => texts.wait(count, &until, why),
    };
    let named: Vec<&str> = held.iter().take(MAX_ADDRESSES).map(|mail| mail.address.as_str()).collect();
    let addresses = match held.len().saturating_sub(MAX_ADDRESSES) {
        0 => named.join(", "),
        rest => texts.more(&named.join(", "), rest),
    };
    Some(view! {
        <p class="notice warn" data-held-mails=reason.as_str()>
            {sentence} " " <span dir="auto">{texts.recipients(&addresses)}</span>
        </p>
    })
}
