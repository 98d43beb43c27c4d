//! Language of a browser that is not logged in.

use super::header_text::text;
use axum::http::{HeaderMap, header};
use domain::account::Language;

/// Returns the first supported language of `Accept-Language`; `None`: it names none. Browsers send
/// their languages in order of preference, so qualities are not compared.
#[must_use]
pub fn accepted_language(headers: &HeaderMap) -> Option<Language> {
    let accepted = text(headers, &header::ACCEPT_LANGUAGE);
    accepted.split(',').find_map(|range| {
        let tag = range.split(';').next().unwrap_or_default().trim();
        let name = tag.split('-').next().unwrap_or_default().to_ascii_lowercase();
        name.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn the_first_supported_language_is_returned() {
        for (sent, expected) in [
            ("zh-CN,zh;q=0.9,en;q=0.8", Some(Language::Zh)),
            ("de-AT, de;q=0.9, EN-GB;q=0.8", Some(Language::De)),
            ("fr-FR, fr;q=0.9, EN-GB;q=0.8", Some(Language::En)),
            ("zh", Some(Language::Zh)),
            ("fr,*;q=0.5", None),
            ("english", None),
            ("", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(sent));
            assert_eq!(accepted_language(&headers), expected, "{sent}");
        }
        assert_eq!(accepted_language(&HeaderMap::new()), None);
    }
}
