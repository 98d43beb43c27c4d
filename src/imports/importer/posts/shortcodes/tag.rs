//! Tags of shortcodes.

use domain::text::slice_text;

/// Maximum length of a tag, bytes; longer ones are text in brackets.
pub const MAX_TAG_BYTES: usize = 2_000;
/// Maximum length of a name, bytes.
pub const MAX_NAME_BYTES: usize = 40;

/// A tag such as `[name a="b"]`.
pub struct Tag {
    /// Name in lower case.
    pub name: String,
    /// Whether it ends a shortcode.
    pub is_end: bool,
    /// Attributes; a value without a name has an empty one.
    attributes: Vec<(String, String)>,
    /// Whether it cannot be a word in brackets.
    pub is_certain: bool,
    /// Its length.
    pub bytes: usize,
}

impl Tag {
    /// Returns the value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(own, value)| own == name && !value.is_empty());
        found.map(|(_, value)| value.as_str())
    }

    /// Reads the tag at the beginning of a text.
    pub fn at_start(text: &str) -> Option<Self> {
        let inside = text.strip_prefix('[')?;
        let (is_end, inside) = inside.strip_prefix('/').map_or((false, inside), |rest| (true, rest));
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        let length =
            inside.bytes().take(MAX_NAME_BYTES + 1).take_while(|byte| is_name(char::from(*byte))).count();
        let name = inside.get(..length)?;
        if !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) || name.len() > MAX_NAME_BYTES {
            return None;
        }
        let rest = slice_text(inside, name.len()..);
        if !rest.starts_with([' ', '\t', '\n', ']', '/', '=', '\u{a0}']) {
            return None;
        }
        let (mut quote, mut end) = (None, None);
        for (at, letter) in rest.char_indices().take_while(|(at, _)| *at < MAX_TAG_BYTES) {
            match (quote, letter) {
                (None, ']') => {
                    end = Some(at);
                    break;
                }
                (None, '[') => return None,
                (None, '"' | '\'') => quote = Some(letter),
                (Some(open), letter) if open == letter => quote = None,
                _ => {}
            }
        }
        let end = end?;
        let attributes = attributes(slice_text(rest, ..end).trim_start_matches('=').trim_end_matches('/'));
        let has_names = attributes.iter().any(|(name, _)| !name.is_empty());
        Some(Self {
            name: name.to_ascii_lowercase(),
            is_end,
            is_certain: has_names || name.contains(['_', '-']),
            attributes,
            bytes: text.len() - rest.len() + end + 1,
        })
    }
}

fn attributes(text: &str) -> Vec<(String, String)> {
    let (mut found, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let name_end =
            rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-')));
        let name_end = name_end.unwrap_or(rest.len());
        let (name, after) = rest.split_at(name_end);
        let (name, value) = match after.trim_start().strip_prefix('=') {
            Some(value) if !name.is_empty() => (name.to_ascii_lowercase(), value.trim_start()),
            _ => (String::new(), rest),
        };
        let quoted = value.strip_prefix(['"', '\'']).and_then(|inside| {
            let quote = value.chars().next()?;
            inside.split_once(quote)
        });
        let (value, after) = quoted.unwrap_or_else(|| {
            let end = value.find(char::is_whitespace).unwrap_or(value.len());
            value.split_at(end)
        });
        found.push((name, value.replace("&amp;", "&")));
        rest = after.trim_start();
    }
    found
}
