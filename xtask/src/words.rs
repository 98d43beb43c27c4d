//! Word check: fails on words of the old project jargon in names, comments, texts and file names.
//!
//! The list is `xtask/words.txt`, one rule a line; `#` starts a comment.
//! `word, other form | use instead` bans a word or a phrase.
//! `! path-glob | word | reason` allows one form of it in some files; `*` matches any characters.

use crate::proc::{output, program, root};
use anyhow::{Context, Result, bail};
use std::{collections::HashMap, fs};

/// The word list, relative to the workspace root. The check skips this file.
const LIST: &str = "xtask/words.txt";
/// Extensions of the files to check.
const EXTENSIONS: &[&str] =
    &["css", "html", "js", "lua", "md", "py", "rs", "sh", "sql", "svg", "toml", "ts", "yaml", "yml"];
/// Further files to check: texts without such an extension.
const EXTRA_FILES: &[&str] = &[".ci/run", "docs/files/grafana.json"];
/// Maximum number of findings to print.
const MAX_REPORTED: usize = 200;

/// Checks all files that git knows or would add.
pub fn check() -> Result<()> {
    let list = fs::read_to_string(root().join(LIST)).context(LIST)?;
    let mut rules = Rules::parse(&list)?;
    let mut findings = Vec::new();
    for path in output(program("git").args(["ls-files", "-co", "--exclude-standard"]))?.lines() {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        if path == LIST || !(EXTENSIONS.contains(&extension) || EXTRA_FILES.contains(&path)) {
            continue;
        }
        // A file that git still lists may have been deleted or moved.
        if let Ok(text) = fs::read_to_string(root().join(path)) {
            findings.extend(rules.check_file(path, &text));
        }
    }
    findings.extend(rules.unused_exceptions());
    if findings.is_empty() {
        return Ok(());
    }
    let count = findings.len();
    findings.truncate(MAX_REPORTED);
    bail!("{count} words to replace; the list and its exceptions are in {LIST}:\n  {}", findings.join("\n  "))
}

/// A banned word or phrase.
struct Banned {
    words: Vec<String>,
    instead: String,
}

/// Permission to use a banned word in some files.
struct Exception {
    glob: String,
    phrase: String,
    is_used: bool,
}

/// The parsed word list.
struct Rules {
    /// Banned phrases by their first word.
    banned: HashMap<String, Vec<Banned>>,
    exceptions: Vec<Exception>,
}

impl Rules {
    fn parse(list: &str) -> Result<Self> {
        let (mut banned, mut exceptions) = (HashMap::<_, Vec<_>>::new(), Vec::new());
        for (index, line) in list.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let is_exception = line.starts_with('!');
            let fields: Vec<&str> = line.trim_start_matches('!').split('|').map(str::trim).collect();
            match (is_exception, fields.as_slice()) {
                (true, [glob, phrase, reason]) if !reason.is_empty() => exceptions.push(Exception {
                    glob: (*glob).to_owned(),
                    phrase: phrase.to_lowercase(),
                    is_used: false,
                }),
                (false, [forms, instead]) if !instead.is_empty() => {
                    for form in forms.split(',') {
                        let words: Vec<String> = form.split_whitespace().map(str::to_lowercase).collect();
                        let first =
                            words.first().cloned().with_context(|| format!("{LIST}:{}: empty", index + 1))?;
                        banned
                            .entry(first)
                            .or_default()
                            .push(Banned { words, instead: (*instead).to_owned() });
                    }
                }
                _ => bail!(
                    "{LIST}:{}: expected `word | use instead` or `! path-glob | word | reason`",
                    index + 1
                ),
            }
        }
        Ok(Self { banned, exceptions })
    }

    /// Returns one message for each banned word in a file's path and text.
    fn check_file(&mut self, path: &str, text: &str) -> Vec<String> {
        let mut messages = Vec::new();
        for (place, tokens) in [("file name", tokens(path)), ("", tokens(text))] {
            for (index, token) in tokens.iter().enumerate() {
                let Some(candidates) = self.banned.get(token.word.as_str()) else { continue };
                let found = candidates.iter().find(|banned| is_at(&tokens[index..], &banned.words));
                let Some(found) = found else { continue };
                let phrase = found.words.join(" ");
                if allow(&mut self.exceptions, path, &phrase) {
                    continue;
                }
                let line = if place.is_empty() { token.line.to_string() } else { place.to_owned() };
                messages.push(format!("{path}:{line}: \"{phrase}\": use {}", found.instead));
            }
        }
        messages
    }

    fn unused_exceptions(&self) -> impl Iterator<Item = String> + '_ {
        self.exceptions.iter().filter(|exception| !exception.is_used).map(|exception| {
            let (glob, phrase) = (&exception.glob, &exception.phrase);
            format!("{LIST}: the exception `! {glob} | {phrase}` matches nothing: delete it")
        })
    }
}

/// Whether an exception allows the phrase in this file. Marks the exception as used.
fn allow(exceptions: &mut [Exception], path: &str, phrase: &str) -> bool {
    let mut matching = exceptions.iter_mut();
    let found = matching.find(|exception| exception.phrase == phrase && glob_matches(&exception.glob, path));
    found.map(|exception| exception.is_used = true).is_some()
}

/// A word in lower case. `is_joined` is true if it may form a phrase with the word before.
struct Token {
    word: String,
    line: usize,
    is_joined: bool,
}

fn is_at(tokens: &[Token], words: &[String]) -> bool {
    tokens.len() >= words.len()
        && words
            .iter()
            .zip(tokens)
            .enumerate()
            .all(|(index, (word, token))| *word == token.word && (index == 0 || token.is_joined))
}

/// Splits text into words at everything that is no ASCII letter, and at the humps of CamelCase.
fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let (mut tokens, mut line, mut index) = (Vec::new(), 1, 0);
    let mut is_joined = false;
    while let Some(&byte) = bytes.get(index) {
        if !byte.is_ascii_alphabetic() {
            line += usize::from(byte == b'\n');
            // Spaces, snake_case, kebab-case, line ends and comment markers leave a phrase
            // together.
            is_joined &= byte.is_ascii_whitespace() || b"_-/!*#\\".contains(&byte);
            index += 1;
            continue;
        }
        let start = index;
        index += 1;
        while bytes.get(index).is_some_and(|byte| continues_word(bytes, index, *byte)) {
            index += 1;
        }
        tokens.push(Token { word: text[start..index].to_ascii_lowercase(), line, is_joined });
        is_joined = true;
    }
    tokens
}

/// Whether the letter at `index` belongs to the same word as the one before: `isOpen`, `HTMLBody`.
fn continues_word(bytes: &[u8], index: usize, byte: u8) -> bool {
    if byte.is_ascii_lowercase() {
        return true;
    }
    let before_is_upper = bytes.get(index - 1).is_some_and(u8::is_ascii_uppercase);
    let next_is_lower = bytes.get(index + 1).is_some_and(u8::is_ascii_lowercase);
    byte.is_ascii_uppercase() && before_is_upper && !next_is_lower
}

/// Whether a path matches a glob in which `*` stands for any characters, `/` included.
fn glob_matches(glob: &str, path: &str) -> bool {
    match glob.split_once('*') {
        None => glob == path,
        Some((before, after)) => path.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices()
                .map(|(index, _)| index)
                .chain([rest.len()])
                .any(|index| glob_matches(after, &rest[index..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(list: &str, path: &str, text: &str) -> Vec<String> {
        let mut rules = Rules::parse(list).unwrap();
        let mut found = rules.check_file(path, text);
        found.extend(rules.unused_exceptions());
        found
    }

    #[test]
    fn finds_words_in_names_comments_and_strings() {
        let text = "/// A frob.\nfn call_frob(x: FrobId) { say(\"Frobs\") }\nlet frobnicate = XFrob::FROB;\n";
        let lines = check("frob, frobs | gadget", "a.rs", text);
        assert_eq!(lines.len(), 6, "{lines:?}");
        assert_eq!(lines[0], "a.rs:1: \"frob\": use gadget");
        assert!(lines[3].starts_with("a.rs:2: \"frobs\""));
        assert!(lines[5].starts_with("a.rs:3:"));
        assert_eq!(
            check("frob | gadget", "x/my-frob.rs", ""),
            ["x/my-frob.rs:file name: \"frob\": use gadget"]
        );
    }

    #[test]
    fn a_phrase_is_found_in_every_spelling_and_across_lines_but_not_across_sentences() {
        for text in ["in frob", "in_frob", "inFrob", "InFrob", "IN_FROB", "in-frob", "/// in\n    /// frob"] {
            assert_eq!(check("in frob | busy", "a.rs", text).len(), 1, "{text}");
        }
        for text in ["come in. Frob", "in, frob", "in the frob", "in(frob)"] {
            assert!(check("in frob | busy", "a.rs", text).is_empty(), "{text}");
        }
    }

    #[test]
    fn an_exception_allows_one_word_in_some_files_and_must_be_in_use() {
        let list = "frob | gadget\n! docs/*.md | frob | a term of the protocol";
        assert!(check(list, "docs/a.md", "frob").is_empty());
        assert_eq!(check(list, "src/a.rs", "frob").len(), 2);
        assert!(Rules::parse("frob").is_err());
        assert!(Rules::parse("! docs/*.md | frob |").is_err());
    }

    #[test]
    fn globs_match_whole_paths() {
        assert!(glob_matches("a/*/c*.rs", "a/b/d/cow.rs"));
        assert!(glob_matches("*", "é/x"));
        assert!(!glob_matches("a/*.rs", "b/a/c.rs"));
        assert!(!glob_matches("a", "ab"));
    }
}
