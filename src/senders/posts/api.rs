//! Requests to the API of a site.

use super::{nothing_written, quote::first_line};
use crate::senders::{
    SendResult,
    http::{HttpSender, Verb, WholeResponse},
};
use domain::{Timestamp, delivery::Outcome};
use reqwest::header::{self, HeaderMap, HeaderValue};
use serde::de::DeserializeOwned;
use std::time::{Duration, Instant};

/// Maximum size of an answer, bytes: a post is returned with its whole text.
const MAX_ANSWER_BYTES: usize = 8 * 1024 * 1024;
/// Maximum duration of one request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(12);
/// Maximum duration of all requests of an attempt. Its claim is longer.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(30);

/// Returns the result of an answer that is no success. The second argument: whether the request was to change
/// something. The third: what is left out of quotes.
pub type Refused = fn(&WholeResponse, bool, &[String]) -> SendResult;

/// The API of a site, for one attempt.
pub struct Api<'s> {
    http: &'s HttpSender,
    /// Time of the attempt.
    pub at: Timestamp,
    ends: Instant,
    /// Headers of each request.
    pub headers: HeaderMap,
    /// What is left out of quotes.
    secrets: Vec<String>,
    refused: Refused,
}

/// An answer with the clock of the server.
pub struct Answer<T> {
    /// What it says.
    pub value: T,
    /// Clock of the server; `None`: not known.
    pub date: Option<Timestamp>,
}

impl<'s> Api<'s> {
    /// Returns the API without headers.
    #[must_use]
    pub fn new(http: &'s HttpSender, at: Timestamp, secrets: Vec<String>, refused: Refused) -> Self {
        let (ends, headers) = (Instant::now() + ATTEMPT_TIMEOUT, HeaderMap::new());
        Self { http, at, ends, headers, secrets, refused }
    }

    /// Sends this header `Authorization` with each request from now on. `secret`: what of it is left out of quotes.
    pub fn authorize(&mut self, mut value: HeaderValue, secret: String) {
        value.set_sensitive(true);
        self.headers.insert(header::AUTHORIZATION, value);
        self.secrets.push(secret);
    }

    /// Makes a request. If it is not known whether it had an effect, the outcome is unknown.
    pub async fn call<T: DeserializeOwned>(&self, url: &str, verb: Verb) -> Result<Answer<T>, SendResult> {
        let timeout = self.ends.saturating_duration_since(Instant::now()).min(REQUEST_TIMEOUT);
        if timeout.is_zero() {
            // A request that is not made leaves nothing unknown.
            return Err(SendResult::without_response(Outcome::Unreachable, "the site answers too slowly"));
        }
        let is_write = !matches!(verb, Verb::Get);
        let headers = self.headers.clone();
        let fill = |request: reqwest::RequestBuilder| request.headers(headers).timeout(timeout);
        let response = self.http.call((url, verb), (self.at, MAX_ANSWER_BYTES), fill).await?;
        if !(200..300).contains(&response.status) {
            return Err((self.refused)(&response, is_write, &self.secrets));
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

/// Returns the answer to a question about one post; `None`: the site has no such post.
pub fn if_there<T>(answer: Result<Answer<T>, SendResult>) -> Result<Option<T>, SendResult> {
    match answer {
        Ok(answer) => Ok(Some(answer.value)),
        // Of the post, not of the API.
        Err(failed) if failed.status == Some(404) && failed.is_about_message => Ok(None),
        Err(failed) => Err(nothing_written(failed)),
    }
}

/// Returns the sentence about a redirect.
#[must_use]
pub fn redirected(response: &WholeResponse, secrets: &[String]) -> String {
    let to = response.location.as_deref().unwrap_or("another address");
    format!(
        "the site redirects to {}; save that address in the settings of the channel",
        first_line(to.as_bytes(), secrets)
    )
}

/// Outcome of an answer that is no success. A failure inside the site may have come after the change.
#[must_use]
pub fn outcome_of(status: u16, is_write: bool) -> Outcome {
    let is_unknown = is_write && status >= 500 && status != 503;
    if is_unknown { Outcome::Unknown } else { Outcome::Refused }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        process::tls_roots::TlsRoots,
        senders::{egress::Rules, posts::done},
    };
    use serde_json::Value;

    #[tokio::test]
    async fn no_request_is_made_at_the_end_of_an_attempt() {
        let http = HttpSender::new(Rules::default(), &TlsRoots::default());
        let mut api = Api::new(&http, Timestamp::from_millis(0), Vec::new(), |_, _, _| done(""));
        api.ends = Instant::now();
        let failed = api.call::<Value>("https://site.example/", Verb::Post(String::new())).await.err();
        let failed = failed.map(|failed| (failed.outcome, failed.text));
        assert_eq!(failed, Some((Outcome::Unreachable, Some("the site answers too slowly".to_owned()))));
    }
}
