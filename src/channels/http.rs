//! A POST to the outside. No redirects, no proxy of the environment, 15 s, and only what the guard lets through.

use super::{
    Answer, End,
    guard::{Forbidden, Guarded, Rules},
    trust::Trust,
};
use domain::{Timestamp, delivery::Outcome};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url, header, redirect::Policy};
use std::{
    error::Error,
    fmt::Debug,
    time::{Duration, UNIX_EPOCH},
};

/// How long an attempt may take in all.
pub const TIME_OUT: Duration = Duration::from_secs(15);
/// How long finding and greeting the other side may take. Shorter than [`TIME_OUT`], so that an attempt that ran out of time
/// later may have arrived, and one that did so earlier has not.
const CONNECT: Duration = Duration::from_secs(5);
/// How long the text of an answer is waited for, once its status is known.
const READ: Duration = Duration::from_secs(2);
/// How much of it is kept, bytes.
const KEPT: usize = 1_024;
/// The longest rest the other side may ask for, milliseconds.
const REST_MAX_MS: i64 = 24 * 3_600_000;

/// Posts.
#[derive(Debug)]
pub struct Http {
    rules: Rules,
    client: Option<Box<dyn Sends>>,
    /// For the port at which this desk itself listens: names are not followed to it.
    careful: Option<Box<dyn Sends>>,
}

/// A client behind a pointer: all that is above holds one, and the compiler need not look into it each time.
trait Sends: Debug + Send + Sync {
    fn post(&self, url: Url) -> RequestBuilder;
}

impl Sends for Client {
    fn post(&self, url: Url) -> RequestBuilder {
        Self::post(self, url)
    }
}

impl Http {
    /// Under these rules, to whom this trust believes.
    #[must_use]
    pub fn new(rules: Rules, trust: &Trust) -> Self {
        Self::patient(rules, trust, TIME_OUT)
    }

    /// The same with another patience than [`TIME_OUT`].
    #[must_use]
    pub fn patient(rules: Rules, trust: &Trust, time_out: Duration) -> Self {
        let client =
            |is_own_port| match client(Guarded { rules: rules.clone(), is_own_port }, trust, time_out) {
                Ok(client) => Some(Box::new(client) as Box<dyn Sends>),
                Err(why) => {
                    tracing::error!("nothing can be sent over HTTP: {why}");
                    None
                }
            };
        let (client, careful) = (client(false), client(true));
        Self { rules, client, careful }
    }

    /// Makes one attempt at `now`; `fill` gives the request its headers and text. Never fails: how it ended is the answer.
    pub async fn post(
        &self,
        address: &str,
        now: Timestamp,
        fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Answer {
        let url = match self.rules.check(address) {
            Ok(url) => url,
            Err(wrong) => return Answer::none(Outcome::Blocked, &format!("the address {wrong}")),
        };
        let is_own_port = url.port_or_known_default().is_some_and(|port| self.rules.own.is_port(port));
        let Some(client) = (if is_own_port { &self.careful } else { &self.client }) else {
            return Answer::none(Outcome::NotSent, "this machine cannot send over HTTP");
        };
        match fill(client.post(url)).send().await {
            Ok(response) => answer(response, now).await,
            Err(why) => unanswered(&why),
        }
    }
}

fn client(guard: Guarded, trust: &Trust, time_out: Duration) -> Result<Client, Box<dyn Error>> {
    Ok(Client::builder()
        .tls_backend_preconfigured(trust.client()?)
        .dns_resolver(guard)
        .redirect(Policy::none())
        .no_proxy()
        .retry(reqwest::retry::never())
        // A kept connection may be closed by the other side just when it is used: one attempt, one connection.
        .pool_max_idle_per_host(0)
        .connect_timeout(CONNECT)
        .timeout(time_out)
        .user_agent(concat!("Presstime/", env!("CARGO_PKG_VERSION")))
        .build()?)
}

async fn answer(response: Response, now: Timestamp) -> Answer {
    let status = response.status();
    let retry_after_ms = retry_after(&response, now).filter(|_| is_asking_for_rest(status));
    Answer {
        outcome: if status.is_success() { Outcome::Delivered } else { Outcome::Refused },
        status: Some(status.as_u16()),
        text: Some(beginning(response).await).filter(|text| !text.is_empty()),
        retry_after_ms,
        end: (status == StatusCode::GONE).then_some(End::Channel),
        recipients: Vec::new(),
        is_taken: status.is_success(),
    }
}

fn is_asking_for_rest(status: StatusCode) -> bool {
    matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
}

/// `Retry-After` as seconds or as a date of HTTP, in milliseconds from the attempt on. `None`: there is none, there are several, or it is
/// not between 1 s and [`REST_MAX_MS`]: the channel's retry schedule decides.
fn retry_after(response: &Response, now: Timestamp) -> Option<i64> {
    let mut all = response.headers().get_all(header::RETRY_AFTER).into_iter();
    let text = all.next().filter(|_| all.next().is_none())?.to_str().ok()?.trim();
    let millis = if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse::<i64>().ok()?.checked_mul(1_000)?
    } else {
        let at = httpdate::parse_http_date(text).ok()?.duration_since(UNIX_EPOCH).ok()?;
        i64::try_from(at.as_millis()).ok()? - now.millis()
    };
    (1..=REST_MAX_MS).contains(&millis).then_some(millis)
}

/// The first 1 KiB of an answer as text, or what of it came in time.
async fn beginning(mut response: Response) -> String {
    let mut bytes = Vec::new();
    let read = async {
        while let Ok(Some(part)) = response.chunk().await {
            bytes.extend_from_slice(&part[..part.len().min(KEPT - bytes.len())]);
            if bytes.len() >= KEPT {
                return;
            }
        }
    };
    // What is missing then is only text: the status has told all that counts.
    let _ = tokio::time::timeout(READ, read).await;
    let text = String::from_utf8_lossy(&bytes);
    text.chars().filter(|letter| !letter.is_control() || *letter == '\n').collect()
}

/// How an attempt without an answer ended: before the connection stood nothing was sent, after that nobody knows.
fn unanswered(why: &reqwest::Error) -> Answer {
    if let Some(forbidden) = forbidden(why) {
        return Answer::none(Outcome::Blocked, &format!("the address {forbidden}"));
    }
    if why.is_builder() || why.is_connect() {
        return Answer::none(Outcome::Unreachable, "no connection");
    }
    let word = if why.is_timeout() { "no answer in time" } else { "cut off before an answer" };
    Answer::none(Outcome::Unknown, word)
}

fn forbidden(why: &reqwest::Error) -> Option<&Forbidden> {
    let mut cause: Option<&(dyn Error + 'static)> = why.source();
    while let Some(inner) = cause {
        if let Some(forbidden) = inner.downcast_ref() {
            return Some(forbidden);
        }
        cause = inner.source();
    }
    None
}
