//! Quotes from the answers of a site.

/// Maximum length of a quoted line, characters.
const MAX_QUOTED_CHARS: usize = 200;

/// Returns the first line of an answer without tags and secrets, to quote it. An error page may repeat the headers of
/// the request.
#[must_use]
pub fn first_line(body: &[u8], secrets: &[String]) -> String {
    let text = String::from_utf8_lossy(body.get(..body.len().min(4_096)).unwrap_or_default()).into_owned();
    let text = secrets.iter().fold(text, |text, secret| text.replace(secret.as_str(), "…"));
    let (mut plain, mut is_tag) = (String::new(), false);
    for letter in text.chars() {
        match letter {
            '<' => is_tag = true,
            '>' => is_tag = false,
            _ if is_tag => {}
            '\n' | '\r' => plain.push('\n'),
            other if other.is_control() => {}
            other => plain.push(other),
        }
    }
    let line = plain.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(MAX_QUOTED_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_quoted_by_its_first_line_without_tags() {
        assert_eq!(
            first_line(b"<html>\n<body class=\"a\">\n  Maintenance <b>now</b>\nmore", &[]),
            "Maintenance now"
        );
        assert_eq!(first_line(b"", &[]), "");
    }
}
