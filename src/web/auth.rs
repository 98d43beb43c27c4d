//! Who is asking: a session's cookie on pages, a token on the API, never the other way round.

use super::{Web, origin};
use crate::client::parse_address;
use app::calls::ssr::mark_prefix;
use async_trait::async_trait;
use axum::{
    extract::ConnectInfo,
    http::{HeaderMap, Method, header, request::Parts},
};
use domain::{
    Actor, Refusal,
    person::{BrowserMark, Scope, SessionSecret},
};
use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::{Duration, Instant},
};

/// How long after it was found out who sends a request that is believed: a body that comes slowly is asked about again.
const KNOWN_FOR: Duration = Duration::from_secs(1);

/// Who sends a request, found out from its head. In the extensions of the request.
#[derive(Debug, Clone)]
pub struct Known {
    actor: Actor,
    /// What the token opens; `None`: it was a session.
    scope: Option<Scope>,
    since: Instant,
}

impl Known {
    /// By a token.
    #[must_use]
    pub fn by_token(actor: Actor, scope: Scope) -> Self {
        Self { actor, scope: Some(scope), since: Instant::now() }
    }

    /// By a session.
    #[must_use]
    pub fn by_session(actor: Actor) -> Self {
        Self { actor, scope: None, since: Instant::now() }
    }

    fn of(head: &Parts) -> Option<&Self> {
        head.extensions.get::<Self>().filter(|known| known.since.elapsed() < KNOWN_FOR)
    }
}

/// Tells who holds a secret. `None`: nobody, or nobody any more.
#[async_trait]
pub trait Door: Send + Sync + 'static {
    /// The person who logged in, at this moment.
    async fn session(&self, secret: &SessionSecret) -> Result<Option<Actor>, Refusal>;
    /// The same, without noting that the session was used.
    async fn look(&self, secret: &SessionSecret) -> Result<Option<Actor>, Refusal>;
    /// The person who owns the token, at this moment, and what it opens.
    async fn token(&self, token: &str) -> Result<Option<(Actor, Scope)>, Refusal>;
}

/// Name of the session's cookie.
#[must_use]
pub fn cookie_name(is_secure: bool) -> &'static str {
    if is_secure { "__Host-sid" } else { "sid" }
}

/// The session's secret a request carries, if it carries one.
#[must_use]
pub fn session_secret(web: &Web, headers: &HeaderMap) -> Option<SessionSecret> {
    let name = cookie_name(web.address.is_secure());
    let jar = axum_extra::extract::CookieJar::from_headers(headers);
    jar.get(name).map(|cookie| SessionSecret(cookie.value().to_owned()))
}

/// The marks of accounts that have logged in with this browser.
#[must_use]
pub fn browser_marks(web: &Web, headers: &HeaderMap) -> Vec<BrowserMark> {
    let prefix = mark_prefix(web.address.is_secure());
    let jar = axum_extra::extract::CookieJar::from_headers(headers);
    let marks = jar.iter().filter(|cookie| cookie.name().starts_with(prefix));
    marks.map(|cookie| BrowserMark(cookie.value().to_owned())).collect()
}

/// The token a request carries in its `Authorization` header, if it carries one.
#[must_use]
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The person behind a request to the API. A token that may only read is good for GET: nothing there changes anything.
pub async fn token_actor(web: &Web, head: &Parts) -> Result<Actor, Refusal> {
    let token = bearer(&head.headers).ok_or(Refusal::LogIn)?;
    let (actor, scope) = match Known::of(head) {
        Some(Known { actor, scope: Some(scope), .. }) => (actor.clone(), *scope),
        _ => web.door.token(token).await?.ok_or(Refusal::LogIn)?,
    };
    let only_reads = matches!(head.method, Method::GET | Method::HEAD);
    if only_reads || scope == Scope::Write { Ok(actor) } else { Err(Refusal::ReadOnly) }
}

/// The person who is logged in, by the cookie of a request.
pub async fn session_actor(
    web: &Web,
    head: &Parts,
    secret: &SessionSecret,
) -> Result<Option<Actor>, Refusal> {
    match Known::of(head) {
        Some(Known { actor, scope: None, .. }) => Ok(Some(actor.clone())),
        _ => web.door.session(secret).await,
    }
}

/// The address a request comes from: the nearest one that is not a proxy of ours.
#[must_use]
pub fn client_address(web: &Web, head: &Parts) -> IpAddr {
    let mut address = peer(head);
    let hops = head.headers.get_all("x-forwarded-for");
    let hops: Vec<&str> =
        hops.iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).collect();
    for hop in hops.into_iter().rev() {
        if !web.address.proxies.iter().any(|proxy| proxy.to_canonical() == address) {
            break;
        }
        let Some(hop) = parse_address(hop) else { break };
        address = hop;
    }
    address
}

/// Whether a request was made on this machine, by no proxy.
#[must_use]
pub fn is_local(head: &Parts) -> bool {
    origin::is_local(peer(head), &head.headers)
}

fn peer(head: &Parts) -> IpAddr {
    let peer = head.extensions.get::<ConnectInfo<SocketAddr>>();
    peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip().to_canonical())
}
