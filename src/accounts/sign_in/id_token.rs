//! Signed tokens of providers: signature and claims. Only signatures with public keys are accepted: RS256, ES256 and
//! EdDSA. Which algorithm a key has is decided by the key, not by the token.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::{
    Timestamp,
    accounts::sign_in::{MAX_CLOCK_DIFFERENCE_SECONDS, SignInProblem},
};
use ring::signature::{self, RsaPublicKeyComponents, UnparsedPublicKey};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Maximum number of keys of a provider that are read.
const MAX_KEYS: usize = 100;
/// Maximum number of groups of a person that are read.
const MAX_GROUPS: usize = 1_000;
/// Maximum length of an identifier in a claim, bytes.
const MAX_ID_BYTES: usize = 255;
/// Type of event of a log-out token.
const LOG_OUT_EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// A public key of a provider.
#[derive(Debug, Clone, Deserialize)]
pub struct PublicKey {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

/// Returns the keys of a key set. Keys that cannot be read are left out: they are of a newer kind.
pub fn keys_of(set: &Value) -> Option<Vec<PublicKey>> {
    let keys = set.get("keys")?.as_array()?.iter().take(MAX_KEYS);
    Some(keys.filter_map(|key| PublicKey::deserialize(key).ok()).collect())
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    crit: Option<Value>,
}

/// An accepted algorithm.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Algorithm {
    Rs256,
    Es256,
    EdDsa,
}

impl Algorithm {
    fn of(name: &str) -> Option<Self> {
        match name {
            "RS256" => Some(Self::Rs256),
            "ES256" => Some(Self::Es256),
            "EdDSA" | "Ed25519" => Some(Self::EdDsa),
            _ => None,
        }
    }
}

impl PublicKey {
    /// Whether a token with this header can be signed with the key.
    fn fits(&self, algorithm: Algorithm, kid: Option<&str>) -> bool {
        let is_kind = match algorithm {
            Algorithm::Rs256 => self.kty == "RSA",
            Algorithm::Es256 => self.kty == "EC" && self.crv.as_deref() == Some("P-256"),
            Algorithm::EdDsa => self.kty == "OKP" && self.crv.as_deref() == Some("Ed25519"),
        };
        let is_for_it = self.alg.as_deref().is_none_or(|alg| Algorithm::of(alg) == Some(algorithm));
        let is_signing = self.purpose.as_deref().is_none_or(|purpose| purpose == "sig");
        let is_named = kid.is_none_or(|kid| self.kid.as_deref() == Some(kid));
        is_kind && is_for_it && is_signing && is_named
    }

    /// Whether the key made this signature.
    fn has_signed(&self, algorithm: Algorithm, text: &[u8], signature: &[u8]) -> bool {
        let verified = match algorithm {
            Algorithm::Rs256 => self.numbers().map(|(n, e)| {
                let key = RsaPublicKeyComponents { n: &n, e: &e };
                key.verify(&signature::RSA_PKCS1_2048_8192_SHA256, text, signature)
            }),
            Algorithm::Es256 => self.point().map(|point| {
                UnparsedPublicKey::new(&signature::ECDSA_P256_SHA256_FIXED, point).verify(text, signature)
            }),
            Algorithm::EdDsa => bytes(self.x.as_deref())
                .map(|key| UnparsedPublicKey::new(&signature::ED25519, key).verify(text, signature)),
        };
        verified.is_some_and(|verified| verified.is_ok())
    }

    /// Modulus and exponent of an RSA key, without leading zeros.
    fn numbers(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        let number = |text: Option<&str>| {
            let bytes = bytes(text)?;
            Some(bytes.into_iter().skip_while(|byte| *byte == 0).collect::<Vec<u8>>())
        };
        Some((number(self.n.as_deref())?, number(self.e.as_deref())?))
    }

    /// Point of an elliptic key, uncompressed.
    fn point(&self) -> Option<Vec<u8>> {
        let (x, y) = (bytes(self.x.as_deref())?, bytes(self.y.as_deref())?);
        (x.len() == 32 && y.len() == 32).then(|| [[4].as_slice(), x.as_slice(), y.as_slice()].concat())
    }
}

fn bytes(text: Option<&str>) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text?).ok()
}

fn decoded<T: DeserializeOwned>(part: &str) -> Result<T, SignInProblem> {
    let bytes = URL_SAFE_NO_PAD.decode(part).map_err(|_| SignInProblem::Unreadable)?;
    serde_json::from_slice(&bytes).map_err(|_| SignInProblem::Unreadable)
}

/// What a token must say.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// The provider.
    pub issuer: &'a str,
    /// What it calls this desk.
    pub client_id: &'a str,
    /// Current time.
    pub now: Timestamp,
}

/// The claims of a token with a valid signature, or of an answer about its user.
#[derive(Debug, Clone)]
pub struct Claims(pub Map<String, Value>);

impl Claims {
    /// Verifies the signature of a token. `UnknownKey` if none of the keys is its.
    pub fn verified(token: &str, keys: &[PublicKey]) -> Result<Self, SignInProblem> {
        let (signed, signature) = token.rsplit_once('.').ok_or(SignInProblem::Unreadable)?;
        let (header, claims) = signed.split_once('.').ok_or(SignInProblem::Unreadable)?;
        let header: Header = decoded(header)?;
        let algorithm = Algorithm::of(&header.alg).filter(|_| header.crit.is_none());
        let algorithm = algorithm.ok_or(SignInProblem::BadSignature)?;
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| SignInProblem::BadSignature)?;
        let fitting: Vec<&PublicKey> =
            keys.iter().filter(|key| key.fits(algorithm, header.kid.as_deref())).collect();
        if fitting.is_empty() {
            return Err(SignInProblem::UnknownKey);
        }
        if !fitting.iter().any(|key| key.has_signed(algorithm, signed.as_bytes(), &signature)) {
            return Err(SignInProblem::BadSignature);
        }
        Ok(Self(decoded(claims)?))
    }

    /// Returns a text; `None`: it is missing or empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str().filter(|text| !text.is_empty())
    }

    /// Returns a short identifier; `None`: it is missing, empty or too long.
    pub fn id(&self, name: &str) -> Option<&str> {
        self.text(name).filter(|text| text.len() <= MAX_ID_BYTES && !text.contains('\0'))
    }

    /// Checks an ID token of the sign-in with this nonce. Returns `sub`.
    pub fn checked_id_token(&self, expected: Expected<'_>, nonce: &str) -> Result<&str, SignInProblem> {
        self.check_origin(expected)?;
        let expires_at = self.seconds("exp").ok_or(SignInProblem::MissingClaim)?;
        self.check_times(expected.now, Some(expires_at))?;
        if self.text("nonce") != Some(nonce) {
            return Err(SignInProblem::WrongNonce);
        }
        self.id("sub").ok_or(SignInProblem::MissingClaim)
    }

    /// Checks a log-out token. Returns its id.
    pub fn checked_log_out_token(&self, expected: Expected<'_>) -> Result<&str, SignInProblem> {
        self.check_origin(expected)?;
        self.check_times(expected.now, self.seconds("exp"))?;
        let has_event = self.0.get("events").and_then(|events| events.get(LOG_OUT_EVENT)).is_some();
        let names_one = self.id("sub").is_some() || self.id("sid").is_some();
        if !has_event || self.0.contains_key("nonce") || !names_one {
            return Err(SignInProblem::MissingClaim);
        }
        self.id("jti").ok_or(SignInProblem::MissingClaim)
    }

    fn check_origin(&self, expected: Expected<'_>) -> Result<(), SignInProblem> {
        if self.text("iss") != Some(expected.issuer) {
            return Err(SignInProblem::WrongIssuer);
        }
        let (is_for_desk, has_others) = match self.0.get("aud") {
            Some(Value::String(only)) => (only == expected.client_id, false),
            Some(Value::Array(all)) => {
                (all.iter().any(|one| one.as_str() == Some(expected.client_id)), all.len() > 1)
            }
            _ => (false, false),
        };
        let is_authorized = match self.0.get("azp") {
            Some(party) => party.as_str() == Some(expected.client_id),
            None => !has_others,
        };
        if is_for_desk && is_authorized { Ok(()) } else { Err(SignInProblem::WrongAudience) }
    }

    fn check_times(&self, now: Timestamp, expires_at: Option<i64>) -> Result<(), SignInProblem> {
        let now = now.millis().div_euclid(1_000);
        let issued_at = self.seconds("iat").ok_or(SignInProblem::MissingClaim)?;
        let is_over = expires_at.is_some_and(|at| at.saturating_add(MAX_CLOCK_DIFFERENCE_SECONDS) <= now);
        let is_early = issued_at > now.saturating_add(MAX_CLOCK_DIFFERENCE_SECONDS);
        if is_over || is_early { Err(SignInProblem::Clock) } else { Ok(()) }
    }

    fn seconds(&self, name: &str) -> Option<i64> {
        self.0.get(name)?.as_i64()
    }

    /// Returns the groups in a claim, which may be inside of others: `realm_access.roles`. `None`: it is missing.
    pub fn groups(&self, claim: &str) -> Option<BTreeSet<String>> {
        let found = self.0.get(claim).or_else(|| {
            let mut parts = claim.split('.');
            let first = self.0.get(parts.next()?)?;
            parts.try_fold(first, |value, part| value.get(part))
        })?;
        match found {
            Value::String(only) => Some(BTreeSet::from([only.clone()])),
            Value::Array(all) => {
                let names = all.iter().take(MAX_GROUPS).filter_map(Value::as_str);
                Some(names.map(str::to_owned).collect())
            }
            _ => None,
        }
    }

    /// Whether the provider says that both factors were proved. `None`: it does not say how the person logged in.
    pub fn proves_both_factors(&self) -> Option<bool> {
        let methods = self.0.get("amr")?.as_array()?;
        Some(methods.iter().any(|method| method.as_str() == Some("mfa")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);
    const EXPECTED: Expected<'_> = Expected { issuer: "https://id.test", client_id: "desk", now: NOW };

    fn claims(change: &Value) -> Claims {
        let mut all = json!({
            "iss": "https://id.test", "aud": "desk", "sub": "1", "nonce": "n",
            "iat": 1_800_000_000, "exp": 1_800_000_100,
        });
        let all = all.as_object_mut().unwrap();
        for (name, value) in change.as_object().unwrap() {
            if value.is_null() {
                all.remove(name);
            } else {
                all.insert(name.clone(), value.clone());
            }
        }
        Claims(all.clone())
    }

    #[test]
    fn each_claim_of_an_id_token_is_checked() {
        use SignInProblem::{Clock, MissingClaim, WrongAudience, WrongIssuer, WrongNonce};
        for (change, expected) in [
            (json!({}), Ok("1")),
            (json!({"aud": ["desk"]}), Ok("1")),
            (json!({"aud": ["desk", "b"], "azp": "desk"}), Ok("1")),
            (json!({"exp": 1_799_999_941}), Ok("1")),
            (json!({"iat": 1_800_000_060}), Ok("1")),
            (json!({"iss": "https://id.test/"}), Err(WrongIssuer)),
            (json!({"iss": null}), Err(WrongIssuer)),
            (json!({"aud": "other"}), Err(WrongAudience)),
            (json!({"aud": null}), Err(WrongAudience)),
            (json!({"aud": ["desk", "b"]}), Err(WrongAudience)),
            (json!({"azp": "b"}), Err(WrongAudience)),
            (json!({"exp": 1_799_999_940}), Err(Clock)),
            (json!({"iat": 1_800_000_061}), Err(Clock)),
            (json!({"exp": null}), Err(MissingClaim)),
            (json!({"exp": "soon"}), Err(MissingClaim)),
            (json!({"iat": null}), Err(MissingClaim)),
            (json!({"nonce": "m"}), Err(WrongNonce)),
            (json!({"nonce": null}), Err(WrongNonce)),
            (json!({"sub": ""}), Err(MissingClaim)),
            (json!({"sub": 1}), Err(MissingClaim)),
            (json!({"sub": "x".repeat(256)}), Err(MissingClaim)),
        ] {
            let claims = claims(&change);
            assert_eq!(claims.checked_id_token(EXPECTED, "n"), expected, "{change}");
        }
    }

    #[test]
    fn a_log_out_token_has_its_event_and_no_nonce() {
        let event = json!({"events": {LOG_OUT_EVENT: {}}, "jti": "j", "nonce": null});
        assert_eq!(claims(&event).checked_log_out_token(EXPECTED), Ok("j"));
        for (name, value) in
            [("nonce", json!("n")), ("events", json!({})), ("jti", Value::Null), ("sub", Value::Null)]
        {
            let mut wrong = event.clone();
            wrong[name] = value;
            assert!(claims(&wrong).checked_log_out_token(EXPECTED).is_err(), "{name}");
        }
    }

    #[test]
    fn groups_are_a_list_or_one_name_also_inside_of_others() {
        let names = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect());
        let all =
            claims(&json!({"groups": ["b", "a", 1], "one": "a", "realm": {"roles": ["c"]}, "x.y": ["d"]}));
        assert_eq!(all.groups("groups"), names(&["a", "b"]));
        assert_eq!(all.groups("one"), names(&["a"]));
        assert_eq!(all.groups("realm.roles"), names(&["c"]));
        assert_eq!(all.groups("x.y"), names(&["d"]));
        assert_eq!(all.groups("missing"), None);
        assert_eq!(all.groups("iat"), None);
    }

    #[test]
    fn tokens_without_a_public_key_signature_are_refused() {
        let keys =
            keys_of(&json!({"keys": [{"kty": "oct", "k": "AA"}, {"kty": "RSA", "n": "AQ", "e": "AQAB"}, 1]}));
        let keys = keys.unwrap();
        assert_eq!(keys.len(), 2);
        for (alg, expected) in [
            ("none", SignInProblem::BadSignature),
            ("HS256", SignInProblem::BadSignature),
            ("RS256", SignInProblem::BadSignature),
            ("ES256", SignInProblem::UnknownKey),
        ] {
            let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
            let token = format!("{}.{}.", part(&json!({"alg": alg})), part(&json!({"sub": "1"})));
            assert_eq!(Claims::verified(&token, &keys).unwrap_err(), expected, "{alg}");
        }
        assert_eq!(Claims::verified("a.b", &keys).unwrap_err(), SignInProblem::Unreadable);
    }

    /// Modulus of an RSA key, and a token that was signed with it elsewhere.
    const RSA_MODULUS: &str = "\
        5txahdiYy7A6Zu9QJ11gZyAi3_yi9PLzJ4hF8ZhdI-HTujuiHDXHv7_UanTQ48wpQM_WIh993dSKawk8LvnyJaJiRlmwswx_\
        3l1ocX9cjL8OW0hfqWzxUsx5seFka6SbEGwdgyWd4qzlz_05mZEqYfXTRv9mnmVCQhnH-e2pCOZkwq05moikDEa_FmsobfXq\
        PHcyKEdpgSd025FBTKKfmjlu1ac__natY75AaRgmjNxBtIicpk9V4bDmO6pB4OycuQC2wkXc_7jotlqMcRJWm_yJ0d-k9QjA\
        eajxiXl5E4AWPaAOyvfj__cQs7RIhKZhmuvpYjRVn11CW31tor33oQ";
    const RSA_TOKEN: &str = "\
        eyJhbGciOiJSUzI1NiIsImtpZCI6InIifQ.eyJzdWIiOiIxIn0.WkigDCVZC36ljy7EtlaLU2tyL_EHNByr3Sk6vAnMbSySQ\
        aJCnVnwhky44umca0SRZAXRVWne9TS4NHZUOz3YbtLpAEzuSMdB-jLA_0OY6mKy8KcKhd5VNDQCHQZxi_RvZoJUclLMLB94a\
        _l5OPX8zSSsUsLmQkmG6GKIF0DN9MHC51omwJ4lkTwptAoBwtN7IrpKcNoyiH7WY3iHQ5b9lM5GccQr-DbOz7Hh9NZo_3emX\
        v_zTIM_pFdf5SWAoeSuTowPyJcjGubTywsXIes-qo63lCunEODrQWRbEvZy5JheEzuXbV8RyQqllYAByR4REG1Toc9ybTB9R\
        n_nl5VaQA";

    #[test]
    fn a_token_is_verified_with_the_rsa_key_it_was_signed_with() {
        let key = |name: &str, modulus: &str, more: &Value| {
            let mut key = json!({"kty": "RSA", "kid": name, "e": "AQAB", "n": modulus});
            for (name, value) in more.as_object().unwrap() {
                key[name] = value.clone();
            }
            keys_of(&json!({ "keys": [key] })).unwrap()
        };
        let right = key("r", RSA_MODULUS, &json!({"alg": "RS256", "use": "sig"}));
        assert_eq!(Claims::verified(RSA_TOKEN, &right).unwrap().text("sub"), Some("1"));
        // A leading zero is part of some encodings.
        let bytes = [vec![0], URL_SAFE_NO_PAD.decode(RSA_MODULUS).unwrap()].concat();
        let padded = key("r", &URL_SAFE_NO_PAD.encode(bytes), &json!({}));
        assert!(Claims::verified(RSA_TOKEN, &padded).is_ok());
        for (keys, expected) in [
            (key("other", RSA_MODULUS, &json!({})), SignInProblem::UnknownKey),
            (key("r", RSA_MODULUS, &json!({"use": "enc"})), SignInProblem::UnknownKey),
            (key("r", RSA_MODULUS, &json!({"alg": "ES256"})), SignInProblem::UnknownKey),
            (key("r", &RSA_MODULUS.replace('A', "B"), &json!({})), SignInProblem::BadSignature),
        ] {
            assert_eq!(Claims::verified(RSA_TOKEN, &keys).unwrap_err(), expected);
        }
        let (signed, signature) = RSA_TOKEN.rsplit_once('.').unwrap();
        let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"RS256","kid":"r"}"#);
        let changed = format!("{header}.{}.{signature}", URL_SAFE_NO_PAD.encode(r#"{"sub":"2"}"#));
        assert_ne!(signed, changed);
        assert_eq!(Claims::verified(&changed, &right).unwrap_err(), SignInProblem::BadSignature);
    }
}
