//! Composes a mail with a text and an HTML part. The bytes are the same at every attempt.

use super::{
    footer::Footer,
    recipient::{MailRecipient, RefusedRecipient, valid_recipients},
};
use crate::{
    senders::{OutboundMessage, message_text::MessageText, program_message, stop_link::StopLink},
    text::{html::escape, ical},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::{DeliveryId, EmailAddress, Timestamp, channel::MailEndpoint};
use lettre::{
    Address, Message,
    address::Envelope,
    message::{
        Mailbox, MultiPart, SinglePart,
        header::{ContentType, HeaderName, HeaderValue},
    },
};
use std::time::{Duration, UNIX_EPOCH};

/// Maximum length of a word that a header contains unencoded, bytes.
const MAX_WORD_BYTES: usize = 60;
/// Maximum length of an encoded word, bytes. The first one is shorter because the header's name
/// precedes it.
const MAX_ENCODED_WORD_BYTES: usize = 45;
const MAX_FIRST_WORD_BYTES: usize = 36;

/// A composed mail.
pub struct ComposedMail {
    /// Sender.
    pub from: EmailAddress,
    /// The recipients of this attempt.
    pub to: Vec<MailRecipient>,
    /// Recipients to whose addresses nothing can be sent.
    pub invalid: Vec<RefusedRecipient>,
    /// Headers and body.
    pub bytes: Vec<u8>,
}

/// Why a mail cannot be composed: a sentence.
pub enum ComposeError {
    /// The channel is set up wrongly.
    Channel(String),
    /// This message cannot be sent.
    Message(String),
}

/// Composes the mail of a message. `stop`: where its recipients ask for no more mail.
pub fn compose(
    route: &MailEndpoint,
    outbound: &OutboundMessage,
    (site, stop): (&str, Option<&StopLink>),
) -> Result<ComposedMail, ComposeError> {
    let of_message = |why: &str| ComposeError::Message(why.to_owned());
    let footer = outbound.origin.as_ref().map(|origin| Footer::new(origin, stop));
    let content = MailContent::of(route, outbound, (site, footer.as_ref())).map_err(of_message)?;
    let from = EmailAddress::parse(&route.from)
        .map_err(|why| ComposeError::Channel(format!("the sender {} {why}", route.from)))?;
    let (to, invalid) = valid_recipients(route, outbound);
    if to.is_empty() && invalid.is_empty() {
        return Err(of_message("no recipient is left to send to"));
    }
    let mut message = written(route, outbound, (content, &from, site)).map_err(of_message)?;
    let mut add = |name, value: String| {
        let name = HeaderName::new_from_ascii_str(name);
        message.headers_mut().insert_raw(HeaderValue::dangerous_new_pre_encoded(name, value.clone(), value));
    };
    if from.needs_smtputf8() {
        add("From", from.with_ascii_domain());
    }
    add("To", shown_recipient(route));
    add("Auto-Submitted", "auto-generated".to_owned());
    if let Some(link) = stop.filter(|link| link.is_personal) {
        // RFC 8058.
        add("List-Unsubscribe", format!("<{}>", link.url));
        add("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned());
    }
    Ok(ComposedMail { from, to, invalid, bytes: message.formatted() })
}

/// Returns the header `To`. Several recipients do not see each other.
fn shown_recipient(route: &MailEndpoint) -> String {
    match &route.to[..] {
        [only] => EmailAddress::parse(only)
            .map_or_else(|_| "undisclosed-recipients:;".to_owned(), |address| address.with_ascii_domain()),
        _ => "undisclosed-recipients:;".to_owned(),
    }
}

/// Writes the headers and the body.
fn written(
    route: &MailEndpoint,
    outbound: &OutboundMessage,
    (content, from, site): (MailContent, &EmailAddress, &str),
) -> Result<Message, &'static str> {
    let unwritable = "it cannot be written as a mail";
    let from = Address::new_dangerous(from.local(), from.ascii_domain());
    let id = outbound.message_id();
    let millis = u64::try_from(content.at.millis()).unwrap_or(0);
    // Recipients are named in the SMTP session, not by the message.
    let envelope = Envelope::new(Some(from.clone()), vec![from.clone()]).map_err(|_| unwritable)?;
    let message = Message::builder()
        .message_id(Some(format!("<{id}@{}>", from.domain())))
        .date(UNIX_EPOCH + Duration::from_millis(millis))
        .from(Mailbox::new(None, from))
        .subject(content.subject.clone())
        .envelope(envelope);
    let plain = SinglePart::plain(content.plain);
    let second = match (content.html, calendar_text(route, outbound, site)) {
        (Some(html), _) => Some(SinglePart::html(html)),
        (None, Some((method, text))) => Some(calendar_part(method, text)?),
        (None, None) => None,
    };
    let message = match second {
        Some(second) => message.multipart(
            MultiPart::alternative().boundary(format!("{id}-parts")).singlepart(plain).singlepart(second),
        ),
        None => message.singlepart(plain),
    };
    let mut message = message.map_err(|_| unwritable)?;
    if !is_plain(&content.subject) {
        let name = HeaderName::new_from_ascii_str("Subject");
        let (subject, encoded) = (content.subject.clone(), encoded(&content.subject));
        let value = HeaderValue::dangerous_new_pre_encoded(name, subject, encoded);
        message.headers_mut().insert_raw(value);
    }
    Ok(message)
}

/// What a mail says.
struct MailContent {
    at: Timestamp,
    /// One line.
    subject: String,
    plain: String,
    /// `None`: a message of a program, which is sent as it is.
    html: Option<String>,
}

impl MailContent {
    fn of(
        route: &MailEndpoint,
        outbound: &OutboundMessage,
        (site, footer): (&str, Option<&Footer>),
    ) -> Result<Self, &'static str> {
        let below = footer.map(Footer::plain).unwrap_or_default();
        if let Some(options) = &outbound.options {
            return Ok(Self {
                at: created_at(outbound.id),
                subject: program_message::subject(options, &outbound.body),
                plain: program_message::plain(options, &outbound.body, site) + &below,
                html: None,
            });
        }
        let text = MessageText::read(&outbound.body, route.language, site);
        let text = text.ok_or("the message cannot be read")?;
        let plain = plain(&text) + &below.replace('\n', "\r\n");
        let html = html(&text) + &footer.map(Footer::html).unwrap_or_default();
        Ok(Self { at: text.at, subject: text.headline, plain, html: Some(html) })
    }
}

/// The method and the iCalendar text of a mail; `None`: it has none. The organizer is the sender.
fn calendar_text<'o>(
    route: &MailEndpoint,
    outbound: &'o OutboundMessage,
    site: &str,
) -> Option<(&'o str, String)> {
    let calendar = outbound.options.as_ref()?.calendar.as_ref()?;
    let url = calendar.answer.as_ref().map(|(_, path)| format!("{site}{path}"));
    let text = ical::with_organizer(&calendar.text, &calendar.organizer, &route.from, url.as_deref());
    Some((calendar.method.as_str(), text))
}

fn calendar_part(method: &str, text: String) -> Result<SinglePart, &'static str> {
    let kind = format!("text/calendar; charset=utf-8; method={method}");
    let kind = ContentType::parse(&kind).map_err(|_| "the calendar in it has no valid type")?;
    Ok(SinglePart::builder().header(kind).body(text))
}

/// When the delivery was created, by its id.
fn created_at(id: DeliveryId) -> Timestamp {
    let (seconds, nanos) = id.0.get_timestamp().map_or((0, 0), |at| at.to_unix());
    let millis = i64::try_from(seconds).unwrap_or(0).saturating_mul(1_000);
    Timestamp::from_millis(millis + i64::from(nanos / 1_000_000))
}

/// Whether a header can contain the text unencoded: printable ASCII, nothing like an encoded word,
/// single spaces.
fn is_plain(text: &str) -> bool {
    let is_short = |word: &str| (1..=MAX_WORD_BYTES).contains(&word.len());
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
        && !text.contains("=?")
        && text.split(' ').all(is_short)
}

/// Encodes the text as encoded words (RFC 2047), one per line of at most 76 characters, without
/// splitting a character.
fn encoded(text: &str) -> String {
    let (mut words, mut word, mut room) = (Vec::new(), String::new(), MAX_FIRST_WORD_BYTES);
    for c in text.chars() {
        if word.len() + c.len_utf8() > room {
            words.push(std::mem::take(&mut word));
            room = MAX_ENCODED_WORD_BYTES;
        }
        word.push(c);
    }
    words.push(word);
    let words = words.iter().map(|word| format!("=?utf-8?b?{}?=", BASE64_STANDARD.encode(word)));
    words.collect::<Vec<_>>().join("\r\n ")
}

fn plain(text: &MessageText) -> String {
    let link = text.link.as_ref().map(|link| format!("{}: {link}", text.read_on));
    let lines = [Some(text.headline.clone()), Some(text.remark.to_owned()), link];
    let lines = lines.into_iter().flatten().filter(|line| !line.is_empty());
    lines.map(|line| format!("{line}\r\n")).collect::<Vec<_>>().join("\r\n")
}

fn html(text: &MessageText) -> String {
    let remark = match text.remark {
        "" => String::new(),
        remark => format!("<p>{}</p>\r\n", escape(remark)),
    };
    let link = text
        .link
        .as_ref()
        .map(|link| format!("<p><a href=\"{}\">{}</a></p>\r\n", escape(link), escape(text.read_on)));
    let (headline, link) = (escape(&text.headline), link.unwrap_or_default());
    format!(
        "<!doctype html>\r\n<meta charset=\"utf-8\">\r\n<title>{headline}</title>\r\n<p dir=\"auto\">{headline}</p>\r\n{remark}{link}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::channel::{Endpoint, Transport};
    use serde_json::json;

    fn written(to: &[&str], title: &str) -> String {
        let Endpoint::Mail(route) = Endpoint::initial(Transport::Mail) else {
            unreachable!("a mail is a mail")
        };
        let to = to.iter().map(|to| (*to).to_owned()).collect();
        let route = MailEndpoint { from: "desk@example.org".to_owned(), to, ..route };
        let data = json!({"title": title, "path": "/site/news"});
        let body = json!({"type": "article.published", "timestamp": Timestamp::from_millis(0), "data": data});
        let (id, secrets) = (DeliveryId(uuid::Uuid::nil()), Vec::new());
        let at = Timestamp::from_millis(5_000);
        let outbound = OutboundMessage {
            id,
            attempt: 1,
            route: Endpoint::Mail(route.clone()),
            body: body.to_string(),
            options: None,
            secrets,
            at,
            known: Vec::new(),
            origin: None,
            post: None,
        };
        let composed = compose(&route, &outbound, ("https://example.org", None));
        let bytes = composed.ok().expect("it can be composed").bytes;
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_mail_is_identical_at_every_attempt_and_contains_text_and_html() {
        let mail = written(&["anna@example.org"], "Tea & <cake>");
        assert_eq!(mail, written(&["anna@example.org"], "Tea & <cake>"));
        for part in [
            "Message-ID: <msg_00000000-0000-0000-0000-000000000000@example.org>\r\n",
            "Date: Thu, 01 Jan 1970 00:00:00 +0000\r\n",
            "From: desk@example.org\r\n",
            "To: anna@example.org\r\n",
            "Subject: Published: Tea & <cake>\r\n",
            "Auto-Submitted: auto-generated\r\n",
            "Content-Type: text/plain; charset=utf-8\r\n",
            "Read more: https://example.org/site/news\r\n",
            "Content-Type: text/html; charset=utf-8\r\n",
            "<p dir=\"auto\">Published: Tea &amp; &lt;cake&gt;</p>\r\n",
            "<a href=\"https://example.org/site/news\">",
        ] {
            assert!(mail.contains(part), "{part} is not in {mail}");
        }
    }

    #[test]
    fn recipients_do_not_see_each_other_and_headers_cannot_be_injected() {
        let mail = written(&["anna@example.org", "ben@example.org"], "A\r\nBcc: eve@example.org");
        assert!(!mail.contains("anna") && !mail.contains("ben") && !mail.contains("\r\nBcc"), "{mail}");
        assert!(written(&["anna@example.org"], "汉字").is_ascii());
    }

    /// Decodes the subject as a mail reader does (RFC 2047, RFC 5322). Panics if a line or word is
    /// too long or splits a character.
    fn subject(mail: &str) -> String {
        let head = mail.split("\r\n\r\n").next().unwrap();
        assert!(head.is_ascii(), "{head}");
        let begun = head.split("\r\n").skip_while(|line| !line.starts_with("Subject: "));
        let lines: Vec<&str> = begun
            .enumerate()
            .take_while(|(place, line)| *place == 0 || line.starts_with([' ', '\t']))
            .map(|(_, line)| line)
            .collect();
        assert!(lines.iter().all(|line| line.len() <= 78), "{lines:?}");
        let unfolded = lines.concat();
        let text = unfolded.strip_prefix("Subject: ").unwrap();
        // Spaces between two encoded words are not shown; those inside a word are.
        let (mut shown, mut blanks, mut was_encoded) = (String::new(), String::new(), false);
        for piece in text.split_inclusive(' ') {
            let word = piece.trim_end_matches(' ');
            let encoded = word.strip_prefix("=?utf-8?b?").and_then(|rest| rest.strip_suffix("?="));
            let is_joined = was_encoded && encoded.is_some();
            if !word.is_empty() {
                if !is_joined {
                    shown.push_str(&blanks);
                }
                blanks.clear();
            }
            match encoded {
                Some(base64) => {
                    assert!(word.len() <= 75, "{word}");
                    let bytes = BASE64_STANDARD.decode(base64).unwrap();
                    shown.push_str(std::str::from_utf8(&bytes).expect("whole letters in each word"));
                }
                None => shown.push_str(word),
            }
            blanks.push_str(&piece[word.len()..]);
            was_encoded = encoded.is_some() || was_encoded && word.is_empty();
        }
        shown
    }

    #[test]
    fn a_subject_in_any_script_is_the_headline() {
        let long = |text: &str| text.chars().cycle().take(300).collect::<String>();
        for title in [
            "Tea & cake".to_owned(),
            long("Ordinary words in a long row, "),
            long("a"),
            long("字"),
            long("汉字与假名まぜ書き한글"),
            long("😀👨‍👩‍👧‍👦🏳️‍🌈"),
            long("שלום עולם "),
            long("مرحبا بالعالم "),
            long("e\u{301}a\u{308}"),
            long("नमस्ते दुनिया "),
            long("aé"),
            long("a 字 b "),
            "=?utf-8?b?QQ==?= looks encoded".to_owned(),
            "two  blanks   and more".to_owned(),
            "  blanks around  ".to_owned(),
            format!("{} {}", "x".repeat(149), "字".repeat(150)),
            format!("{} and a tail", "ü".repeat(280)),
        ] {
            let mail = written(&["anna@example.org"], &title);
            assert_eq!(subject(&mail).trim(), format!("Published: {title}").trim(), "{title}");
        }
    }

    #[test]
    fn a_subject_contains_no_line_break() {
        for title in [
            "a\r\nBcc: eve@example.org",
            "a\nb",
            "a\rb",
            "a\u{85}b",
            "a\u{b}b",
            "a\u{2028}b",
            "a\u{2029}b",
            "a\0b",
        ] {
            let mail = written(&["anna@example.org"], title);
            let head = mail.split("\r\n\r\n").next().unwrap();
            assert!(
                !head.contains("\r\nBcc") && !head.replace("\r\n", "").contains(['\r', '\n', '\0']),
                "{head}"
            );
            assert!(!subject(&mail).contains(['\r', '\n', '\u{85}', '\u{2028}', '\u{2029}']), "{title:?}");
        }
    }
}
