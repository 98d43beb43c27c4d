//! Searching with `like … escape '!'`.

/// The text as a pattern that finds it anywhere. No backslash: PostgreSQL may be told to read one as more than itself.
pub(crate) fn anywhere(text: &str) -> String {
    let escaped = text.replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{escaped}%")
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_means_more_to_like_is_escaped() {
        assert_eq!(super::anywhere(r"50%_a\b!"), r"%50!%!_a\b!!%");
    }
}
