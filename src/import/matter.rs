//! Front matter: what stands before the text of a file, in TOML (`+++`), YAML (`---`), or not at all.

use super::problem::Problem;
use serde_json::{Map, Value};

/// A file taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Parted<'t> {
    /// What stands before the text; empty if nothing does.
    pub matter: Matter,
    /// The text itself, Markdown.
    pub body: &'t str,
    /// The line of the file on which the text begins, from 1.
    pub body_line: usize,
}

/// What the importer reads of front matter; other names are left alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matter {
    /// Title, without the space around it; `None`: none, or an empty one.
    pub title: Option<Said>,
    /// Name in the address.
    pub slug: Option<Said>,
    /// When it is or was published, as written.
    pub date: Option<Said>,
    /// Address on another site; its beginning may hold a date.
    pub path: Option<Said>,
    /// Whether the file says that it is not to be published.
    pub is_draft: bool,
}

/// A value and the line of the file it stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The value, as text.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
}

/// Takes a file apart. The text has `\n` line ends and no byte order mark.
pub fn part(text: &str) -> Result<Parted<'_>, Problem> {
    let whole = Parted { matter: Matter::default(), body: text, body_line: 1 };
    let fence = match text.lines().next().map(str::trim_end) {
        Some(fence @ ("+++" | "---")) => fence,
        _ => return Ok(whole),
    };
    let is_toml = fence == "+++";
    let Some(block) = block(text, fence) else {
        // A text may begin with a ruled line; a name and a colon below it are the beginning of front matter.
        return if is_toml || looks_like_yaml(text) {
            Err(Problem::at(1, format!("the front matter begins with {fence} and never ends")))
        } else {
            Ok(whole)
        };
    };
    if !is_toml && !block.inside.trim().is_empty() && !looks_like_yaml(text) {
        return Ok(whole);
    }
    let values = if is_toml { toml_values(block.inside)? } else { yaml_values(block.inside)? };
    let matter = Matter::read(&values, block.inside)?;
    Ok(Parted { matter, body: block.after, body_line: block.lines + 3 })
}

struct Block<'t> {
    inside: &'t str,
    after: &'t str,
    lines: usize,
}

/// What stands between the first line and the next one that is only the fence.
fn block<'t>(text: &'t str, fence: &str) -> Option<Block<'t>> {
    let start = text.find('\n')? + 1;
    let mut end = start;
    for (lines, line) in text[start..].split_inclusive('\n').enumerate() {
        if line.trim_end() == fence {
            return Some(Block { inside: &text[start..end], after: &text[end + line.len()..], lines });
        }
        end += line.len();
    }
    None
}

/// Whether the line below the fence is a comment, or a name with a colon.
fn looks_like_yaml(text: &str) -> bool {
    let line = text.lines().skip(1).find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '"' | '\''))
    };
    line.starts_with('#') || line.split_once(':').is_some_and(|(name, _)| is_name(name.trim()))
}

fn toml_values(inside: &str) -> Result<Map<String, Value>, Problem> {
    let table: toml::Table = inside.parse().map_err(|error: toml::de::Error| {
        let line =
            error.span().map_or(0, |span| inside[..span.start.min(inside.len())].matches('\n').count());
        Problem::at(line + 2, format!("the front matter is not TOML: {}", one_line(error.message())))
    })?;
    // Only text, dates and flags are read; a date becomes the text it was written as.
    Ok(table
        .into_iter()
        .map(|(name, value)| {
            let value = match value {
                toml::Value::String(text) => Value::String(text),
                toml::Value::Datetime(date) => Value::String(date.to_string()),
                toml::Value::Boolean(flag) => Value::Bool(flag),
                toml::Value::Integer(number) => Value::from(number),
                _ => Value::Array(Vec::new()),
            };
            (name, value)
        })
        .collect())
}

fn yaml_values(inside: &str) -> Result<Map<String, Value>, Problem> {
    if inside.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(Map::new());
    }
    serde_saphyr::from_str(inside).map_err(|error| {
        let line = error.location().map_or(1, |place| usize::try_from(place.line()).unwrap_or(1).max(1));
        let words = error.to_string();
        let why = words.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned();
        Problem::at(line + 1, format!("the front matter is not YAML: {}", one_line(&why)))
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Matter {
    fn read(values: &Map<String, Value>, inside: &str) -> Result<Self, Problem> {
        let said = |name: &str| said(values, inside, name);
        let flag = |name: &str| values.get(name).and_then(Value::as_bool);
        Ok(Self {
            title: said("title")?,
            slug: said("slug")?,
            date: said("date")?,
            path: said("path")?,
            is_draft: flag("draft") == Some(true) || flag("published") == Some(false),
        })
    }
}

/// A value as text; numbers and words alike, because YAML reads `title: 2024` as a number.
fn said(values: &Map<String, Value>, inside: &str, name: &str) -> Result<Option<Said>, Problem> {
    let line = line_of(inside, name);
    let text = match values.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => one_line(text),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Bool(flag)) => flag.to_string(),
        Some(_) => return Err(Problem::at(line, format!("{name} must be text"))),
    };
    Ok(if text.is_empty() { None } else { Some(Said { text, line }) })
}

/// The line of the file on which a name is given a value.
fn line_of(inside: &str, name: &str) -> usize {
    let begins = |line: &str| {
        let rest = line.trim_start_matches(['"', '\'']).strip_prefix(name);
        rest.is_some_and(|rest| rest.trim_start_matches(['"', '\'']).trim_start().starts_with(['=', ':']))
    };
    inside.lines().position(begins).map_or(1, |place| place + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(said: Option<&Said>) -> (&str, usize) {
        said.map_or(("", 0), |said| (said.text.as_str(), said.line))
    }

    #[test]
    fn toml_yaml_and_nothing_are_taken_apart() {
        let toml =
            part("+++\npath = \"2018/09/13/A\"\ntitle = \"A b\"\n[extra]\nx = 1\n+++\n\nText\n").unwrap();
        assert_eq!(text(toml.matter.title.as_ref()), ("A b", 3));
        assert_eq!((toml.body, toml.body_line), ("\nText\n", 7));
        let yaml = part("---\ntitle: \"A: b\"\ndate: 2018-09-13\npublished: false\n---\nText").unwrap();
        assert_eq!(text(yaml.matter.date.as_ref()), ("2018-09-13", 3));
        assert!(yaml.matter.is_draft);
        let none = part("# Title\n\n---\n\ntext").unwrap();
        assert_eq!((none.matter, none.body_line), (Matter::default(), 1));
    }

    #[test]
    fn a_date_of_toml_is_read_as_it_was_written() {
        let toml = part("+++\ndate = 2018-09-13T10:00:00Z\n+++\n").unwrap();
        assert_eq!(text(toml.matter.date.as_ref()), ("2018-09-13T10:00:00Z", 2));
        let toml = part("+++\ndate = 2018-09-13\n+++\n").unwrap();
        assert_eq!(text(toml.matter.date.as_ref()), ("2018-09-13", 2));
    }

    #[test]
    fn what_does_not_parse_is_told_with_its_line() {
        assert_eq!(part("+++\na = 1\ntitle = \n+++\n").unwrap_err().line, 3);
        assert_eq!(part("+++\ntitle = \"never ends\"\n").unwrap_err().line, 1);
        assert_eq!(part("---\ntitle: a\nslug: [b\n---\n").map(|_| ()).unwrap_err().line, 3);
        assert_eq!(part("+++\ntitle = [1]\n+++\n").unwrap_err().line, 2);
        assert_eq!(part("---\ntitle: a\n").unwrap_err().line, 1);
    }

    #[test]
    fn a_ruled_line_is_not_front_matter() {
        let ruled = "---\n\nOnce upon a time.\n\n---\n\nThe end.\n";
        assert_eq!(part(ruled).unwrap().body, ruled);
    }
}
