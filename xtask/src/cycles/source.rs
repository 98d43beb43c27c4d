//! Reads paths and `use` items from Rust source text.

/// A path such as `crate::a::B`, and the line on which it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathUse {
    pub segments: Vec<String>,
    pub line: usize,
}

/// What a source file says about modules.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Paths that begin with `crate`, `super` or `self`, and the paths of all `use` items.
    pub paths: Vec<PathUse>,
    /// Names that `use` items bring into scope, with their paths. `*` for a glob import.
    pub names: Vec<(String, Vec<String>)>,
    /// Child modules that exist in tests only.
    pub test_children: Vec<String>,
    /// Names of the items that this file defines.
    pub items: Vec<String>,
}

/// Keywords that are followed by the name of an item.
const ITEM_KEYWORDS: &[&str] = &["const", "enum", "fn", "static", "struct", "trait", "type", "union"];

impl Source {
    pub fn parse(text: &str) -> Self {
        let tokens = tokens(text);
        let (mut source, mut index) = (Self::default(), 0);
        while let Some((token, line)) = tokens.get(index) {
            let word = |ahead: usize| tokens.get(index + ahead).map_or("", |(token, _)| token.as_str());
            if token == "#" && is_test_attribute(&tokens[index..]) {
                index = source.skip_test_item(&tokens, index);
                continue;
            }
            if token == "use" {
                index = source.read_use(&tokens, index + 1, &mut Vec::new(), *line);
                continue;
            }
            if matches!(token.as_str(), "crate" | "super" | "self") && word(1) == "::" {
                let mut segments = vec![token.clone()];
                while tokens.get(index + 1).is_some_and(|(token, _)| token == "::") {
                    let Some((next, _)) = tokens.get(index + 2).filter(|(next, _)| is_name(next)) else {
                        break;
                    };
                    segments.push(next.clone());
                    index += 2;
                }
                source.paths.push(PathUse { segments, line: *line });
            } else if ITEM_KEYWORDS.contains(&token.as_str()) && is_name(word(1)) {
                source.items.push(word(1).to_owned());
            }
            index += 1;
        }
        source
    }

    /// Skips an item under `#[cfg(test)]` and returns the index after it.
    fn skip_test_item(&mut self, tokens: &[(String, usize)], start: usize) -> usize {
        let mut depth = 0_usize;
        for (index, (token, _)) in tokens.iter().enumerate().skip(start) {
            match token.as_str() {
                "mod" if depth == 0 => {
                    self.test_children.extend(tokens.get(index + 1).map(|(name, _)| name.clone()));
                }
                "{" | "[" | "(" => depth += 1,
                "]" | ")" => depth = depth.saturating_sub(1),
                "}" if depth <= 1 => return index + 1,
                "}" => depth -= 1,
                ";" if depth == 0 => return index + 1,
                _ => {}
            }
        }
        tokens.len()
    }

    /// Reads one branch of a `use` tree and returns the index after it.
    fn read_use(
        &mut self,
        tokens: &[(String, usize)],
        mut index: usize,
        prefix: &mut Vec<String>,
        line: usize,
    ) -> usize {
        let depth = prefix.len();
        let mut name = None;
        while let Some((token, _)) = tokens.get(index) {
            match token.as_str() {
                "{" => {
                    index += 1;
                    while tokens.get(index).is_some_and(|(token, _)| token != "}") {
                        let line = tokens[index].1;
                        index = self.read_use(tokens, index, prefix, line);
                    }
                    prefix.truncate(depth);
                    return index + 1 + usize::from(matches!(next(tokens, index + 1), "," | ";"));
                }
                "as" => {
                    name = Some(next(tokens, index + 1).to_owned());
                    index += 1;
                }
                "," | ";" => {
                    index += 1;
                    break;
                }
                "}" => break,
                "::" => {}
                segment => prefix.push(segment.to_owned()),
            }
            index += 1;
        }
        if prefix.last().is_some_and(|last| last == "self") && prefix.len() > 1 {
            prefix.pop();
        }
        if let Some(last) = prefix.last() {
            self.names.push((name.unwrap_or_else(|| last.clone()), prefix.clone()));
            self.paths.push(PathUse { segments: prefix.clone(), line });
        }
        prefix.truncate(depth);
        index
    }
}

fn next(tokens: &[(String, usize)], index: usize) -> &str {
    tokens.get(index).map_or("", |(token, _)| token)
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Whether the tokens begin with `#[cfg(test)]` or `#[cfg(all(test, …))]`.
fn is_test_attribute(tokens: &[(String, usize)]) -> bool {
    let starts_with = |expected: &[&str]| {
        expected.len() <= tokens.len() && expected.iter().zip(tokens).all(|(word, (token, _))| word == token)
    };
    starts_with(&["#", "[", "cfg", "(", "test"]) || starts_with(&["#", "[", "cfg", "(", "all", "(", "test"])
}

/// Splits source text into names, `::` and single other characters, each with its line. Leaves out
/// comments, strings, characters and lifetimes.
fn tokens(text: &str) -> Vec<(String, usize)> {
    let (mut tokens, mut line, mut rest) = (Vec::new(), 1, text);
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = raw_string(rest) {
            length
        } else if first == '"' {
            string(rest)
        } else if first == '\'' {
            character(rest)
        } else if first.is_alphanumeric() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push((rest[..length].to_owned(), line));
            length
        } else if rest.starts_with("::") {
            tokens.push(("::".to_owned(), line));
            2
        } else {
            if !first.is_whitespace() {
                tokens.push((first.to_string(), line));
            }
            first.len_utf8()
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

/// Length of the raw string at the start, if there is one: `r"…"`, `r#"…"#`, `br"…"`.
fn raw_string(text: &str) -> Option<usize> {
    let marks = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let content = marks.trim_start_matches('#');
    let content = content.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(marks.len() - content.len() - 1));
    let start = text.len() - content.len();
    Some(content.find(&end).map_or(text.len(), |found| start + found + end.len()))
}

/// Length of the string at the start, quotes included.
fn string(text: &str) -> usize {
    let mut is_escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    text.len()
}

/// Length of the character literal at the start, or of the quote alone where it begins a lifetime.
fn character(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => text.get(3..).and_then(|rest| rest.find('\'')).map_or(1, |end| end + 4),
        Some(_) => characters.next().filter(|(_, third)| *third == '\'').map_or(1, |(index, _)| index + 1),
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        Source::parse(text).paths.iter().map(|path| path.segments.join("::")).collect()
    }

    #[test]
    fn reads_use_trees_and_paths_in_code() {
        let text = "use crate::{a, b::{self, C as D}, e::*};\npub(crate) use super::f;\n\
                    fn g(x: crate::h::I) -> Vec<super::J> { self::k::<crate::L>(self.m) }";
        assert_eq!(
            paths(text),
            [
                "crate::a",
                "crate::b",
                "crate::b::C",
                "crate::e::*",
                "super::f",
                "crate::h::I",
                "super::J",
                "self::k",
                "crate::L"
            ]
        );
        let names: Vec<_> = Source::parse(text).names.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "b", "D", "*", "f"]);
    }

    #[test]
    fn a_use_item_after_a_group_is_read_too() {
        assert_eq!(
            paths("use a::{b, c};\nuse crate::d;\nuse e::{f::{g}, h,};\nuse crate::i;"),
            ["a::b", "a::c", "crate::d", "e::f::g", "e::h", "crate::i"]
        );
    }

    #[test]
    fn comments_strings_characters_and_tests_are_left_out() {
        let text = "// crate::a\n/* crate::b */ const X: &str = \"crate::c\\\" crate::d\"; r#\"crate::e\"#; '\"'; '\\'';\n\
                    #[cfg(test)]\nmod tests {\n use crate::f; fn g() {}\n}\n\
                    #[cfg(test)]\nmod more;\nuse crate::h;\nimpl<'a> X<'a> { }";
        assert_eq!(paths(text), ["crate::h"]);
        let source = Source::parse(text);
        assert_eq!(source.test_children, ["tests", "more"]);
        assert_eq!(source.items, ["X"]);
        assert_eq!(source.paths[0].line, 9);
    }
}
