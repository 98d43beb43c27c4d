//! A title adds no markup to a mail.

use super::{payloads::PAYLOADS, shape::Shape};
use crate::test_server::TestServer;
use serde_json::json;
use test_support::SmtpSink;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_title_becomes_markup_in_a_mail() {
    let server = TestServer::start_with(|_| ()).await;
    let smtp = SmtpSink::start().await;
    server.create_mail_channel(&smtp, json!({})).await;
    for title in PAYLOADS.into_iter().chain(["A title"]) {
        server.schedule_new_article(title, 1_000).await;
    }
    server.advance(1_000).await;
    while smtp.received().len() <= PAYLOADS.len() {
        let before = smtp.received().len();
        server.tick().await;
        assert!(smtp.received().len() > before, "only {before} mails arrived");
    }
    let shapes: Vec<Shape> = smtp.received().iter().map(|mail| Shape::of(&html_of(&mail.text))).collect();
    for shape in &shapes {
        assert!(shape.faults.is_empty(), "{shape:?}");
        assert_eq!(shape.differences(&shapes[0]), [""; 0], "{shape:?}");
    }
    for title in PAYLOADS {
        let title = format!("Published: {title}");
        assert!(shapes.iter().any(|shape| shape.title == title), "no mail has the title {title}");
    }
}

/// The HTML part, decoded.
fn html_of(mail: &str) -> String {
    let (_, part) = mail.split_once("Content-Type: text/html").expect("a part in HTML");
    let (head, rest) = part.split_once("\r\n\r\n").expect("a head");
    let (html, _) = rest.rsplit_once("\r\n--").expect("an end");
    if head.contains("quoted-printable") { unquoted(html) } else { html.to_owned() }
}

/// Decodes quoted-printable ASCII text.
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
