//! The second factor of an account: codes of an authenticator app, and recovery codes.

use crate::{
    AccountId, Actor, DomainError, Timestamp,
    account::{Account, Client, LoggedIn},
};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// Number of recovery codes that are created together.
pub const RECOVERY_CODES: usize = 10;
/// How long the first code of a new secret may take, milliseconds.
pub const ADD_WITHIN_MS: i64 = 10 * 60_000;
/// How long a log-in waits for its code, milliseconds.
pub const CODE_WITHIN_MS: i64 = 5 * 60_000;
/// Number of codes that may be tried after a password was entered.
pub const MAX_CODE_TRIES: i32 = 5;

/// The second factor of an account, as shown to its owner.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondFactor {
    /// Since when log-ins ask for a code; `None`: they do not.
    pub since: Option<Timestamp>,
    /// Number of recovery codes that were not used yet.
    pub recovery_codes: usize,
    /// The secret that awaits its first code; `None`: none does. Never shown again afterwards.
    pub new_secret: Option<NewSecondFactor>,
}

/// A secret for an authenticator app.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSecondFactor {
    /// The secret in base32.
    pub text: String,
    /// The URL `otpauth://…` with the secret, for an app on the same device.
    pub url: String,
}

impl std::fmt::Debug for NewSecondFactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NewSecondFactor(…)")
    }
}

/// Second factors, and log-ins with one.
#[async_trait]
pub trait SecondFactors: Send + Sync {
    /// The actor's second factor.
    async fn second_factor(&self, actor: &Actor) -> Result<SecondFactor, DomainError>;
    /// Creates a secret, which is shown until its first code is entered, at most [`ADD_WITHIN_MS`]. Needs the
    /// password. `Changed` if the actor has a second factor.
    async fn create_second_factor(&self, actor: &Actor) -> Result<(), DomainError>;
    /// Adds the second factor with its first code. Returns the recovery codes, which are shown once. Needs the
    /// password. `Changed` if there is no secret that awaits a code.
    async fn add_second_factor(&self, actor: &Actor, code: &str) -> Result<Vec<String>, DomainError>;
    /// Removes the actor's second factor and recovery codes. Needs the password. `Changed` if there is none.
    async fn remove_second_factor(&self, actor: &Actor) -> Result<(), DomainError>;
    /// Replaces the recovery codes by new ones, which are shown once. Needs the password. `Changed` if the actor
    /// has no second factor.
    async fn renew_recovery_codes(&self, actor: &Actor) -> Result<Vec<String>, DomainError>;
    /// The accounts that have a second factor, by name. Admins only.
    async fn accounts_with_second_factor(&self, actor: &Actor) -> Result<Vec<Account>, DomainError>;
    /// Removes the second factor of an account, which is notified, and ends its sessions. Needs the password. Admins only.
    /// `NoSuch` if it has none.
    async fn reset_second_factor(&self, actor: &Actor, id: AccountId) -> Result<(), DomainError>;
    /// Completes a log-in that was answered with `CodeNeeded`, with a code of the app or a recovery code. Attempts
    /// are limited as those of passwords. `LogInExpired` after [`CODE_WITHIN_MS`] or [`MAX_CODE_TRIES`] codes.
    async fn complete_log_in(
        &self,
        token: &str,
        code: &str,
        client: &Client,
    ) -> Result<LoggedIn, DomainError>;
}
