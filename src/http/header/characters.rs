//! Refuses the character NUL in every URL and body, before any lookup. PostgreSQL cannot store it.

use domain::{DomainError, error::ValidationError};
use http::Uri;

/// Maximum length of a field name that an error repeats, bytes.
const MAX_NAME_BYTES: usize = 40;

/// Refuses a URL with a NUL: in the path as not found, in the query as an invalid field.
pub fn check_url(uri: &Uri) -> Result<(), DomainError> {
    if uri.path().contains("%00") {
        return Err(DomainError::no_such("page"));
    }
    pairs(uri.query().unwrap_or_default().as_bytes())
}

/// Refuses a form with a NUL.
pub fn check_form(body: &[u8]) -> Result<(), DomainError> {
    pairs(body)
}

/// Refuses JSON with a NUL in a value or a name.
pub fn check_json(body: &[u8]) -> Result<(), DomainError> {
    let mut rest = body;
    while let Some(place) = rest.iter().position(|byte| matches!(byte, b'\\' | 0)) {
        let (found, after) = rest.split_at(place).1.split_at(1);
        if found == [0] || after.starts_with(b"u0000") {
            return Err(DomainError::invalid("request", ValidationError::BadCharacters));
        }
        // The character after a backslash does not begin another escape.
        rest = after.get(1..).unwrap_or_default();
    }
    Ok(())
}

/// Checks `name=value` pairs separated by `&`. The typed text `%00` is sent as `%2500` and is
/// allowed.
fn pairs(text: &[u8]) -> Result<(), DomainError> {
    if !has_nul(text) {
        return Ok(());
    }
    let pair = text.split(|byte| *byte == b'&').find(|pair| has_nul(pair)).unwrap_or_default();
    let name = pair.split(|byte| *byte == b'=').next().unwrap_or_default();
    let is_plain = |name: &&str| {
        name.len() <= MAX_NAME_BYTES && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let name = std::str::from_utf8(name).ok().filter(is_plain).filter(|name| !name.is_empty());
    Err(DomainError::invalid(name.unwrap_or("form"), ValidationError::BadCharacters))
}

fn has_nul(text: &[u8]) -> bool {
    text.contains(&0) || text.windows(3).any(|three| three == b"%00")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(refused: Result<(), DomainError>) -> Option<String> {
        refused.err().map(|refusal| refusal.field().unwrap_or("path").to_owned())
    }

    #[test]
    fn a_nul_in_an_address_is_refused() {
        for (address, expected) in [
            ("/site/a%00b", Some("path")),
            ("/%00", Some("path")),
            ("/articles?q=%00", Some("q")),
            ("/articles?a=1&q=x%00y&b=2", Some("q")),
            ("/articles?q%00=1", Some("form")),
            ("/articles?%00", Some("form")),
            ("/articles?q=%2500", None),
            ("/articles?q=100%&b=00", None),
            ("/articles", None),
        ] {
            let uri: Uri = address.parse().unwrap();
            assert_eq!(field(check_url(&uri)).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn a_nul_in_a_form_is_refused_by_its_field() {
        assert_eq!(field(check_form(b"email=a%00b&password=x")).as_deref(), Some("email"));
        assert_eq!(field(check_form(b"email=a\0b")).as_deref(), Some("email"));
        assert_eq!(field(check_form(b"email=a&text=%2500")), None);
    }

    #[test]
    fn a_nul_in_json_is_refused_in_every_notation() {
        let json: [(&[u8], bool); 8] = [
            (br#"{"a":"x\u0000y"}"#, true),
            (br#"{"a\u0000":1}"#, true),
            (br#"{"a":"\\\u0000"}"#, true),
            (br#"{"a":"\"\u0000"}"#, true),
            (b"{\"a\":\"\0\"}", true),
            (br#"{"a":"\\u0000"}"#, false),
            (br#"{"a":"\u0001 u0000 \n"}"#, false),
            (br#"{"a":"\"#, false),
        ];
        for (body, is_refused) in json {
            assert_eq!(check_json(body).is_err(), is_refused, "{}", String::from_utf8_lossy(body));
        }
    }
}
