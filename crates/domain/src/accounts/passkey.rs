//! Passkeys: keys of a device or a password manager with which an account logs in, without its password.
//!
//! The device checks the user (fingerprint, face or PIN), so a passkey is both factors.

use crate::{
    AccountId, Actor, DomainError, PasskeyId, Timestamp,
    account::{Account, Client, LoggedIn},
};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::net::Ipv4Addr;

/// How long a challenge may be answered, milliseconds.
pub const CHALLENGE_WITHIN_MS: i64 = 5 * 60_000;
/// Maximum number of passkeys of an account.
pub const MAX_PASSKEYS: usize = 20;

/// The site to which passkeys are bound: browsers use them nowhere else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeySite {
    /// Host name.
    pub host: String,
    /// Scheme, host and port, as browsers write them.
    pub origin: String,
}

impl PasskeySite {
    /// Returns the site of a URL. `None`: no passkey can be bound to it, because its host is an IP address, or it is not
    /// encrypted and not `localhost`.
    #[must_use]
    pub fn of(url: &str) -> Option<Self> {
        let (scheme, host, port) = parts(url)?;
        let is_name = host.parse::<Ipv4Addr>().is_err() && !host.contains([':', '[', '@']);
        let is_local = host == "localhost" || host.ends_with(".localhost");
        let default_port = match scheme.as_str() {
            "https" => "443",
            "http" if is_local => "80",
            _ => return None,
        };
        let port = if port.is_empty() || port == default_port { port_text("") } else { port_text(&port) };
        (is_name && !host.is_empty()).then(|| Self { origin: format!("{scheme}://{host}{port}"), host })
    }
}

/// Returns the URL of the same server under the name `localhost`. `None`: the host of `url` is not an address of this
/// machine.
#[must_use]
pub fn localhost_url(url: &str) -> Option<String> {
    let (scheme, host, port) = parts(url)?;
    let is_here = host == "[::1]" || host.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback());
    is_here.then(|| format!("{scheme}://localhost{}", port_text(&port)))
}

fn port_text(port: &str) -> String {
    if port.is_empty() { String::new() } else { format!(":{port}") }
}

/// Returns scheme, host and port of a URL in lower case; the port may be empty.
fn parts(url: &str) -> Option<(String, String, String)> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?.to_ascii_lowercase();
    let has_port = |(_, port): &(&str, &str)| port.bytes().all(|byte| byte.is_ascii_digit());
    let (host, port) = authority.rsplit_once(':').filter(has_port).unwrap_or((authority.as_str(), ""));
    Some((scheme.to_ascii_lowercase(), host.to_owned(), port.to_owned()))
}

/// A passkey, as shown to its owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passkey {
    /// Id.
    pub id: PasskeyId,
    /// Name that its owner gave it.
    pub name: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last used; `None`: never.
    pub used_at: Option<Timestamp>,
}

/// The passkeys of an account, and what else its owner can do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnPasskeys {
    /// In the order in which they were added.
    pub items: Vec<Passkey>,
    /// Whether log-ins with the password are refused.
    pub is_password_off: bool,
    /// Whether the address of the desk can have passkeys.
    pub is_possible: bool,
    /// The address of the same desk that can have them; `None`: unknown.
    pub localhost_url: Option<String>,
}

/// With what an account confirms who uses its session. With neither it logs in again, with its provider.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmations {
    /// It has a password that logs in.
    pub has_password: bool,
    /// It has a passkey.
    pub has_passkey: bool,
}

/// What the browser is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasskeyRequest {
    /// The challenge, base64url.
    pub challenge: String,
    /// Host name to which the passkey is bound.
    pub host: String,
    /// Timeout in the browser, milliseconds.
    pub timeout_ms: i64,
    /// Passkeys of the account, base64url: to add one, those that the device need not add again; to confirm, those
    /// that may be used. Empty for a log-in.
    pub known: Vec<String>,
    /// The account, if one is added.
    pub account: Option<PasskeyAccount>,
}

/// The account of a new passkey, as the device stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasskeyAccount {
    /// Its id, base64url.
    pub handle: String,
    /// E-mail address.
    pub email: String,
    /// Display name.
    pub name: String,
}

/// A challenge, and the value of the cookie that binds it to the browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeyChallenge {
    /// What the browser is asked for.
    pub request: PasskeyRequest,
    /// Value of the cookie.
    pub cookie: String,
}

/// The address and the cookie with which a browser answers a challenge.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PasskeyBrowser {
    /// URL under which the browser reached the server.
    pub url: String,
    /// Value of the cookie of the challenge; empty: it has none.
    pub cookie: String,
}

/// A new passkey, as its device describes it. Bytes are base64url.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewPasskey {
    /// Name for its owner.
    pub name: String,
    /// Id of the key on its device.
    pub credential: String,
    /// What the browser says about the request, JSON.
    pub client_data: String,
    /// What the device says about itself and the key.
    pub authenticator_data: String,
    /// The public key, as `SubjectPublicKeyInfo` (DER).
    pub public_key: String,
}

/// The answer of a device to a challenge. Bytes are base64url.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasskeyAnswer {
    /// Id of the key on its device.
    pub credential: String,
    /// What the browser says about the request, JSON.
    pub client_data: String,
    /// What the device says about itself.
    pub authenticator_data: String,
    /// Signature of the device.
    pub signature: String,
    /// The account that the device stored with the key; empty: none.
    #[serde(default)]
    pub handle: String,
}

/// Passkeys, and log-ins with one.
#[async_trait]
pub trait Passkeys: Send + Sync {
    /// The actor's passkeys. `url`: under which the browser reached the server.
    async fn passkeys(&self, actor: &Actor, url: &str) -> Result<OwnPasskeys, DomainError>;
    /// With what the actor confirms who uses the session.
    async fn confirmations(&self, actor: &Actor) -> Result<Confirmations, DomainError>;
    /// Asks for a new passkey. Needs a recent proof.
    async fn begin_adding_passkey(&self, actor: &Actor, url: &str) -> Result<PasskeyChallenge, DomainError>;
    /// Adds a passkey, at most [`MAX_PASSKEYS`]. Needs a recent proof.
    async fn add_passkey(
        &self,
        actor: &Actor,
        browser: &PasskeyBrowser,
        new: NewPasskey,
    ) -> Result<(), DomainError>;
    /// Removes a passkey of the actor. With the last one, the password logs in again. Needs a recent proof.
    async fn remove_passkey(&self, actor: &Actor, id: PasskeyId) -> Result<(), DomainError>;
    /// Refuses or allows log-ins with the actor's password. Needs a recent proof. `Changed` without a passkey.
    async fn turn_password_off(&self, actor: &Actor, is_off: bool) -> Result<(), DomainError>;
    /// Asks for any passkey of this site, to log in.
    async fn begin_passkey_log_in(&self, url: &str) -> Result<PasskeyChallenge, DomainError>;
    /// Logs in. Attempts are limited by address, but not with those of passwords.
    async fn log_in_with_passkey(
        &self,
        browser: &PasskeyBrowser,
        answer: &PasskeyAnswer,
        client: &Client,
    ) -> Result<LoggedIn, DomainError>;
    /// Asks for a passkey of the actor, in place of the password.
    async fn begin_passkey_confirmation(
        &self,
        actor: &Actor,
        url: &str,
    ) -> Result<PasskeyChallenge, DomainError>;
    /// Records that the actor has proved who they are in this session, as the password does.
    async fn confirm_with_passkey(
        &self,
        actor: &Actor,
        browser: &PasskeyBrowser,
        answer: &PasskeyAnswer,
    ) -> Result<(), DomainError>;
    /// The accounts that have a passkey, by name. Admins only.
    async fn accounts_with_passkeys(&self, actor: &Actor) -> Result<Vec<Account>, DomainError>;
    /// Removes all passkeys of an account, which is notified, lets its password log in again, and ends its sessions.
    /// Needs a recent proof. Admins only. `NoSuch` if it has none.
    async fn reset_passkeys(&self, actor: &Actor, id: AccountId) -> Result<(), DomainError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_are_bound_to_a_name_with_https_or_to_localhost() {
        let origin = |url: &str| PasskeySite::of(url).map(|site| (site.host, site.origin));
        let pair = |host: &str, origin: &str| Some((host.to_owned(), origin.to_owned()));
        assert_eq!(origin("https://Desk.Example.org"), pair("desk.example.org", "https://desk.example.org"));
        assert_eq!(
            origin("https://desk.example.org:443/"),
            pair("desk.example.org", "https://desk.example.org")
        );
        assert_eq!(
            origin("https://desk.example.org:8443"),
            pair("desk.example.org", "https://desk.example.org:8443")
        );
        assert_eq!(origin("http://localhost:3000"), pair("localhost", "http://localhost:3000"));
        for none in [
            "http://desk.example.org",
            "https://192.0.2.4",
            "http://127.0.0.1:3000",
            "https://[2001:db8::1]:3000",
            "https://desk@evil.example",
            "ftp://localhost",
            "localhost",
            "https://",
        ] {
            assert_eq!(origin(none), None, "{none}");
        }
    }

    #[test]
    fn an_address_of_this_machine_is_offered_as_localhost() {
        assert_eq!(localhost_url("http://127.0.0.1:3000").as_deref(), Some("http://localhost:3000"));
        assert_eq!(localhost_url("http://[::1]:3000/x").as_deref(), Some("http://localhost:3000"));
        for none in ["http://192.0.2.4:3000", "https://desk.example.org", "http://localhost:3000"] {
            assert_eq!(localhost_url(none), None, "{none}");
        }
    }
}
