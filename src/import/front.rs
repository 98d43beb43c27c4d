//! Takes a file apart: front matter in TOML (`+++`), YAML (`---`) or JSON (`{`), and the text below it.

use super::{
    problem::Problem,
    values::{self, Values},
};

/// Maximum size of front matter, bytes.
pub const MAX_FRONT_BYTES: usize = 65_536;

/// Names that tell front matter from prose where no line encloses it.
const TELLING: [&str; 8] =
    ["draft", "published", "status", "private", "hidden", "unlisted", "visibility", "password"];

/// A file taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Parted<'t> {
    /// What stands before the text; empty if nothing does.
    pub values: Values,
    /// The text itself, Markdown.
    pub body: &'t str,
    /// The line of the file on which the text begins, from 1.
    pub body_line: usize,
}

/// Takes a file apart. The text has `\n` line ends and no byte order mark.
pub fn part(text: &str) -> Result<Parted<'_>, Problem> {
    // Some generators skip blank lines before front matter; what they hold back must be held back here.
    let start = text.len() - text.trim_start().len();
    let start = text[..start].rfind('\n').map_or(0, |place| place + 1);
    let before = text[..start].matches('\n').count();
    let rest = &text[start..];
    let parted = match rest.lines().next().map(str::trim_end) {
        Some("+++") => fenced(rest, before, true)?,
        Some("---") => fenced(rest, before, false)?,
        Some(line) if begins_json(line, rest) => Some(json(rest, before)?),
        _ => None,
    };
    match parted {
        Some(parted) => Ok(parted),
        None => {
            refuse_loose(rest, before)?;
            Ok(Parted { values: Values::default(), body: text, body_line: 1 })
        }
    }
}

fn fenced(rest: &str, before: usize, is_toml: bool) -> Result<Option<Parted<'_>>, Problem> {
    let fence = if is_toml { "+++" } else { "---" };
    let Some(block) = block(rest, fence) else {
        // A text may begin with a ruled line; a name and a colon below it are the beginning of front matter.
        let is_front =
            is_toml || rest.lines().skip(1).take_while(|line| !line.trim().is_empty()).any(is_pair);
        let why = format!("the front matter begins with {fence} and never ends");
        return if is_front { Err(Problem::at(before + 1, why)) } else { Ok(None) };
    };
    let first_line = before + 2;
    if block.inside.len() > MAX_FRONT_BYTES {
        let why = format!("the front matter is larger than {MAX_FRONT_BYTES} bytes; shorten it");
        return Err(Problem::at(before + 1, why));
    }
    let values = if is_toml {
        values::toml(block.inside, first_line)?
    } else {
        match values::yaml(block.inside, first_line) {
            Ok(Some(values)) => values,
            // Prose between two ruled lines.
            Ok(None) => return Ok(None),
            Err(_) if !block.inside.lines().any(is_pair) => return Ok(None),
            Err(problem) => return Err(problem),
        }
    };
    Ok(Some(Parted { values, body: block.after, body_line: before + block.lines + 3 }))
}

struct Block<'t> {
    inside: &'t str,
    after: &'t str,
    lines: usize,
}

/// What stands between the first line and the next one that is only the fence; YAML may end with `...` as well.
fn block<'t>(text: &'t str, fence: &str) -> Option<Block<'t>> {
    let start = text.find('\n')? + 1;
    let mut end = start;
    for (lines, line) in text[start..].split_inclusive('\n').enumerate() {
        let is_end = line.trim_end() == fence || (fence == "---" && line.trim_end() == "...");
        if is_end {
            return Some(Block { inside: &text[start..end], after: &text[end + line.len()..], lines });
        }
        end += line.len();
    }
    None
}

/// Whether a line gives a name a value as YAML does.
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

/// An object with a quoted name, or an empty one; not a shortcode, a template tag or an attribute list.
fn begins_json(line: &str, rest: &str) -> bool {
    let inside = line.strip_prefix('{').map(|_| rest[1..].trim_start());
    inside.is_some_and(|inside| inside.starts_with('"') || (line == "{" && inside.starts_with('}')))
}

fn json(rest: &str, before: usize) -> Result<Parted<'_>, Problem> {
    let front = &rest[..rest.floor_char_boundary(MAX_FRONT_BYTES)];
    let (values, bytes) = values::json(front, before + 1)?;
    let after = rest[bytes..].strip_prefix('\n').unwrap_or(&rest[bytes..]);
    let body_line = before + rest[..rest.len() - after.len()].matches('\n').count() + 1;
    Ok(Parted { values, body: after, body_line })
}

/// Refuses a text that begins with values of front matter which nothing encloses as it should, one of them about who may see it.
fn refuse_loose(rest: &str, before: usize) -> Result<(), Problem> {
    let block = rest.lines().map(str::trim).take_while(|line| !line.is_empty());
    for (place, line) in block.enumerate() {
        if place == 0 && ["---", "+++", "<!--"].iter().any(|mark| line.starts_with(mark)) {
            continue;
        }
        let Some((name, _)) = line.split_once([':', '=']) else { return Ok(()) };
        let name = name.trim().trim_matches(['"', '\'']).to_lowercase();
        if TELLING.contains(&name.as_str()) {
            let why = format!("{line:?} stands outside of front matter; enclose the values in lines of ---");
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

    fn text(parted: &Parted<'_>, name: &str) -> (String, usize) {
        let said = parted.values.text(name).unwrap();
        said.map_or_else(|| (String::new(), 0), |said| (said.text, said.line))
    }

    fn said(text: &str, line: usize) -> (String, usize) {
        (text.to_owned(), line)
    }

    #[test]
    fn toml_yaml_json_and_nothing_are_taken_apart() {
        let toml =
            part("+++\npath = \"2018/09/13/A\"\ntitle = \"A b\"\n[extra]\nx = 1\n+++\n\nText\n").unwrap();
        assert_eq!(text(&toml, "title"), said("A b", 3));
        assert_eq!((toml.body, toml.body_line), ("\nText\n", 7));
        let yaml = part("---\ntitle: \"A: b\"\ndate: 2018-09-13\npublished: false\n---\nText").unwrap();
        assert_eq!(text(&yaml, "date"), said("2018-09-13", 3));
        let json = part("{\n  \"title\": \"A\",\n  \"draft\": true\n}\n\nText").unwrap();
        assert_eq!((text(&json, "title"), json.body, json.body_line), (said("A", 2), "\nText", 5));
        let none = part("# Title\n\n---\n\ntext").unwrap();
        assert_eq!((none.values, none.body_line), (Values::default(), 1));
    }

    #[test]
    fn blank_lines_before_it_and_dots_below_it_are_front_matter_still() {
        let late = part("\n  \n---\ntitle: A\n...\nText").unwrap();
        assert_eq!((text(&late, "title"), late.body, late.body_line), (said("A", 4), "Text", 6));
        // Whatever YAML allows on the first line of a mapping.
        for first in ["my key: 1", "? a\n: b", "{draft: true}", "og.title: x", "# comment", "!!map\na: 1"] {
            let text = format!("---\n{first}\n---\nText");
            assert_eq!(part(&text).unwrap().body, "Text", "{first}");
        }
    }

    #[test]
    fn a_date_of_toml_is_read_as_it_was_written() {
        let toml = part("+++\ndate = 2018-09-13T10:00:00Z\n+++\n").unwrap();
        assert_eq!(text(&toml, "date"), said("2018-09-13T10:00:00Z", 2));
        let toml = part("+++\ndate = 2018-09-13\n+++\n").unwrap();
        assert_eq!(text(&toml, "date"), said("2018-09-13", 2));
    }

    #[test]
    fn what_does_not_parse_is_refused_with_its_line() {
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
        ] {
            assert_eq!(part(text).map(|_| ()).unwrap_err().line, line, "{text}");
        }
    }

    #[test]
    fn a_ruled_line_or_a_tag_is_not_front_matter() {
        for text in [
            "---\n\nOnce upon a time.\n\n---\n\nThe end.\n",
            "{{< figure src=\"a.png\" >}}\n",
            "{% include a.html %}\n",
            "{:.lead}\nText\n",
            "Note: this is prose.\n",
        ] {
            assert_eq!(part(text).unwrap().body, text);
        }
    }
}
