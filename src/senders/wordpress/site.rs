//! Requests to the REST API of a WordPress site.

use crate::senders::{
    OutboundMessage, PermanentFailure, SendResult,
    http::{HttpSender, WholeResponse},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{Timestamp, channel::WordPressEndpoint, delivery::Outcome};
use reqwest::{Url, header, header::HeaderValue};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use std::time::{Duration, Instant};

/// Maximum size of an answer, bytes: a post is returned with its whole text.
const MAX_ANSWER_BYTES: usize = 8 * 1024 * 1024;
/// Maximum duration of one request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(12);
/// Maximum duration of all requests of an attempt. Its claim is longer.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum length of a quoted line, characters.
const MAX_QUOTED_CHARS: usize = 200;

/// A site, for one attempt.
pub struct Site<'s> {
    http: &'s HttpSender,
    root: Url,
    authorization: HeaderValue,
    /// What is left out of quotes: an error page may repeat the headers of the request.
    secrets: [String; 2],
    /// Time of the attempt.
    pub at: Timestamp,
    ends: Instant,
}

/// A post as the site returns it to its user.
#[derive(Debug, Deserialize)]
pub struct RemotePost {
    /// Its id.
    pub id: i64,
    /// `draft`, `publish`, `trash`, …
    pub status: String,
    /// Its address.
    #[serde(default)]
    pub link: String,
    #[serde(default)]
    content: RemoteText,
}

#[derive(Debug, Default, Deserialize)]
struct RemoteText {
    #[serde(default)]
    raw: String,
}

impl RemotePost {
    /// Its text with the blocks.
    pub fn text(&self) -> &str {
        &self.content.raw
    }

    /// Whether readers see it.
    pub fn is_public(&self) -> bool {
        self.status == "publish"
    }
}

/// An error of the API.
#[derive(Default, Deserialize)]
struct ApiFailure {
    #[serde(default)]
    code: String,
    #[serde(default)]
    message: String,
}

/// An answer with the clock of the server.
pub struct Answer<T> {
    /// What it says.
    pub value: T,
    /// Clock of the server; `None`: not known.
    pub date: Option<Timestamp>,
}

impl<'s> Site<'s> {
    /// Returns the site of a channel. An error is a sentence.
    pub fn new(
        http: &'s HttpSender,
        route: &WordPressEndpoint,
        outbound: &OutboundMessage,
    ) -> Result<Self, &'static str> {
        let mut root = Url::parse(&route.url).map_err(|_| "the address of the site cannot be read")?;
        root.set_query(None);
        if !root.path().ends_with('/') {
            let path = format!("{}/", root.path());
            root.set_path(&path);
        }
        let password = outbound
            .secret()
            .filter(|password| !password.is_empty())
            .ok_or("the channel's password is missing; give it again")?;
        let login = STANDARD.encode(format!("{}:{password}", route.username));
        let mut authorization =
            HeaderValue::from_str(&format!("Basic {login}")).map_err(|_| "the password cannot be sent")?;
        authorization.set_sensitive(true);
        let secrets = [login, password.to_owned()];
        Ok(Self {
            http,
            root,
            authorization,
            secrets,
            at: outbound.at,
            ends: Instant::now() + ATTEMPT_TIMEOUT,
        })
    }

    /// Reads something.
    pub async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<Answer<T>, SendResult> {
        self.call(path, query, None).await
    }

    /// Writes a post. If it is not known whether the request had an effect, the outcome is unknown.
    pub async fn write(&self, path: &str, fields: &Value) -> Result<RemotePost, SendResult> {
        Ok(self.call(path, &[], Some(fields.to_string())).await?.value)
    }

    /// Makes a request. The route is in the query, so that it works with every kind of permalinks.
    async fn call<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        json: Option<String>,
    ) -> Result<Answer<T>, SendResult> {
        let mut url = self.root.clone();
        url.query_pairs_mut().append_pair("rest_route", path).extend_pairs(query);
        let timeout = self.ends.saturating_duration_since(Instant::now()).min(REQUEST_TIMEOUT);
        let is_write = json.is_some();
        let fill = |request: reqwest::RequestBuilder| {
            request.header(header::AUTHORIZATION, self.authorization.clone()).timeout(timeout)
        };
        let response = self.http.call((url.as_str(), json), (self.at, MAX_ANSWER_BYTES), fill).await?;
        if !(200..300).contains(&response.status) {
            return Err(refused(&response, is_write, &self.secrets));
        }
        match serde_json::from_slice(&response.body) {
            Ok(value) => Ok(Answer { value, date: response.date }),
            Err(_) => {
                let why = format!(
                    "the site answers with a page instead of data; a firewall, a plugin or maintenance may be the reason: {}",
                    first_line(&response.body, &self.secrets)
                );
                let outcome = if is_write { Outcome::Unknown } else { Outcome::Refused };
                Err(SendResult {
                    status: Some(response.status),
                    ..SendResult::without_response(outcome, &why)
                })
            }
        }
    }
}

/// Result of an answer that is no success. A failure inside the site may have come after the change.
fn refused(response: &WholeResponse, is_write: bool, secrets: &[String]) -> SendResult {
    let parsed: Option<ApiFailure> = serde_json::from_slice(&response.body).ok();
    let is_page = parsed.is_none();
    let ApiFailure { code, message } = parsed.unwrap_or_default();
    let said = first_line(if is_page { &response.body } else { message.as_bytes() }, secrets);
    let is_about_message = !is_page && matches!(response.status, 400 | 404 | 410 | 413 | 422);
    let why = match response.status {
        300..=399 => format!(
            "the site redirects to {}; save that address in the settings of the channel",
            first_line(response.location.as_deref().unwrap_or("another address").as_bytes(), secrets)
        ),
        401 => format!(
            "the site does not accept the user with this application password. If both are right, the web server drops \
             the header Authorization, or application passwords are switched off there: {said}"
        ),
        403 if is_page => format!("a firewall or a plugin of the site refuses the request: {said}"),
        403 => format!("the user may not do that on the site: {said}"),
        404 if is_page || code == "rest_no_route" => {
            format!("there is no REST API at this address, or it is switched off: {said}")
        }
        _ => said,
    };
    let is_unknown = is_write && response.status >= 500 && response.status != 503;
    SendResult {
        status: Some(response.status),
        retry_after_ms: response.retry_after_ms,
        permanent_failure: (is_about_message && code != "rest_no_route").then_some(PermanentFailure::Message),
        is_about_message: is_about_message && code != "rest_no_route",
        ..SendResult::without_response(if is_unknown { Outcome::Unknown } else { Outcome::Refused }, &why)
    }
}

/// Returns the first line of an answer without tags and secrets, to quote it.
fn first_line(body: &[u8], secrets: &[String]) -> String {
    let text = String::from_utf8_lossy(body.get(..body.len().min(4_096)).unwrap_or_default()).into_owned();
    let text = secrets.iter().fold(text, |text, secret| text.replace(secret.as_str(), "…"));
    let (mut plain, mut is_tag) = (String::new(), false);
    for letter in text.chars() {
        match letter {
            '<' => is_tag = true,
            '>' => is_tag = false,
            _ if is_tag => {}
            '\n' | '\r' => plain.push('\n'),
            other if other.is_control() => {}
            other => plain.push(other),
        }
    }
    let line = plain.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(MAX_QUOTED_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16, body: &str) -> WholeResponse {
        WholeResponse {
            status,
            date: None,
            retry_after_ms: None,
            location: None,
            body: body.as_bytes().to_vec(),
        }
    }

    #[test]
    fn a_failure_inside_the_site_leaves_the_outcome_of_a_change_unknown() {
        for (status, is_write, outcome) in [
            (500, true, Outcome::Unknown),
            (502, true, Outcome::Unknown),
            (500, false, Outcome::Refused),
            (503, true, Outcome::Refused),
            (403, true, Outcome::Refused),
        ] {
            assert_eq!(
                refused(&response(status, "{}"), is_write, &[]).outcome,
                outcome,
                "{status} {is_write}"
            );
        }
    }

    #[test]
    fn a_refusal_says_what_to_do() {
        let said = |status, body: &str| refused(&response(status, body), true, &[]);
        let text = |status, body: &str| said(status, body).text.unwrap_or_default();
        assert!(text(403, "<html><title>Blocked</title>").contains("firewall"), "a page");
        let rights = r#"{"code":"rest_cannot_publish","message":"Sorry"}"#;
        assert_eq!(text(403, rights), "the user may not do that on the site: Sorry");
        let invalid = said(400, r#"{"code":"rest_invalid_param","message":"Invalid parameter(s): slug"}"#);
        assert!(invalid.is_about_message && invalid.permanent_failure == Some(PermanentFailure::Message));
        let missing = said(404, r#"{"code":"rest_no_route","message":"No route"}"#);
        assert!(!missing.is_about_message && missing.permanent_failure.is_none());
    }

    #[test]
    fn a_page_is_quoted_by_its_first_line_without_tags() {
        assert_eq!(
            first_line(b"<html>\n<body class=\"a\">\n  Maintenance <b>now</b>\nmore", &[]),
            "Maintenance now"
        );
        assert_eq!(first_line(b"", &[]), "");
    }

    #[test]
    fn a_site_that_repeats_the_login_is_quoted_without_it() {
        let secrets = ["ZGVzazpwYXNz".to_owned(), "pass".to_owned()];
        let body = r#"{"code":"debug","message":"Authorization: Basic ZGVzazpwYXNz is desk:pass"}"#;
        let text = refused(&response(500, body), false, &secrets).text;
        assert_eq!(text.as_deref(), Some("Authorization: Basic … is desk:…"));
    }
}
