//! Messages of programs: their body is sent as it is, with their own headers.

use domain::message::MessageOptions;

/// Maximum length of a subject taken from the body, characters.
const MAX_SUBJECT_CHARS: usize = 200;
const CONTENT_TYPE: &str = "content-type";
const SUBJECT: &str = "subject";

/// Returns the content type: the header of the message; else JSON if the body is JSON, else text.
#[must_use]
pub fn content_type<'a>(options: &'a MessageOptions, body: &str) -> &'a str {
    let is_json = || serde_json::from_str::<serde::de::IgnoredAny>(body).is_ok();
    match options.header(CONTENT_TYPE) {
        Some(value) => value,
        None if is_json() => "application/json",
        None => "text/plain; charset=utf-8",
    }
}

/// Returns the headers of the message but its content type.
pub fn headers(options: &MessageOptions) -> impl Iterator<Item = (&str, &str)> {
    let headers = options.headers.iter().filter(|(name, _)| !name.eq_ignore_ascii_case(CONTENT_TYPE));
    headers.map(|(name, value)| (name.as_str(), value.as_str()))
}

/// Returns the subject of a mail: the header of the message, else the first line of its body.
#[must_use]
pub fn subject(options: &MessageOptions, body: &str) -> String {
    let text = options.header(SUBJECT).unwrap_or_else(|| body.lines().next().unwrap_or_default());
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.trim().chars().take(MAX_SUBJECT_CHARS).collect()
}

/// Returns the text of a mail: the body, and the page on which the recipient answers or acts.
#[must_use]
pub fn plain(options: &MessageOptions, body: &str, site: &str) -> String {
    let answer = options.calendar.as_ref().and_then(|calendar| calendar.answer.as_ref());
    match answer.or(options.link.as_ref()) {
        Some((label, path)) => format!("{body}\n\n{label}: {site}{path}\n"),
        None => body.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_type_follows_the_header_or_the_body() {
        let plain = MessageOptions::default();
        assert_eq!(content_type(&plain, r#"{"a": 1}"#), "application/json");
        assert_eq!(content_type(&plain, "{a"), "text/plain; charset=utf-8");
        let headers =
            [("Content-type".to_owned(), "text/csv".to_owned()), ("X-A".to_owned(), "b".to_owned())];
        let csv = MessageOptions { headers: headers.into(), ..plain };
        assert_eq!(content_type(&csv, "{}"), "text/csv");
        assert_eq!(super::headers(&csv).collect::<Vec<_>>(), [("X-A", "b")]);
    }

    #[test]
    fn a_mail_ends_with_its_link() {
        let link = Some(("Check in".to_owned(), "/check-in/secret".to_owned()));
        let options = MessageOptions { link, ..MessageOptions::default() };
        let text = super::plain(&options, "Text", "https://desk.example.org");
        assert_eq!(text, "Text\n\nCheck in: https://desk.example.org/check-in/secret\n");
    }

    #[test]
    fn the_subject_is_one_line() {
        let options = MessageOptions::default();
        assert_eq!(subject(&options, "First\tline\r\nSecond"), "First line");
        let headers = [("SUBJECT".to_owned(), "Your order".to_owned())].into();
        assert_eq!(subject(&MessageOptions { headers, ..options }, "Text"), "Your order");
    }
}
