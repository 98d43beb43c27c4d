//! The lines below the text of a mail: who caused it, why, and how to get no more.

use crate::{senders::stop_link::StopLink, text::html::escape};
use engine::sender::{MailOrigin, MailReason};
use texts::mail::footer::MailFooterWords;

/// The lines, and the link.
pub struct Footer {
    why: String,
    /// Label and address of the link *no more mail from this desk*; `None`: there is none.
    stop: Option<(&'static str, String)>,
}

impl Footer {
    /// `stop`: the page on which a recipient asks for no more mail.
    pub fn new(origin: &MailOrigin, stop: Option<&StopLink>) -> Self {
        let words = MailFooterWords(origin.language);
        let (name, desk) = (origin.name.as_str(), origin.desk.as_str());
        let why = match origin.reason {
            MailReason::Invitation => words.invitation(name, desk),
            MailReason::Reminder => words.reminder(name, desk),
            MailReason::Rule => words.rule(name, desk),
            MailReason::Message => words.message(name, desk),
            MailReason::Notification => words.notification(desk),
            MailReason::Channel => words.channel(name, desk),
        };
        Self { why, stop: stop.map(|link| (words.stop(), link.url.clone())) }
    }

    /// Returns the lines for the text part.
    pub fn plain(&self) -> String {
        let stop = self.stop.as_ref().map(|(label, link)| format!("{label} {link}\n"));
        format!("\n\n---\n{}\n{}", self.why, stop.unwrap_or_default())
    }

    /// Returns the lines for the HTML part.
    pub fn html(&self) -> String {
        let stop = self.stop.as_ref().map(|(label, link)| {
            let link = escape(link);
            format!("<br>\r\n{} <a href=\"{link}\">{link}</a>", escape(label))
        });
        format!("<hr>\r\n<p><small>{}{}</small></p>\r\n", escape(&self.why), stop.unwrap_or_default())
    }
}
