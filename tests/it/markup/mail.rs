//! What is mailed of an article holds no markup of its title.

use super::{payloads::PAYLOADS, shape::Shape};
use crate::house::Story;
use rig::SmtpSink;
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_title_becomes_markup_in_a_mail() {
    let story = Story::begin_with(|_| ()).await;
    let smtp = SmtpSink::start().await;
    story.mail_channel(&smtp, json!({})).await;
    for title in PAYLOADS.into_iter().chain(["A title"]) {
        story.scheduled(title, 1_000).await;
    }
    story.advance(1_000).await;
    while smtp.mailed().len() <= PAYLOADS.len() {
        let before = smtp.mailed().len();
        story.tick().await;
        assert!(smtp.mailed().len() > before, "only {before} mails came");
    }
    let shapes: Vec<Shape> = smtp.mailed().iter().map(|mail| Shape::of(&html_of(&mail.text))).collect();
    for shape in &shapes {
        assert!(shape.faults.is_empty(), "{shape:?}");
        assert_eq!(shape.differences(&shapes[0]), [""; 0], "{shape:?}");
    }
    for title in PAYLOADS {
        let title = format!("Published: {title}");
        assert!(shapes.iter().any(|shape| shape.title == title), "no mail says {title}");
    }
}

/// The HTML part, decoded.
fn html_of(mail: &str) -> String {
    let (_, part) = mail.split_once("Content-Type: text/html").expect("a part in HTML");
    let (head, rest) = part.split_once("\r\n\r\n").expect("a head");
    let (html, _) = rest.rsplit_once("\r\n--").expect("an end");
    if head.contains("quoted-printable") { unquoted(html) } else { html.to_owned() }
}

/// Quoted-printable text of plain letters, decoded.
fn unquoted(text: &str) -> String {
    let text = text.replace("=\r\n", "");
    let mut parts = text.split('=');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_at(2);
        plain.push(char::from(u8::from_str_radix(code, 16).expect("two digits")));
        plain.push_str(rest);
    }
    plain
}
