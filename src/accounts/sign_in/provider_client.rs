//! Requests to a provider: its description, its keys, the exchange of a code, and who a token is about. All of them keep
//! the egress rules, and have limits of size and time.

use super::{
    id_token::{Claims, PublicKey, keys_of},
    secret_place,
};
use crate::{
    accounts::AccountService,
    senders::http::{TOO_LONG, Verb},
};
use domain::{
    ProviderId, Timestamp,
    accounts::sign_in::{MAX_CLOCK_DIFFERENCE_SECONDS, SignInProblem},
    channel::AddressError,
    delivery::Outcome,
};
use reqwest::{RequestBuilder, header};
use serde::Deserialize;
use serde_json::Value;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use store::sign_in::ProviderRecord;
use url::{Url, form_urlencoded};
use uuid::Uuid;

/// Maximum size of an answer, bytes.
const MAX_ANSWER_BYTES: usize = 256 * 1024;
/// Timeout for one request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(8);
/// How long description and keys are used, milliseconds.
const KNOWN_FOR_MS: i64 = 3_600_000;
/// Minimum interval between two reads because of an unknown key, milliseconds.
const KEYS_AGAIN_MS: i64 = 60_000;
/// Path of the description below the issuer.
const DESCRIPTION: &str = "/.well-known/openid-configuration";

/// What a provider says about itself.
#[derive(Debug, Clone, Deserialize)]
pub struct Description {
    issuer: String,
    /// Where the browser goes.
    pub authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    /// Whether its responses name the issuer.
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

/// Description and keys of a provider.
#[derive(Debug)]
pub struct Known {
    /// What it says about itself.
    pub description: Description,
    /// Its keys.
    pub keys: Vec<PublicKey>,
    read_at: Timestamp,
    /// How far its clock is ahead of ours, seconds; `None`: it does not say.
    clock_difference: Option<i64>,
}

impl Known {
    /// Whether its clock and ours are so far apart that tokens are refused.
    pub fn has_other_clock(&self) -> bool {
        self.clock_difference.is_some_and(|seconds| seconds.abs() > MAX_CLOCK_DIFFERENCE_SECONDS)
    }
}

/// Providers whose description was read. Bounded by the number of providers.
#[derive(Debug, Default)]
pub struct KnownProviders(Mutex<HashMap<Uuid, Arc<Known>>>);

impl KnownProviders {
    fn find(&self, id: Uuid) -> Option<Arc<Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    fn put(&self, id: Uuid, known: &Arc<Known>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(known));
    }

    /// Forgets a provider.
    pub fn forget(&self, id: Uuid) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }
}

/// The tokens of a code.
#[derive(Deserialize)]
pub struct Tokens {
    /// The ID token.
    pub id_token: Option<String>,
    access_token: Option<String>,
}

#[derive(Default, Deserialize)]
struct Failure {
    #[serde(default)]
    error: String,
}

/// Returns description and keys of a provider, which are at most an hour old.
pub async fn known(service: &AccountService, provider: &ProviderRecord) -> Result<Arc<Known>, SignInProblem> {
    let now = service.parts.clock.now();
    match service.known_providers.find(provider.id) {
        Some(known) if now.since(known.read_at) < KNOWN_FOR_MS => Ok(known),
        _ => read(service, provider).await,
    }
}

/// Reads description and keys of a provider.
pub async fn read(service: &AccountService, provider: &ProviderRecord) -> Result<Arc<Known>, SignInProblem> {
    let now = service.parts.clock.now();
    let address = format!("{}{DESCRIPTION}", provider.issuer.trim_end_matches('/'));
    let (described, date) = json(service, &address, None).await?;
    let description: Description =
        serde_json::from_value(described).map_err(|_| SignInProblem::Unreadable)?;
    if description.issuer != provider.issuer {
        return Err(SignInProblem::WrongIssuer);
    }
    check_for_browser(service, &description.authorization_endpoint)?;
    let (keys, _) = json(service, &description.jwks_uri, None).await?;
    let keys = keys_of(&keys).ok_or(SignInProblem::Unreadable)?;
    let clock_difference = date.map(|date| date.since(now) / 1_000);
    let known = Arc::new(Known { description, keys, read_at: now, clock_difference });
    service.known_providers.put(provider.id, &known);
    Ok(known)
}

/// Verifies the signature of a token. Reads the keys again for an unknown one, at most once a minute.
pub async fn verified(
    service: &AccountService,
    provider: &ProviderRecord,
    token: &str,
) -> Result<Claims, SignInProblem> {
    let known = known(service, provider).await?;
    match Claims::verified(token, &known.keys) {
        Err(SignInProblem::UnknownKey) if service.parts.clock.now().since(known.read_at) >= KEYS_AGAIN_MS => {
            Claims::verified(token, &read(service, provider).await?.keys)
        }
        verified => verified,
    }
}

/// Exchanges a code for tokens.
pub async fn exchange(
    service: &AccountService,
    provider: &ProviderRecord,
    known: &Known,
    (code, verifier, redirect_url): (&str, &str, &str),
) -> Result<Tokens, SignInProblem> {
    let secret = client_secret(service, provider)?;
    let methods = known.description.token_endpoint_auth_methods_supported.as_deref();
    let is_basic = methods.is_none_or(|all| all.iter().any(|one| one == "client_secret_basic"));
    let mut fields = vec![
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", redirect_url),
        ("code_verifier", verifier),
    ];
    let header = secret.as_ref().filter(|_| is_basic);
    let login = header.map(|secret| (encoded(&provider.client_id), encoded(secret)));
    if login.is_none() {
        fields.push(("client_id", &provider.client_id));
        fields.extend(secret.as_deref().map(|secret| ("client_secret", secret)));
    }
    let body = form_of(&fields);
    let fill = |request: RequestBuilder| match login {
        Some((user, password)) => request.basic_auth(user, Some(password)),
        None => request,
    };
    let (status, body, _) = call(service, &known.description.token_endpoint, Verb::Form(body), fill).await?;
    if status == 200 {
        return serde_json::from_slice(&body).map_err(|_| SignInProblem::Unreadable);
    }
    let failure: Failure = serde_json::from_slice(&body).unwrap_or_default();
    Err(match failure.error.as_str() {
        "invalid_client" | "unauthorized_client" => SignInProblem::ClientRefused,
        "invalid_grant" => SignInProblem::CodeRefused,
        _ => SignInProblem::ProviderError,
    })
}

/// Asks the provider about the person of these tokens, who must be `subject`. `None`: it cannot be asked.
pub async fn user_info(
    service: &AccountService,
    known: &Known,
    tokens: &Tokens,
    subject: &str,
) -> Result<Option<Claims>, SignInProblem> {
    let (Some(address), Some(token)) = (&known.description.userinfo_endpoint, &tokens.access_token) else {
        return Ok(None);
    };
    let (info, _) = json(service, address, Some(token)).await?;
    let Value::Object(info) = info else { return Err(SignInProblem::Unreadable) };
    let info = Claims(info);
    if info.id("sub") == Some(subject) { Ok(Some(info)) } else { Err(SignInProblem::MissingClaim) }
}

fn client_secret(
    service: &AccountService,
    provider: &ProviderRecord,
) -> Result<Option<String>, SignInProblem> {
    let Some(sealed) = &provider.client_secret else { return Ok(None) };
    let opened = service.parts.senders.vault.open(&secret_place(ProviderId(provider.id)), sealed);
    let secret = opened.and_then(|bytes| String::from_utf8(bytes).ok());
    secret.map(Some).ok_or(SignInProblem::ClientRefused)
}

fn form_of(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// Encodes a name or a password for the header (RFC 6749, 2.3.1).
fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Refuses an address to which no browser may be sent.
fn check_for_browser(service: &AccountService, address: &str) -> Result<(), SignInProblem> {
    let url = Url::parse(address).map_err(|_| SignInProblem::Unreadable)?;
    match url.scheme() {
        "https" => Ok(()),
        "http" if service.parts.senders.rules.allow_http => Ok(()),
        "http" => Err(SignInProblem::NotEncrypted),
        _ => Err(SignInProblem::Unreadable),
    }
}

/// Reads JSON. Also returns the clock of the server.
async fn json(
    service: &AccountService,
    address: &str,
    token: Option<&str>,
) -> Result<(Value, Option<Timestamp>), SignInProblem> {
    let fill = |request: RequestBuilder| match token {
        Some(token) => request.bearer_auth(token),
        None => request,
    };
    let (status, body, date) = call(service, address, Verb::Get, fill).await?;
    if status != 200 {
        return Err(SignInProblem::ProviderError);
    }
    Ok((serde_json::from_slice(&body).map_err(|_| SignInProblem::Unreadable)?, date))
}

/// Makes a request. Returns status, body, and the clock of the server.
async fn call(
    service: &AccountService,
    address: &str,
    verb: Verb,
    fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
) -> Result<(u16, Vec<u8>, Option<Timestamp>), SignInProblem> {
    let senders = &service.parts.senders;
    senders.rules.check(address).map_err(|wrong| match wrong {
        AddressError::NotEncrypted => SignInProblem::NotEncrypted,
        AddressError::Unreadable => SignInProblem::Unreadable,
        _ => SignInProblem::Blocked,
    })?;
    let fill = |request: RequestBuilder| {
        fill(request).header(header::ACCEPT, "application/json").timeout(REQUEST_TIMEOUT)
    };
    let limits = (service.parts.clock.now(), MAX_ANSWER_BYTES);
    let answer =
        senders.call((address, verb), limits, fill).await.map_err(|failed| match failed.outcome {
            Outcome::Blocked => SignInProblem::Blocked,
            _ if failed.text.as_deref() == Some(TOO_LONG) => SignInProblem::Unreadable,
            _ => SignInProblem::Unreachable,
        })?;
    Ok((answer.status, answer.body, answer.date))
}
