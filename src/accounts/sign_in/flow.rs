//! The way of a sign-in: to the provider and back. The database keeps hashes only: what the sign-in needs is derived from
//! the browser's cookie, so a copy of the database completes none.

use super::{
    enabled,
    id_token::{Claims, Expected},
    own, person, provider_client, redirect_url,
};
use crate::{
    accounts::{AccountService, log_in::rate_limit::PasswordAttempt, password_check},
    security::tokens,
    services::internal_error,
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{
    AccountId, DomainError, ProviderId,
    account::Client,
    accounts::sign_in::{
        SIGN_IN_WITHIN_MS, SignInBegin, SignInEnd, SignInProblem, SignInReturn, SignInStart,
    },
};
use person::Person;
use provider_client::Known;
use sha2::{Digest as _, Sha256};
use store::{
    PoolRole,
    sign_in::ProviderRecord,
    sign_in_attempt::{self, AttemptRecord, NewAttempt},
};
use url::Url;

/// Maximum length of a stored path, bytes; of a longer one nothing is kept.
const MAX_NEXT_BYTES: usize = 2_000;

/// Begins a sign-in.
pub async fn begin(
    service: &AccountService,
    begin: SignInBegin,
    client: &Client,
) -> Result<SignInStart, DomainError> {
    let provider = enabled(service, begin.provider).await?;
    PasswordAttempt::for_sign_in(&client.address).take(service).await?;
    let known = provider_client::known(service, &provider).await?;
    let now = service.parts.clock.now();
    let cookie = begin.cookie.filter(|cookie| is_secret(cookie)).unwrap_or_else(tokens::generate_secret);
    let state = tokens::generate_secret();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    if let Some((actor, proof)) = &begin.link {
        own::check_proof(service, actor, begin.provider, proof)?;
        password_check::require_recent(tx.conn(), actor, now).await?;
    }
    let invitation_hash = begin.invitation.as_deref().map(tokens::hash);
    let next_path = if begin.next.len() <= MAX_NEXT_BYTES { begin.next.as_str() } else { "/" };
    let new = NewAttempt {
        provider: begin.provider,
        state_hash: &tokens::hash(&state),
        browser_hash: &tokens::hash(&cookie),
        account: begin.link.as_ref().map(|(actor, _)| actor.account),
        invitation_hash: invitation_hash.as_deref(),
        next_path,
        expires_at: now.plus(SIGN_IN_WITHIN_MS),
    };
    sign_in_attempt::insert(tx.conn(), new).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    let url = authorization_url(service, &provider, &known, (&cookie, &state))?;
    Ok(SignInStart { url, cookie })
}

/// Whether a cookie has the form of a random secret.
fn is_secret(cookie: &str) -> bool {
    URL_SAFE_NO_PAD.decode(cookie).is_ok_and(|bytes| bytes.len() == 32)
}

/// Derives what belongs to one sign-in of a browser: the PKCE verifier or the nonce.
fn derived(purpose: &str, (cookie, state): (&str, &str)) -> String {
    tokens::hash(&format!("sign-in {purpose}\n{cookie}\n{state}"))
}

fn authorization_url(
    service: &AccountService,
    provider: &ProviderRecord,
    known: &Known,
    secrets: (&str, &str),
) -> Result<String, DomainError> {
    let url = Url::parse(&known.description.authorization_endpoint);
    let mut url = url.map_err(|_| SignInProblem::Unreadable)?;
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(derived("verifier", secrets)));
    url.query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &provider.client_id)
        .append_pair("redirect_uri", &redirect_url(service, ProviderId(provider.id)))
        .append_pair("scope", &provider.scopes)
        .append_pair("state", secrets.1)
        .append_pair("nonce", &derived("nonce", secrets))
        .append_pair("code_challenge", &challenge)
        .append_pair("code_challenge_method", "S256");
    Ok(url.into())
}

/// Completes a sign-in.
pub async fn finish(
    service: &AccountService,
    id: ProviderId,
    back: SignInReturn,
    client: &Client,
) -> (String, Result<SignInEnd, DomainError>) {
    let (provider, attempt) = match consume(service, id, &back).await {
        Ok(found) => found,
        Err(refusal) => return ("/".to_owned(), Err(refusal)),
    };
    let next = attempt.next_path.clone();
    let ended = complete(service, &provider, (&attempt, &back), client).await;
    if let Err(DomainError::SignIn { problem }) = &ended {
        tracing::info!(provider = %id, %problem, "a sign-in failed");
    }
    (next, ended)
}

/// Uses up the sign-in that comes back.
async fn consume(
    service: &AccountService,
    id: ProviderId,
    back: &SignInReturn,
) -> Result<(ProviderRecord, AttemptRecord), DomainError> {
    let provider = enabled(service, id).await?;
    let cookie = back.cookie.as_deref().ok_or(SignInProblem::Expired)?;
    let hashes = (tokens::hash(&back.state), tokens::hash(cookie));
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let now = service.parts.clock.now();
    let found = sign_in_attempt::consume(tx.conn(), id, (&hashes.0, &hashes.1), now).await;
    let found = found.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    Ok((provider, found.ok_or(SignInProblem::Expired)?))
}

async fn complete(
    service: &AccountService,
    provider: &ProviderRecord,
    (attempt, back): (&AttemptRecord, &SignInReturn),
    client: &Client,
) -> Result<SignInEnd, DomainError> {
    let linking = attempt.account_id.map(AccountId);
    if linking.is_some() && linking != back.account {
        return Err(SignInProblem::Expired.into());
    }
    let person = identify(service, provider, back).await?;
    match linking {
        Some(account) => {
            person::link(service, provider, &person, account).await?;
            Ok(SignInEnd::Linked)
        }
        None => {
            let logged_in = person::log_in(service, provider, (&person, attempt), client).await?;
            Ok(SignInEnd::LoggedIn(Box::new(logged_in)))
        }
    }
}

/// Asks the provider who the person is.
async fn identify(
    service: &AccountService,
    provider: &ProviderRecord,
    back: &SignInReturn,
) -> Result<Person, DomainError> {
    let known = provider_client::known(service, provider).await?;
    let is_other = back.iss.as_ref().is_some_and(|iss| *iss != provider.issuer);
    let is_missing = back.iss.is_none() && known.description.authorization_response_iss_parameter_supported;
    if is_other || is_missing {
        return Err(SignInProblem::WrongIssuer.into());
    }
    let code = match (&back.error, &back.code) {
        (None, Some(code)) => code,
        (Some(error), _) if error == "access_denied" => return Err(SignInProblem::Denied.into()),
        _ => return Err(SignInProblem::ProviderError.into()),
    };
    let secrets = (back.cookie.as_deref().unwrap_or_default(), back.state.as_str());
    let redirect = redirect_url(service, ProviderId(provider.id));
    let verifier = derived("verifier", secrets);
    let exchanged = (code.as_str(), verifier.as_str(), redirect.as_str());
    let tokens = provider_client::exchange(service, provider, &known, exchanged).await?;
    let id_token = tokens.id_token.as_deref().ok_or(SignInProblem::MissingClaim)?;
    let claims = provider_client::verified(service, provider, id_token).await?;
    let expected =
        Expected { issuer: &provider.issuer, client_id: &provider.client_id, now: service.parts.clock.now() };
    let subject = claims.checked_id_token(expected, &derived("nonce", secrets))?.to_owned();
    let settings = provider.settings().map_err(internal_error)?;
    let mut groups = claims.groups(&settings.group_claim);
    let mut info: Option<Claims> = None;
    if groups.is_none() && settings.reads_groups() {
        info = provider_client::user_info(service, &known, &tokens, &subject).await?;
        groups = info.as_ref().and_then(|info| info.groups(&settings.group_claim));
    }
    if groups.is_none() && settings.reads_groups() {
        return Err(SignInProblem::MissingClaim.into());
    }
    let has_both_factors = settings.proves_both_factors && claims.proves_both_factors() != Some(false);
    Ok(Person::of(&claims, info.as_ref(), (subject, groups, has_both_factors)))
}
