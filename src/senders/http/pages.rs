//! What is read by a GET: pages, their beginning, files, and whether an address answers. Redirects are followed.

use super::{HttpSender, first_bytes, forbidden, head};
use reqwest::{Response, header};

/// Follows at most this many redirects of a download.
const MAX_REDIRECTS: usize = 3;

/// Why an address has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// The egress rules forbid it, or it cannot be read.
    #[error("the address {0}")]
    Forbidden(String),
    /// No connection.
    #[error("no connection")]
    NoConnection,
    /// A timeout.
    #[error("no answer in time")]
    TimedOut,
    /// It leads to too many other addresses, or to one that cannot be read.
    #[error("it leads to an address that cannot be read, or to more than {MAX_REDIRECTS} others")]
    Redirects,
    /// This machine cannot connect over HTTP.
    #[error("this machine cannot connect over HTTP")]
    NoClient,
}

/// The beginning of a page.
#[derive(Debug)]
pub struct PageStart {
    /// Status code.
    pub status: u16,
    /// Content type; empty: the server names none.
    pub content_type: String,
    /// The first bytes.
    pub bytes: Vec<u8>,
}

impl HttpSender {
    /// Downloads at most `max` bytes. Each redirect must keep the egress rules. An error is a sentence.
    pub async fn download(&self, address: &str, max: usize) -> Result<Vec<u8>, String> {
        whole_body(self.open(address).await.map_err(|why| why.to_string())?, max).await
    }

    /// Reads a page as a reader, without cookies: its first `max` bytes. Each redirect must keep the egress rules.
    pub async fn read_start(&self, address: &str, max: usize) -> Result<PageStart, NoAnswer> {
        let mut response = self.open(address).await?;
        let status = response.status().as_u16();
        let content_type = head(&response, header::CONTENT_TYPE).unwrap_or_default();
        let (bytes, _) = first_bytes(&mut response, max)
            .await
            .map_err(|why| if why.is_timeout() { NoAnswer::TimedOut } else { NoAnswer::NoConnection })?;
        Ok(PageStart { status, content_type, bytes })
    }

    /// Returns the status with which an address answers. Each redirect must keep the egress rules. The
    /// body is not read.
    pub async fn probe(&self, address: &str) -> Result<u16, NoAnswer> {
        self.open(address).await.map(|response| response.status().as_u16())
    }

    /// Opens an address, and follows its redirects.
    async fn open(&self, address: &str) -> Result<Response, NoAnswer> {
        let mut address = self.encrypted(address);
        for _ in 0..=MAX_REDIRECTS {
            let url = self.rules.check(&address).map_err(|wrong| NoAnswer::Forbidden(wrong.to_string()))?;
            let client = self.client_for(&url).ok_or(NoAnswer::NoClient)?;
            let sent = client.get(url.clone()).send().await;
            let response = sent.map_err(|why| match forbidden(&why) {
                Some(forbidden) => NoAnswer::Forbidden(forbidden.to_string()),
                None if why.is_timeout() => NoAnswer::TimedOut,
                None => NoAnswer::NoConnection,
            })?;
            let next = response.headers().get(header::LOCATION).and_then(|to| to.to_str().ok());
            match next.filter(|_| response.status().is_redirection()).map(|to| url.join(to)) {
                Some(Ok(next)) => address = self.encrypted(next.as_str()),
                Some(Err(_)) => return Err(NoAnswer::Redirects),
                None => return Ok(response),
            }
        }
        Err(NoAnswer::Redirects)
    }

    /// Returns an address with encryption, unless the rules allow none.
    fn encrypted(&self, address: &str) -> String {
        match address.strip_prefix("http://") {
            Some(rest) if !self.rules.allow_http => format!("https://{rest}"),
            _ => address.to_owned(),
        }
    }
}

async fn whole_body(mut response: Response, max: usize) -> Result<Vec<u8>, String> {
    let status = response.status();
    if !status.is_success() {
        return Err(format!("the server answered {}", status.as_u16()));
    }
    let too_large = || format!("it is larger than {max} bytes");
    if response.content_length().is_some_and(|bytes| bytes > max as u64) {
        return Err(too_large());
    }
    let (bytes, has_more) = first_bytes(&mut response, max).await.map_err(|_| "it was cut off".to_owned())?;
    if has_more { Err(too_large()) } else { Ok(bytes) }
}
