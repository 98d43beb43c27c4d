//! Validates and normalises account data.

use crate::zone::Zone;
use domain::{
    DomainError, EmailAddress, InvalidEmail,
    error::ValidationError,
    input_limits::{MAX_EMAIL_BYTES, MAX_NAME_CHARS, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS},
    text::find_forbidden_char,
};
use unicode_normalization::UnicodeNormalization;

/// What is tried first: the 5,000 most frequent passwords of at least eight characters in the list of zxcvbn
/// (https://github.com/shssoichiro/zxcvbn-rs), and plain sequences.
static COMMON: &str = include_str!("common_passwords.txt");

/// Validates an e-mail address and normalises it: trimmed, lower case.
pub fn email(typed: &str) -> Result<String, DomainError> {
    EmailAddress::parse(typed).map(String::from).map_err(|why| not_an_email("email", why))
}

/// Returns the refusal of a text that is no address.
pub fn not_an_email(field: &str, why: InvalidEmail) -> DomainError {
    let problem = match why {
        InvalidEmail::Empty => ValidationError::Empty,
        InvalidEmail::TooLong => ValidationError::TooLarge { max: whole(MAX_EMAIL_BYTES) },
        InvalidEmail::NotAnEmail => ValidationError::NotAnEmail,
    };
    DomainError::invalid(field, problem)
}

/// Normalises an e-mail address for a lookup, without validation: accounts may have addresses that
/// were valid in an earlier release.
pub fn normalize_email(typed: &str) -> String {
    EmailAddress::parse(typed).map_or_else(|_| typed.trim().to_ascii_lowercase(), String::from)
}

/// Validates and trims a name: 1 to 100 characters on one line.
pub fn name(field: &str, typed: &str) -> Result<String, DomainError> {
    let name = typed.trim();
    if name.is_empty() {
        return Err(DomainError::invalid(field, ValidationError::Empty));
    }
    if name.chars().count() > MAX_NAME_CHARS {
        return Err(DomainError::invalid(field, ValidationError::TooLong { max: whole(MAX_NAME_CHARS) }));
    }
    if find_forbidden_char(name).is_some() {
        return Err(DomainError::invalid(field, ValidationError::BadCharacters));
    }
    Ok(name.to_owned())
}

/// Validates the name of an account, which is part of the address of the author's page. Names that denote
/// the engine in the log are reserved.
pub fn person_name(typed: &str) -> Result<String, DomainError> {
    let name = name("name", typed)?;
    if matches!(name.as_str(), "." | "..") {
        return Err(DomainError::invalid("name", ValidationError::OnlyDots));
    }
    if is_reserved(&name) { Err(DomainError::invalid("name", ValidationError::Reserved)) } else { Ok(name) }
}

/// Whether the name resembles a reserved one in any case, width, font or with look-alike letters.
fn is_reserved(name: &str) -> bool {
    let plain: String = name
        .nfkd()
        .flat_map(char::to_lowercase)
        .filter(|letter| letter.is_alphanumeric())
        .map(latin)
        .collect();
    RESERVED.contains(&plain.as_str())
}

/// Names of the engine in the log and on pages, in lower case without spaces.
const RESERVED: [&str; 6] = ["engine", "theengine", "引擎", "zeitdienst", "derzeitdienst", "presstime"];

/// Returns the Latin letter that a character resembles.
fn latin(letter: char) -> char {
    match letter {
        'е' | 'ε' | 'є' | 'ҽ' | 'ꬲ' | 'ℯ' | '℮' | 'ə' => 'e',
        'ո' | 'ν' | 'п' | 'η' | 'ռ' | 'ɴ' | 'и' => 'n',
        'ԍ' | 'ɡ' | 'ց' | 'ɢ' | '9' => 'g',
        'і' | 'ι' | 'ı' | 'ɪ' | 'l' | '1' | 'ӏ' | '|' => 'i',
        'т' | 'τ' => 't',
        'һ' => 'h',
        'р' | 'ρ' => 'p',
        'ѕ' => 's',
        other => other,
    }
}

/// Validates a new password and normalises it for hashing.
///
/// `known`: public data of the account, which is not accepted as a password.
pub fn password(field: &str, typed: &str, known: &[&str]) -> Result<String, DomainError> {
    let password = normalize_password(typed);
    let length = password.chars().count();
    if length < MIN_PASSWORD_CHARS {
        return Err(DomainError::invalid(
            field,
            ValidationError::TooShort { min: whole(MIN_PASSWORD_CHARS) },
        ));
    }
    if length > MAX_PASSWORD_CHARS {
        return Err(DomainError::invalid(field, ValidationError::TooLong { max: whole(MAX_PASSWORD_CHARS) }));
    }
    let plain = password.nfkc().collect::<String>().trim().to_lowercase();
    let is_known = known.iter().any(|known| is_same(&plain, known)) || is_made_of(&plain, known);
    if is_blank(&plain) || is_known {
        return Err(DomainError::invalid(field, ValidationError::GuessablePassword));
    }
    if COMMON.lines().any(|common| common == plain) {
        return Err(DomainError::invalid(field, ValidationError::CommonPassword));
    }
    Ok(password)
}

/// Whether it is only whitespace, or one repeated character.
fn is_blank(password: &str) -> bool {
    let mut seen = password.chars().filter(|letter| {
        !letter.is_whitespace() && find_forbidden_char(letter.encode_utf8(&mut [0; 4])).is_none()
    });
    let first = seen.next();
    seen.all(|letter| Some(letter) == first)
}

/// Whether a password equals public data: an e-mail address, its local part, or a name.
fn is_same(password: &str, known: &str) -> bool {
    let known = known.trim().to_lowercase();
    password == known || known.split_once('@').is_some_and(|(local, _)| password == local)
}

/// Whether a password has nothing but words of public data, in any order and number: `pw pw pw pw` of
/// Pw. Single letters are no words.
fn is_made_of(password: &str, known: &[&str]) -> bool {
    let is_separator = |letter: char| !letter.is_alphanumeric();
    let texts: Vec<String> =
        known.iter().map(|known| known.nfkc().collect::<String>().to_lowercase()).collect();
    let mut words: Vec<&str> = texts.iter().flat_map(|text| text.split(is_separator)).collect();
    words.retain(|word| word.chars().count() > 1);
    // A short word must not break a longer one.
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let rest = words.iter().fold(password.to_owned(), |rest, word| rest.replace(*word, " "));
    rest != password && rest.chars().all(is_separator)
}

/// Normalises a password for hashing, because keyboards encode accents differently. Cuts it after
/// the maximum length.
pub fn normalize_password(typed: &str) -> String {
    typed.nfc().take(MAX_PASSWORD_CHARS + 1).collect()
}

/// Validates a time zone.
pub fn zone(typed: &str) -> Result<String, DomainError> {
    Zone::named(typed.trim()).map(|zone| zone.name().to_owned())
}

fn whole(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_normalised_and_invalid_ones_refused() {
        assert_eq!(email("  Ada@Example.ORG "), Ok("ada@example.org".to_owned()));
        assert_eq!(email("root@localhost"), Ok("root@localhost".to_owned()));
        for bad in ["ada", "@x.org", "ada@", "a b@x.org", "ada@x..org", "ada@-x.org", "a\r\nb@x.org", "a@b@c"]
        {
            assert_eq!(
                email(bad),
                Err(DomainError::invalid("email", ValidationError::NotAnEmail)),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn names_of_the_engine_are_reserved() {
        for taken in [
            "engine",
            "ENGINE",
            " Engine ",
            "Ｅｎｇｉｎｅ",
            "𝐞𝐧𝐠𝐢𝐧𝐞",
            "еngіnе",
            "ΕΝGΙΝΕ",
            "éngine",
            "e n g i n e",
            "engine.",
            "The Engine",
            "引擎",
            "Der Zeitdienst",
        ] {
            assert_eq!(
                person_name(taken),
                Err(DomainError::invalid("name", ValidationError::Reserved)),
                "{taken}"
            );
        }
        for fine in ["Ada", "Engineer", "Engin", "Иван Петров", "王引擎"] {
            assert_eq!(person_name(fine), Ok(fine.to_owned()));
        }
        for dots in [".", " .. "] {
            assert_eq!(person_name(dots), Err(DomainError::invalid("name", ValidationError::OnlyDots)));
        }
        for hidden in ["Ada\u{202E}", "A\u{200B}da", "Ada\u{2066}x", "A\u{AD}da"] {
            assert_eq!(
                person_name(hidden),
                Err(DomainError::invalid("name", ValidationError::BadCharacters))
            );
        }
    }

    #[test]
    fn passwords_are_long_enough_and_not_common() {
        assert!(password("password", "a fine long sentence", &[]).is_ok());
        assert!(matches!(
            password("password", "short", &[]),
            Err(DomainError::Invalid { problem: ValidationError::TooShort { .. }, .. })
        ));
        let long = "x".repeat(129);
        assert!(matches!(
            password("password", &long, &[]),
            Err(DomainError::Invalid { problem: ValidationError::TooLong { .. }, .. })
        ));
        for common in ["password", "Password123", "12345678", "qwertyui"] {
            assert_eq!(
                password("p", common, &[]),
                Err(DomainError::invalid("p", ValidationError::CommonPassword)),
                "{common}"
            );
        }
    }

    #[test]
    fn whitespace_and_public_data_are_refused_as_passwords() {
        let known = ["ada.lovelace@desk.test", "Ada Lovelace"];
        for bad in [
            "        ",
            "\u{3000}\u{3000}\u{3000}\u{3000}\u{3000}\u{3000}\u{3000}\u{3000}",
            "\t\u{a0} \u{200b}\u{200b}\u{2800}\u{3164} ",
            "aaaaaaaaaa",
            "a       a       ",
            "ada.lovelace@desk.test",
            "Ada.Lovelace",
            " ADA LOVELACE ",
            "Ａｄａ.Lovelace",
        ] {
            let refused = Err(DomainError::invalid("p", ValidationError::GuessablePassword));
            assert_eq!(password("p", bad, &known), refused, "{bad:?}");
        }
        assert_eq!(
            password("p", "  password  ", &[]),
            Err(DomainError::invalid("p", ValidationError::CommonPassword))
        );
        assert!(password("p", " ada lovelace wrote ", &known).is_ok());
        assert!(password("p", "!!??!!??", &["ada@desk.test", "Ada"]).is_ok());
        for bad in ["pw pw pw pw", "PwPwPwPw", "desk-pw-test", "test.pw@desk", "ｐｗ_ｐｗ_ｐｗ"] {
            let refused = Err(DomainError::invalid("p", ValidationError::GuessablePassword));
            assert_eq!(password("p", bad, &["pw@desk.test", "Pw"]), refused, "{bad:?}");
        }
    }

    #[test]
    fn passwords_are_normalised() {
        assert_eq!(normalize_password("cafe\u{301}"), normalize_password("caf\u{e9}"));
    }
}
