//! Values of front matter, from TOML, YAML or JSON.

use super::super::problem::Problem;
use super::written::written;
use domain::text::slice_text;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::Value;
use std::fmt;

/// Values in the order of the file. Names are compared without case, `-` and `_`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Values(Vec<Entry>);

/// A name and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Name as written.
    pub name: String,
    /// Normalised name, for comparison.
    pub key: String,
    /// Its value.
    pub value: Value,
    /// Its value with numbers and flags as texts, as they are written: `1.10`, `No`.
    pub written: Value,
    /// Line of the file, from 1.
    pub line: usize,
}

/// A text and its line in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedText {
    /// The value as text.
    pub text: String,
    /// Line, from 1.
    pub line: usize,
}

impl Values {
    fn new(pairs: Vec<(String, Value)>, inside: &str, first_line: usize) -> Self {
        let entry = |(name, value): (String, Value)| {
            let lines = line_of(inside, &name);
            let offset: usize = inside.split_inclusive('\n').take(lines).map(str::len).sum();
            let written = written(&value, &name, slice_text(inside, offset..));
            Entry { key: key(&name), name, value, written, line: first_line + lines }
        };
        Self(pairs.into_iter().map(entry).collect())
    }

    /// Iterates over all entries.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.0.iter()
    }

    /// Returns the values of the objects in an entry.
    pub fn inside(entry: &Entry) -> Vec<Self> {
        let objects = match &entry.value {
            Value::Object(map) => vec![map],
            Value::Array(items) => items.iter().filter_map(Value::as_object).collect(),
            _ => Vec::new(),
        };
        let values = objects.into_iter().map(|map| {
            let entries = map.iter().map(|(name, value)| Entry {
                name: format!("{}.{name}", entry.name),
                key: key(name),
                value: value.clone(),
                written: value.clone(),
                line: entry.line,
            });
            Self(entries.collect())
        });
        values.collect()
    }

    /// Returns the value of a name as text; `None`: it is absent or empty.
    pub fn text(&self, key: &str) -> Result<Option<LocatedText>, Problem> {
        self.text_of(key, |entry| &entry.value)
    }

    /// Returns the value of a name as it is written, such as a title; `None`: it is absent or empty.
    pub fn written_text(&self, key: &str) -> Result<Option<LocatedText>, Problem> {
        self.text_of(key, |entry| &entry.written)
    }

    fn text_of(&self, key: &str, value: fn(&Entry) -> &Value) -> Result<Option<LocatedText>, Problem> {
        for entry in self.iter().filter(|entry| entry.key == key) {
            let text = match value(entry) {
                Value::Null => continue,
                Value::Array(_) | Value::Object(_) => {
                    return Err(Problem::at(entry.line, format!("{} must be text", entry.name)));
                }
                scalar => scalar_text(scalar),
            };
            if !text.is_empty() {
                return Ok(Some(LocatedText { text, line: entry.line }));
            }
        }
        Ok(None)
    }
}

/// Converts a text, number or flag to one line of text.
pub fn scalar_text(value: &Value) -> String {
    match value {
        Value::String(text) => one_line(text),
        other => other.to_string(),
    }
}

/// Normalises a name for comparison.
fn key(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Parses TOML that begins on `first_line` of the file.
pub fn toml(inside: &str, first_line: usize) -> Result<Values, Problem> {
    let table: toml::Table = inside.parse().map_err(|error: toml::de::Error| {
        let line = error
            .span()
            .map_or(0, |span| slice_text(inside, ..span.start.min(inside.len())).matches('\n').count());
        Problem::at(line + first_line, format!("the front matter is not TOML: {}", one_line(error.message())))
    })?;
    let pairs = table.into_iter().map(|(name, value)| (name, of_toml(value))).collect();
    Ok(Values::new(pairs, inside, first_line))
}

/// Converts a TOML value; a date becomes its original text.
fn of_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Boolean(flag) => Value::Bool(flag),
        toml::Value::Integer(number) => Value::from(number),
        toml::Value::Float(number) => Value::from(number),
        toml::Value::Array(items) => items.into_iter().map(of_toml).collect(),
        toml::Value::Table(table) => {
            Value::Object(table.into_iter().map(|(name, value)| (name, of_toml(value))).collect())
        }
    }
}

/// Parses YAML that begins on `first_line` of the file; `None`: it is not a mapping.
pub fn yaml(inside: &str, first_line: usize) -> Result<Option<Values>, Problem> {
    if inside.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(Some(Values::default()));
    }
    match serde_saphyr::from_str(inside) {
        Ok(Pairs(pairs)) => Ok(Some(Values::new(pairs, inside, first_line))),
        Err(_) if serde_saphyr::from_str::<Value>(inside).is_ok_and(|value| !value.is_object()) => Ok(None),
        Err(error) => {
            let line = error.location().map_or(1, |place| usize::try_from(place.line()).unwrap_or(1).max(1));
            let words = error.to_string();
            let why = words.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
            // The message counts lines from the fence; the report has the line of the file.
            let why = why.strip_prefix("error: ").unwrap_or(why);
            let why =
                if why.starts_with("line ") { why.split_once(": ").map_or(why, |(_, why)| why) } else { why };
            let why = format!("the front matter is not YAML: {}", one_line(why));
            Err(Problem::at(line + first_line - 1, why))
        }
    }
}

/// Parses JSON that begins on `first_line` of the file. Returns the values and the length of the
/// object in bytes.
pub fn json(text: &str, first_line: usize) -> Result<(Values, usize), Problem> {
    let mut objects = serde_json::Deserializer::from_str(text).into_iter::<Pairs>();
    match objects.next() {
        Some(Ok(Pairs(pairs))) => {
            let bytes = objects.byte_offset();
            Ok((Values::new(pairs, slice_text(text, ..bytes), first_line), bytes))
        }
        Some(Err(error)) => {
            let line = error.line().max(1) + first_line - 1;
            Err(Problem::at(line, format!("the front matter is not JSON: {}", one_line(&error.to_string()))))
        }
        None => Ok((Values::default(), 0)),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the number of lines from the first one to the line of a name.
fn line_of(inside: &str, name: &str) -> usize {
    let begins = |line: &str| {
        let line = line.trim_start_matches([' ', '{', ',']).trim_start_matches(['"', '\'']);
        let rest = line.strip_prefix(name);
        rest.is_some_and(|rest| rest.trim_start_matches(['"', '\'']).trim_start().starts_with(['=', ':']))
    };
    let table = format!("[{name}]");
    let place = inside.lines().position(|line| {
        begins(line) || line.trim().trim_matches(['[', ']']) == name && line.contains(&table)
    });
    place.unwrap_or(0)
}

/// All pairs of an object, including duplicate names.
struct Pairs(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("names with values")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Pairs, M::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(All)
    }
}
