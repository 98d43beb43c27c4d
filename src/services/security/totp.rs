//! Codes of an authenticator app: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds, which every
//! app supports.

use domain::Timestamp;
use ring::hmac;
use subtle::ConstantTimeEq as _;

/// Length of a secret, bytes.
const SECRET_BYTES: usize = 20;
/// Length of a step, milliseconds.
const STEP_MS: i64 = 30_000;
/// Number of steps before and after the current one that are accepted too, for clocks that differ.
const TOLERANCE_STEPS: i64 = 1;
/// Number of digits of a code.
pub const CODE_DIGITS: usize = 6;
/// The first number with more digits than a code.
const CODES: u32 = 1_000_000;

/// Generates a secret.
#[must_use]
pub fn generate_secret() -> [u8; SECRET_BYTES] {
    let mut secret = [0; SECRET_BYTES];
    rand::fill(&mut secret);
    secret
}

/// Returns the code of the step at this time.
#[must_use]
pub fn code_at(secret: &[u8], at: Timestamp) -> String {
    code(secret, step_at(at))
}

/// Returns the step whose code was entered at this time; `None`: the code is wrong, or of a step that is not
/// after `last_step`.
#[must_use]
pub fn matching_step(secret: &[u8], typed: &str, at: Timestamp, last_step: i64) -> Option<i64> {
    let now = step_at(at);
    (now - TOLERANCE_STEPS..=now + TOLERANCE_STEPS)
        .filter(|step| *step > last_step)
        .find(|step| bool::from(code(secret, *step).as_bytes().ct_eq(typed.as_bytes())))
}

/// Returns the URL from which an app reads the secret.
#[must_use]
pub fn url(secret: &[u8], issuer: &str, account: &str) -> String {
    let (secret, issuer, account) = (base32(secret), percent_encoded(issuer), percent_encoded(account));
    format!("otpauth://totp/{issuer}:{account}?secret={secret}&issuer={issuer}")
}

/// Returns the bytes in base32 (RFC 4648). Their number must be a multiple of five.
#[must_use]
pub fn base32(bytes: &[u8]) -> String {
    let digits = |chunk: &[u8]| {
        let bits = chunk.iter().fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
        (0..8_u32).rev().map(move |place| base32_digit(bits >> (5 * place)))
    };
    bytes.chunks_exact(5).flat_map(digits).collect()
}

/// Returns the digit for the last five bits.
fn base32_digit(bits: u64) -> char {
    let value = u8::try_from(bits & 31).unwrap_or_default();
    char::from(if value < 26 { b'A' + value } else { b'2' + (value - 26) })
}

fn step_at(at: Timestamp) -> i64 {
    at.millis().div_euclid(STEP_MS)
}

/// Returns the code of a step (RFC 4226 §5.3).
fn code(secret: &[u8], step: i64) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret);
    let tag = hmac::sign(&key, &step.to_be_bytes());
    let offset = tag.as_ref().last().map_or(0, |byte| usize::from(byte & 15));
    let word =
        tag.as_ref().iter().skip(offset).take(4).fold(0_u32, |word, byte| (word << 8) | u32::from(*byte));
    format!("{:0CODE_DIGITS$}", (word & 0x7fff_ffff) % CODES)
}

fn percent_encoded(text: &str) -> String {
    let encoded = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(encoded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Secret of the test vectors (RFC 6238, appendix B).
    const SECRET: &[u8] = b"12345678901234567890";

    #[test]
    fn codes_are_those_of_the_rfc() {
        let vectors = [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ];
        for (seconds, expected) in vectors {
            assert_eq!(code_at(SECRET, Timestamp::from_millis(seconds * 1_000)), expected, "{seconds}");
        }
    }

    #[test]
    fn the_step_before_and_after_are_accepted_and_each_one_once() {
        let at = Timestamp::from_millis(1_111_111_111_000);
        let step = 1_111_111_111 / 30;
        for near in [step - 1, step, step + 1] {
            assert_eq!(matching_step(SECRET, &code(SECRET, near), at, 0), Some(near));
            assert_eq!(matching_step(SECRET, &code(SECRET, near), at, near), None);
        }
        let [early, late] = [step - 2, step + 2].map(|step| code(SECRET, step));
        for wrong in [early.as_str(), &late, "", "05047", "0504711"] {
            assert_eq!(matching_step(SECRET, wrong, at, 0), None, "{wrong}");
        }
    }

    #[test]
    fn a_secret_is_written_in_base32_and_as_a_url() {
        assert_eq!(base32(SECRET), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(
            url(SECRET, "The Desk", "ada@desk.test"),
            "otpauth://totp/The%20Desk:ada%40desk.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=The%20Desk"
        );
        assert_eq!(generate_secret().len(), SECRET_BYTES);
        assert_ne!(generate_secret(), generate_secret());
    }
}
