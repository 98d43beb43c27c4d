//! What people may type about themselves.

use crate::zone::Zone;
use domain::{
    Refusal,
    limit::{EMAIL_BYTES, NAME_CHARS, PASSWORD_MAX, PASSWORD_MIN},
    refusal::Problem,
    text::forbidden_in_line,
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
    if forbidden_in_line(name).is_some() {
        return Err(Refusal::invalid(field, Problem::BadCharacters));
    }
    Ok(name.to_owned())
}

/// The name of a person. The names that stand for the engine in the log are reserved.
pub fn person_name(typed: &str) -> Result<String, Refusal> {
    let name = name("name", typed)?;
    if is_reserved(&name) { Err(Refusal::invalid("name", Problem::Reserved)) } else { Ok(name) }
}

/// Whether the name could be taken for the engine's, in any case, width, font or look-alike letters.
fn is_reserved(name: &str) -> bool {
    let plain: String = name
        .nfkd()
        .flat_map(char::to_lowercase)
        .filter(|letter| letter.is_alphanumeric())
        .map(latin)
        .collect();
    RESERVED.contains(&plain.as_str())
}

/// How the log and the pages name the engine, in lower case without blanks.
const RESERVED: [&str; 4] = ["engine", "theengine", "引擎", "presstime"];

/// The Latin letter that another one looks like.
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

/// A new password, in the one spelling in which it is hashed.
///
/// `known`: what others know of the person, which is no password.
pub fn password(field: &str, typed: &str, known: &[&str]) -> Result<String, Refusal> {
    let password = spelled(typed);
    let length = password.chars().count();
    if length < PASSWORD_MIN {
        return Err(Refusal::invalid(field, Problem::TooShort { min: whole(PASSWORD_MIN) }));
    }
    if length > PASSWORD_MAX {
        return Err(Refusal::invalid(field, Problem::TooLong { max: whole(PASSWORD_MAX) }));
    }
    let plain = password.nfkc().collect::<String>().trim().to_lowercase();
    if is_blank(&plain) || known.iter().any(|known| is_same(&plain, known)) {
        return Err(Refusal::invalid(field, Problem::GuessablePassword));
    }
    if COMMON.lines().any(|common| common == plain) {
        return Err(Refusal::invalid(field, Problem::CommonPassword));
    }
    Ok(password)
}

/// Whether it is blanks only, or one character again and again.
fn is_blank(password: &str) -> bool {
    let mut seen = password.chars().filter(|letter| {
        !letter.is_whitespace() && forbidden_in_line(letter.encode_utf8(&mut [0; 4])).is_none()
    });
    let first = seen.next();
    seen.all(|letter| Some(letter) == first)
}

/// Whether a password is what others know: an e-mail address, the part of it before the sign, a name.
fn is_same(password: &str, known: &str) -> bool {
    let known = known.trim().to_lowercase();
    password == known || known.split_once('@').is_some_and(|(local, _)| password == local)
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
    fn the_name_of_the_engine_is_reserved() {
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
        ] {
            assert_eq!(person_name(taken), Err(Refusal::invalid("name", Problem::Reserved)), "{taken}");
        }
        for fine in ["Ada", "Engineer", "Engin", "Иван Петров", "王引擎"] {
            assert_eq!(person_name(fine), Ok(fine.to_owned()));
        }
        for hidden in ["Ada\u{202E}", "A\u{200B}da", "Ada\u{2066}x", "A\u{AD}da"] {
            assert_eq!(person_name(hidden), Err(Refusal::invalid("name", Problem::BadCharacters)));
        }
    }

    #[test]
    fn passwords_are_long_enough_and_not_common() {
        assert!(password("password", "a fine long sentence", &[]).is_ok());
        assert!(matches!(
            password("password", "short", &[]),
            Err(Refusal::Invalid { problem: Problem::TooShort { .. }, .. })
        ));
        let long = "x".repeat(129);
        assert!(matches!(
            password("password", &long, &[]),
            Err(Refusal::Invalid { problem: Problem::TooLong { .. }, .. })
        ));
        for common in ["password", "Password123", "12345678", "qwertyui"] {
            assert_eq!(
                password("p", common, &[]),
                Err(Refusal::invalid("p", Problem::CommonPassword)),
                "{common}"
            );
        }
    }

    #[test]
    fn blanks_and_what_everybody_knows_are_no_password() {
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
            let refused = Err(Refusal::invalid("p", Problem::GuessablePassword));
            assert_eq!(password("p", bad, &known), refused, "{bad:?}");
        }
        assert_eq!(password("p", "  password  ", &[]), Err(Refusal::invalid("p", Problem::CommonPassword)));
        assert!(password("p", " ada lovelace wrote ", &known).is_ok());
    }

    #[test]
    fn one_password_has_one_spelling() {
        assert_eq!(spelled("cafe\u{301}"), spelled("caf\u{e9}"));
    }
}
