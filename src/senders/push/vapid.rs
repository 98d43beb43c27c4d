//! The key with which this desk identifies itself to push services (VAPID, RFC 8292). Generated once for a
//! database, so that all nodes use the same one: a subscription is bound to it.

use crate::{process::cli_error::CliError, security::secret_box::SecretBox};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::Timestamp;
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _},
};
use serde_json::json;
use store::{PoolRole, Store, setting};
use url::Url;

/// Name of the SQL setting that holds the encrypted key.
pub const SETTING: &str = "push.key";
/// Place to which the encrypted key is bound.
pub const PLACE: &str = "setting/push.key";
/// How long a token is valid, seconds. The limit is 24 hours (RFC 8292 §2).
const VALID_SECONDS: i64 = 12 * 3_600;

/// The key, with its public part in base64url.
pub struct VapidKey {
    pair: EcdsaKeyPair,
    public: String,
}

impl std::fmt::Debug for VapidKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "VapidKey({})", self.public)
    }
}

impl VapidKey {
    /// Generates a key; returns it as a PKCS #8 document. `None`: the machine has no random numbers.
    fn generate() -> Option<Vec<u8>> {
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
        Some(document.ok()?.as_ref().to_vec())
    }

    fn read(document: &[u8]) -> Option<Self> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document, &SystemRandom::new());
        let pair = pair.ok()?;
        Some(Self { public: URL_SAFE_NO_PAD.encode(pair.public_key()), pair })
    }

    /// Returns the public key in base64url: an uncompressed point.
    #[must_use]
    pub fn public_key(&self) -> &str {
        &self.public
    }

    /// Returns the `Authorization` of a request to this endpoint: a signed token and the public key
    /// (RFC 8292 §3). `contact`: a `mailto:` or `https:` address of the desk.
    #[must_use]
    pub fn authorization(&self, endpoint: &str, contact: &str, at: Timestamp) -> Option<String> {
        let audience = Url::parse(endpoint).ok()?.origin().ascii_serialization();
        let expires = at.millis() / 1_000 + VALID_SECONDS;
        let claims = json!({"aud": audience, "exp": expires, "sub": contact}).to_string();
        let head = json!({"typ": "JWT", "alg": "ES256"}).to_string();
        let signed = format!("{}.{}", URL_SAFE_NO_PAD.encode(head), URL_SAFE_NO_PAD.encode(claims));
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes()).ok()?;
        Some(format!("vapid t={signed}.{}, k={}", URL_SAFE_NO_PAD.encode(signature), self.public))
    }
}

/// Loads the key of this database. Generates it at the first start; of nodes that start at the same time, the
/// key of the first one is used by all.
pub async fn open(store: &Store, vault: &SecretBox) -> Result<VapidKey, CliError> {
    let mut lease = store.read(PoolRole::Web).await?;
    let stored = setting::find(lease.conn(), SETTING).await?;
    drop(lease);
    let sealed = if let Some(sealed) = stored {
        sealed
    } else {
        let weak = || CliError::Broken("keys cannot be generated on this machine".to_owned());
        let fresh = VapidKey::generate().and_then(|key| vault.seal(PLACE, &key)).ok_or_else(weak)?;
        let mut tx = store.begin(PoolRole::Web).await?;
        let kept = setting::put_if_absent(tx.conn(), SETTING, &fresh).await?;
        tx.commit().await?;
        kept
    };
    vault.open(PLACE, &sealed).and_then(|key| VapidKey::read(&key)).ok_or(CliError::SecretKey)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    #[test]
    fn a_token_is_for_the_origin_of_the_endpoint_and_valid_for_12_hours() {
        let key = VapidKey::read(&VapidKey::generate().unwrap()).unwrap();
        let at = Timestamp::from_millis(1_000_000);
        let text =
            key.authorization("https://push.example.org/a/b?c", "mailto:desk@example.org", at).unwrap();
        let (token, public) = text.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
        let decoded = |part: &str| URL_SAFE_NO_PAD.decode(part).unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let verifier = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decoded(public));
        verifier.verify(signed.as_bytes(), &decoded(signature)).unwrap();
        let (head, claims) = signed.split_once('.').unwrap();
        let parsed = |part: &str| serde_json::from_slice::<serde_json::Value>(&decoded(part)).unwrap();
        assert_eq!(parsed(head), json!({"typ": "JWT", "alg": "ES256"}));
        let expected =
            json!({"aud": "https://push.example.org", "exp": 44_200, "sub": "mailto:desk@example.org"});
        assert_eq!(parsed(claims), expected);
        assert_eq!((public, decoded(public).len()), (key.public_key(), 65));
        assert_eq!(key.authorization("no address", "mailto:desk@example.org", at), None);
    }
}
