//! A topic for each page: what you do there, what happens then, its keys and its words.

mod planning;
mod settings;
mod system;
mod writing;

use super::{
    keys::KeyGroup,
    phrase::{Phrase, phrase},
    words::{self, Word},
};

/// Help about a page, or about pages that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Topic {
    /// Last part of its address, see [`super::paths::topic_of`].
    pub slug: &'static str,
    /// Its group in the list.
    pub group: Group,
    /// Whether the page is for admins only.
    pub is_for_admins: bool,
    /// Name of the page.
    pub title: Phrase,
    /// What you do there.
    pub what: Phrase,
    /// What happens then.
    pub then: Phrase,
    /// Groups of keys that work there, beside those that work everywhere.
    pub keys: &'static [KeyGroup],
    /// Words that the page uses, by their slugs.
    pub word_slugs: &'static [&'static str],
}

impl Topic {
    /// The topic with this slug.
    #[must_use]
    pub fn find(slug: &str) -> Option<&'static Self> {
        all().find(|topic| topic.slug == slug)
    }

    /// The words that the page uses.
    pub fn words(&self) -> impl Iterator<Item = &'static Word> {
        self.word_slugs.iter().filter_map(|slug| words::find(slug))
    }
}

/// Groups of topics, as in the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// What needs the user, and what comes.
    Today,
    /// Articles, releases, media and reviews.
    Articles,
    /// The calendar.
    Calendar,
    /// Meetings and rooms.
    Meetings,
    /// Reminders.
    Reminders,
    /// Rules and messages.
    Automation,
    /// Engine, queue and activity.
    System,
    /// Settings, and the pages before the log-in.
    Settings,
}

impl Group {
    /// All groups, in the order of the navigation.
    pub const ALL: [Self; 8] = [
        Self::Today,
        Self::Articles,
        Self::Calendar,
        Self::Meetings,
        Self::Reminders,
        Self::Automation,
        Self::System,
        Self::Settings,
    ];

    /// Its name.
    #[must_use]
    pub fn title(self) -> Phrase {
        match self {
            Self::Today => phrase!(HelpTopicTexts group_today),
            Self::Articles => phrase!(HelpTopicTexts group_articles),
            Self::Calendar => phrase!(HelpTopicTexts group_calendar),
            Self::Meetings => phrase!(HelpTopicTexts group_meetings),
            Self::Reminders => phrase!(HelpTopicTexts group_reminders),
            Self::Automation => phrase!(HelpTopicTexts group_automation),
            Self::System => phrase!(HelpTopicTexts group_system),
            Self::Settings => phrase!(HelpTopicTexts group_settings),
        }
    }

    /// Its topics.
    pub fn topics(self) -> impl Iterator<Item = &'static Topic> {
        all().filter(move |topic| topic.group == self)
    }
}

/// All topics.
pub fn all() -> impl Iterator<Item = &'static Topic> {
    let files = [
        writing::TODAY,
        writing::ARTICLES,
        writing::CALENDAR,
        planning::MEETINGS,
        planning::REMINDERS,
        planning::AUTOMATION,
        system::SYSTEM,
        settings::SETTINGS,
    ];
    files.into_iter().flatten()
}

/// Declares the topics of a group: slug, keys, words; the texts of title, what you do and what happens then.
macro_rules! topics {
    ($name:ident: $group:ident { $(
        $slug:literal $($admins:ident)? [$($keys:ident),*] [$($word:literal),*]:
        $title:ident, $what:ident, $then:ident;
    )+ }) => {
        #[doc = concat!("Topics of the group ", stringify!($group), ".")]
        pub(super) const $name: &[$crate::help::topics::Topic] = &[$($crate::help::topics::Topic {
            slug: $slug,
            group: $crate::help::topics::Group::$group,
            is_for_admins: $crate::help::topics::topics!(@is_for $($admins)?),
            title: $crate::help::phrase::phrase!(HelpTopicTexts $title),
            what: $crate::help::phrase::phrase!(HelpTopicTexts $what),
            then: $crate::help::phrase::phrase!(HelpTopicTexts $then),
            keys: &[$($crate::help::keys::KeyGroup::$keys),*],
            word_slugs: &[$($word),*],
        }),+];
    };
    (@is_for) => { false };
    (@is_for admins) => { true };
}
pub(super) use topics;
