//! Error page, shown instead of a page that could not be rendered. It needs no database.

use crate::{
    http::{
        assets,
        header::{accept_language::accepted_language, header_text::text},
    },
    text::html::escape,
};
use axum::{
    extract::Request,
    http::{Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{DomainError, health::HealthIssueKind};
use texts::{Language, engine::health::HealthTexts, layout::ErrorPageTexts, refusal::sentence};

/// Seconds after which the browser reloads a page that was requested with GET.
const RELOAD_SECONDS: &str = "10";

/// The client that requested the page. The account's language is unknown: it is in the database.
pub struct Reader {
    language: Language,
    /// Whether the request is for the public site, which does not mention the desk.
    is_on_site: bool,
    /// Whether the request only reads, so that a reload is safe.
    is_read_only: bool,
}

impl Reader {
    /// Returns the reader; `None`: the client is a program and expects no page.
    pub fn of(request: &Request) -> Option<Self> {
        let accepts_html = text(request.headers(), &header::ACCEPT).contains("text/html");
        let path = request.uri().path();
        accepts_html.then(|| Self {
            language: accepted_language(request.headers()).unwrap_or(Language::En),
            is_on_site: path == "/site" || path.starts_with("/site/"),
            is_read_only: matches!(*request.method(), Method::GET | Method::HEAD),
        })
    }
}

/// Renders an error as a page. While the database is unavailable, the page reloads itself and names
/// the health issue.
pub fn page(reader: &Reader, refusal: &DomainError, issue: Option<HealthIssueKind>) -> Response {
    let status = StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    let mut response = (status, kind, document(reader, refusal, issue)).into_response();
    if let DomainError::TooMany { seconds } = refusal {
        response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from(*seconds));
    }
    if matches!(refusal, DomainError::Unavailable) {
        let seconds = header::HeaderValue::from_static(RELOAD_SECONDS);
        if reader.is_read_only {
            response.headers_mut().insert(header::REFRESH, seconds.clone());
        }
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response
}

fn document(reader: &Reader, refusal: &DomainError, issue: Option<HealthIssueKind>) -> String {
    let texts = ErrorPageTexts(reader.language);
    let is_unavailable = matches!(refusal, DomainError::Unavailable);
    let title = if is_unavailable { texts.unavailable() } else { texts.failed() };
    let issue = issue.filter(|issue| is_unavailable && issue.is_database_issue());
    let why = match (reader.is_on_site && is_unavailable, issue) {
        (false, Some(issue)) => escape(HealthTexts(reader.language).summary(issue)),
        (false, None) => escape(&sentence(reader.language, refusal)),
        (true, _) => texts.site_unavailable().to_owned(),
    };
    let next = match (is_unavailable, reader.is_read_only) {
        (true, true) => texts.retries(),
        (true, false) => texts.reload(),
        (false, _) => "",
    };
    let next = if next.is_empty() { String::new() } else { format!("<p class=\"muted\">{next}</p>") };
    let (body, main, style) = if reader.is_on_site {
        ("site", "site-main prose", assets::site_style().into_owned())
    } else {
        ("auth-page", "page", assets::manifest().css.clone())
    };
    format!(
        "<!DOCTYPE html><html lang=\"{language}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"robots\" content=\"noindex\">\
         <title>{title}</title><link rel=\"stylesheet\" href=\"{style}\">\
         <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\"></head>\
         <body class=\"{body}\"><main class=\"{main}\" id=\"main\">\
         <header class=\"page-header\"><h1>{title}</h1></header>\
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
    fn a_page_reloads_itself_and_a_form_does_not() {
        let read = reader("/tasks", Method::GET, "text/html,*/*", "fr, zh-CN;q=0.8, en;q=0.5").unwrap();
        let answer = page(&read, &DomainError::Unavailable, None);
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(answer.headers().get(header::REFRESH).unwrap(), RELOAD_SECONDS);
        assert!(document(&read, &DomainError::Unavailable, None).contains("lang=\"zh\""));
        let german = reader("/tasks", Method::GET, "text/html", "de-CH, en;q=0.5").unwrap();
        assert!(document(&german, &DomainError::Unavailable, None).contains("lang=\"de\""));
        let sent = reader("/fn/log_in", Method::POST, "text/html", "en-GB").unwrap();
        assert!(page(&sent, &DomainError::Unavailable, None).headers().get(header::REFRESH).is_none());
        assert!(document(&sent, &DomainError::Unavailable, None).contains("your input"));
    }

    #[test]
    fn the_error_page_of_the_site_does_not_mention_the_desk() {
        let reader = reader("/site/here", Method::GET, "text/html", "en").unwrap();
        let text = document(&reader, &DomainError::Unavailable, Some(HealthIssueKind::DatabaseUnavailable));
        assert!(text.contains("cannot be read right now") && !text.contains("database"));
    }
}
