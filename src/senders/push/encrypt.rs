//! Encryption for a browser: RFC 8291 (Message Encryption for Web Push) on top of RFC 8188 (`aes128gcm`).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::push::MAX_PAYLOAD_BYTES;
use ring::{
    aead::{AES_128_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral},
    hmac,
    rand::{SecureRandom as _, SystemRandom},
};

/// Length of an uncompressed point of P-256, bytes.
pub const POINT_BYTES: usize = 65;
/// First byte of an uncompressed point.
const UNCOMPRESSED: u8 = 4;
/// Length of an authentication secret and of a salt, bytes.
pub const SECRET_BYTES: usize = 16;
/// Record size in the header: the one record, with its tag, is not longer (RFC 8188 §2.1, RFC 8291 §4).
const RECORD_BYTES: u32 = 4_096;
/// Delimiter of the last record (RFC 8188 §2).
const LAST_RECORD: u8 = 2;

/// The keys of a browser, as its subscription has them.
pub struct Receiver {
    /// Public key, an uncompressed point.
    pub key: [u8; POINT_BYTES],
    /// Authentication secret.
    pub auth: [u8; SECRET_BYTES],
}

impl Receiver {
    /// Parses the keys of a subscription; `None`: one of them is not valid.
    #[must_use]
    pub fn parse(p256dh: &str, auth: &str) -> Option<Self> {
        Some(Self { key: parse_key(p256dh)?, auth: decode(auth)? })
    }
}

/// Parses a public key; `None`: it is not an uncompressed point of P-256 in base64url.
#[must_use]
pub fn parse_key(text: &str) -> Option<[u8; POINT_BYTES]> {
    let key = decode::<POINT_BYTES>(text).filter(|key| key[0] == UNCOMPRESSED)?;
    // Only an agreement checks that a point is on the curve.
    let private = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).ok()?;
    agree_ephemeral(private, &UnparsedPublicKey::new(&ECDH_P256, key), |_| key).ok()
}

/// Whether this is an authentication secret in base64url.
#[must_use]
pub fn is_auth(text: &str) -> bool {
    decode::<SECRET_BYTES>(text).is_some()
}

/// Decodes base64url, with or without padding.
fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()?.try_into().ok()
}

/// Encrypts a text for a browser, with a new key and a new salt. `None`: it is too long, or the machine has
/// no random numbers.
#[must_use]
pub fn seal(receiver: &Receiver, text: &[u8]) -> Option<Vec<u8>> {
    let random = SystemRandom::new();
    let private = EphemeralPrivateKey::generate(&ECDH_P256, &random).ok()?;
    let own: [u8; POINT_BYTES] = private.compute_public_key().ok()?.as_ref().try_into().ok()?;
    let mut salt = [0; SECRET_BYTES];
    random.fill(&mut salt).ok()?;
    let peer = UnparsedPublicKey::new(&ECDH_P256, receiver.key);
    agree_ephemeral(private, &peer, |shared| {
        seal_record(&RecordKeys::derive(shared, receiver, &own, salt), &own, salt, text)
    })
    .ok()?
}

/// Keys of the one record.
pub struct RecordKeys {
    /// Content encryption key.
    pub key: [u8; 16],
    /// Nonce.
    pub nonce: [u8; NONCE_LEN],
}

impl RecordKeys {
    /// Derives the keys from the shared secret of ECDH, the keys of the browser, the public key of the sender
    /// and the salt (RFC 8291 §3.4).
    #[must_use]
    pub fn derive(
        shared: &[u8],
        receiver: &Receiver,
        own: &[u8; POINT_BYTES],
        salt: [u8; SECRET_BYTES],
    ) -> Self {
        let pseudorandom = extract(&salt, &input_key(shared, receiver, own));
        Self {
            key: expand(&pseudorandom, &[b"Content-Encoding: aes128gcm\0"]),
            nonce: expand(&pseudorandom, &[b"Content-Encoding: nonce\0"]),
        }
    }
}

/// Input keying material of RFC 8188, which binds both public keys and the authentication secret
/// (RFC 8291 §3.3).
fn input_key(shared: &[u8], receiver: &Receiver, own: &[u8; POINT_BYTES]) -> [u8; 32] {
    expand(&extract(&receiver.auth, shared), &[b"WebPush: info\0", &receiver.key, own])
}

/// HKDF-Extract with SHA-256 (RFC 5869 §2.2).
fn extract(salt: &[u8], input: &[u8]) -> [u8; 32] {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, salt), input);
    first_bytes(tag.as_ref())
}

/// HKDF-Expand with SHA-256 (RFC 5869 §2.3) to at most 32 bytes, which is one block.
fn expand<const N: usize>(pseudorandom: &[u8; 32], info: &[&[u8]]) -> [u8; N] {
    const { assert!(N <= 32) };
    let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, pseudorandom));
    for part in info {
        context.update(part);
    }
    context.update(&[1]);
    first_bytes(context.sign().as_ref())
}

fn first_bytes<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|index| bytes[index])
}

/// Encrypts the one record and writes its header before it (RFC 8188 §2). `None`: the text is too long.
#[must_use]
pub fn seal_record(
    keys: &RecordKeys,
    own: &[u8; POINT_BYTES],
    salt: [u8; SECRET_BYTES],
    text: &[u8],
) -> Option<Vec<u8>> {
    if text.len() > MAX_PAYLOAD_BYTES {
        return None;
    }
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &keys.key).ok()?);
    let mut record = [text, &[LAST_RECORD]].concat();
    let nonce = Nonce::assume_unique_for_key(keys.nonce);
    key.seal_in_place_append_tag(nonce, Aad::empty(), &mut record).ok()?;
    let key_length = u8::try_from(own.len()).ok()?;
    Some([&salt[..], &RECORD_BYTES.to_be_bytes(), &[key_length], own, &record].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::agreement;

    // RFC 8291, Appendix A.
    const TEXT: &[u8] = b"When I grow up, I want to be a watermelon";
    const RECEIVER_KEY: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const SENDER_KEY: &str =
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";
    const SALT: &str = "DGv6ra1nlYgDCS1FRnbzlw";
    const SHARED_SECRET: &str = "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs";
    const MESSAGE: &str = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";

    #[test]
    fn the_example_of_rfc_8291_has_the_same_keys_and_the_same_message() {
        let receiver = Receiver::parse(RECEIVER_KEY, AUTH).unwrap();
        let own: [u8; POINT_BYTES] = decode(SENDER_KEY).unwrap();
        let (salt, shared) = (decode(SALT).unwrap(), decode::<32>(SHARED_SECRET).unwrap());
        let text = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let combined = extract(&receiver.auth, &shared);
        assert_eq!(text(&combined), "Snr3JMxaHVDXHWJn5wdC52WjpCtd2EIEGBykDcZW32k");
        let input = input_key(&shared, &receiver, &own);
        assert_eq!(text(&input), "S4lYMb_L0FxCeq0WhDx813KgSYqU26kOyzWUdsXYyrg");
        assert_eq!(text(&extract(&salt, &input)), "09_eUZGrsvxChDCGRCdkLiDXrReGOEVeSCdCcPBSJSc");
        let keys = RecordKeys::derive(&shared, &receiver, &own, salt);
        assert_eq!(text(&keys.key), "oIhVW04MRdy2XN9CiKLxTg");
        assert_eq!(text(&keys.nonce), "4h_95klXJ5E_qnoN");
        assert_eq!(text(&seal_record(&keys, &own, salt, TEXT).unwrap()), MESSAGE);
    }

    #[test]
    fn a_browser_decrypts_what_was_sealed_for_it() {
        let private = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
        let public = private.compute_public_key().unwrap();
        let receiver = Receiver { key: first_bytes(public.as_ref()), auth: [7; SECRET_BYTES] };
        let message = seal(&receiver, TEXT).unwrap();
        let (salt, own) = (first_bytes(&message), first_bytes::<POINT_BYTES>(&message[21..]));
        assert_eq!((&message[16..21], message.len()), (&[0, 0, 16, 0, 65][..], 86 + TEXT.len() + 17));
        let peer = UnparsedPublicKey::new(&ECDH_P256, own);
        let derive = |shared: &[u8]| RecordKeys::derive(shared, &receiver, &own, salt);
        let keys = agreement::agree_ephemeral(private, &peer, derive).unwrap();
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &keys.key).unwrap());
        let mut record = message[86..].to_vec();
        let nonce = Nonce::assume_unique_for_key(keys.nonce);
        let opened = key.open_in_place(nonce, Aad::empty(), &mut record).unwrap();
        assert_eq!(opened, [TEXT, &[LAST_RECORD]].concat());
        assert_ne!(seal(&receiver, TEXT).unwrap(), message, "a new key and a new salt");
        let longest = vec![b'x'; MAX_PAYLOAD_BYTES];
        assert_eq!(seal(&receiver, &longest).unwrap().len(), 4_096);
        assert_eq!(seal(&receiver, &vec![b'x'; MAX_PAYLOAD_BYTES + 1]), None);
    }

    #[test]
    fn only_points_of_the_curve_and_secrets_of_16_bytes_are_keys() {
        assert!(parse_key(RECEIVER_KEY).is_some() && parse_key(&format!("{RECEIVER_KEY}=")).is_some());
        let mut off_curve: [u8; POINT_BYTES] = decode(RECEIVER_KEY).unwrap();
        off_curve[64] ^= 1;
        assert_eq!(parse_key(&URL_SAFE_NO_PAD.encode(off_curve)), None);
        for wrong in ["", "BCVx", "§", &RECEIVER_KEY[1..], &SALT.repeat(4)] {
            assert_eq!(parse_key(wrong), None, "{wrong}");
        }
        assert!(is_auth(AUTH) && is_auth(&format!("{AUTH}==")) && !is_auth("BTBZ") && !is_auth(RECEIVER_KEY));
    }
}
