//! Hexadecimal digits of bytes.

use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// Returns the bytes as hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns a hash of a text for its address; empty: the text is empty.
#[must_use]
pub fn address_hash(text: &str) -> String {
    let mut hash = if text.is_empty() { String::new() } else { sha256(text.as_bytes()) };
    hash.truncate(32);
    hash
}

/// Returns the SHA-256 of the bytes as hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}
