//! The second factor of an account: codes of an authenticator app, and recovery codes.

use crate::{
    AccountId, Actor, DomainError, Role, Timestamp,
    account::{Account, Client, LoggedIn},
    state::{ParseEnumError, string_enum},
};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Number of recovery codes that are created together.
pub const RECOVERY_CODES: usize = 10;
/// How long the first code of a new secret may take, milliseconds.
pub const ADD_WITHIN_MS: i64 = 10 * 60_000;
/// How long a log-in waits for its code, milliseconds.
pub const CODE_WITHIN_MS: i64 = 5 * 60_000;
/// Number of codes that may be tried after a password was entered.
pub const MAX_CODE_TRIES: i32 = 5;
/// Time between the change of the rule and its enforcement, milliseconds.
pub const RULE_GRACE_MS: i64 = 7 * 24 * 3_600_000;

string_enum! {
    /// Which accounts must have a second factor. Each value includes the accounts of the ones before it.
    RequiredFor {
        /// No account.
        None = "none",
        /// Admins.
        Admins = "admins",
        /// Reviewers and admins.
        Reviewers = "reviewers",
        /// All accounts.
        All = "all",
    }
}

impl RequiredFor {
    /// Whether accounts of this role must have a second factor.
    #[must_use]
    pub fn includes(self, role: Role) -> bool {
        match self {
            Self::None => false,
            Self::Admins => role == Role::Admin,
            Self::Reviewers => matches!(role, Role::Reviewer | Role::Admin),
            Self::All => true,
        }
    }
}

/// Which accounts must have a second factor, and from when on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondFactorRule {
    /// The accounts.
    pub required_for: RequiredFor,
    /// From when on those without one can do nothing else in the browser than add it; `None`: it was never required.
    /// Of accounts that a rule included earlier than the others, see the next fields.
    pub enforced_at: Option<Timestamp>,
    /// The same for admins; `None`: with the others.
    #[serde(default)]
    pub admins_at: Option<Timestamp>,
    /// The same for reviewers; `None`: with the others.
    #[serde(default)]
    pub reviewers_at: Option<Timestamp>,
}

impl Default for SecondFactorRule {
    fn default() -> Self {
        Self { required_for: RequiredFor::None, enforced_at: None, admins_at: None, reviewers_at: None }
    }
}

impl SecondFactorRule {
    /// Returns the rule after a change at `now`. Accounts that it includes already have no new time; others have
    /// [`RULE_GRACE_MS`].
    #[must_use]
    pub fn changed(self, required_for: RequiredFor, now: Timestamp) -> Self {
        if required_for == self.required_for {
            return self;
        }
        let at = |role: Role| {
            let known = self.enforced_at(role).unwrap_or_else(|| now.plus(RULE_GRACE_MS));
            required_for.includes(role).then_some(known)
        };
        let (admins_at, reviewers_at) = (at(Role::Admin), at(Role::Reviewer));
        let enforced_at = at(Role::Creator).or(reviewers_at).or(admins_at).or(self.enforced_at);
        Self { required_for, enforced_at, admins_at, reviewers_at }
    }

    /// Returns from when on an account of this role must have a second factor; `None`: it need not.
    #[must_use]
    pub fn enforced_at(self, role: Role) -> Option<Timestamp> {
        let earlier = match role {
            Role::Admin => self.admins_at,
            Role::Reviewer => self.reviewers_at,
            _ => None,
        };
        earlier.or(self.enforced_at).filter(|_| self.required_for.includes(role))
    }
}

/// The second factor of an account, as shown to its owner.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondFactor {
    /// Since when log-ins ask for a code; `None`: they do not.
    pub since: Option<Timestamp>,
    /// Number of recovery codes that were not used yet.
    pub recovery_codes: usize,
    /// The secret that awaits its first code; `None`: none does. Never shown again afterwards.
    pub new_secret: Option<NewSecondFactor>,
    /// From when on the account must have one; `None`: it need not.
    pub required_at: Option<Timestamp>,
}

/// A secret for an authenticator app.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSecondFactor {
    /// The secret in base32.
    pub text: String,
    /// The URL `otpauth://…` with the secret, for an app on the same device.
    pub url: String,
    /// The URL as a QR code, an SVG element, for an app on another device; `None`: it is too long.
    pub qr_code: Option<String>,
}

impl fmt::Debug for NewSecondFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
    /// Which accounts must have a second factor.
    async fn second_factor_rule(&self) -> Result<SecondFactorRule, DomainError>;
    /// Changes which accounts must have a second factor. Needs the password. Admins only.
    async fn require_second_factor(
        &self,
        actor: &Actor,
        required_for: RequiredFor,
    ) -> Result<SecondFactorRule, DomainError>;
    /// Completes a log-in that was answered with `CodeNeeded`, with a code of the app or a recovery code. Attempts
    /// are limited as those of passwords. `LogInExpired` after [`CODE_WITHIN_MS`] or [`MAX_CODE_TRIES`] codes.
    async fn complete_log_in(
        &self,
        token: &str,
        code: &str,
        client: &Client,
    ) -> Result<LoggedIn, DomainError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_for_more_accounts_begins_after_its_grace_and_one_for_fewer_stays_enforced() {
        let at = Timestamp::from_millis;
        let admins = SecondFactorRule::default().changed(RequiredFor::Admins, at(1_000));
        assert_eq!(admins.enforced_at(Role::Admin), Some(at(1_000 + RULE_GRACE_MS)));
        assert_eq!(admins.enforced_at(Role::Reviewer), None);
        let all = admins.changed(RequiredFor::All, at(5_000));
        assert_eq!(all.enforced_at(Role::Creator), Some(at(5_000 + RULE_GRACE_MS)));
        assert_eq!(all.enforced_at(Role::Admin), Some(at(1_000 + RULE_GRACE_MS)), "admins have no new time");
        let reviewers = all.changed(RequiredFor::Reviewers, at(9_000));
        assert_eq!(reviewers.enforced_at(Role::Reviewer), Some(at(5_000 + RULE_GRACE_MS)));
        assert_eq!(reviewers.enforced_at(Role::Creator), None);
        assert_eq!(reviewers.changed(RequiredFor::Reviewers, at(10_000)), reviewers);
        // After a pause there is a new time.
        let none = reviewers.changed(RequiredFor::None, at(11_000));
        assert_eq!(none.enforced_at(Role::Admin), None);
        let again = none.changed(RequiredFor::Admins, at(12_000));
        assert_eq!(again.enforced_at(Role::Admin), Some(at(12_000 + RULE_GRACE_MS)));
    }
}
