//! Authentication: session cookies on pages, tokens on the API, never the other way round.

use super::{Web, origin};
use crate::process::client::parse_address;
use app::server_fns::ssr::mark_prefix;
use async_trait::async_trait;
use axum::{
    extract::{ConnectInfo, OriginalUri},
    http::{HeaderMap, Method, header, request::Parts},
};
use domain::{
    Actor, DomainError,
    account::{KnownBrowserCookie, Scope, SessionSecret},
};
use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::{Duration, Instant},
};

/// How long the result of an authentication is reused. A request whose body arrives more slowly is
/// authenticated again.
const REUSE_FOR: Duration = Duration::from_secs(1);

/// Paths that a token of the scope `signal` may use.
const SIGNALS: [&str; 2] = ["/api/v1/signals", "/api/v1/signals/bulk"];

/// Paths that a session may use whose account must add a second factor: the profile with what it reads, log-ins, and
/// what ends the access of others.
const SECOND_FACTOR_PATHS: [&str; 25] = [
    "/settings/profile",
    "/login",
    "/fn/second_factor",
    "/fn/identities",
    "/fn/create_second_factor",
    "/fn/add_second_factor",
    "/fn/new_recovery_codes",
    "/fn/passkeys",
    "/fn/begin_passkey",
    "/fn/add_passkey",
    "/fn/remove_passkey",
    "/fn/turn_password_off",
    "/fn/begin_passkey_confirmation",
    "/fn/confirm_with_passkey",
    "/fn/begin_passkey_log_in",
    "/fn/log_in_with_passkey",
    "/fn/sessions",
    "/fn/tokens",
    "/fn/needs_set_up",
    "/fn/log_in",
    "/fn/complete_log_in",
    "/fn/log_out",
    "/fn/change_password",
    "/fn/end_session",
    "/fn/end_other_sessions",
];

/// Server functions that a session may call within [`domain::input_limits::PASSWORD_GRACE_MS`] after its last proof only: what
/// they change outlives it. Those that ask for the password in their own form are not among them.
const PROOF_PATHS: [&str; 12] = [
    "/fn/add_channel",
    "/fn/edit_channel",
    "/fn/delete_channel",
    "/fn/set_mail_server",
    "/fn/remove_mail_server",
    "/fn/disable_account",
    "/fn/enable_account",
    "/fn/create_group",
    "/fn/change_group",
    "/fn/delete_group",
    "/fn/create_feed",
    "/fn/release_delivery_hold",
];

/// Result of the authentication of a request, stored in its extensions.
#[derive(Debug, Clone)]
pub struct Authenticated {
    actor: Actor,
    /// Scope of the token; `None`: it was a session.
    scope: Option<Scope>,
    since: Instant,
}

impl Authenticated {
    /// Returns the result for a token.
    #[must_use]
    pub fn by_token(actor: Actor, scope: Scope) -> Self {
        Self { actor, scope: Some(scope), since: Instant::now() }
    }

    /// Returns the result for a session.
    #[must_use]
    pub fn by_session(actor: Actor) -> Self {
        Self { actor, scope: None, since: Instant::now() }
    }

    fn of(head: &Parts) -> Option<&Self> {
        head.extensions.get::<Self>().filter(|known| known.since.elapsed() < REUSE_FOR)
    }
}

/// Finds the account behind a secret. `None`: the secret is unknown or no longer valid.
#[async_trait]
pub trait Authenticator: Send + Sync + 'static {
    /// Returns the account of a session, and records that the session was used.
    async fn session(&self, secret: &SessionSecret) -> Result<Option<Actor>, DomainError>;
    /// Returns the account of a session, without recording that it was used.
    async fn peek_session(&self, secret: &SessionSecret) -> Result<Option<Actor>, DomainError>;
    /// Returns the owner and the scope of a token.
    async fn token(&self, token: &str) -> Result<Option<(Actor, Scope)>, DomainError>;
}

/// Name of the session cookie.
#[must_use]
pub fn cookie_name(is_secure: bool) -> &'static str {
    if is_secure { "__Host-sid" } else { "sid" }
}

/// Returns the session secret of a request, if it has one.
#[must_use]
pub fn session_secret(web: &Web, headers: &HeaderMap) -> Option<SessionSecret> {
    let name = cookie_name(web.address.is_secure());
    let jar = axum_extra::extract::CookieJar::from_headers(headers);
    jar.get(name).map(|cookie| SessionSecret(cookie.value().to_owned()))
}

/// Returns the cookies of accounts that have logged in with this browser.
#[must_use]
pub fn known_browsers(web: &Web, headers: &HeaderMap) -> Vec<KnownBrowserCookie> {
    let prefix = mark_prefix(web.address.is_secure());
    let jar = axum_extra::extract::CookieJar::from_headers(headers);
    let cookies = jar.iter().filter(|cookie| cookie.name().starts_with(prefix));
    cookies.map(|cookie| KnownBrowserCookie(cookie.value().to_owned())).collect()
}

/// Returns the bearer token of a request, if it has one.
#[must_use]
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Refuses a request that a token of this scope may not make: one that is read-only allows GET and
/// HEAD, one for signals nothing but them.
pub fn permit(scope: Scope, head: &Parts) -> Result<(), DomainError> {
    let path = head.extensions.get::<OriginalUri>().map_or(&head.uri, |uri| &uri.0).path();
    match scope {
        Scope::Write => Ok(()),
        Scope::Read if matches!(head.method, Method::GET | Method::HEAD) => Ok(()),
        Scope::Read => Err(DomainError::ReadOnly),
        Scope::Signal if head.method == Method::POST && SIGNALS.contains(&path) => Ok(()),
        Scope::Signal => Err(DomainError::SignalsOnly),
    }
}

/// Authenticates a request to the API; its token must permit it.
pub async fn token_actor(web: &Web, head: &Parts) -> Result<Actor, DomainError> {
    let token = bearer(&head.headers).ok_or(DomainError::NoToken)?;
    let (actor, scope) = match Authenticated::of(head) {
        Some(Authenticated { actor, scope: Some(scope), .. }) => (actor.clone(), *scope),
        _ => web.authenticator.token(token).await?.ok_or(DomainError::WrongToken)?,
    };
    permit(scope, head).map(|()| actor)
}

/// Returns the account that is logged in, by the session cookie of a request. `SecondFactorRequired` if it must add a
/// second factor first, and this request does something else. `ProofNeeded` if it needs a younger proof.
pub async fn session_actor(
    web: &Web,
    head: &Parts,
    secret: &SessionSecret,
) -> Result<Option<Actor>, DomainError> {
    let actor = match Authenticated::of(head) {
        Some(Authenticated { actor, scope: None, .. }) => Some(actor.clone()),
        _ => web.authenticator.session(secret).await?,
    };
    if let Some(actor) = &actor
        && !SECOND_FACTOR_PATHS.contains(&head.uri.path())
    {
        require_second_factor(actor)?;
    }
    if let Some(actor) = &actor
        && PROOF_PATHS.contains(&head.uri.path())
        && actor.needs_password(web.parts.clock.now())
    {
        return Err(DomainError::ProofNeeded);
    }
    Ok(actor)
}

/// Refuses a session whose account must add a second factor first.
pub fn require_second_factor(actor: &Actor) -> Result<(), DomainError> {
    let must_add = actor.session.as_ref().is_some_and(|session| session.must_add_second_factor);
    if must_add { Err(DomainError::SecondFactorRequired) } else { Ok(()) }
}

/// Returns the IP address of the client: the nearest one that is not a trusted proxy.
#[must_use]
pub fn client_address(web: &Web, head: &Parts) -> IpAddr {
    let mut address = peer(head);
    let hops = head.headers.get_all("x-forwarded-for");
    let hops: Vec<&str> =
        hops.iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).collect();
    for hop in hops.into_iter().rev() {
        if !web.address.proxies.iter().any(|proxy| proxy.contains(address)) {
            break;
        }
        let Some(hop) = parse_address(hop) else { break };
        address = hop;
    }
    address
}

/// Whether a request comes from this machine, and not through a proxy.
#[must_use]
pub fn is_local(head: &Parts) -> bool {
    origin::is_local(peer(head), &head.headers)
}

fn peer(head: &Parts) -> IpAddr {
    let peer = head.extensions.get::<ConnectInfo<SocketAddr>>();
    peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip().to_canonical())
}
