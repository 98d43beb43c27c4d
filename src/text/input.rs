//! What a title and a text may hold: the one place where what people and programs send is refused or cleaned. Editor, API and
//! import all come through here.

use domain::{
    limit::{BODY_BYTES, TITLE_CHARS},
    refusal::Problem,
    text::forbidden_in_line,
};

/// A title, trimmed: 1 to 300 characters on one line.
pub fn title(typed: &str) -> Result<String, Problem> {
    let title: String = typed.trim().chars().filter(|letter| !is_direction(*letter)).collect();
    if title.chars().all(is_unseen) {
        return Err(Problem::Empty);
    }
    if title.chars().count() > TITLE_CHARS {
        return Err(Problem::TooLong { max: whole(TITLE_CHARS) });
    }
    if forbidden_in_line(&title).is_some() {
        return Err(Problem::BadCharacters);
    }
    Ok(title)
}

/// A body with plain line ends: at most 500,000 bytes, no control characters but tabs.
pub fn body(typed: &str) -> Result<String, Problem> {
    if typed.len() > 2 * BODY_BYTES {
        return Err(Problem::TooLarge { max: whole(BODY_BYTES) });
    }
    let mut body = typed.replace("\r\n", "\n").replace('\r', "\n");
    body.retain(|letter| !is_direction(letter));
    if body.len() > BODY_BYTES {
        return Err(Problem::TooLarge { max: whole(BODY_BYTES) });
    }
    let is_bad =
        |letter: char| is_noncharacter(letter) || (letter.is_control() && !matches!(letter, '\n' | '\t'));
    if body.chars().any(is_bad) {
        return Err(Problem::BadCharacters);
    }
    Ok(body)
}

/// Controls that set text in another order than it is stored, and the byte order mark: they are left out.
fn is_direction(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// What Unicode reserves for programs; XML cannot hold it.
fn is_noncharacter(letter: char) -> bool {
    matches!(letter, '\u{fdd0}'..='\u{fdef}') || u32::from(letter) & 0xfffe == 0xfffe
}

/// What shows nothing by itself.
fn is_unseen(letter: char) -> bool {
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
        assert_eq!(title(&"x".repeat(301)), Err(Problem::TooLong { max: 300 }));
        for empty in [" \n ", "\u{200b}", "\u{202e} \u{2066}"] {
            assert_eq!(title(empty), Err(Problem::Empty));
        }
    }

    #[test]
    fn what_cannot_be_shown_is_refused_and_directions_are_left_out() {
        for bad in ["a\0b", "a\u{1b}b", "a\u{fffe}b", "a\u{ffff}b", "a\u{fdd0}b", "a\u{1ffff}b", "a\u{85}b"] {
            assert_eq!(title(bad), Err(Problem::BadCharacters), "{bad:?}");
            assert_eq!(body(bad), Err(Problem::BadCharacters), "{bad:?}");
        }
        for hidden in ["a\nb", "a\u{200b}b", "a\u{200e}b", "a\u{ad}b", "a\u{200d}b"] {
            assert_eq!(title(hidden), Err(Problem::BadCharacters), "{hidden:?}");
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
        assert_eq!(body(&large), Err(Problem::TooLarge { max: 500_000 }));
        assert!(body(&large[1..]).is_ok());
    }
}
