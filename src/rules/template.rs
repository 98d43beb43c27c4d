//! Templates: `{{subject}}`, `{{key}}`, `{{at}}`, `{{rule}}` and `{{data.FIELD}}`. A value is escaped
//! by where it is put.

use domain::{Timestamp, error::ValidationError, text::slice_text};
use serde_json::{Map, Value, json};

/// Begin of the name of a field of the data.
const DATA: &str = "data.";
const FIELDS: [&str; 4] = ["subject", "key", "at", "rule"];

/// Where a value is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// Into a string of a JSON text.
    Json,
    /// Into a plain text.
    Text,
    /// Into one line, such as a header.
    Line,
}

/// A field that the data does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingField;

/// The values of a template.
pub struct Values<'v> {
    pub subject: &'v str,
    pub key: &'v str,
    pub at: Timestamp,
    pub rule: &'v str,
    pub data: &'v Map<String, Value>,
}

/// A part of a template.
enum Part<'t> {
    Text(&'t str),
    Field(&'t str),
}

/// Splits a template. What is not the name of a field stays text.
fn parts(template: &str) -> Vec<Part<'_>> {
    let (mut parts, mut rest) = (Vec::new(), template);
    while let Some(begin) = rest.find("{{") {
        let inner = slice_text(rest, begin + 2..);
        let Some(end) = inner.find("}}") else { break };
        let name = slice_text(inner, ..end).trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "._-".contains(c));
        if is_name {
            parts.extend([Part::Text(slice_text(rest, ..begin)), Part::Field(name)]);
            rest = slice_text(inner, end + 2..);
        } else {
            parts.push(Part::Text(slice_text(rest, ..begin + 1)));
            rest = slice_text(rest, begin + 1..);
        }
    }
    parts.push(Part::Text(rest));
    parts
}

/// Refuses a template with unknown fields.
pub fn check(template: &str) -> Result<(), ValidationError> {
    let is_unknown = |part: &&Part<'_>| match part {
        Part::Field(name) => !FIELDS.contains(name) && name.strip_prefix(DATA).is_none_or(str::is_empty),
        Part::Text(_) => false,
    };
    match parts(template).iter().find(is_unknown) {
        Some(Part::Field(name)) => {
            let why = format!("has the unknown field {name}; use subject, key, at, rule or data.FIELD");
            Err(ValidationError::Unreadable { why })
        }
        _ => Ok(()),
    }
}

/// Returns how values are escaped in a body: as JSON if the body is JSON.
pub fn escape_of(template: &str) -> Escape {
    let sample: String =
        parts(template).iter().map(|part| if let Part::Text(text) = part { text } else { "0" }).collect();
    match serde_json::from_str::<serde::de::IgnoredAny>(&sample) {
        Ok(_) => Escape::Json,
        Err(_) => Escape::Text,
    }
}

/// Fills a template.
pub fn render(template: &str, values: &Values<'_>, escape: Escape) -> Result<String, MissingField> {
    let mut text = String::with_capacity(template.len());
    for part in parts(template) {
        match part {
            Part::Text(part) => text.push_str(part),
            Part::Field(name) => text.push_str(&escaped(&values.get(name)?, escape)),
        }
    }
    Ok(text)
}

impl Values<'_> {
    fn get(&self, name: &str) -> Result<String, MissingField> {
        Ok(match name {
            "subject" => self.subject.to_owned(),
            "key" => self.key.to_owned(),
            "at" => self.at.to_string(),
            "rule" => self.rule.to_owned(),
            name => match name.strip_prefix(DATA).and_then(|field| self.data.get(field)) {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Null) | None => return Err(MissingField),
                Some(other) => other.to_string(),
            },
        })
    }
}

fn escaped(value: &str, escape: Escape) -> String {
    match escape {
        Escape::Text => value.to_owned(),
        Escape::Line => value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
        Escape::Json => {
            let quoted = json!(value).to_string();
            slice_text(&quoted, 1..quoted.len() - 1).to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_escaped_by_where_they_are_put() {
        let data = json!({"name": "A \"B\"\r\n{{key}}", "total": 12.5, "vip": true, "none": null});
        let data = data.as_object().unwrap();
        let at = Timestamp::from_millis(0);
        let values = Values { subject: "u1", key: "k", at, rule: "Unpaid", data };
        let body = r#"{"to": "{{ subject }}", "name": "{{data.name}}", "n": {{data.total}}}"#;
        assert_eq!(escape_of(body), Escape::Json);
        let text = render(body, &values, Escape::Json).unwrap();
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read, json!({"to": "u1", "name": "A \"B\"\r\n{{key}}", "n": 12.5}));
        let line = render("{{data.name}} {{data.vip}}", &values, Escape::Line).unwrap();
        assert_eq!(line, "A \"B\"  {{key}} true");
        assert_eq!(escape_of("Dear {{data.name}}"), Escape::Text);
        for missing in ["{{data.other}}", "{{data.none}}"] {
            assert_eq!(render(missing, &values, Escape::Text), Err(MissingField));
        }
    }

    #[test]
    fn unknown_fields_are_refused_and_other_braces_stay() {
        for fine in
            ["", "{{subject}}{{key}}{{at}}{{rule}}{{data.a_b-c}}", r#"{"a":{"b":1}}"#, "{{", "{{a b}}"]
        {
            assert_eq!(check(fine), Ok(()), "{fine}");
        }
        for wrong in ["{{name}}", "{{data.}}", "{{data}}", "a {{ user.name }}"] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
        let empty = Map::new();
        let values = Values { subject: "s", key: "", at: Timestamp::from_millis(0), rule: "", data: &empty };
        assert_eq!(render("{{{subject}} {{a b}} {{", &values, Escape::Text).unwrap(), "{s {{a b}} {{");
    }
}
