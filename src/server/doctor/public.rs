//! Checks of the way from browsers to this desk: HTTPS, the public URL, and buffering proxies.

use super::{Finding, Mark, found};
use crate::{
    http::{self, health::probe},
    process::{
        config::{CertificateFiles, Config},
        tls_roots::TlsRoots,
    },
    server,
};
use domain::{
    Clock as _, Timestamp,
    clock::SystemClock,
    health::{IssueDetail, format_utc},
};
use engine::error_chain;
use reqwest::{Client, StatusCode, redirect::Policy};
use std::time::{Duration, Instant};
use store::{PoolRole, Store, db_identity};
use uuid::Uuid;

/// Timeout for the whole answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of bytes of the answer that are read.
const MAX_BYTES: usize = 4 * 1024;

/// What browsers lose without HTTPS, and whether the certificate can be used.
pub(super) fn https(config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(files) = &config.https.certificate {
        findings.push(match server::tls(config) {
            Ok(tls) => certificate(tls.map(|tls| tls.expires_at()), files),
            Err(error) => found(Mark::Fail, "https", error.to_string()),
        });
    }
    if let Err(error) = config.https.check_redirect(config.public_url.as_deref()) {
        findings.push(found(Mark::Fail, "https", error.to_string()));
    }
    let url = server::open::likely_url(config);
    let address = http::Address::new(url, config.public_url.is_some(), Vec::new(), Vec::new());
    if !address.is_secure() {
        let how = format!(
            "{} is not encrypted: passwords can be read on the way, and browsers offer no push messages (Web Push) and, later, no passkeys; use --tls-cert, or a proxy with HTTPS",
            address.public_url
        );
        findings.push(found(Mark::Warn, "https", how));
    }
    findings
}

/// Whether the certificate has expired, or expires soon.
fn certificate(expires_at: Option<Timestamp>, files: &CertificateFiles) -> Finding {
    let (file, now) = (files.cert.display(), SystemClock.now());
    let expires_at = expires_at.unwrap_or(now);
    match IssueDetail::of_certificate(expires_at, now) {
        None => {
            let how = format!("the certificate in {file} is valid until {}", format_utc(expires_at));
            found(Mark::Ok, "https", how)
        }
        Some(issue @ IssueDetail::CertificateExpired { .. }) => {
            found(Mark::Fail, "https", format!("{issue} ({file})"))
        }
        Some(issue) => found(Mark::Warn, "https", format!("{issue} ({file})")),
    }
}

/// What the public URL answered to a probe.
#[derive(Debug)]
struct ProbeAnswer {
    text: String,
    /// Time between the beginning and the end of the answer.
    duration: Duration,
}

/// Asks the public URL which desk it is; `None`: no public URL is configured. A server need not run while
/// the checks do.
pub(super) async fn url(config: &Config, desk: Option<&Store>) -> Option<Finding> {
    let url = config.public_url.as_deref()?;
    let challenge = Uuid::new_v4().simple().to_string();
    let answer = match ask(config, url, &challenge).await {
        Ok(answer) => answer,
        Err(why) => return Some(found(Mark::Warn, "public", format!("{url} {why}"))),
    };
    // After the answer: the first probe of a new desk creates its id.
    let expected = match desk {
        Some(store) => desk_id(store).await.map(|desk| probe::identity(desk, &challenge)),
        None => None,
    };
    Some(judge(url, &answer, expected.as_deref()))
}

async fn desk_id(store: &Store) -> Option<Uuid> {
    db_identity::find_desk_id(store.read(PoolRole::Web).await.ok()?.conn()).await.ok()?
}

/// Sends the probe. The error completes "URL …".
async fn ask(config: &Config, url: &str, challenge: &str) -> Result<ProbeAnswer, String> {
    let silent = |why: &str| {
        format!(
            "does not answer this machine: {why}; if the server is running, check DNS, proxy and certificate"
        )
    };
    let trust = TlsRoots::read(config.extra_ca_certs.as_deref()).unwrap_or_default();
    let tls = trust.client().map_err(|why| silent(&why.to_string()))?;
    let client = Client::builder().tls_backend_preconfigured(tls).no_proxy().redirect(Policy::none());
    let client = client.timeout(TIMEOUT).build().map_err(|why| silent(&error_chain(&why)))?;
    let sent = client.get(format!("{url}/healthz?challenge={challenge}")).send().await;
    let mut response = sent.map_err(|why| silent(&error_chain(&why)))?;
    if response.status() != StatusCode::OK {
        return Err(format!("answers {} to /healthz; check the proxy", response.status()));
    }
    let (mut bytes, mut begun) = (Vec::new(), None);
    while let Some(chunk) = response.chunk().await.map_err(|why| silent(&error_chain(&why)))? {
        begun.get_or_insert_with(Instant::now);
        bytes.extend_from_slice(&chunk);
        if bytes.len() > MAX_BYTES {
            break;
        }
    }
    let duration = begun.map(|begun| begun.elapsed()).unwrap_or_default();
    Ok(ProbeAnswer { text: String::from_utf8_lossy(&bytes).into_owned(), duration })
}

/// Compares the answer with the one of this desk; `expected` is `None` if it is not known.
fn judge(url: &str, answer: &ProbeAnswer, expected: Option<&str>) -> Finding {
    let values: Vec<&str> =
        answer.text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim).collect();
    let (Some(identity), true) = (values.first(), values.contains(&"end")) else {
        let how =
            format!("{url} answers, but not as a desk of this release; check --public-url and the proxy");
        return found(Mark::Warn, "public", how);
    };
    if expected.is_some_and(|expected| expected != *identity) {
        let how = format!(
            "{url} is another desk, so links in messages lead there; check --public-url and the proxy"
        );
        return found(Mark::Fail, "public", how);
    }
    if answer.duration < probe::PAUSE / 2 {
        let how = format!(
            "a proxy before {url} buffers responses, so pages do not update by themselves; turn that off (proxy_buffering off)"
        );
        return found(Mark::Warn, "public", how);
    }
    let who = if expected.is_some() { "is this desk" } else { "is a desk" };
    found(Mark::Ok, "public", format!("{url} {who} and passes the live stream on without delay"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://desk.example.org";

    fn judged(text: &str, duration: Duration, expected: Option<&str>) -> (Mark, String) {
        let finding = judge(URL, &ProbeAnswer { text: text.to_owned(), duration }, expected);
        (finding.mark, finding.how)
    }

    #[test]
    fn the_answer_shows_this_desk_from_others_and_a_stream_from_a_buffer() {
        let text = "event: desk\ndata: abc\n\nevent: end\ndata: end\n\n";
        let slow = probe::PAUSE;
        for (text, duration, expected, mark, words) in [
            (text, slow, Some("abc"), Mark::Ok, "is this desk"),
            (text, slow, None, Mark::Ok, "is a desk"),
            (text, slow, Some("def"), Mark::Fail, "another desk"),
            (text, Duration::ZERO, Some("abc"), Mark::Warn, "buffers"),
            ("ok", Duration::ZERO, Some("abc"), Mark::Warn, "not as a desk of this release"),
            ("data: abc\n\n", slow, Some("abc"), Mark::Warn, "not as a desk of this release"),
            ("", Duration::ZERO, None, Mark::Warn, "not as a desk of this release"),
        ] {
            let (found, how) = judged(text, duration, expected);
            assert!(found == mark && how.contains(words), "{text:?}: {found:?} {how}");
        }
    }

    #[test]
    fn an_address_without_https_is_reported_unless_it_is_this_machine() {
        let marks = |public_url: Option<&str>, listen: &str| -> Vec<Mark> {
            let public_url = public_url.map(str::to_owned);
            let config = Config { public_url, listen: listen.to_owned(), ..Config::new("d") };
            https(&config).into_iter().map(|finding| finding.mark).collect()
        };
        assert!(marks(None, "127.0.0.1:3000").is_empty());
        assert!(marks(Some(URL), "127.0.0.1:3000").is_empty());
        assert_eq!(marks(Some("http://desk.example.org"), "127.0.0.1:3000"), [Mark::Warn]);
        assert_eq!(marks(None, "0.0.0.0:3000"), [Mark::Warn]);
    }
}
