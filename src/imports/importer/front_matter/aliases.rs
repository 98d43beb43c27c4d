//! Earlier addresses of an article in front matter.

use super::values::Values;
use domain::input_limits::MAX_SLUG_CHARS;
use serde_json::Value;

/// Names of earlier addresses, and of an address that is not the slug.
const NAMES: [&str; 5] = ["aliases", "alias", "permalink", "redirectfrom", "url"];
/// Maximum number of earlier slugs.
const MAX_ALIASES: usize = 20;

/// Returns the earlier slugs: the last part of each address.
#[must_use]
pub fn read(values: &Values) -> Vec<String> {
    let entries = values.iter().filter(|entry| NAMES.contains(&entry.key.as_str()));
    let mut slugs = Vec::new();
    for address in entries.flat_map(|entry| texts(&entry.value)) {
        let slug = address.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let slug = slug.strip_suffix(".html").unwrap_or(slug);
        let is_usable = !matches!(slug, "" | "index")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imports::importer::front_matter::values;

    #[test]
    fn earlier_addresses_are_read_from_the_names_of_several_generators() {
        let of = |yaml: &str| read(&values::yaml(yaml, 1).unwrap().unwrap_or_default());
        assert_eq!(of("aliases: [/2018/old-name/, older.html]"), ["old-name", "older"]);
        assert_eq!(of("redirect_from:\n  - /a/b\npermalink: /2020/c.html"), ["b", "c"]);
        assert_eq!(of("permalink: /:year/:title/\nurl: /posts/index.html\naliases: Another title"), [""; 0]);
    }
}
