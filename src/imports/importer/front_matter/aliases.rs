//! Earlier addresses of an article in front matter.

use super::values::Values;
use domain::input_limits::MAX_SLUG_CHARS;
use serde_json::Value;

/// Maximum number of earlier slugs.
const MAX_ALIASES: usize = 20;

/// Returns the earlier slugs: the last part of each address in `aliases`.
#[must_use]
pub fn read(values: &Values) -> Vec<String> {
    let entries = values.iter().filter(|entry| entry.key == "aliases");
    let mut slugs = Vec::new();
    for address in entries.flat_map(|entry| texts(&entry.value)) {
        let slug = address.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let is_usable = !slug.is_empty()
            && slug.chars().count() <= MAX_SLUG_CHARS
            && slug.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.'));
        if is_usable && slugs.len() < MAX_ALIASES && !slugs.iter().any(|known| known == slug) {
            slugs.push(slug.to_owned());
        }
    }
    slugs
}

fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}
