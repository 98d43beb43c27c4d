//! E-mail addresses: one rule wherever an address is typed, imported or sent to.
//!
//! What this type accepts can be written in an SMTP command; what it refuses cannot be sent. Quoted
//! local parts and IP addresses are not accepted.

use crate::{input_limits::MAX_EMAIL_BYTES, text::find_forbidden_char};
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use std::fmt;
use unicode_normalization::UnicodeNormalization as _;

/// Maximum length of the part before the `@`, in bytes (RFC 5321, 4.5.3.1.1).
const MAX_LOCAL_BYTES: usize = 64;

/// Why a text is no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidEmail {
    /// It is empty.
    #[error("is empty")]
    Empty,
    /// It is longer than [`MAX_EMAIL_BYTES`].
    #[error("is longer than {MAX_EMAIL_BYTES} bytes")]
    TooLong,
    /// It is written in another way than an address.
    #[error("is not an e-mail address; write it like ada@example.org")]
    NotAnEmail,
}

/// A valid address: trimmed, in lower case, its domain in the letters of its language.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EmailAddress {
    text: String,
    /// Position of the `@`.
    at: usize,
    /// The domain as DNS has it (punycode).
    ascii_domain: String,
}

impl EmailAddress {
    /// Parses an address as a user types it.
    pub fn parse(typed: &str) -> Result<Self, InvalidEmail> {
        let typed = typed.trim();
        match typed {
            "" => return Err(InvalidEmail::Empty),
            long if long.len() > MAX_EMAIL_BYTES => return Err(InvalidEmail::TooLong),
            _ => {}
        }
        let (local, domain) = typed.rsplit_once('@').ok_or(InvalidEmail::NotAnEmail)?;
        let local: String = local.nfc().collect::<String>().to_lowercase();
        if !is_local_part(&local) {
            return Err(InvalidEmail::NotAnEmail);
        }
        let (domain, ascii_domain) = domains(domain).ok_or(InvalidEmail::NotAnEmail)?;
        let length = local.len() + 1 + domain.len().max(ascii_domain.len());
        if length > MAX_EMAIL_BYTES {
            return Err(InvalidEmail::TooLong);
        }
        Ok(Self { at: local.len(), text: format!("{local}@{domain}"), ascii_domain })
    }

    /// Returns the address as it is stored and shown.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the part before the `@`.
    #[must_use]
    pub fn local(&self) -> &str {
        self.text.get(..self.at).unwrap_or_default()
    }

    /// Returns the domain in the letters of its language.
    #[must_use]
    pub fn domain(&self) -> &str {
        self.text.get(self.at + 1..).unwrap_or_default()
    }

    /// Returns the domain as DNS has it.
    #[must_use]
    pub fn ascii_domain(&self) -> &str {
        &self.ascii_domain
    }

    /// Returns the address with its domain as DNS has it. It is ASCII unless
    /// [`EmailAddress::needs_smtputf8`].
    #[must_use]
    pub fn with_ascii_domain(&self) -> String {
        format!("{}@{}", self.local(), self.ascii_domain)
    }

    /// Whether only servers with SMTPUTF8 (RFC 6531) can send to it: its local part is not ASCII.
    #[must_use]
    pub fn needs_smtputf8(&self) -> bool {
        !self.local().is_ascii()
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<EmailAddress> for String {
    fn from(address: EmailAddress) -> Self {
        address.text
    }
}

/// Whether it is a dot-atom (RFC 5322, 3.2.3) or its extension to other letters (RFC 6531, 3.3).
fn is_local_part(local: &str) -> bool {
    let is_allowed = |letter: char| match letter {
        _ if letter.is_ascii() => letter.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(letter),
        _ => !letter.is_whitespace(),
    };
    let is_atom = |atom: &str| !atom.is_empty() && atom.chars().all(is_allowed);
    local.len() <= MAX_LOCAL_BYTES
        && local.split('.').all(is_atom)
        && (local.is_ascii() || find_forbidden_char(local).is_none())
}

/// Returns a domain in the letters of its language, and as DNS has it. `None`: it is no domain.
fn domains(typed: &str) -> Option<(String, String)> {
    let (rules, uts46) = ((AsciiDenyList::STD3, Hyphens::CheckFirstLast), Uts46::new());
    let ascii = uts46.to_ascii(typed.as_bytes(), rules.0, rules.1, DnsLength::Verify).ok()?;
    let ascii = ascii.to_ascii_lowercase();
    let (shown, is_valid) = uts46.to_unicode(ascii.as_bytes(), rules.0, rules.1);
    is_valid.ok()?;
    Some((shown.into_owned(), ascii))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(typed: &str) -> Result<String, InvalidEmail> {
        EmailAddress::parse(typed).map(String::from)
    }

    #[test]
    fn addresses_are_normalised() {
        for (typed, address) in [
            ("  Ada@Example.ORG ", "ada@example.org"),
            ("root@localhost", "root@localhost"),
            ("o'neil+news@example.org", "o'neil+news@example.org"),
            ("a.b.c@x-y.example", "a.b.c@x-y.example"),
            ("Anna@MÜNCHEN.example", "anna@münchen.example"),
            ("anna@mu\u{308}nchen.example", "anna@münchen.example"),
            ("anna@xn--mnchen-3ya.example", "anna@münchen.example"),
            ("用户@例子.广告", "用户@例子.广告"),
            ("Ünal@example.org", "ünal@example.org"),
            ("हिन्दी@example.org", "हिन्दी@example.org"),
            ("a@b.c.d.e", "a@b.c.d.e"),
        ] {
            assert_eq!(parsed(typed).as_deref(), Ok(address), "{typed}");
            assert_eq!(parsed(address).as_deref(), Ok(address), "{address}");
        }
    }

    #[test]
    fn what_cannot_be_sent_is_refused() {
        for bad in [
            "ada",
            "@x.org",
            "ada@",
            "a b@x.org",
            "ada@x..org",
            "ada@.x.org",
            "ada@x.org.",
            "ada@-x.org",
            "ada@x-.org",
            "ada@x_y.org",
            "ada@[127.0.0.1]",
            "a\r\nb@x.org",
            "a@b@c",
            "anna..schmidt@example.org",
            ".a@example.org",
            "a.@example.org",
            ".@example.org",
            "...@example.org",
            "\"a b\"@example.org",
            "a<b@example.org",
            "a,b@example.org",
            "a;b@example.org",
            "a:b@example.org",
            "a(b)@example.org",
            "a\\b@example.org",
            "Ada <ada@example.org>",
            "ü..ü@example.org",
            "a\u{a0}b@example.org",
            "a\u{3000}b@example.org",
            "a\u{200b}b@example.org",
            "a\u{202e}b@example.org",
            "a@ex\u{202e}ample.org",
            "a@xn--a.org",
            "a@xn--.org",
        ] {
            assert_eq!(parsed(bad), Err(InvalidEmail::NotAnEmail), "{bad:?}");
        }
        assert_eq!(parsed(" "), Err(InvalidEmail::Empty));
        let long =
            |local: usize, label: usize| parsed(&format!("{}@{}.org", "a".repeat(local), "b".repeat(label)));
        assert_eq!((long(64, 63).is_ok(), long(65, 63).is_ok(), long(64, 64).is_ok()), (true, false, false));
        assert_eq!(parsed(&format!("{}@x.org", "a".repeat(300))), Err(InvalidEmail::TooLong));
        assert!(parsed(&format!("{}@x.org", "字".repeat(22))).is_err(), "66 bytes");
    }

    #[test]
    fn the_domain_is_known_in_both_forms() {
        let anna = EmailAddress::parse("Anna@münchen.example").unwrap();
        assert_eq!((anna.local(), anna.domain()), ("anna", "münchen.example"));
        assert_eq!(anna.with_ascii_domain(), "anna@xn--mnchen-3ya.example");
        assert!(!anna.needs_smtputf8());
        assert!(EmailAddress::parse("ünal@example.org").unwrap().needs_smtputf8());
    }
}
