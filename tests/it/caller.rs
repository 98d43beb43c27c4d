//! Somebody who asks the server over HTTP, and what they are answered.

use reqwest::{Client, Method, RequestBuilder, header::HeaderMap, redirect::Policy};
use serde_json::Value;
use std::time::Duration;

/// A client with a token, a cookie jar, or nothing.
#[derive(Debug, Clone)]
pub struct Caller {
    /// For requests of one's own making.
    pub client: Client,
    /// Where the server is, without a slash at its end.
    pub url: String,
    /// Sent as bearer.
    pub token: Option<String>,
}

/// A client that follows no redirects and waits a minute for the next byte: a hang names its request.
pub fn client(with_cookies: bool) -> Client {
    // The second time it is there already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().redirect(Policy::none()).cookie_store(with_cookies).no_proxy();
    client.read_timeout(Duration::from_secs(60)).build().expect("a client")
}

impl Caller {
    /// A request with the token, for further headers.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.url));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Reply {
        Reply::of(self.request(Method::GET, path)).await
    }

    /// POST of JSON.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        Reply::of(self.request(Method::POST, path).json(body)).await
    }

    /// PATCH of JSON.
    pub async fn patch(&self, path: &str, body: &Value) -> Reply {
        Reply::of(self.request(Method::PATCH, path).json(body)).await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> Reply {
        Reply::of(self.request(Method::DELETE, path)).await
    }

    /// POST of a form, as a browser without JavaScript sends it.
    pub async fn form(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let body = url_encoded(fields);
        let request = self
            .request(Method::POST, path)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", "text/html")
            .header("origin", &self.url)
            .header("sec-fetch-site", "same-origin")
            .body(body);
        Reply::of(request).await
    }
}

/// Names and values as `application/x-www-form-urlencoded`.
fn url_encoded(fields: &[(&str, &str)]) -> String {
    let encode = |text: &str| {
        text.bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => (byte as char).to_string(),
                b' ' => "+".to_owned(),
                other => format!("%{other:02X}"),
            })
            .collect::<String>()
    };
    fields
        .iter()
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)))
        .collect::<Vec<_>>()
        .join("&")
}

/// What the server answered.
#[derive(Debug)]
pub struct Reply {
    /// Status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// The body as text.
    pub text: String,
}

impl Reply {
    /// Sends a request and reads all of its answer.
    pub async fn of(request: RequestBuilder) -> Self {
        let response = request.send().await.expect("the server answers");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.expect("the answer is text");
        Self { status, headers, text }
    }

    /// The body as JSON; `null` if it is not.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    /// The body as JSON, where this status is expected.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "answered: {}", self.text);
        self.json()
    }

    /// The text of a page that was answered with 200.
    #[track_caller]
    pub fn expect_page(self) -> String {
        assert_eq!(self.status, 200, "answered: {}", self.text);
        self.text
    }

    /// The code of the error, where this status is expected.
    #[track_caller]
    pub fn refused(self, status: u16) -> String {
        let body = self.expect(status);
        body["error"]["code"].as_str().unwrap_or_else(|| panic!("no error code in {body}")).to_owned()
    }

    /// A header as text; empty if there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}
