//! Escaping for HTML and addresses.

/// Escapes a text for the content of an element, including `title` and `textarea`, and for a quoted
/// attribute.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + text.len() / 16 + 1);
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
    html
}

/// Encodes a value for the query of an address.
#[must_use]
pub fn encoded(value: &str) -> String {
    let mut out = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
