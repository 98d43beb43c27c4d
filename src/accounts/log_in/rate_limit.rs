//! Rate limits for password attempts: token buckets in SQL, shared by all nodes.

use crate::{
    accounts::AccountService,
    process::client::{client_key, parse_address, site_key},
    security::tokens,
    services::internal_error,
};
use domain::DomainError;
use store::{
    Conn, PoolRole, StoreError,
    login_rate_limit::{self, TokenBucket},
};
use uuid::Uuid;

/// Limit per account: a burst of ten, then one in 41 seconds; fewer than 100 in any hour.
const ACCOUNT_LIMIT: TokenBucket = TokenBucket { cost_ms: 41_000, capacity: 10 };
/// Limit per client address, over all accounts.
const CLIENT_LIMIT: TokenBucket = TokenBucket { cost_ms: 6_000, capacity: 60 };
/// Limit per IPv6 site, which may have many clients.
const SITE_LIMIT: TokenBucket = TokenBucket { cost_ms: 1_500, capacity: 240 };
/// Limit over all clients, without known browsers.
const GLOBAL_LIMIT: TokenBucket = TokenBucket { cost_ms: 250, capacity: 400 };

/// The buckets that an attempt uses.
pub struct PasswordAttempt(Vec<(String, TokenBucket)>);

impl PasswordAttempt {
    /// Returns the buckets of a login. A known browser has its own, which an attacker cannot
    /// exhaust.
    pub fn for_login(email: &str, address: &str, browser: Option<Uuid>) -> Self {
        if browser.is_some() {
            return Self::for_confirmation(email, browser);
        }
        let mut buckets = of_network("address", address);
        buckets.push(("all".to_owned(), GLOBAL_LIMIT));
        buckets.push((format!("account:{}", tokens::hash(email)), ACCOUNT_LIMIT));
        Self(buckets)
    }

    /// Returns the buckets of a log-in with a passkey. They are not those of passwords: guesses do not delay its owner.
    pub fn for_passkey(address: &str) -> Self {
        Self(of_network("passkey", address))
    }

    /// Returns the buckets of a sign-in with a provider that begins.
    pub fn for_sign_in(address: &str) -> Self {
        let mut buckets = of_network("sign-in", address);
        buckets.push(("sign-in-all".to_owned(), GLOBAL_LIMIT));
        Self(buckets)
    }

    /// Returns the buckets of a log-out token. Each one that is refused may have been a request to the provider.
    pub fn for_log_out(address: &str) -> Self {
        Self(of_network("log-out", address))
    }

    /// Returns the bucket for confirming a password in a session: that of the browser, otherwise
    /// that of the account.
    pub fn for_confirmation(email: &str, browser: Option<Uuid>) -> Self {
        let name = match browser {
            Some(browser) => format!("browser:{}", browser.simple()),
            None => format!("account:{}", tokens::hash(email)),
        };
        Self(vec![(name, ACCOUNT_LIMIT)])
    }

    /// Takes an attempt before the password is checked. Returns `TooMany` if one bucket is
    /// exhausted; then none is charged.
    pub async fn take(&self, service: &AccountService) -> Result<(), DomainError> {
        match self.fill(service).await.map_err(internal_error)? {
            None => Ok(()),
            Some(millis) => {
                let seconds = u32::try_from(millis.saturating_add(999) / 1_000).unwrap_or(u32::MAX);
                Err(DomainError::TooMany { seconds })
            }
        }
    }

    async fn fill(&self, service: &AccountService) -> Result<Option<i64>, StoreError> {
        let now = service.parts.clock.now();
        let mut tx = service.parts.store.begin(PoolRole::Web).await?;
        for (name, bucket) in &self.0 {
            if let Some(wait) = login_rate_limit::acquire(tx.conn(), name, *bucket, now).await? {
                tx.rollback().await?;
                return Ok(Some(wait));
            }
        }
        tx.commit().await?;
        Ok(None)
    }

    /// Refunds the attempt after a correct password.
    pub async fn refund(&self, mut conn: Conn<'_>) -> Result<(), StoreError> {
        for (name, bucket) in &self.0 {
            login_rate_limit::refund(conn.reborrow(), name, *bucket).await?;
        }
        Ok(())
    }
}

/// Returns the buckets of a client and of its IPv6 site, for one kind of attempts.
fn of_network(kind: &str, address: &str) -> Vec<(String, TokenBucket)> {
    let ip = parse_address(address);
    let client = ip.map_or_else(|| address.to_owned(), client_key);
    let site = ip.and_then(site_key).map(|site| (format!("{kind}:{site}"), SITE_LIMIT));
    [(format!("{kind}:{client}"), CLIENT_LIMIT)].into_iter().chain(site).collect()
}
