//! Checks what a browser and a device say about a passkey (WebAuthn level 3), see
//! `docs/adr/0021-own-check-of-passkeys.md`.
//!
//! No attestation is asked for: nothing is signed when a key is created, and a client with the session could send any
//! key. So the key is taken as `SubjectPublicKeyInfo`, as browsers give it, and no CBOR is read. The rest is bytes at
//! fixed positions.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::accounts::passkey::{NewPasskey, PasskeyAnswer, PasskeySite};
use ring::{
    digest::{SHA256, digest},
    signature::{ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey},
};
use serde::Deserialize;

/// Maximum length of a field, base64url. Keys and signatures have a few hundred bytes; extensions of devices add some.
const MAX_FIELD_CHARS: usize = 8_192;
/// Maximum length of the id of a key on its device, bytes.
const MAX_CREDENTIAL_BYTES: usize = 1_023;
/// Flags of a device: the user was there, and was checked by fingerprint, face or PIN.
const USER_VERIFIED: u8 = 0b101;
/// Flag of a device: a new key follows.
const HAS_KEY: u8 = 0b100_0000;
/// Length of the name of the device's model, which is not used, bytes.
const MODEL_BYTES: usize = 16;

/// What precedes the point of a P-256 key.
const P256: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
    0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];
/// Length of the point of a P-256 key, bytes.
const P256_POINT_BYTES: usize = 65;
/// What precedes an Ed25519 key.
const ED25519_KEY: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
/// Length of an Ed25519 key, bytes.
const ED25519_BYTES: usize = 32;
/// What precedes an RSA key of 2048 bits: the keys of Windows Hello.
const RSA2048: [u8; 24] = [
    0x30, 0x82, 0x01, 0x22, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01,
    0x05, 0x00, 0x03, 0x82, 0x01, 0x0f, 0x00,
];
/// Length of an RSA key of 2048 bits, bytes.
const RSA2048_BYTES: usize = 270;

/// A challenge that this server issued, and the site where it must be answered.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// The challenge, base64url.
    pub challenge: &'a str,
    /// The site.
    pub site: &'a PasskeySite,
}

/// What the browser says about a request.
#[derive(Deserialize)]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    /// Whether a frame of another site asked.
    #[serde(rename = "crossOrigin", default)]
    is_cross_origin: bool,
}

/// What the device says.
struct DeviceData<'a> {
    flags: u8,
    counter: u32,
    rest: &'a [u8],
}

impl Expected<'_> {
    /// Returns the counter of the device if it created this key for this challenge.
    #[must_use]
    pub fn created(self, new: &NewPasskey) -> Option<u32> {
        let device_data = bytes(&new.authenticator_data)?;
        let device = self.device_data(&device_data).filter(|device| device.flags & HAS_KEY != 0)?;
        let (_, rest) = device.rest.split_at_checked(MODEL_BYTES)?;
        let (length, rest) = rest.split_first_chunk::<2>()?;
        let (credential, key) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
        let is_id = (1..=MAX_CREDENTIAL_BYTES).contains(&credential.len()) && !key.is_empty();
        let is_new = is_id
            && bytes(&new.credential)? == credential
            && self.is_answered("webauthn.create", &bytes(&new.client_data)?)
            && public_key(&bytes(&new.public_key)?).is_some();
        is_new.then_some(device.counter)
    }

    /// Returns the counter of the device if the owner of this key (base64url) answered this challenge.
    #[must_use]
    pub fn answered(self, answer: &PasskeyAnswer, key: &str) -> Option<u32> {
        let (mut signed, client_data) = (bytes(&answer.authenticator_data)?, bytes(&answer.client_data)?);
        let counter = self.device_data(&signed)?.counter;
        if !self.is_answered("webauthn.get", &client_data) {
            return None;
        }
        signed.extend_from_slice(digest(&SHA256, &client_data).as_ref());
        let (key, signature) = (bytes(key)?, bytes(&answer.signature)?);
        public_key(&key)?.verify(&signed, &signature).ok()?;
        Some(counter)
    }

    /// Whether the browser answered this challenge, on a page of this site.
    fn is_answered(self, kind: &str, client_data: &[u8]) -> bool {
        serde_json::from_slice::<ClientData>(client_data).is_ok_and(|said| {
            said.kind == kind
                && said.challenge == self.challenge
                && said.origin == self.site.origin
                && !said.is_cross_origin
        })
    }

    /// Reads what the device says. `None`: it answered another site, or did not check the user.
    fn device_data(self, bytes: &[u8]) -> Option<DeviceData<'_>> {
        let (site, rest) = bytes.split_at_checked(SHA256.output_len())?;
        let (flags, rest) = rest.split_first()?;
        let (counter, rest) = rest.split_first_chunk::<4>()?;
        let own_site = digest(&SHA256, self.site.host.as_bytes());
        let own_site: &[u8] = own_site.as_ref();
        let is_own = site == own_site;
        let is_verified = flags & USER_VERIFIED == USER_VERIFIED;
        let data = DeviceData { flags: *flags, counter: u32::from_be_bytes(*counter), rest };
        (is_own && is_verified).then_some(data)
    }
}

/// Decodes a field.
fn bytes(text: &str) -> Option<Vec<u8>> {
    if text.len() > MAX_FIELD_CHARS { None } else { URL_SAFE_NO_PAD.decode(text).ok() }
}

/// Reads a public key. `None`: its kind was not asked for.
fn public_key(info: &[u8]) -> Option<UnparsedPublicKey<&[u8]>> {
    if let Some(point) = info.strip_prefix(&P256) {
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point);
        return (point.len() == P256_POINT_BYTES).then_some(key);
    }
    if let Some(key) = info.strip_prefix(&ED25519_KEY) {
        return (key.len() == ED25519_BYTES).then_some(UnparsedPublicKey::new(&ED25519, key));
    }
    let key = info.strip_prefix(&RSA2048).filter(|key| key.len() == RSA2048_BYTES)?;
    Some(UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::{
        rand::SystemRandom,
        signature::{Ed25519KeyPair, KeyPair as _},
    };

    #[test]
    fn an_ed25519_key_answers_and_other_kinds_of_keys_are_refused() {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        let pair = Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap();
        let info = [&ED25519_KEY[..], pair.public_key().as_ref()].concat();
        let site = PasskeySite::of("https://desk.example.org").unwrap();
        let expected = Expected { challenge: "AAAA", site: &site };
        let client_data =
            br#"{"type":"webauthn.get","challenge":"AAAA","origin":"https://desk.example.org","extra":1}"#;
        let mut data = digest(&SHA256, b"desk.example.org").as_ref().to_vec();
        data.extend_from_slice(&[USER_VERIFIED, 0, 0, 1, 2]);
        let signed = [data.as_slice(), digest(&SHA256, client_data).as_ref()].concat();
        let answer = PasskeyAnswer {
            client_data: URL_SAFE_NO_PAD.encode(client_data),
            authenticator_data: URL_SAFE_NO_PAD.encode(&data),
            signature: URL_SAFE_NO_PAD.encode(pair.sign(&signed).as_ref()),
            ..PasskeyAnswer::default()
        };
        assert_eq!(expected.answered(&answer, &URL_SAFE_NO_PAD.encode(&info)), Some(258));
        let other = Expected { challenge: "AAAB", ..expected };
        assert_eq!(other.answered(&answer, &URL_SAFE_NO_PAD.encode(&info)), None);
        assert!(public_key(&info[..info.len() - 1]).is_none(), "cut");
        assert!(public_key(&[&info[..], &[0]].concat()).is_none(), "too long");
        assert!(public_key(&RSA2048).is_none() && public_key(&P256).is_none() && public_key(&[]).is_none());
    }
}
