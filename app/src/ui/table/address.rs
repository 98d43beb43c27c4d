//! The URL of a list: its filters, its order, its page and an open form.

use crate::server_fns::result_url::ID;
use leptos::prelude::*;
use leptos_router::{hooks::use_location, location::Url};
use std::fmt;

/// Parameters that name a place in the list, or a form that is open in it.
const PLACE: [&str; 6] = ["cursor", "day", "disable", EDIT, MOVE, DELETE];
/// Parameters with the result of a form: its id, and its words in older addresses. They are not kept in
/// links.
const RESULTS: [&str; 7] = ["account", "changed", "deleted", "done", "meeting", ID, "retried"];

/// Parameter: id of the row whose form to edit is open.
pub const EDIT: &str = "edit";
/// Parameter: id of the task whose form to reschedule is open.
pub const MOVE: &str = "move";
/// Parameter: id of the article whose form to delete is open.
pub const DELETE: &str = "delete";

/// Path and parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListAddress {
    path: String,
    params: Vec<(String, String)>,
}

impl ListAddress {
    /// The URL of this page. Keeps its value while another page is opened.
    #[must_use]
    pub fn here() -> Memo<Self> {
        let place = use_location();
        let own = place.pathname.get_untracked();
        Memo::new(move |last: Option<&Self>| match last {
            Some(last) if place.pathname.with(|path| *path != own) => last.clone(),
            _ => Self {
                path: own.clone(),
                params: place
                    .query
                    .get()
                    .into_iter()
                    .map(|(name, value)| (name.into_owned(), value))
                    .collect(),
            },
        })
    }

    /// Path of the list.
    #[must_use]
    pub fn path(&self) -> String {
        self.path.clone()
    }

    /// Value of a parameter; `None`: it is absent or empty.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<String> {
        let value = self.params.iter().find(|(own, _)| own == name).map(|(_, value)| value.trim());
        value.filter(|value| !value.is_empty()).map(str::to_owned)
    }

    /// Whether the parameter has this value.
    #[must_use]
    pub fn is(&self, name: &str, value: &str) -> bool {
        self.params.iter().any(|(own, own_value)| own == name && own_value == value)
    }

    /// With another value of a parameter; an empty value removes it.
    #[must_use]
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut params = self.filtered(|own| own != name);
        if !value.is_empty() {
            params.push((name.to_owned(), value.to_owned()));
        }
        Self { path: self.path.clone(), params }
    }

    /// The start of the list, with the same filters and order.
    #[must_use]
    pub fn start(&self) -> Self {
        Self { path: self.path.clone(), params: self.filtered(|name| !PLACE.contains(&name)) }
    }

    /// Names and values of all parameters except one, for the hidden fields of a form.
    #[must_use]
    pub fn fields_without(&self, name: &str) -> Vec<(String, String)> {
        self.start().with(name, "").params
    }

    fn filtered(&self, keeps: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let is_kept = |name: &str| keeps(name) && !RESULTS.contains(&name);
        self.params.iter().filter(|(name, value)| is_kept(name) && !value.is_empty()).cloned().collect()
    }
}

impl fmt::Display for ListAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        for (place, (name, value)) in self.params.iter().enumerate() {
            let between = if place == 0 { '?' } else { '&' };
            // The server would encode more characters than the browser does.
            let value = Url::escape(value).replace("%2D", "-").replace("%5F", "_");
            write!(f, "{between}{}={value}", Url::escape(name))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::ListAddress;

    #[test]
    fn a_link_keeps_the_filters_and_drops_the_place() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let address = ListAddress {
            path: "/tasks".to_owned(),
            params: vec![
                pair("state", "all"),
                pair("q", "50% & more"),
                pair("cursor", "5.a"),
                pair("edit", "7"),
                pair("changed", "x"),
                pair("r", "0123"),
            ],
        };
        assert_eq!(address.start().to_string(), "/tasks?state=all&q=50%25%20%26%20more");
        assert_eq!(
            address.start().with("q", "").with("order", "latest").to_string(),
            "/tasks?state=all&order=latest"
        );
        assert_eq!(address.with("move", "7").get("cursor").as_deref(), Some("5.a"));
        assert_eq!(address.fields_without("q"), [pair("state", "all")]);
    }
}
