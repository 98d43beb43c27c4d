//! Splits a file into front matter, in TOML (`+++`), YAML (`---`) or JSON (`{`), and text.

pub mod aliases;
pub mod details;
pub mod values;
mod written;

use super::problem::Problem;
use domain::text::slice_text;
use values::Values;

/// Maximum size of front matter, bytes.
pub const MAX_FRONT_MATTER_BYTES: usize = 65_536;

/// Names that identify front matter without enclosing lines: they decide who may see the article.
const VISIBILITY_NAMES: [&str; 14] = [
    "access",
    "draft",
    "embargo",
    "embargodate",
    "embargountil",
    "emailonly",
    "hidden",
    "membersonly",
    "password",
    "private",
    "published",
    "status",
    "unlisted",
    "visibility",
];

/// A file split into front matter and text.
#[derive(Debug, Clone, PartialEq)]
pub struct Split<'t> {
    /// Values of the front matter; empty if there is none.
    pub values: Values,
    /// The Markdown text.
    pub body: &'t str,
    /// Line of the file on which the text begins, from 1.
    pub body_line: usize,
}

/// Splits a file. The text must have `\n` line ends and no byte order mark.
pub fn split(text: &str) -> Result<Split<'_>, Problem> {
    // Some generators skip blank lines before front matter, so they must be skipped here as well.
    let start = text.len() - text.trim_start().len();
    let start = slice_text(text, ..start).rfind('\n').map_or(0, |place| place + 1);
    let before = slice_text(text, ..start).matches('\n').count();
    let rest = slice_text(text, start..);
    let split = match rest.lines().next().map(str::trim_end) {
        Some("+++") => fenced(rest, before, true)?,
        Some("---") => fenced(rest, before, false)?,
        Some(line) if begins_json(line, rest) => Some(json(rest, before)?),
        _ => None,
    };
    match split {
        Some(split) => Ok(split),
        None => {
            refuse_unenclosed(rest, before)?;
            Ok(Split { values: Values::default(), body: text, body_line: 1 })
        }
    }
}

fn fenced(rest: &str, before: usize, is_toml: bool) -> Result<Option<Split<'_>>, Problem> {
    let fence = if is_toml { "+++" } else { "---" };
    let Some(block) = block(rest, fence) else {
        // A text may begin with a horizontal rule; a name and a colon below it mean front matter.
        let is_front =
            is_toml || rest.lines().skip(1).take_while(|line| !line.trim().is_empty()).any(is_pair);
        let why = format!("the front matter begins with {fence} and never ends");
        return if is_front { Err(Problem::at(before + 1, why)) } else { Ok(None) };
    };
    let first_line = before + 2;
    if block.inside.len() > MAX_FRONT_MATTER_BYTES {
        let why = format!("the front matter is larger than {MAX_FRONT_MATTER_BYTES} bytes; shorten it");
        return Err(Problem::at(before + 1, why));
    }
    let values = if is_toml {
        values::toml(block.inside, first_line)?
    } else {
        match values::yaml(block.inside, first_line) {
            Ok(Some(values)) => values,
            // Text between two horizontal rules.
            Ok(None) => return Ok(None),
            Err(_) if !block.inside.lines().any(is_pair) => return Ok(None),
            Err(problem) => return Err(problem),
        }
    };
    Ok(Some(Split { values, body: block.after, body_line: before + block.lines + 3 }))
}

struct Block<'t> {
    inside: &'t str,
    after: &'t str,
    lines: usize,
}

/// Returns the lines between the first line and the next fence; YAML may also end with `...`.
fn block<'t>(text: &'t str, fence: &str) -> Option<Block<'t>> {
    let start = text.find('\n')? + 1;
    let mut end = start;
    for (lines, line) in slice_text(text, start..).split_inclusive('\n').enumerate() {
        let is_end = line.trim_end() == fence || (fence == "---" && line.trim_end() == "...");
        if is_end {
            return Some(Block {
                inside: slice_text(text, start..end),
                after: slice_text(text, end + line.len()..),
                lines,
            });
        }
        end += line.len();
    }
    None
}

/// Whether a line is a `name: value` pair of YAML.
fn is_pair(line: &str) -> bool {
    let is_name = |name: &str| {
        let name = name.trim().trim_matches(['"', '\'']);
        !name.is_empty()
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' '))
            && name.split_whitespace().count() <= 2
    };
    let line = line.trim_start_matches(['{', ' ']);
    line.split_once(':').is_some_and(|(name, value)| is_name(name) && !value.starts_with("//"))
}

/// Whether a text begins with a JSON object (not a shortcode, a template tag or an attribute list).
fn begins_json(line: &str, rest: &str) -> bool {
    let inside = line.strip_prefix('{').map(|_| slice_text(rest, 1..).trim_start());
    inside.is_some_and(|inside| inside.starts_with('"') || (line == "{" && inside.starts_with('}')))
}

fn json(rest: &str, before: usize) -> Result<Split<'_>, Problem> {
    let front = slice_text(rest, ..rest.floor_char_boundary(MAX_FRONT_MATTER_BYTES));
    let (values, bytes) = values::json(front, before + 1)?;
    let after = slice_text(rest, bytes..).strip_prefix('\n').unwrap_or(slice_text(rest, bytes..));
    let body_line = before + slice_text(rest, ..rest.len() - after.len()).matches('\n').count() + 1;
    Ok(Split { values, body: after, body_line })
}

/// Refuses a text that begins with unenclosed values of which one decides who may see the article.
fn refuse_unenclosed(rest: &str, before: usize) -> Result<(), Problem> {
    let block = rest.lines().map(str::trim).take_while(|line| !line.is_empty());
    for (place, line) in block.enumerate() {
        if place == 0 && ["---", "+++", "<!--"].iter().any(|mark| line.starts_with(mark)) {
            continue;
        }
        let Some((name, _)) = line.split_once([':', '=']) else { return Ok(()) };
        let name = name.trim_start_matches(['.', ' ']).trim().trim_matches(['"', '\'']).to_lowercase();
        let name = name.replace(['-', '_', ' '], "");
        if VISIBILITY_NAMES.contains(&name.as_str()) {
            let why = format!("{line:?} is outside of the front matter; enclose the values in lines of ---");
            return Err(Problem::at(before + place + 1, why));
        }
        if !is_pair(line) && !line.contains('=') {
            return Ok(());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(split: &Split<'_>, name: &str) -> (String, usize) {
        let found = split.values.text(name).unwrap();
        found.map_or_else(|| (String::new(), 0), |found| (found.text, found.line))
    }

    fn at(text: &str, line: usize) -> (String, usize) {
        (text.to_owned(), line)
    }

    #[test]
    fn toml_yaml_json_and_nothing_are_split() {
        let toml =
            split("+++\npath = \"2018/09/13/A\"\ntitle = \"A b\"\n[extra]\nx = 1\n+++\n\nText\n").unwrap();
        assert_eq!(text(&toml, "title"), at("A b", 3));
        assert_eq!((toml.body, toml.body_line), ("\nText\n", 7));
        let yaml = split("---\ntitle: \"A: b\"\ndate: 2018-09-13\npublished: false\n---\nText").unwrap();
        assert_eq!(text(&yaml, "date"), at("2018-09-13", 3));
        let json = split("{\n  \"title\": \"A\",\n  \"draft\": true\n}\n\nText").unwrap();
        assert_eq!((text(&json, "title"), json.body, json.body_line), (at("A", 2), "\nText", 5));
        let none = split("# Title\n\n---\n\ntext").unwrap();
        assert_eq!((none.values, none.body_line), (Values::default(), 1));
    }

    #[test]
    fn front_matter_may_follow_blank_lines_and_end_with_dots() {
        let late = split("\n  \n---\ntitle: A\n...\nText").unwrap();
        assert_eq!((text(&late, "title"), late.body, late.body_line), (at("A", 4), "Text", 6));
        // Whatever YAML allows on the first line of a mapping.
        for first in ["my key: 1", "? a\n: b", "{draft: true}", "og.title: x", "# comment", "!!map\na: 1"] {
            let text = format!("---\n{first}\n---\nText");
            assert_eq!(split(&text).unwrap().body, "Text", "{first}");
        }
    }

    #[test]
    fn a_date_of_toml_is_read_as_it_was_written() {
        let toml = split("+++\ndate = 2018-09-13T10:00:00Z\n+++\n").unwrap();
        assert_eq!(text(&toml, "date"), at("2018-09-13T10:00:00Z", 2));
        let toml = split("+++\ndate = 2018-09-13\n+++\n").unwrap();
        assert_eq!(text(&toml, "date"), at("2018-09-13", 2));
    }

    #[test]
    fn invalid_front_matter_is_refused_with_its_line() {
        for (text, line) in [
            ("+++\na = 1\ntitle = \n+++\n", 3),
            ("+++\ntitle = \"never ends\"\n", 1),
            ("---\ntitle: a\nslug: [b\n---\n", 3),
            ("---\ntitle: a\n", 1),
            ("---\ndraft: true\ndraft: false\n---\n", 3),
            ("{\n\"title\": }\n", 2),
            ("{\"draft\": true\nText", 2),
            ("Title: A\nStatus: draft\n\nText", 2),
            ("--- # a comment\ntitle: A\ndraft: true\n---\nText", 3),
            ("  +++\ndraft = true\n+++\nText", 2),
            ("<!--\ndraft: true\n-->\nText", 2),
            (".. title: A\n.. status: private\n\nText", 2),
            ("Title: A\nEmbargo-until: 2030-01-01\n\nText", 2),
        ] {
            assert_eq!(split(text).map(|_| ()).unwrap_err().line, line, "{text}");
        }
    }

    #[test]
    fn a_horizontal_rule_or_a_tag_is_not_front_matter() {
        for text in [
            "---\n\nOnce upon a time.\n\n---\n\nThe end.\n",
            "{{< figure src=\"a.png\" >}}\n",
            "{% include a.html %}\n",
            "{:.lead}\nText\n",
            "Note: this is prose.\n",
        ] {
            assert_eq!(split(text).unwrap().body, text);
        }
    }
}
