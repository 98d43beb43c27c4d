//! Settings that contain secrets.

use serde::Deserialize;
use std::fmt;

/// A secret text. `Debug` does not print it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct SecretText(pub String);

impl SecretText {
    /// Minimum length in bytes that is hard to guess.
    pub const SHORTEST: usize = 32;
    /// What it must be, for messages.
    pub const ADVICE: &str = "at least 32 characters, for example from `openssl rand -hex 32`";
}

impl From<String> for SecretText {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(…)")
    }
}

/// A server URL. Printed without its password.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Address(pub String);

impl From<String> for Address {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.split(['?', '#']).next().unwrap_or_default();
        let Some((scheme, rest)) = text.split_once("://") else { return f.write_str("…") };
        match rest.rsplit_once('@') {
            Some((_, place)) => write!(f, "{scheme}://…@{place}"),
            None => write!(f, "{scheme}://{rest}"),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
