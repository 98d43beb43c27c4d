//! Classes of kinds: what of one priority is executed first when much is due.

use crate::{
    Kind,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{
    fmt,
    str::FromStr,
    sync::{PoisonError, RwLock},
};

string_enum! {
    /// Class of a kind of task. Among due tasks of one priority, content comes first; the other classes keep
    /// a share, so that none of them waits for ever.
    KindClass {
        /// What readers see: articles and releases.
        Content = "content",
        /// What people wait for: meetings, reminders, approvals.
        People = "people",
        /// What programs cause: rules, signals, messages, series.
        Machines = "machines",
    }
}

/// Classes of the words that were registered.
static CLASSES: RwLock<Vec<(&'static str, KindClass)>> = RwLock::new(Vec::new());

impl KindClass {
    /// Returns the class of a kind by its word. The kinds of articles need no registration;
    /// other words without one are [`KindClass::People`].
    #[must_use]
    pub fn of(word: &str) -> Self {
        if Kind::NAMES.contains(&word) {
            return Self::Content;
        }
        let classes = CLASSES.read().unwrap_or_else(PoisonError::into_inner);
        classes.iter().find(|(known, _)| *known == word).map_or(Self::People, |(_, class)| *class)
    }

    /// Makes the class of a word known. The first one counts.
    pub fn register(word: &'static str, class: Self) {
        let mut classes = CLASSES.write().unwrap_or_else(PoisonError::into_inner);
        if !classes.iter().any(|(known, _)| *known == word) {
            classes.push((word, class));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_are_content_and_the_first_class_of_a_word_counts() {
        assert_eq!(KindClass::of("article.unpublish"), KindClass::Content);
        assert_eq!(KindClass::of("of.a.newer.release"), KindClass::People);
        KindClass::register("test.class", KindClass::Machines);
        KindClass::register("test.class", KindClass::Content);
        assert_eq!(KindClass::of("test.class"), KindClass::Machines);
    }
}
