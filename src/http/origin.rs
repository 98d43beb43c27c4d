//! Checks the `Host` and the `Origin` of requests.
//!
//! A page of another site can make a browser send requests to this server under a name that it
//! controls (DNS rebinding). So a request must name a host of this server, and a form must come
//! from one of its pages.

use super::{Address, header::header_text};
use axum::{
    extract::Request,
    http::{HeaderMap, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::Host;

/// Paths that accept any host: they reveal nothing, and load balancers request them by IP address.
/// `/metrics` has its own check.
const ANY_HOST: [&str; 3] = ["/healthz", "/readyz", "/metrics"];
/// Maximum length of a host that an error repeats, characters.
const MAX_SHOWN_CHARS: usize = 100;

/// A host and a port, as in `Host` and `Origin`. `None`: the default port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authority {
    /// A lower-case name without a trailing dot, or an IP address.
    pub host: Host,
    /// The port.
    pub port: Option<u16>,
}

impl Authority {
    /// Parses `host`, `host:port` or `[::1]:port`, strictly.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (inside, port) = rest.split_once(']')?;
                (of_ip(IpAddr::V6(inside.parse::<Ipv6Addr>().ok()?)), port)
            }
            None => {
                let end = text.find(':').unwrap_or(text.len());
                let (name, port) = text.split_at(end);
                (of_name(name)?, port)
            }
        };
        let port = match port.strip_prefix(':') {
            None if port.is_empty() => None,
            None => return None,
            Some("") => None,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(digits.parse().ok()?),
            Some(_) => return None,
        };
        Some(Self { host, port })
    }

    /// Whether the host is this machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        match &self.host {
            Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
            Host::Ipv4(ip) => ip.is_loopback(),
            Host::Ipv6(ip) => ip.is_loopback(),
        }
    }
}

fn of_name(name: &str) -> Option<Host> {
    let name = name.strip_suffix('.').unwrap_or(name);
    if let Ok(ip) = name.parse::<Ipv4Addr>() {
        return Some(Host::Ipv4(ip));
    }
    let is_name = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    is_name.then(|| Host::Domain(name.to_ascii_lowercase()))
}

fn of_ip(ip: IpAddr) -> Host {
    match ip.to_canonical() {
        IpAddr::V4(ip) => Host::Ipv4(ip),
        IpAddr::V6(ip) => Host::Ipv6(ip),
    }
}

/// Returns the host of a request, if it names exactly one.
#[must_use]
pub fn host(headers: &HeaderMap) -> Option<Authority> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (only, None) = (hosts.next()?, hosts.next()) else { return None };
    Authority::parse(only.to_str().ok()?)
}

/// Refuses a request for a foreign host, and a form from a foreign page.
pub fn refuse(address: &Address, request: &Request) -> Option<Response> {
    if ANY_HOST.contains(&request.uri().path()) {
        return None;
    }
    let Some(named) = host(request.headers()) else {
        let text = "the request must name one host, in a Host header like desk.example.org";
        return Some((StatusCode::BAD_REQUEST, text).into_response());
    };
    let in_uri = request.uri().authority().map(|authority| Authority::parse(authority.as_str()));
    let all = [Some(Some(named.clone())), in_uri];
    for one in all.into_iter().flatten() {
        if !one.as_ref().is_some_and(|one| address.is_own(one)) {
            return Some(misdirected(one.as_ref()));
        }
    }
    let is_change = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if is_change && !is_from_own_page(address, &named, request.headers()) {
        let text =
            format!("the form came from a page of another site; open the desk at {}", address.public_url);
        return Some((StatusCode::FORBIDDEN, text).into_response());
    }
    None
}

fn misdirected(host: Option<&Authority>) -> Response {
    let name: String =
        host.map(|one| one.host.to_string()).unwrap_or_default().chars().take(MAX_SHOWN_CHARS).collect();
    let text = format!(
        "{name:?} is not a host name of this server; to use it, start the server with --public-url or --hosts"
    );
    (StatusCode::MISDIRECTED_REQUEST, text).into_response()
}

/// Whether the `Origin` of a request is this server: the public URL, or the host that the request
/// was sent to. True without one.
fn is_from_own_page(address: &Address, named: &Authority, headers: &HeaderMap) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else { return true };
    let Some((scheme, text)) = origin.to_str().ok().and_then(|origin| origin.split_once("://")) else {
        return false;
    };
    let Some(origin) = Authority::parse(text) else { return false };
    let default_port = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return false,
    };
    let is_same = |one: &Authority| {
        one.host == origin.host && one.port.unwrap_or(default_port) == origin.port.unwrap_or(default_port)
    };
    let is_public_scheme = address.public_url.split_once("://").is_some_and(|(own, _)| own == scheme);
    let is_public = is_public_scheme && address.own.as_ref().is_some_and(is_same);
    let is_sent_to = is_same(named) && (is_public_scheme || named.is_loopback());
    origins.next().is_none() && (is_public || is_sent_to)
}

/// Whether a request comes from this machine and not through a proxy, by its peer, its `Host` and
/// the headers of proxies.
#[must_use]
pub fn is_local(peer: IpAddr, headers: &HeaderMap) -> bool {
    const PROXY_HEADERS: [&str; 6] =
        ["x-forwarded-for", "forwarded", "via", "x-real-ip", "x-forwarded-host", "x-forwarded-proto"];
    let is_forwarded = PROXY_HEADERS.iter().any(|name| headers.contains_key(*name));
    peer.is_loopback() && !is_forwarded && host(headers).is_some_and(|host| host.is_loopback())
}

/// Whether a request names no origin. Browsers always send one with a form.
#[must_use]
pub fn is_missing(headers: &HeaderMap) -> bool {
    header_text::text(headers, &header::ORIGIN).is_empty() && !headers.contains_key("sec-fetch-site")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn address(public_url: &str, is_configured: bool, hosts: &[&str]) -> Address {
        let hosts = hosts.iter().map(|host| host.parse().unwrap()).collect();
        Address::new(public_url.to_owned(), is_configured, Vec::new(), hosts)
    }

    fn status(address: &Address, uri: &str, headers: &[(&str, &str)]) -> u16 {
        let method = if headers.iter().any(|(name, _)| *name == "origin") { "POST" } else { "GET" };
        let mut request = Request::builder().uri(uri).method(method);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).unwrap();
        refuse(address, &request).map_or(200, |answer| answer.status().as_u16())
    }

    #[test]
    fn a_host_is_the_public_one_or_this_machine_or_listed() {
        let own = address("https://desk.example.org", true, &["other.example", "*.lan"]);
        for (host, expected) in [
            ("desk.example.org", 200),
            ("desk.example.org:443", 200),
            ("DESK.Example.org.", 200),
            ("localhost:3000", 200),
            ("a.localhost", 200),
            ("127.0.0.1", 200),
            ("127.9.9.9:1", 200),
            ("[::1]:3000", 200),
            ("[::ffff:127.0.0.1]", 200),
            ("other.example:8080", 200),
            ("node1.lan", 200),
            ("lan", 421),
            ("evil.example", 421),
            ("desk.example.org.evil.example", 421),
            ("10.0.0.1", 421),
            ("0x7f.1", 421),
            ("2130706433", 421),
            ("", 400),
            ("desk.example.org@evil.example", 400),
            ("evil.example/desk.example.org", 400),
            ("desk.example.org:80x", 400),
            ("desk.example.org:99999", 400),
            ("[::1", 400),
            ("[::1]x", 400),
            ("::1", 400),
        ] {
            assert_eq!(status(&own, "/", &[("host", host)]), expected, "{host:?}");
        }
        assert_eq!(status(&own, "/", &[]), 400);
        assert_eq!(status(&own, "/", &[("host", "localhost"), ("host", "localhost")]), 400);
        assert_eq!(status(&own, "http://evil.example/", &[("host", "localhost")]), 421);
        assert_eq!(status(&own, "/healthz", &[("host", "10.0.0.1")]), 200);
    }

    #[test]
    fn without_a_public_url_addresses_are_known_and_names_are_not() {
        let own = address("http://0.0.0.0:3000", false, &[]);
        for (host, expected) in
            [("192.168.1.5:3000", 200), ("[fe80::1]:3000", 200), ("localhost", 200), ("desk.lan", 421)]
        {
            assert_eq!(status(&own, "/", &[("host", host)]), expected, "{host}");
        }
    }

    #[test]
    fn a_form_needs_the_origin_of_the_server() {
        let own = address("https://desk.example.org", true, &["other.example"]);
        for (host, origin, expected) in [
            ("desk.example.org", "https://desk.example.org", 200),
            ("desk.example.org", "https://desk.example.org:443", 200),
            ("127.0.0.1:3000", "https://desk.example.org", 200),
            ("localhost:3000", "http://localhost:3000", 200),
            ("other.example", "https://other.example", 200),
            ("other.example", "http://other.example", 403),
            ("desk.example.org", "http://desk.example.org", 403),
            ("desk.example.org", "https://desk.example.org:8443", 403),
            ("localhost:3000", "http://localhost:3001", 403),
            ("desk.example.org", "", 403),
            ("desk.example.org", "null", 403),
            ("desk.example.org", "https://", 403),
            ("desk.example.org", "ftp://desk.example.org", 403),
            ("desk.example.org", "https://desk.example.org/", 403),
            ("desk.example.org", "https://desk.example.org.evil.example", 403),
        ] {
            assert_eq!(
                status(&own, "/", &[("host", host), ("origin", origin)]),
                expected,
                "{host} {origin:?}"
            );
        }
    }
}
