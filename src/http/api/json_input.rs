//! Reads JSON into a type. An error names the field by its path and says in plain words what it must
//! be; values that were sent are not repeated.

use domain::{DomainError, error::ValidationError};
use serde::{Deserializer, de::DeserializeOwned};
use serde_json::Value;
use serde_path_to_error::{Path, Segment};
use std::fmt::Write as _;

/// Words of the library for types, and the words of the API.
const TYPES: [(&str, &str); 12] = [
    ("a string", "a text"),
    ("a borrowed string", "a text"),
    ("string or map", "a text"),
    ("a character", "a single character"),
    ("a boolean", "true or false"),
    ("a sequence", "a list"),
    ("a map", "an object"),
    ("unit", "null"),
    ("f32", "a number"),
    ("f64", "a number"),
    ("a formatted UUID string", "an id"),
    ("a UUID string", "an id"),
];

/// Begins of the words of the library for whole numbers.
const INTEGERS: [&str; 12] =
    ["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];

/// Reads a value; an error names a path that begins with `field`.
pub fn read_field<T: DeserializeOwned>(field: &str, value: Value) -> Result<T, DomainError> {
    serde_path_to_error::deserialize(value).map_err(|error| shape_error(&error, field))
}

/// Reads an item of a list; an error names a path below the item.
pub fn read_item<T: DeserializeOwned>(value: Value) -> Result<T, DomainError> {
    serde_path_to_error::deserialize(value).map_err(|error| shape_error(&error, ""))
}

/// Reads with this function and deserializer; an error names a path that begins with `field`.
pub fn read_with<'de, D: Deserializer<'de, Error = serde_json::Error>, T>(
    field: &str,
    json: D,
    read: impl FnOnce(serde_path_to_error::Deserializer<'_, '_, D>) -> Result<T, serde_json::Error>,
) -> Result<T, DomainError> {
    let mut track = serde_path_to_error::Track::new();
    read(serde_path_to_error::Deserializer::new(json, &mut track))
        .map_err(|error| problem_at(&joined(field, &track.path()), &error.to_string()))
}

/// Converts an error about the shape of the JSON. The path begins with `field`, or is that of the item if
/// `field` is empty.
pub fn shape_error(error: &serde_path_to_error::Error<serde_json::Error>, field: &str) -> DomainError {
    problem_at(&joined(field, error.path()), &error.inner().to_string())
}

/// Appends a path to a field: `action`, `headers.subject`, `terms[3].term`.
fn joined(field: &str, path: &Path) -> String {
    let mut whole = field.to_owned();
    for segment in path {
        match segment {
            Segment::Seq { index } => {
                let _ = write!(whole, "[{index}]");
            }
            Segment::Map { key } => push_name(&mut whole, key),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    whole
}

fn push_name(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}

fn problem_at(path: &str, message: &str) -> DomainError {
    let Problem { name, why } = Problem::of(message);
    let mut field = path.to_owned();
    // The path of an unknown field may end with it.
    if let Some(name) = name
        && path != name
        && !path.ends_with(&format!(".{name}"))
    {
        push_name(&mut field, name);
    }
    let field = if field.is_empty() { "item".to_owned() } else { field };
    DomainError::Invalid { field, problem: ValidationError::Unreadable { why } }
}

/// What an error of the library says.
pub struct Problem<'a> {
    /// Field below the one that was being read; `None`: that one itself.
    pub name: Option<&'a str>,
    /// What is wrong, without its subject.
    pub why: String,
}

impl<'a> Problem<'a> {
    /// Reads an error of the library.
    pub fn of(message: &'a str) -> Self {
        let named = |name, why: &str| Self { name: Some(name), why: why.to_owned() };
        if let Some(name) = message.strip_prefix("missing field `").and_then(until_quote) {
            return named(name, "must be given");
        }
        if let Some(name) = message.strip_prefix("duplicate field `").and_then(until_quote) {
            return named(name, "must be given only once");
        }
        if let Some(rest) = message.strip_prefix("unknown field `") {
            let end = rest.rfind("`, expected ").or_else(|| rest.rfind("`, there are no fields"));
            let (name, known) = rest.split_at(end.unwrap_or_default());
            let known = words(known.strip_prefix("`, expected ").unwrap_or_default());
            let why = if known.is_empty() {
                "is not a field of this object".to_owned()
            } else {
                format!("is not a field of this object; its fields are: {known}")
            };
            return Self { name: Some(name), why };
        }
        Self { name: None, why: value_problem(message) }
    }
}

/// Says what a value must be.
fn value_problem(message: &str) -> String {
    let expected = message.rsplit_once(", expected ").map(|(_, expected)| without_position(expected));
    match expected {
        Some(expected) if message.starts_with("unknown variant ") => {
            format!("must be one of: {}", words(expected))
        }
        Some(expected) if message.starts_with("invalid value: integer ") && is_integer(expected) => {
            "is out of range".to_owned()
        }
        Some(expected) => expected_type(expected),
        None if message.starts_with("must ") => without_position(message).to_owned(),
        None if message.contains("UUID") => "must be an id".to_owned(),
        None if message.contains("invalid digit found in string") => "must be a whole number".to_owned(),
        None if message.contains("was not `true` or `false`") => "must be true or false".to_owned(),
        None => "is not valid".to_owned(),
    }
}

fn is_integer(expected: &str) -> bool {
    INTEGERS.contains(&expected) || expected.starts_with("a whole number")
}

fn expected_type(expected: &str) -> String {
    let is_object = ["struct ", "internally tagged ", "adjacently tagged ", "enum ", "tuple "];
    let words = match TYPES.iter().find(|(theirs, _)| *theirs == expected) {
        Some((_, ours)) => ours,
        None if INTEGERS.contains(&expected) => "a whole number",
        None if is_object.iter().any(|begin| expected.starts_with(begin)) => "an object",
        None if expected.starts_with("a ") || expected.starts_with("an ") => expected,
        None => return "is not valid".to_owned(),
    };
    format!("must be {words}")
}

/// Cuts the position in the body off, which JSON errors end with.
fn without_position(text: &str) -> &str {
    text.rsplit_once(" at line ").map_or(text, |(text, _)| text)
}

fn until_quote(text: &str) -> Option<&str> {
    text.split_once('`').map(|(name, _)| name)
}

/// Lists the words in backquotes: ``one of `a`, `b` `` becomes `a, b`.
fn words(text: &str) -> String {
    text.split('`').skip(1).step_by(2).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use crate::http::api::json_input::*;
    use crate::http::api::numbers::optional_integer;
    use serde::Deserialize;
    use serde_json::json;
    use std::collections::BTreeMap;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only read")]
    struct Body {
        title: String,
        #[serde(default, deserialize_with = "optional_integer")]
        seen_version: Option<i32>,
        mail: Option<Mail>,
        headers: Option<BTreeMap<String, String>>,
        list: Option<Vec<Mail>>,
        side: Option<Side>,
        number: Option<u16>,
        is_open: Option<bool>,
        id: Option<uuid::Uuid>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only read")]
    struct Mail {
        password: String,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Side {
        Left,
        Right,
    }

    #[track_caller]
    fn refused(body: Value) -> (String, String) {
        match read_item::<Body>(body) {
            Err(DomainError::Invalid { field, problem }) => (field, problem.to_string()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_wrong_type_names_the_field_and_what_it_must_be() {
        for (more, field, why) in [
            (json!({"title": null}), "title", "must be a text"),
            (json!({"title": ["secret"]}), "title", "must be a text"),
            (json!({"seen_version": "2"}), "seen_version", "must be a whole number"),
            (json!({"seen_version": 3_000_000_000_u32}), "seen_version", "is out of range"),
            (json!({"mail": {"password": 123_456_789}}), "mail.password", "must be a text"),
            (json!({"mail": "secret"}), "mail", "must be an object"),
            (json!({"mail": {}}), "mail.password", "must be given"),
            (json!({"headers": {"Subject": 5}}), "headers.Subject", "must be a text"),
            (json!({"list": [{"password": "a"}, {"password": 5}]}), "list[1].password", "must be a text"),
            (json!({"list": 5}), "list", "must be a list"),
            (json!({"side": "secret"}), "side", "must be one of: left, right"),
            (json!({"number": "5"}), "number", "must be a whole number"),
            (json!({"number": -5}), "number", "is out of range"),
            (json!({"is_open": "yes"}), "is_open", "must be true or false"),
            (json!({"id": 5}), "id", "must be an id"),
            (json!({"id": "secret"}), "id", "must be an id"),
            (
                json!({"mail": {"user": "secret"}}),
                "mail.user",
                "is not a field of this object; its fields are: password",
            ),
        ] {
            let mut body = json!({"title": "A word"});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let (found, problem) = refused(body);
            assert_eq!((found.as_str(), problem.as_str()), (field, why), "{more}");
            assert!(!problem.contains("secret") && !problem.contains("123456789"), "{problem}");
        }
    }

    #[test]
    fn fields_of_the_object_itself_and_other_types_are_named() {
        assert_eq!(refused(json!({})), ("title".to_owned(), "must be given".to_owned()));
        assert_eq!(refused(json!({"title": "", "x`, expected y": 1})).0, "x`, expected y");
        assert_eq!(refused(json!("text")), ("item".to_owned(), "must be an object".to_owned()));
    }

    #[test]
    fn the_position_in_a_body_is_left_out() {
        let mut json = serde_json::Deserializer::from_str(r#"{"title": 5}"#);
        let error = serde_path_to_error::deserialize::<_, Body>(&mut json).unwrap_err();
        let expected = ValidationError::Unreadable { why: "must be a text".to_owned() };
        assert_eq!(shape_error(&error, ""), DomainError::invalid("title", expected));
    }
}
