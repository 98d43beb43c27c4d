//! Webhook signatures by Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ring::hmac;

/// Prefix of every secret.
const PREFIX: &str = "whsec_";
/// Length of a generated secret, bytes.
const LENGTH: usize = 32;

/// Generates a secret in its text form.
#[must_use]
pub fn generate_secret() -> String {
    let mut key = [0; LENGTH];
    rand::fill(&mut key);
    secret_text(&key)
}

/// Returns the text form of the secret with this key.
#[must_use]
pub fn secret_text(key: &[u8]) -> String {
    format!("{PREFIX}{}", STANDARD.encode(key))
}

/// Decodes the key from a secret; `None`: it is malformed or not 24 to 64 bytes long.
#[must_use]
pub fn key(secret: &str) -> Option<Vec<u8>> {
    let key = STANDARD.decode(secret.strip_prefix(PREFIX)?).ok()?;
    (24..=64).contains(&key.len()).then_some(key)
}

/// Returns the header `webhook-signature`: one signature per key, separated by spaces. `seconds`:
/// the header `webhook-timestamp`.
#[must_use]
pub fn sign(keys: &[Vec<u8>], id: &str, seconds: i64, body: &str) -> String {
    let text = format!("{id}.{seconds}.{body}");
    let one = |key: &Vec<u8>| {
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text.as_bytes());
        format!("v1,{}", STANDARD.encode(tag))
    };
    keys.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_example_has_its_published_signature() {
        let key = key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signed = sign(&[key], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_secret_has_a_valid_length_and_two_secrets_give_two_signatures() {
        assert_eq!(key(&generate_secret()).map(|key| key.len()), Some(LENGTH));
        assert_ne!(generate_secret(), generate_secret());
        for wrong in ["", "whsec_", "whsec_c2hvcnQ=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_é"] {
            assert_eq!(key(wrong), None, "{wrong}");
        }
        let signed = sign(&[vec![1; 24], vec![2; 24]], "msg_1", 1, "{}");
        let (first, second) = signed.split_once(' ').unwrap();
        assert_ne!(first, second);
    }
}
