//! The sections of the desk: each is an entry of the navigation, with tabs above its pages.

use crate::{session::visitor, ui::page::settings_menu::is_below};
use texts::layout::LayoutTexts;

/// Text of an entry.
type Label = fn(LayoutTexts) -> &'static str;

/// Who sees an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Every account.
    Everyone,
    /// Everyone while the desk reviews texts.
    Reviewers,
    /// Admins.
    Admins,
}

impl Audience {
    /// Whether the user of the page belongs to it.
    #[must_use]
    pub fn has_visitor(self) -> bool {
        let visitor = visitor();
        match self {
            Self::Everyone => true,
            Self::Reviewers => visitor.reviews.is_some(),
            Self::Admins => visitor.is_admin(),
        }
    }
}

/// A page with a tab.
pub struct Tab {
    /// Path of the page.
    pub href: &'static str,
    /// Its name.
    pub label: Label,
    /// Who sees it.
    pub audience: Audience,
}

/// A section of the desk.
pub struct Section {
    /// Path of its first page.
    pub href: &'static str,
    /// Icon.
    pub icon: &'static str,
    /// Its name.
    pub label: Label,
    /// Who sees it.
    pub audience: Audience,
    /// Its pages that have tabs. Empty: it has one page.
    pub tabs: &'static [Tab],
}

const fn tab(href: &'static str, label: Label, audience: Audience) -> Tab {
    Tab { href, label, audience }
}

const ARTICLES: [Tab; 4] = [
    tab("/articles", LayoutTexts::articles, Audience::Everyone),
    tab("/releases", LayoutTexts::releases, Audience::Everyone),
    tab("/media", LayoutTexts::media, Audience::Everyone),
    tab("/review", LayoutTexts::review, Audience::Reviewers),
];
const MEETINGS: [Tab; 2] = [
    tab("/meetings", LayoutTexts::meetings, Audience::Everyone),
    tab("/rooms", LayoutTexts::rooms, Audience::Everyone),
];
const AUTOMATION: [Tab; 2] = [
    tab("/rules", LayoutTexts::rules, Audience::Admins),
    tab("/messages", LayoutTexts::messages, Audience::Admins),
];
const SYSTEM: [Tab; 3] = [
    tab("/engine", LayoutTexts::engine, Audience::Admins),
    tab("/tasks", LayoutTexts::tasks, Audience::Admins),
    tab("/activity", LayoutTexts::activity, Audience::Admins),
];

/// All of them, in the order of the navigation.
pub const SECTIONS: [Section; 7] = [
    section(("/", "desk"), LayoutTexts::dashboard, Audience::Everyone, &[]),
    section(("/articles", "article"), LayoutTexts::articles, Audience::Everyone, &ARTICLES),
    section(("/calendar", "calendar"), LayoutTexts::calendar, Audience::Everyone, &[]),
    section(("/meetings", "meeting"), LayoutTexts::meetings, Audience::Everyone, &MEETINGS),
    section(("/reminders", "reminder"), LayoutTexts::reminders, Audience::Everyone, &[]),
    section(("/rules", "rules"), LayoutTexts::automation, Audience::Admins, &AUTOMATION),
    section(("/engine", "engine"), LayoutTexts::system, Audience::Admins, &SYSTEM),
];

const fn section(
    (href, icon): (&'static str, &'static str),
    label: Label,
    audience: Audience,
    tabs: &'static [Tab],
) -> Section {
    Section { href, icon, label, audience, tabs }
}

impl Section {
    /// Whether the page with this path belongs to it.
    #[must_use]
    pub fn contains(&self, path: &str) -> bool {
        is_below(path, self.href) || self.tabs.iter().any(|tab| is_below(path, tab.href))
    }
}

#[cfg(test)]
mod tests {
    use super::SECTIONS;
    use crate::ui::page::settings_menu::is_below;
    use std::collections::BTreeSet;

    #[test]
    fn a_page_belongs_to_at_most_one_section() {
        for path in ["/", "/articles/new", "/rooms/1", "/tasks/1", "/messages/new", "/activity", "/review/1"]
        {
            let sections = SECTIONS.iter().filter(|section| section.contains(path)).count();
            assert_eq!(sections, 1, "{path}");
        }
        for path in ["/settings/profile", "/notifications", "/articlesque"] {
            assert!(SECTIONS.iter().all(|section| !section.contains(path)), "{path}");
        }
    }

    #[test]
    fn no_two_items_of_the_navigation_share_an_icon() {
        const STYLE: &str = include_str!("../../../../style/ui/icon.css");
        const OTHERS: [&str; 8] = ["site", "settings", "more", "person", "bell", "log-out", "help", "plus"];
        let icons: Vec<&str> = SECTIONS.iter().map(|section| section.icon).chain(OTHERS).collect();
        let different: BTreeSet<&str> = icons.iter().copied().collect();
        assert_eq!(different.len(), icons.len(), "{icons:?}");
        for icon in icons {
            assert!(STYLE.contains(&format!("[data-icon=\"{icon}\"] {{ --icon")), "{icon} is not drawn");
        }
    }

    #[test]
    fn the_first_page_is_no_part_of_another_path() {
        assert!(is_below("/", "/") && !is_below("/articles", "/"));
    }
}
