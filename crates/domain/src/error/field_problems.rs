//! Collects the problems of several fields, so that a form shows all of them at once.

use crate::{DomainError, error::ValidationError};

/// Problems of the fields of one form.
#[derive(Debug, Default)]
pub struct FieldProblems(Vec<(String, ValidationError)>);

impl FieldProblems {
    /// Returns the value of a valid field. Keeps the problem of an invalid one, and returns the
    /// default instead: call [`Self::finish`] before the value is used. Returns any other error.
    pub fn take<T: Default>(&mut self, checked: Result<T, DomainError>) -> Result<T, DomainError> {
        match checked {
            Err(DomainError::Invalid { field, problem }) => {
                self.0.push((field, problem));
                Ok(T::default())
            }
            other => other,
        }
    }

    /// Returns an error unless all fields are valid: `Invalid` for one problem, `InvalidFields` for
    /// several.
    pub fn finish(self) -> Result<(), DomainError> {
        match <[_; 1]>::try_from(self.0) {
            Ok([(field, problem)]) => Err(DomainError::Invalid { field, problem }),
            Err(problems) if problems.is_empty() => Ok(()),
            Err(problems) => Err(DomainError::InvalidFields { problems }),
        }
    }
}

impl DomainError {
    /// The field it is about, if it is about one.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Invalid { field, .. }
            | Self::DoubledTime { field, .. }
            | Self::SkippedTime { field, .. }
            | Self::Past { field, .. } => Some(field),
            _ => None,
        }
    }

    /// Gives a problem of one field the name of the field that the caller used.
    #[must_use]
    pub fn in_field(mut self, name: &str) -> Self {
        if let Self::Invalid { field, .. }
        | Self::DoubledTime { field, .. }
        | Self::SkippedTime { field, .. }
        | Self::Past { field, .. } = &mut self
        {
            name.clone_into(field);
        }
        self
    }

    /// The problem of the field with this name, if its input is invalid.
    pub fn problem_of(&self, is_it: impl Fn(&str) -> bool) -> Option<&ValidationError> {
        match self {
            Self::Invalid { field, problem } => is_it(field).then_some(problem),
            Self::InvalidFields { problems } => {
                problems.iter().find(|(field, _)| is_it(field)).map(|(_, problem)| problem)
            }
            _ => None,
        }
    }

    /// Whether it is only about these fields.
    #[must_use]
    pub fn is_about(&self, fields: &[&str]) -> bool {
        match self {
            Self::Invalid { field, .. } => fields.contains(&field.as_str()),
            Self::InvalidFields { problems } => {
                problems.iter().all(|(field, _)| fields.contains(&field.as_str()))
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    #[test]
    fn a_time_that_has_passed_names_its_field_and_what_is_possible() {
        let past = DomainError::past(Timestamp::from_millis(0)).in_field("local");
        assert_eq!(past.field(), Some("local"));
        assert_eq!(past.to_string(), "1970-01-01T00:00:00.000Z has passed; choose a later time");
        assert!(past.or_publish_now().to_string().ends_with("choose a later time, or publish now"));
    }

    #[test]
    fn all_problems_are_returned_and_other_errors_end_the_check() {
        let invalid = |field: &str| Err::<String, _>(DomainError::invalid(field, ValidationError::Empty));
        assert_eq!(FieldProblems::default().finish(), Ok(()));
        let mut problems = FieldProblems::default();
        assert_eq!(problems.take(Ok("Ada".to_owned())), Ok("Ada".to_owned()));
        assert_eq!(problems.take(invalid("name")), Ok(String::new()));
        assert_eq!(problems.take(Err::<String, _>(DomainError::Busy)), Err(DomainError::Busy));
        assert_eq!(problems.finish(), Err(DomainError::invalid("name", ValidationError::Empty)));
        let mut problems = FieldProblems::default();
        for field in ["name", "zone"] {
            problems.take(invalid(field)).unwrap();
        }
        let both = problems.finish().unwrap_err();
        assert_eq!(both.to_string(), "name must not be empty; zone must not be empty");
        assert_eq!(both.problem_of(|field| field == "zone"), Some(&ValidationError::Empty));
        assert!(both.is_about(&["name", "zone", "email"]) && !both.is_about(&["name"]));
    }
}
