//! Patterns for `like … escape '!'`.

/// Returns a pattern that matches any string that contains the text. The escape character is not a
/// backslash: PostgreSQL can be configured to treat that as an escape in literals.
pub(crate) fn contains_pattern(text: &str) -> String {
    let escaped = text.replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{escaped}%")
}

#[cfg(test)]
mod tests {
    #[test]
    fn wildcards_are_escaped() {
        assert_eq!(super::contains_pattern(r"50%_a\b!"), r"%50!%!_a\b!!%");
    }
}
