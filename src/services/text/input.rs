//! Validates and cleans titles and texts. Editor, API and import all use these functions.

use domain::{
    error::ValidationError,
    input_limits::{MAX_BODY_BYTES, MAX_TITLE_CHARS},
    text::find_forbidden_char,
};

/// Validates a title, trimmed: 1 to 300 characters on one line.
pub fn title(typed: &str) -> Result<String, ValidationError> {
    let title: String = typed.trim().chars().filter(|letter| !is_direction_control(*letter)).collect();
    if title.chars().all(is_invisible) {
        return Err(ValidationError::Empty);
    }
    if title.chars().count() > MAX_TITLE_CHARS {
        return Err(ValidationError::TooLong { max: whole(MAX_TITLE_CHARS) });
    }
    if find_forbidden_char(&title).is_some() {
        return Err(ValidationError::BadCharacters);
    }
    Ok(title)
}

/// Validates a body and converts its line ends to `\n`: at most 500,000 bytes, no control
/// characters but tabs.
pub fn body(typed: &str) -> Result<String, ValidationError> {
    if typed.len() > 2 * MAX_BODY_BYTES {
        return Err(ValidationError::TooLarge { max: whole(MAX_BODY_BYTES) });
    }
    let mut body = typed.replace("\r\n", "\n").replace('\r', "\n");
    body.retain(|letter| !is_direction_control(letter));
    if body.len() > MAX_BODY_BYTES {
        return Err(ValidationError::TooLarge { max: whole(MAX_BODY_BYTES) });
    }
    let is_bad =
        |letter: char| is_noncharacter(letter) || (letter.is_control() && !matches!(letter, '\n' | '\t'));
    if body.chars().any(is_bad) {
        return Err(ValidationError::BadCharacters);
    }
    Ok(body)
}

/// Whether it is a bidirectional control or a byte order mark; these are removed.
fn is_direction_control(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Whether it is a Unicode noncharacter, which XML cannot contain.
fn is_noncharacter(letter: char) -> bool {
    matches!(letter, '\u{fdd0}'..='\u{fdef}') || u32::from(letter) & 0xfffe == 0xfffe
}

/// Whether it is invisible on its own.
fn is_invisible(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}')
}

fn whole(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_has_one_to_three_hundred_characters() {
        assert_eq!(title("  中  "), Ok("中".to_owned()));
        assert!(title(&"中".repeat(300)).is_ok());
        assert_eq!(title(&"x".repeat(301)), Err(ValidationError::TooLong { max: 300 }));
        for empty in [" \n ", "\u{200b}", "\u{202e} \u{2066}"] {
            assert_eq!(title(empty), Err(ValidationError::Empty));
        }
    }

    #[test]
    fn invisible_characters_are_refused_and_direction_controls_removed() {
        for bad in ["a\0b", "a\u{1b}b", "a\u{fffe}b", "a\u{ffff}b", "a\u{fdd0}b", "a\u{1ffff}b", "a\u{85}b"] {
            assert_eq!(title(bad), Err(ValidationError::BadCharacters), "{bad:?}");
            assert_eq!(body(bad), Err(ValidationError::BadCharacters), "{bad:?}");
        }
        for hidden in ["a\nb", "a\u{200b}b", "a\u{200e}b", "a\u{ad}b", "a\u{200d}b"] {
            assert_eq!(title(hidden), Err(ValidationError::BadCharacters), "{hidden:?}");
        }
        assert_eq!(title("\u{feff}a\u{202e}b\u{2066}c"), Ok("abc".to_owned()));
        assert_eq!(body("\u{feff}a\u{202e}b\u{2069}\nc"), Ok("ab\nc".to_owned()));
        // Marks and joiners that scripts need stay.
        for kept in ["می\u{200c}خواهم", "👩\u{200d}🚀", "क्\u{200d}ष"] {
            assert_eq!(title(kept), Ok(kept.to_owned()));
        }
    }

    #[test]
    fn a_body_has_plain_line_ends_and_a_limit() {
        assert_eq!(body("a\r\nb\rc\td"), Ok("a\nb\nc\td".to_owned()));
        let large = "x".repeat(500_001);
        assert_eq!(body(&large), Err(ValidationError::TooLarge { max: 500_000 }));
        assert!(body(&large[1..]).is_ok());
    }
}
