//! The page in place of one that could not be made: the database is away, or something broke. Needs neither.

use super::{assets, pages::text};
use crate::text::html::escape;
use app::words::{Language, refusal::sentence, weather::WeatherWords};
use axum::{
    extract::Request,
    http::{Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{Refusal, engine::Weather};

/// Seconds after which a page that was only read is asked for again.
const AGAIN: &str = "10";

/// Who asked for the page.
pub struct Reader {
    language: Language,
    /// Reads the public site, and knows of no desk.
    is_on_site: bool,
    /// Only reads: nothing is done twice if it is asked for again.
    only_reads: bool,
}

impl Reader {
    /// `None`: a program, which wants no page.
    pub fn of(request: &Request) -> Option<Self> {
        let wants_page = text(request.headers(), &header::ACCEPT).contains("text/html");
        let path = request.uri().path();
        wants_page.then(|| Self {
            language: language(text(request.headers(), &header::ACCEPT_LANGUAGE)),
            is_on_site: path == "/site" || path.starts_with("/site/"),
            only_reads: matches!(*request.method(), Method::GET | Method::HEAD),
        })
    }
}

/// The first of the desk's languages that a browser names: who asks, and what they chose, stands in the database.
fn language(accepted: &str) -> Language {
    let accepted = accepted.to_ascii_lowercase();
    let mut named = accepted.split(',').map(|one| one.trim().get(..2).unwrap_or_default());
    match named.find(|name| matches!(*name, "en" | "zh")) {
        Some("zh") => Language::Zh,
        _ => Language::En,
    }
}

/// A refusal as a page, which asks again by itself while the database is away, and says what is wrong with it if that is known.
pub fn page(reader: &Reader, refusal: &Refusal, weather: Option<Weather>) -> Response {
    let status = StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    let mut answer = (status, kind, document(reader, refusal, weather)).into_response();
    if let Refusal::TooMany { seconds } = refusal {
        answer.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from(*seconds));
    }
    if matches!(refusal, Refusal::Unavailable) {
        let soon = header::HeaderValue::from_static(AGAIN);
        if reader.only_reads {
            answer.headers_mut().insert(header::REFRESH, soon.clone());
        }
        answer.headers_mut().insert(header::RETRY_AFTER, soon);
    }
    answer
}

fn document(reader: &Reader, refusal: &Refusal, weather: Option<Weather>) -> String {
    let (is_zh, is_away) = (reader.language == Language::Zh, matches!(refusal, Refusal::Unavailable));
    let title = match (is_away, is_zh) {
        (true, false) => "Back in a moment",
        (true, true) => "稍后恢复",
        (false, false) => "This did not work",
        (false, true) => "未能完成",
    };
    let weather = weather.filter(|weather| is_away && weather.is_of_database());
    let why = match (reader.is_on_site && is_away, is_zh, weather) {
        (false, _, Some(weather)) => escape(WeatherWords(reader.language).sentence(weather)),
        (false, _, None) => escape(&sentence(reader.language, refusal)),
        (true, false, _) => "This site cannot be read right now.".to_owned(),
        (true, true, _) => "目前无法读取本站内容。".to_owned(),
    };
    let next = match (is_away, reader.only_reads, is_zh) {
        (true, true, false) => "The page tries again by itself every ten seconds.",
        (true, true, true) => "页面每十秒自动重试一次。",
        (true, false, false) => "Reload the page to send the form again: what you typed goes with it.",
        (true, false, true) => "重新加载页面即可再次提交，所填内容会一并发送。",
        (false, ..) => "",
    };
    let next = if next.is_empty() { String::new() } else { format!("<p class=\"quiet\">{next}</p>") };
    let (body, main, style) = if reader.is_on_site {
        ("site", "site-main prose", assets::site_style().to_owned())
    } else {
        ("door", "page", assets::manifest().css)
    };
    format!(
        "<!DOCTYPE html><html lang=\"{language}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"robots\" content=\"noindex\">\
         <title>{title}</title><link rel=\"stylesheet\" href=\"{style}\">\
         <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\"></head>\
         <body class=\"{body}\"><main class=\"{main}\" id=\"main\">\
         <header class=\"page-head\"><h1>{title}</h1></header>\
         <p class=\"notice warn\">{why}</p>{next}</main></body></html>",
        language = reader.language.as_str(),
        style = escape(&style),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(path: &str, method: Method, accept: &str, language: &str) -> Option<Reader> {
        let request = Request::builder().uri(path).method(method);
        let request = request.header(header::ACCEPT, accept).header(header::ACCEPT_LANGUAGE, language);
        Reader::of(&request.body(axum::body::Body::empty()).unwrap())
    }

    #[test]
    fn a_program_gets_no_page() {
        assert!(reader("/", Method::GET, "text/event-stream", "en").is_none());
        assert!(reader("/", Method::GET, "", "en").is_none());
    }

    #[test]
    fn a_page_asks_again_and_a_form_does_not() {
        let read = reader("/tasks", Method::GET, "text/html,*/*", "de, zh-CN;q=0.8, en;q=0.5").unwrap();
        let answer = page(&read, &Refusal::Unavailable, None);
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(answer.headers().get(header::REFRESH).unwrap(), AGAIN);
        assert!(document(&read, &Refusal::Unavailable, None).contains("lang=\"zh\""));
        let sent = reader("/fn/log_in", Method::POST, "text/html", "en-GB").unwrap();
        assert!(page(&sent, &Refusal::Unavailable, None).headers().get(header::REFRESH).is_none());
        assert!(document(&sent, &Refusal::Unavailable, None).contains("what you typed"));
    }

    #[test]
    fn a_reader_of_the_site_is_told_nothing_about_the_desk() {
        let reader = reader("/site/here", Method::GET, "text/html", "en").unwrap();
        let text = document(&reader, &Refusal::Unavailable, Some(Weather::DatabaseAway));
        assert!(text.contains("cannot be read right now") && !text.contains("database"));
    }
}
