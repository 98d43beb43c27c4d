//! A device with passkeys in software, for tests: it answers as a browser with such a device does.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    digest::{SHA256, digest},
    rand::{SecureRandom as _, SystemRandom},
    signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _},
};

/// What precedes the point of a P-256 key in its `SubjectPublicKeyInfo`.
const P256: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
    0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];
/// Flag of a new key.
const HAS_KEY: u8 = 0b100_0000;

/// A passkey: an ES256 key of a device that checks its user. Its fields may be changed to answer wrongly.
#[derive(Debug)]
pub struct SoftPasskey {
    /// The site of the key.
    pub host: String,
    /// The origin that the browser reports.
    pub origin: String,
    /// What the device says of the user: 5 is present and checked, 1 present.
    pub flags: u8,
    /// Uses of the key. 0: the device does not count.
    pub counter: u32,
    /// The account that the device stored, base64url.
    pub handle: String,
    key: EcdsaKeyPair,
    credential: Vec<u8>,
}

/// What a browser sends about a new passkey, base64url.
#[derive(Debug, Clone)]
pub struct CreatedPasskey {
    /// Id of the key.
    pub credential: String,
    /// The request as the browser saw it.
    pub client_data: String,
    /// What the device says.
    pub authenticator_data: String,
    /// The public key.
    pub public_key: String,
}

/// What a browser sends to prove that it has a passkey, base64url.
#[derive(Debug, Clone)]
pub struct PasskeyProof {
    /// Id of the key.
    pub credential: String,
    /// The request as the browser saw it.
    pub client_data: String,
    /// What the device says.
    pub authenticator_data: String,
    /// The signature.
    pub signature: String,
    /// The account.
    pub handle: String,
}

impl SoftPasskey {
    /// Creates a key for a site and an account.
    ///
    /// # Panics
    ///
    /// If the system has no random numbers.
    #[must_use]
    pub fn new(host: &str, origin: &str, handle: &str) -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).expect("a key");
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, document.as_ref(), &random);
        let mut credential = vec![0; 32];
        random.fill(&mut credential).expect("random numbers");
        Self {
            host: host.to_owned(),
            origin: origin.to_owned(),
            flags: 5,
            counter: 0,
            handle: handle.to_owned(),
            key: key.expect("the key is read"),
            credential,
        }
    }

    /// Answers the request for a new passkey.
    #[must_use]
    pub fn create(&self, challenge: &str) -> CreatedPasskey {
        let mut data = self.head(self.flags | HAS_KEY);
        data.extend_from_slice(&[0; 16]);
        data.extend_from_slice(&u16::try_from(self.credential.len()).unwrap_or(u16::MAX).to_be_bytes());
        data.extend_from_slice(&self.credential);
        let point: &[u8] = self.key.public_key().as_ref();
        // The key as CBOR (COSE): {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
        data.extend_from_slice(&[0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend_from_slice(&point[1..33]);
        data.extend_from_slice(&[0x22, 0x58, 0x20]);
        data.extend_from_slice(&point[33..]);
        CreatedPasskey {
            credential: encode(&self.credential),
            client_data: encode(self.client_data("webauthn.create", challenge).as_bytes()),
            authenticator_data: encode(&data),
            public_key: encode(&[&P256[..], point].concat()),
        }
    }

    /// Answers the request for this passkey, and counts if the device does.
    ///
    /// # Panics
    ///
    /// If nothing can be signed.
    #[must_use]
    pub fn prove(&mut self, challenge: &str) -> PasskeyProof {
        if self.counter > 0 {
            self.counter += 1;
        }
        let data = self.head(self.flags);
        let client_data = self.client_data("webauthn.get", challenge);
        let hash = digest(&SHA256, client_data.as_bytes());
        let signed = [data.as_slice(), hash.as_ref()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).expect("a signature");
        PasskeyProof {
            credential: encode(&self.credential),
            client_data: encode(client_data.as_bytes()),
            authenticator_data: encode(&data),
            signature: encode(signature.as_ref()),
            handle: self.handle.clone(),
        }
    }

    fn head(&self, flags: u8) -> Vec<u8> {
        let mut data = digest(&SHA256, self.host.as_bytes()).as_ref().to_vec();
        data.push(flags);
        data.extend_from_slice(&self.counter.to_be_bytes());
        data
    }

    fn client_data(&self, kind: &str, challenge: &str) -> String {
        let origin = &self.origin;
        format!(r#"{{"type":"{kind}","challenge":"{challenge}","origin":"{origin}","crossOrigin":false}}"#)
    }
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
