//! A mail as it is sent: text and HTML, the same bytes at every attempt.

use crate::{
    channels::{Letter, news::News},
    text::html::escape,
};
use domain::channel::MailRoute;
use lettre::{
    Address, Message,
    address::Envelope,
    message::{
        Mailbox, MultiPart, SinglePart,
        header::{HeaderName, HeaderValue},
    },
};
use std::time::{Duration, UNIX_EPOCH};

/// A mail, written.
pub struct Written {
    /// Whom it is from and who gets it.
    pub envelope: Envelope,
    /// Headers and texts.
    pub bytes: Vec<u8>,
}

/// The mail of this message; a sentence if there can be none.
pub fn write(route: &MailRoute, letter: &Letter, site: &str) -> Result<Written, String> {
    let news = News::read(&letter.body, route.language, site).ok_or("the message cannot be read")?;
    let from = address(&route.from)?;
    let to = route.to.iter().map(|to| address(to)).collect::<Result<Vec<_>, _>>()?;
    let envelope = Envelope::new(Some(from.clone()), to).map_err(|_| "there is nobody to send it to")?;
    let id = letter.wire_id();
    let millis = u64::try_from(news.at.millis()).unwrap_or(0);
    let message = Message::builder()
        .message_id(Some(format!("<{id}@{}>", from.domain())))
        .date(UNIX_EPOCH + Duration::from_millis(millis))
        .from(Mailbox::new(None, from))
        .subject(news.headline.clone())
        .envelope(envelope.clone());
    let texts = MultiPart::alternative()
        .boundary(format!("{id}-parts"))
        .singlepart(SinglePart::plain(plain(&news)))
        .singlepart(SinglePart::html(html(&news)));
    let mut message = message.multipart(texts).map_err(|_| "it cannot be written as a mail")?;
    let to = match &route.to[..] {
        [only] => only.as_str(),
        _ => "undisclosed-recipients:;",
    };
    for (name, value) in [("To", to), ("Auto-Submitted", "auto-generated")] {
        let name = HeaderName::new_from_ascii_str(name);
        message.headers_mut().insert_raw(HeaderValue::new(name, value.to_owned()));
    }
    Ok(Written { envelope, bytes: message.formatted() })
}

fn address(text: &str) -> Result<Address, String> {
    text.parse().map_err(|_| format!("{text} is not an e-mail address"))
}

fn plain(news: &News) -> String {
    let link = news.link.as_ref().map(|link| format!("{}: {link}", news.read_on));
    let lines = [Some(news.headline.clone()), Some(news.remark.to_owned()), link];
    let lines = lines.into_iter().flatten().filter(|line| !line.is_empty());
    lines.map(|line| format!("{line}\r\n")).collect::<Vec<_>>().join("\r\n")
}

fn html(news: &News) -> String {
    let remark = match news.remark {
        "" => String::new(),
        remark => format!("<p>{}</p>\r\n", escape(remark)),
    };
    let link = news
        .link
        .as_ref()
        .map(|link| format!("<p><a href=\"{}\">{}</a></p>\r\n", escape(link), escape(news.read_on)));
    let (headline, link) = (escape(&news.headline), link.unwrap_or_default());
    format!(
        "<!doctype html>\r\n<meta charset=\"utf-8\">\r\n<title>{headline}</title>\r\n<p>{headline}</p>\r\n{remark}{link}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        DeliveryId, Timestamp,
        channel::{Route, Way},
    };
    use serde_json::json;

    fn written(to: &[&str], title: &str) -> String {
        let Route::Mail(route) = Route::usual(Way::Mail) else { unreachable!("a mail is a mail") };
        let to = to.iter().map(|to| (*to).to_owned()).collect();
        let route = MailRoute { from: "desk@example.org".to_owned(), to, ..route };
        let data = json!({"title": title, "path": "/site/news"});
        let body = json!({"type": "article.published", "timestamp": Timestamp::from_millis(0), "data": data});
        let (id, secrets) = (DeliveryId(uuid::Uuid::nil()), Vec::new());
        let at = Timestamp::from_millis(5_000);
        let letter =
            Letter { id, attempt: 1, route: Route::Mail(route.clone()), body: body.to_string(), secrets, at };
        let bytes = write(&route, &letter, "https://example.org").unwrap().bytes;
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_mail_is_the_same_each_time_and_holds_text_and_html() {
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
            "Read it: https://example.org/site/news\r\n",
            "Content-Type: text/html; charset=utf-8\r\n",
            "<p>Published: Tea &amp; &lt;cake&gt;</p>\r\n",
            "<a href=\"https://example.org/site/news\">",
        ] {
            assert!(mail.contains(part), "{part} is not in {mail}");
        }
    }

    #[test]
    fn recipients_do_not_see_each_other_and_no_line_slips_in() {
        let mail = written(&["anna@example.org", "ben@example.org"], "A\r\nBcc: eve@example.org");
        assert!(!mail.contains("anna") && !mail.contains("ben") && !mail.contains("\r\nBcc"), "{mail}");
        assert!(written(&["anna@example.org"], "汉字").is_ascii());
    }
}
