//! Admin API keys of Ghost and the tokens that are made with them.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::Timestamp;
use ring::hmac;
use serde_json::json;

/// Time for which a token is valid, seconds. Ghost takes none that is valid for more than five minutes.
const VALID_FOR_S: i64 = 240;
/// Number of digits of the id and of the secret.
const DIGITS: (usize, usize) = (24, 64);

/// An Admin API key: `ID:SECRET`, both hexadecimal.
pub struct AdminKey {
    id: String,
    key: hmac::Key,
}

impl AdminKey {
    /// Parses a key; `None`: it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (id, secret) = text.trim().split_once(':')?;
        let is_hex = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
        if (id.len(), secret.len()) != DIGITS || !is_hex(id) || !is_hex(secret) {
            return None;
        }
        let digits = (0..secret.len()).step_by(2).map(|at| secret.get(at..at + 2));
        let bytes: Option<Vec<u8>> = digits.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect();
        Some(Self { id: id.to_owned(), key: hmac::Key::new(hmac::HMAC_SHA256, &bytes?) })
    }

    /// Returns a token (JWT, HS256) that is valid from `at`, on the clock of the site, for a few minutes.
    #[must_use]
    pub fn token(&self, at: Timestamp) -> String {
        let seconds = at.millis().div_euclid(1_000);
        let header = json!({"alg": "HS256", "kid": self.id, "typ": "JWT"});
        let claims = json!({"aud": "/admin/", "exp": seconds + VALID_FOR_S, "iat": seconds});
        let part = |json: &serde_json::Value| URL_SAFE_NO_PAD.encode(json.to_string());
        let signed = format!("{}.{}", part(&header), part(&claims));
        let signature = hmac::sign(&self.key, signed.as_bytes());
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_an_id_and_a_secret() {
        let (id, secret) = ("0123456789abcdef01234567", "0a".repeat(32));
        assert!(AdminKey::parse(&format!(" {id}:{secret}\n")).is_some(), "with blanks around it");
        for wrong in [
            String::new(),
            secret.clone(),
            format!("{id}:{id}"),
            format!("{id}{secret}"),
            format!("{id}:{}", "0g".repeat(32)),
            format!("{id}:{}", "é".repeat(32)),
        ] {
            assert!(AdminKey::parse(&wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_token_names_the_key_and_ends_after_minutes() {
        let key = AdminKey::parse(&format!("0123456789abcdef01234567:{}", "0a".repeat(32))).unwrap();
        let token = key.token(Timestamp::from_millis(1_700_000_000_999));
        let parts: Vec<&str> = token.split('.').collect();
        let decoded = |part: &str| String::from_utf8(URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap();
        assert_eq!(decoded(parts[0]), r#"{"alg":"HS256","kid":"0123456789abcdef01234567","typ":"JWT"}"#);
        assert_eq!(decoded(parts[1]), r#"{"aud":"/admin/","exp":1700000240,"iat":1700000000}"#);
        let verifies = hmac::verify(
            &hmac::Key::new(hmac::HMAC_SHA256, &[10; 32]),
            token.rsplit_once('.').unwrap().0.as_bytes(),
            &URL_SAFE_NO_PAD.decode(parts[2]).unwrap(),
        );
        assert!(verifies.is_ok() && parts.len() == 3, "{token}");
    }
}
