//! Text that stands in HTML.

/// Returns the text so that no HTML parser reads markup in it: for the inside of an element, also of `title` and `textarea`,
/// and for an attribute in quotes.
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
