//! HTTP POST to external servers: no redirects, no proxy from the environment, a timeout of 15 s,
//! and egress rules.

mod pages;

pub use pages::{NoAnswer, PageStart};

use super::{
    PermanentFailure, SendResult,
    egress::{EgressResolver, ForbiddenAddress, Rules},
};
use crate::process::tls_roots::TlsRoots;
use domain::{
    Timestamp,
    delivery::{NoResponse, Outcome},
};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url, header, redirect::Policy};
use std::{
    error::Error,
    fmt::Debug,
    time::{Duration, UNIX_EPOCH},
};

/// Timeout for a whole attempt.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);
/// Timeout for name resolution and connecting. It is shorter than [`REQUEST_TIMEOUT`]: an attempt
/// that times out while connecting was not sent; the outcome of one that times out later is
/// unknown.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout for reading the response body after its status.
const BODY_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum length of a stored response body, bytes.
const MAX_BODY_BYTES: usize = 1_024;
/// What the result of [`HttpSender::call`] says about an answer that is longer than the limit.
pub const TOO_LONG: &str = "the answer is too long";
/// Maximum accepted `Retry-After`, milliseconds.
const MAX_RETRY_AFTER_MS: i64 = 24 * 3_600_000;

/// HTTP client with egress rules.
#[derive(Debug)]
pub struct HttpSender {
    rules: Rules,
    client: Option<Box<dyn PostClient>>,
    /// Client for the port this server listens at: it does not connect to this server.
    own_port_client: Option<Box<dyn PostClient>>,
}

/// Hides the client's type to reduce compile time.
trait PostClient: Debug + Send + Sync {
    fn post(&self, url: Url) -> RequestBuilder;
    fn get(&self, url: Url) -> RequestBuilder;
    fn put(&self, url: Url) -> RequestBuilder;
}

impl PostClient for Client {
    fn post(&self, url: Url) -> RequestBuilder {
        Self::post(self, url)
    }
    fn get(&self, url: Url) -> RequestBuilder {
        Self::get(self, url)
    }
    fn put(&self, url: Url) -> RequestBuilder {
        Self::put(self, url)
    }
}

/// What a request does. Texts are JSON but for a form.
#[derive(Debug)]
pub enum Verb {
    /// It reads.
    Get,
    /// It creates or changes.
    Post(String),
    /// It changes.
    Put(String),
    /// It sends a form, encoded as in an address.
    Form(String),
}

/// A response with its whole body.
#[derive(Debug)]
pub struct WholeResponse {
    /// Status code.
    pub status: u16,
    /// Clock of the server; `None`: it sent no readable date.
    pub date: Option<Timestamp>,
    /// Delay that the server asks for, milliseconds.
    pub retry_after_ms: Option<i64>,
    /// Where a redirect leads.
    pub location: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

impl HttpSender {
    /// Makes one request at `now`. Reads a body of at most `max` bytes. `fill` sets headers and timeout. An error says
    /// whether the request may have had an effect.
    pub async fn call(
        &self,
        (address, verb): (&str, Verb),
        (now, max): (Timestamp, usize),
        fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Result<WholeResponse, SendResult> {
        let url = self.rules.check(address).map_err(|wrong| {
            SendResult::without_response(Outcome::Blocked, &format!("the address {wrong}"))
        })?;
        let Some(client) = self.client_for(&url) else {
            return Err(SendResult::without_response(Outcome::NotSent, "this machine cannot send over HTTP"));
        };
        let with = |request: RequestBuilder, kind: &'static str, body: String| {
            request.header(header::CONTENT_TYPE, kind).body(body)
        };
        let request = match verb {
            Verb::Get => client.get(url),
            Verb::Post(json) => with(client.post(url), "application/json", json),
            Verb::Put(json) => with(client.put(url), "application/json", json),
            Verb::Form(form) => with(client.post(url), "application/x-www-form-urlencoded", form),
        };
        let mut response = fill(request).send().await.map_err(|why| failure_without_response(&why))?;
        let date = head(&response, header::DATE).and_then(|text| clock_of(&text));
        let location = head(&response, header::LOCATION);
        let status = response.status();
        let retry_after_ms = retry_after(&response, now).filter(|_| may_set_retry_after(status));
        let body = first_bytes(&mut response, max).await;
        let (body, has_more) = body.map_err(|why| failure_without_response(&why))?;
        if has_more {
            return Err(SendResult::without_response(Outcome::Unknown, TOO_LONG));
        }
        Ok(WholeResponse { status: status.as_u16(), date, retry_after_ms, location, body })
    }

    /// Creates the client with these egress rules and trusted CAs.
    #[must_use]
    pub fn new(rules: Rules, trust: &TlsRoots) -> Self {
        Self::with_timeouts(rules, trust, REQUEST_TIMEOUT)
    }

    /// The same with another timeout than [`REQUEST_TIMEOUT`].
    #[must_use]
    pub fn with_timeouts(rules: Rules, trust: &TlsRoots, time_out: Duration) -> Self {
        let client =
            |is_own_port| match client(EgressResolver { rules: rules.clone(), is_own_port }, trust, time_out)
            {
                Ok(client) => Some(Box::new(client) as Box<dyn PostClient>),
                Err(why) => {
                    tracing::error!("the HTTP client cannot be created, so nothing is sent over HTTP: {why}");
                    None
                }
            };
        let (client, own_port_client) = (client(false), client(true));
        Self { rules, client, own_port_client }
    }

    /// Makes one attempt at `now`. `fill` sets headers and body. It returns every error as a
    /// result.
    pub async fn post(
        &self,
        address: &str,
        now: Timestamp,
        fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> SendResult {
        let url = match self.rules.check(address) {
            Ok(url) => url,
            Err(wrong) => {
                return SendResult::without_response(Outcome::Blocked, &format!("the address {wrong}"));
            }
        };
        let Some(client) = self.client_for(&url) else {
            return SendResult::without_response(Outcome::NotSent, "this machine cannot send over HTTP");
        };
        match fill(client.post(url)).send().await {
            Ok(response) => answer(response, now).await,
            Err(why) => failure_without_response(&why),
        }
    }

    /// Returns the client for an address; `None`: it could not be created.
    fn client_for(&self, url: &Url) -> Option<&dyn PostClient> {
        let is_own_port =
            url.port_or_known_default().is_some_and(|port| self.rules.listen_address.is_port(port));
        if is_own_port { self.own_port_client.as_deref() } else { self.client.as_deref() }
    }
}

/// Reads the first `max` bytes of a body, and whether it has more.
async fn first_bytes(response: &mut Response, max: usize) -> reqwest::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    while let Some(part) = response.chunk().await? {
        bytes.extend_from_slice(&part);
        if bytes.len() > max {
            bytes.truncate(max);
            return Ok((bytes, true));
        }
    }
    Ok((bytes, false))
}

/// Returns the value of a header.
fn head(response: &Response, name: header::HeaderName) -> Option<String> {
    Some(response.headers().get(name)?.to_str().ok()?.to_owned())
}

/// Parses an HTTP date.
fn clock_of(text: &str) -> Option<Timestamp> {
    let since = httpdate::parse_http_date(text).ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(Timestamp::from_millis)
}

fn client(guard: EgressResolver, trust: &TlsRoots, time_out: Duration) -> Result<Client, Box<dyn Error>> {
    Ok(Client::builder()
        .tls_backend_preconfigured(trust.client()?)
        .dns_resolver(guard)
        .redirect(Policy::none())
        .no_proxy()
        .retry(reqwest::retry::never())
        // No connection reuse: the server may close an idle connection just when a request is sent.
        .pool_max_idle_per_host(0)
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(time_out)
        .user_agent(concat!("Presstime/", env!("CARGO_PKG_VERSION")))
        .build()?)
}

async fn answer(response: Response, now: Timestamp) -> SendResult {
    let status = response.status();
    let retry_after_ms = retry_after(&response, now).filter(|_| may_set_retry_after(status));
    SendResult {
        outcome: if status.is_success() { Outcome::Delivered } else { Outcome::Refused },
        status: Some(status.as_u16()),
        text: Some(body_prefix(response).await).filter(|text| !text.is_empty()),
        retry_after_ms,
        permanent_failure: (status == StatusCode::GONE).then_some(PermanentFailure::Channel),
        recipients: Vec::new(),
        is_taken: status.is_success(),
        is_about_message: is_about_message(status),
        post: None,
    }
}

/// Whether a status says that the receiver works and did not like this request. 401, 403, 404 and 405
/// concern the address or the secret, and so all messages.
fn is_about_message(status: StatusCode) -> bool {
    matches!(status.as_u16(), 400 | 406 | 409 | 411 | 412 | 413 | 415 | 422 | 431)
}

fn may_set_retry_after(status: StatusCode) -> bool {
    matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
}

/// Parses `Retry-After` (seconds or HTTP date) into milliseconds from the attempt. `None`: the
/// header is missing, repeated, or not between 1 ms and [`MAX_RETRY_AFTER_MS`]; then the channel's
/// retry schedule decides.
fn retry_after(response: &Response, now: Timestamp) -> Option<i64> {
    let mut all = response.headers().get_all(header::RETRY_AFTER).into_iter();
    let text = all.next().filter(|_| all.next().is_none())?.to_str().ok()?.trim();
    let millis = if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse::<i64>().ok()?.checked_mul(1_000)?
    } else {
        let at = httpdate::parse_http_date(text).ok()?.duration_since(UNIX_EPOCH).ok()?;
        i64::try_from(at.as_millis()).ok()? - now.millis()
    };
    (1..=MAX_RETRY_AFTER_MS).contains(&millis).then_some(millis)
}

/// Returns the first 1 KiB of a response body, or the part that arrived in time.
async fn body_prefix(mut response: Response) -> String {
    let mut bytes = Vec::new();
    let read = async {
        while let Ok(Some(part)) = response.chunk().await {
            bytes.extend_from_slice(&part[..part.len().min(MAX_BODY_BYTES - bytes.len())]);
            if bytes.len() >= MAX_BODY_BYTES {
                return;
            }
        }
    };
    // On a timeout only text is missing: the status decides the outcome.
    let _ = tokio::time::timeout(BODY_TIMEOUT, read).await;
    let text = String::from_utf8_lossy(&bytes);
    text.chars().filter(|c| !c.is_control() || *c == '\n').collect()
}

/// Result of an attempt without a response: before the connection was established nothing was sent,
/// after that the outcome is unknown.
fn failure_without_response(why: &reqwest::Error) -> SendResult {
    if let Some(forbidden) = forbidden(why) {
        return SendResult::without_response(Outcome::Blocked, &format!("the address {forbidden}"));
    }
    if why.is_builder() || why.is_connect() {
        return no_response(NoResponse::NoConnection);
    }
    no_response(if why.is_timeout() { NoResponse::NoAnswer } else { NoResponse::CutOff })
}

fn no_response(why: NoResponse) -> SendResult {
    SendResult::without_response(why.outcome(), why.as_str())
}

fn forbidden(why: &reqwest::Error) -> Option<&ForbiddenAddress> {
    let mut cause: Option<&(dyn Error + 'static)> = why.source();
    while let Some(inner) = cause {
        if let Some(forbidden) = inner.downcast_ref() {
            return Some(forbidden);
        }
        cause = inner.source();
    }
    None
}
