//! Headers as a form has them: a line for each.

use domain::{DomainError, error::ValidationError};
use std::collections::BTreeMap;
use texts::{Language, messages::MessageFormTexts};

/// Reads lines like `Name: value` of this field.
///
/// # Errors
/// If a line has no colon.
pub fn headers_of(
    field: &str,
    language: Language,
    typed: &str,
) -> Result<BTreeMap<String, String>, DomainError> {
    let lines = typed.lines().map(str::trim).filter(|line| !line.is_empty());
    let header = |line: &str| {
        let (name, value) = line.split_once([':', '：']).ok_or_else(|| {
            let why = MessageFormTexts(language).headers_shape().to_owned();
            DomainError::invalid(field, ValidationError::Unreadable { why })
        })?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    lines.map(header).collect()
}
