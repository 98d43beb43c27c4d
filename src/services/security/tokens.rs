//! Random tokens, and the hashes that are stored of them. For passwords see `password_hash`.

use crate::services::hex;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use uuid::Uuid;

/// Prefix of every API token; scanners for leaked secrets look for it.
const TOKEN_PREFIX: &str = "pt_live_";

/// Generates a random secret of 256 bits, for URLs and cookies.
#[must_use]
pub fn generate_secret() -> String {
    URL_SAFE_NO_PAD.encode(random())
}

/// Returns the SHA-256 hash, in hex, that is stored instead of a random secret. High-entropy
/// secrets need no salt.
#[must_use]
pub fn hash(secret: &str) -> String {
    hex::sha256(secret.as_bytes())
}

/// Generates an API token for this id: `pt_live_<id>_<secret and checksum>`.
#[must_use]
pub fn generate_token(id: Uuid) -> String {
    let body = format!("{TOKEN_PREFIX}{}_{}", id.simple(), hex::hex(&random()));
    let sum = checksum(body.as_bytes());
    format!("{body}{sum:08x}")
}

/// Returns the id in an API token; `None`: not a token, or mistyped.
#[must_use]
pub fn token_id(token: &str) -> Option<Uuid> {
    let (body, sum) = token.split_at_checked(token.len().checked_sub(8)?)?;
    let (id, secret) = body.strip_prefix(TOKEN_PREFIX)?.split_once('_')?;
    let is_whole = secret.len() == 64 && u32::from_str_radix(sum, 16) == Ok(checksum(body.as_bytes()));
    is_whole.then(|| Uuid::try_parse(id).ok()).flatten()
}

fn random() -> [u8; 32] {
    let mut bytes = [0; 32];
    rand::fill(&mut bytes);
    bytes
}

/// CRC-32: detects mistyped tokens without a database query.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_carries_its_identity_and_a_checksum() {
        let id = Uuid::now_v7();
        let token = generate_token(id);
        assert_eq!(token_id(&token), Some(id));
        let mistyped = token.replacen(&id.simple().to_string()[..1], "f", 1);
        assert!(mistyped == token || token_id(&mistyped).is_none());
        for bad in ["", "pt_live_", "pt_live__", "é", "Bearer x", &token[1..], &token[..token.len() - 1]] {
            assert_eq!(token_id(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_checksum_is_crc_32() {
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn secrets_are_unique_and_hashes_do_not_reveal_them() {
        assert_ne!(generate_secret(), generate_secret());
        assert_eq!(generate_secret().len(), 43);
        assert_eq!(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
