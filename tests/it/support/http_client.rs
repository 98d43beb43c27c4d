//! HTTP clients and responses.

use reqwest::{Client, Method, RequestBuilder, header::HeaderMap, redirect::Policy};
use serde_json::Value;
use std::{net::Ipv4Addr, time::Duration};

/// A client with a token, with cookies, or with neither.
#[derive(Debug, Clone)]
pub struct HttpClient {
    /// For other requests.
    pub client: Client,
    /// URL of the server, without a trailing slash.
    pub url: String,
    /// Bearer token.
    pub token: Option<String>,
}

/// Returns a client that follows no redirects. Its read timeout of a minute turns a hang into an
/// error.
pub fn client(with_cookies: bool) -> Client {
    // Fails when a provider is already installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // Without the system's certificates, which no test needs: reading them took longer than most requests.
    let client =
        Client::builder().tls_certs_only([]).redirect(Policy::none()).cookie_store(with_cookies).no_proxy();
    // Test servers listen on IPv4 only; the system may know `localhost` as ::1, or not at all.
    let client = client.resolve("localhost", (Ipv4Addr::LOCALHOST, 0).into());
    client.read_timeout(Duration::from_secs(60)).build().expect("a client")
}

impl HttpClient {
    /// Returns a request with the token, for further headers.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.url));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Sends GET.
    pub async fn get(&self, path: &str) -> Reply {
        Reply::of(self.request(Method::GET, path)).await
    }

    /// Sends POST with JSON.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        Reply::of(self.request(Method::POST, path).json(body)).await
    }

    /// Sends PUT with JSON.
    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        Reply::of(self.request(Method::PUT, path).json(body)).await
    }

    /// Sends PATCH with JSON.
    pub async fn patch(&self, path: &str, body: &Value) -> Reply {
        Reply::of(self.request(Method::PATCH, path).json(body)).await
    }

    /// Sends DELETE.
    pub async fn delete(&self, path: &str) -> Reply {
        Reply::of(self.request(Method::DELETE, path)).await
    }

    /// Sends a form as a browser without JavaScript does.
    pub async fn form(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        self.form_accepting("text/html", path, fields).await
    }

    /// Calls a server function as the program in the browser does.
    pub async fn script_form(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        self.form_accepting("application/json", path, fields).await
    }

    async fn form_accepting(&self, accept: &str, path: &str, fields: &[(&str, &str)]) -> Reply {
        let body = url_encoded(fields);
        let request = self
            .request(Method::POST, path)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", accept)
            .header("origin", &self.url)
            .header("sec-fetch-site", "same-origin")
            .body(body);
        Reply::of(request).await
    }
}

/// Encodes names and values as `application/x-www-form-urlencoded`.
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

/// A complete response.
#[derive(Debug)]
pub struct Reply {
    /// Status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body as text.
    pub text: String,
}

impl Reply {
    /// Sends a request and reads the whole response.
    pub async fn of(request: RequestBuilder) -> Self {
        let response = request.send().await.expect("the server answers");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.expect("the answer is text");
        Self { status, headers, text }
    }

    /// Returns the body as JSON; `null` if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    /// Asserts the status and returns the body as JSON.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "answered: {}", self.text);
        self.json()
    }

    /// Asserts status 200 and returns the page.
    #[track_caller]
    pub fn expect_page(self) -> String {
        assert_eq!(self.status, 200, "answered: {}", self.text);
        self.text
    }

    /// Asserts the status and returns the error code.
    #[track_caller]
    pub fn refused(self, status: u16) -> String {
        let body = self.expect(status);
        body["error"]["code"].as_str().unwrap_or_else(|| panic!("no error code in {body}")).to_owned()
    }

    /// Name and value of the cookie that carries the result of a form to its page.
    pub fn result_cookie(&self) -> Option<(String, String)> {
        let cookies = self.headers.get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok());
        let mut pairs = cookies.filter_map(|cookie| cookie.split(';').next()?.split_once('='));
        let (name, value) =
            pairs.find(|(name, value)| name.starts_with("__Host-result-") && !value.is_empty())?;
        Some((name.to_owned(), value.to_owned()))
    }

    /// The path to which a form leads, with the words of its result in place of their id.
    pub fn result_location(&self) -> String {
        let location = self.header("location");
        let Some((name, value)) = self.result_cookie() else { return location.to_owned() };
        let id = name.trim_start_matches("__Host-result-");
        let (_, text) = value.split_once('.').expect("the moment");
        let (words, _) = text.rsplit_once('.').expect("the signature");
        location.replace(&format!("r={id}"), words)
    }

    /// Returns a header as text; empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}
