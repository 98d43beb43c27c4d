//! Saved views: filters of a list under a name. They belong to one account.

use crate::{
    DomainError, SavedViewId, Version,
    error::ValidationError,
    state::{ParseEnumError, string_enum},
    text::find_forbidden_char,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Maximum length of a name, characters.
pub const MAX_VIEW_NAME: usize = 60;
/// Maximum length of the filters, bytes.
pub const MAX_VIEW_QUERY: usize = 2_000;
/// Maximum number of views of one list and account.
pub const MAX_VIEWS: usize = 20;

string_enum! {
    /// A list with saved views.
    ViewedList {
        /// `/articles`.
        Articles = "articles",
        /// `/tasks`.
        Tasks = "tasks",
        /// `/meetings`.
        Meetings = "meetings",
        /// `/reminders`.
        Reminders = "reminders",
        /// `/messages`.
        Messages = "messages",
    }
}

impl ViewedList {
    /// Path of its page.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Articles => "/articles",
            Self::Tasks => "/tasks",
            Self::Meetings => "/meetings",
            Self::Reminders => "/reminders",
            Self::Messages => "/messages",
        }
    }
}

/// A saved view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedView {
    /// Id.
    pub id: SavedViewId,
    /// The list.
    pub list: ViewedList,
    /// Name; no two views of a list have the same one.
    pub name: String,
    /// The filters: the query of the list's URL, without `?`.
    pub query: String,
    /// Increases with every change.
    pub version: Version,
}

/// Input for a view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSavedView {
    /// The list.
    pub list: ViewedList,
    /// Name.
    pub name: String,
    /// The query of the list's URL.
    pub query: String,
}

impl NewSavedView {
    /// Returns it without blanks around the name; `Invalid` names the field.
    pub fn checked(self) -> Result<Self, DomainError> {
        let name = checked_name(&self.name)?;
        let query = self.query.trim().trim_start_matches('?').to_owned();
        if query.len() > MAX_VIEW_QUERY {
            let max = u32::try_from(MAX_VIEW_QUERY).unwrap_or(u32::MAX);
            return Err(DomainError::invalid("query", ValidationError::TooLarge { max }));
        }
        // No page accepts a NUL in its query.
        let has_nul = query.contains("%00");
        if has_nul || query.chars().any(|letter| letter.is_control() || letter.is_whitespace()) {
            return Err(DomainError::invalid("query", ValidationError::BadCharacters));
        }
        Ok(Self { name, query, ..self })
    }
}

/// Returns a name without blanks around it; `Invalid` names the field `name`.
pub fn checked_name(name: &str) -> Result<String, DomainError> {
    let name = name.trim();
    let problem = if name.is_empty() {
        ValidationError::Empty
    } else if name.chars().count() > MAX_VIEW_NAME {
        ValidationError::TooLong { max: u32::try_from(MAX_VIEW_NAME).unwrap_or(u32::MAX) }
    } else if find_forbidden_char(name).is_some() {
        ValidationError::BadCharacters
    } else {
        return Ok(name.to_owned());
    };
    Err(DomainError::invalid("name", problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(name: &str, query: &str) -> Result<NewSavedView, DomainError> {
        NewSavedView { list: ViewedList::Articles, name: name.to_owned(), query: query.to_owned() }.checked()
    }

    #[test]
    fn names_and_filters_have_limits() {
        let checked = view("  My drafts ", "?state=draft&mine=1").unwrap();
        assert_eq!((checked.name.as_str(), checked.query.as_str()), ("My drafts", "state=draft&mine=1"));
        assert_eq!(view("All", "").unwrap().query, "");
        for (name, query, field) in [
            ("", "", "name"),
            (" \t", "", "name"),
            (&*"n".repeat(61), "", "name"),
            ("a\u{0}b", "", "name"),
            ("a\u{202E}b", "", "name"),
            ("a", "q=a%00b", "query"),
            ("a", "q=a b", "query"),
            ("a", "q=a\r\nb", "query"),
            ("a", &*"q".repeat(2_001), "query"),
        ] {
            assert_eq!(view(name, query).unwrap_err().field(), Some(field), "{name:?} {query:?}");
        }
        assert_eq!(view("a", "q=%2500").unwrap().query, "q=%2500");
        assert!(view(&"图".repeat(60), &"q".repeat(2_000)).is_ok());
    }
}
