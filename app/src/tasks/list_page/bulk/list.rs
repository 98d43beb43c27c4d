//! The lists that a change of many starts from.

/// A list with boxes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BulkList {
    /// Tasks.
    #[default]
    Tasks,
    /// Articles, and their next tasks.
    Articles,
    /// Meetings.
    Meetings,
    /// Reminders.
    Reminders,
}

impl BulkList {
    /// The list with this word in the URL.
    #[must_use]
    pub fn of(word: &str) -> Self {
        match word {
            "articles" => Self::Articles,
            "meetings" => Self::Meetings,
            "reminders" => Self::Reminders,
            _ => Self::Tasks,
        }
    }

    /// Its word in the URL; empty: the list of tasks.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Tasks => "",
            Self::Articles => "articles",
            Self::Meetings => "meetings",
            Self::Reminders => "reminders",
        }
    }

    /// Its page.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Tasks => "/tasks",
            Self::Articles => "/articles",
            Self::Meetings => "/meetings",
            Self::Reminders => "/reminders",
        }
    }

    /// The page of one of its rows.
    #[must_use]
    pub fn page_of(self, id: impl std::fmt::Display) -> String {
        match self {
            Self::Reminders => format!("/reminders?edit={id}"),
            list => format!("{}/{id}", list.path()),
        }
    }
}
