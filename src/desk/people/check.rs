//! What people may type about themselves.

use crate::zone::Zone;
use domain::{
    Refusal,
    limit::{EMAIL_BYTES, NAME_CHARS, PASSWORD_MAX, PASSWORD_MIN},
    refusal::Problem,
};
use unicode_normalization::UnicodeNormalization;

static COMMON: &str = include_str!("common_passwords.txt");

/// An e-mail address as it is stored: trimmed, lower case.
pub fn email(typed: &str) -> Result<String, Refusal> {
    let email = folded(typed);
    if email.is_empty() {
        return Err(Refusal::invalid("email", Problem::Empty));
    }
    if email.len() > EMAIL_BYTES {
        return Err(Refusal::invalid("email", Problem::TooLarge { max: whole(EMAIL_BYTES) }));
    }
    if is_email(&email) { Ok(email) } else { Err(Refusal::invalid("email", Problem::NotAnEmail)) }
}

/// An address as it is looked up, sensible or not.
pub fn folded(typed: &str) -> String {
    typed.trim().to_ascii_lowercase()
}

/// Whether it is the address of a mailbox, in plain letters.
pub fn is_email(email: &str) -> bool {
    let Some((local, domain)) = email.split_once('@') else { return false };
    let is_label = |label: &str| {
        !label.is_empty()
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let is_local = |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    (1..=64).contains(&local.len()) && local.bytes().all(is_local) && domain.split('.').all(is_label)
}

/// A name, trimmed: 1 to 100 characters on one line.
pub fn name(field: &str, typed: &str) -> Result<String, Refusal> {
    let name = typed.trim();
    if name.is_empty() {
        return Err(Refusal::invalid(field, Problem::Empty));
    }
    if name.chars().count() > NAME_CHARS {
        return Err(Refusal::invalid(field, Problem::TooLong { max: whole(NAME_CHARS) }));
    }
    if name.chars().any(char::is_control) {
        return Err(Refusal::invalid(field, Problem::BadCharacters));
    }
    Ok(name.to_owned())
}

/// A new password, in the one spelling in which it is hashed.
pub fn password(field: &str, typed: &str) -> Result<String, Refusal> {
    let password = spelled(typed);
    let length = password.chars().count();
    if length < PASSWORD_MIN {
        return Err(Refusal::invalid(field, Problem::TooShort { min: whole(PASSWORD_MIN) }));
    }
    if length > PASSWORD_MAX {
        return Err(Refusal::invalid(field, Problem::TooLong { max: whole(PASSWORD_MAX) }));
    }
    let plain = password.to_lowercase();
    if COMMON.lines().any(|common| common == plain) {
        return Err(Refusal::invalid(field, Problem::CommonPassword));
    }
    Ok(password)
}

/// A password as it is hashed: keyboards differ in how they write the same accent. Nothing longer than one can be.
pub fn spelled(typed: &str) -> String {
    typed.nfc().take(PASSWORD_MAX + 1).collect()
}

/// A zone that exists.
pub fn zone(typed: &str) -> Result<String, Refusal> {
    Zone::named(typed.trim()).map(|zone| zone.name().to_owned())
}

fn whole(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_folded_and_what_is_none_is_refused() {
        assert_eq!(email("  Ada@Example.ORG "), Ok("ada@example.org".to_owned()));
        assert_eq!(email("root@localhost"), Ok("root@localhost".to_owned()));
        for bad in ["ada", "@x.org", "ada@", "a b@x.org", "ada@x..org", "ada@-x.org", "a\r\nb@x.org", "a@b@c"]
        {
            assert_eq!(email(bad), Err(Refusal::invalid("email", Problem::NotAnEmail)), "{bad:?}");
        }
    }

    #[test]
    fn passwords_are_long_enough_and_not_common() {
        assert!(password("password", "a fine long sentence").is_ok());
        assert!(matches!(
            password("password", "short"),
            Err(Refusal::Invalid { problem: Problem::TooShort { .. }, .. })
        ));
        let long = "x".repeat(129);
        assert!(matches!(
            password("password", &long),
            Err(Refusal::Invalid { problem: Problem::TooLong { .. }, .. })
        ));
        for common in ["password", "Password123", "12345678", "qwertyui"] {
            assert_eq!(
                password("p", common),
                Err(Refusal::invalid("p", Problem::CommonPassword)),
                "{common}"
            );
        }
    }

    #[test]
    fn one_password_has_one_spelling() {
        assert_eq!(spelled("cafe\u{301}"), spelled("caf\u{e9}"));
    }
}
