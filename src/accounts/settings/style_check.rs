//! Checks a stylesheet of the public site: it loads nothing but files of the media library, and all of
//! its brackets, quotes and comments are closed.

use domain::{error::ValidationError, media::address};

/// Rules that would load another stylesheet or change how this one is read.
const REFUSED_RULES: [&str; 3] = ["import", "charset", "namespace"];
/// Functions that load an address that is a plain text, or run a script in old browsers.
const REFUSED_FUNCTIONS: [&str; 7] =
    ["image-set", "-webkit-image-set", "image", "src", "cross-fade", "-webkit-cross-fade", "expression"];
/// Maximum length of what a refusal repeats, in characters.
const MAX_REPEATED_CHARS: usize = 60;

/// Checks a stylesheet.
pub fn check(css: &str) -> Result<(), ValidationError> {
    let mut rest = css;
    let mut open = Vec::new();
    while let Some(letter) = rest.chars().next() {
        rest = match letter {
            '/' if rest.starts_with("/*") => {
                rest.get(2..).and_then(|inside| inside.split_once("*/")).ok_or_else(unclosed)?.1
            }
            '"' | '\'' => text(rest, letter)?.1,
            // Outside of a text, a backslash could hide the name of a rule or function.
            '\\' => return Err(refused(css, rest, "\\")),
            '{' | '(' | '[' => {
                open.push(letter);
                tail(rest, letter)
            }
            '}' | ')' | ']' => {
                let opened = open.pop().ok_or_else(unclosed)?;
                if !matches!((opened, letter), ('{', '}') | ('(', ')') | ('[', ']')) {
                    return Err(unclosed());
                }
                tail(rest, letter)
            }
            '@' => {
                let (name, after) = word(tail(rest, '@'));
                if REFUSED_RULES.iter().any(|rule| name.eq_ignore_ascii_case(rule)) {
                    return Err(refused(css, rest, &format!("@{name}")));
                }
                after
            }
            letter if is_of_word(letter) => function(css, rest)?,
            _ => tail(rest, letter),
        };
    }
    if open.is_empty() { Ok(()) } else { Err(unclosed()) }
}

/// Reads a word, and the address of `url(…)`. Returns what follows.
fn function<'c>(css: &str, rest: &'c str) -> Result<&'c str, ValidationError> {
    let (name, after) = word(rest);
    let Some(inside) = after.strip_prefix('(') else { return Ok(after) };
    if REFUSED_FUNCTIONS.iter().any(|function| name.eq_ignore_ascii_case(function)) {
        return Err(refused(css, rest, &format!("{name}(…)")));
    }
    if !name.eq_ignore_ascii_case("url") {
        return Ok(after);
    }
    let inside = inside.trim_ascii_start();
    let (url, after) = match inside.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let (url, after) = text(inside, quote)?;
            (url, after.trim_ascii_start().strip_prefix(')').ok_or_else(unclosed)?)
        }
        _ => inside.split_once(')').ok_or_else(unclosed)?,
    };
    let is_own = address::parse(url).is_some_and(|found| found.is_path());
    if is_own && !url.contains('\\') { Ok(after) } else { Err(refused(css, rest, &format!("url({url})"))) }
}

/// Splits a text in quotes from what follows it.
fn text(rest: &str, quote: char) -> Result<(&str, &str), ValidationError> {
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => {
                letters.next();
            }
            '\n' => return Err(unclosed()),
            _ if letter == quote => {
                let (inside, after) = rest.split_at(at);
                return Ok((tail(inside, quote), tail(after, quote)));
            }
            _ => {}
        }
    }
    Err(unclosed())
}

/// Splits a word from what follows it.
fn word(rest: &str) -> (&str, &str) {
    rest.split_at(rest.find(|letter: char| !is_of_word(letter)).unwrap_or(rest.len()))
}

fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_') || !letter.is_ascii()
}

fn tail(rest: &str, letter: char) -> &str {
    rest.get(letter.len_utf8()..).unwrap_or_default()
}

fn unclosed() -> ValidationError {
    ValidationError::UnclosedStyle
}

/// The refusal of what was found where `rest` begins.
fn refused(css: &str, rest: &str, found: &str) -> ValidationError {
    let before = css.get(..css.len().saturating_sub(rest.len())).unwrap_or_default();
    let line = u32::try_from(before.matches('\n').count() + 1).unwrap_or(u32::MAX);
    ValidationError::BadStyle { line, found: found.chars().take(MAX_REPEATED_CHARS).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stylesheet_may_use_files_of_the_library() {
        let file = format!("/media/{}/40x30.png", "0a".repeat(32));
        for css in [
            String::new(),
            "/* url(https://a.example) @import */ a[href^=\"https:\"] > b { color: light-dark(red, #fff) }"
                .to_owned(),
            format!(
                ".a {{ background: URL( '{file}' ), url({file}) }} @media (width < 30rem) {{ .b {{ margin: -1px }} }}"
            ),
            "q::before { content: '\\201C )'; } .名 { --x: calc(1px + 2%) }".to_owned(),
        ] {
            assert_eq!(check(&css), Ok(()), "{css}");
        }
    }

    #[test]
    fn a_stylesheet_loads_nothing_else() {
        let file = format!("/media/{}/40x30.png", "0a".repeat(32));
        for css in [
            "@import 'x.css';".to_owned(),
            "@IMPORT url(x)".to_owned(),
            "@charset \"utf-7\";".to_owned(),
            "@\\69mport 'x';".to_owned(),
            "a { background: url(https://a.example/x.png) }".to_owned(),
            "a { background: url(data:image/png;base64,AA) }".to_owned(),
            "a { background: u\\72l(https://a.example/x.png) }".to_owned(),
            "a { background: url(\"//a.example/x.png\") }".to_owned(),
            format!("a {{ background: url(https://a.example{file}) }}"),
            format!("a {{ background: url('\\{file}') }}"),
            "a { background: image-set('https://a.example/x.png' 1x) }".to_owned(),
            "@font-face { src: src('https://a.example/x.woff2') }".to_owned(),
            "a { width: expression(alert(1)) }".to_owned(),
        ] {
            assert!(matches!(check(&css), Err(ValidationError::BadStyle { .. })), "{css}: {:?}", check(&css));
        }
        let second = check("a {}\n@import 'x';");
        assert_eq!(second, Err(ValidationError::BadStyle { line: 2, found: "@import".to_owned() }));
    }

    #[test]
    fn everything_is_closed() {
        for css in [
            "a {",
            "a }",
            "a { (} )",
            "/* a",
            "a { content: 'b }",
            "a { content: \"b\n\" }",
            "a { background: url('/x' b) }",
        ] {
            assert_eq!(check(css), Err(ValidationError::UnclosedStyle), "{css}");
        }
    }
}
