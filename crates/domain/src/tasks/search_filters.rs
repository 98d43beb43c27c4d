//! Filters in the text of a search: `state:failed owner:me due:today "text"`.

use crate::{DomainError, error::ValidationError, text::slice_text};

/// Filters of the list of tasks, with examples of their values.
pub const OF_TASKS: [(&str, &[&str]); 4] = [
    ("state", &["scheduled", "executed", "failed", "missed", "cancelled"]),
    ("kind", &["article.publish", "article.unpublish"]),
    ("owner", &["me"]),
    ("due", &["today", "tomorrow", "overdue", "2027-03-28"]),
];
/// Filters of the list of articles, with examples of their values.
pub const OF_ARTICLES: [(&str, &[&str]); 3] =
    [("state", &["draft", "scheduled", "published", "trash"]), ("owner", &["me"]), ("tag", &[])];

/// A filter with each of its examples: `due:today`.
#[must_use]
pub fn examples(known: &[(&'static str, &[&str])], name: &str) -> Vec<String> {
    let values = known.iter().filter(|(known, _)| *known == name).flat_map(|(_, values)| values.iter());
    values.map(|value| format!("{name}:{value}")).collect()
}

/// A search, split into its filters and the rest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Qualified {
    /// Names and values, in the order of the text.
    pub filters: Vec<(&'static str, String)>,
    /// The text without them.
    pub text: String,
}

impl Qualified {
    /// The last value of a filter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.filters.iter().rev().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// The last value of a filter as a word of a list. `Invalid` (`q`) if it is none of them.
    pub fn word<T: std::str::FromStr>(&self, name: &str, words: &[&str]) -> Result<Option<T>, DomainError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let not_one = |_| {
            let words = words.iter().map(|word| format!("{name}:{word}")).collect::<Vec<_>>().join(", ");
            DomainError::invalid("q", ValidationError::NotOneOf { words })
        };
        value.to_lowercase().parse().map(Some).map_err(not_one)
    }
}

/// Splits a search. A name that is not one of `known` belongs to the text, and so does a filter in
/// quotation marks. A value with blanks is in quotation marks: `tag:"two words"`.
#[must_use]
pub fn split(q: &str, known: &[(&'static str, &[&str])]) -> Qualified {
    let mut found = Qualified::default();
    let mut rest = q.trim_start();
    while !rest.is_empty() {
        let (part, after) = token(rest);
        match filter(part, known) {
            Some(filter) => found.filters.push(filter),
            None => {
                if !found.text.is_empty() {
                    found.text.push(' ');
                }
                found.text.push_str(part);
            }
        }
        rest = after.trim_start();
    }
    found
}

/// The first part of a text up to a blank outside of quotation marks, and the text after it.
fn token(text: &str) -> (&str, &str) {
    let mut is_quoted = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => is_quoted = !is_quoted,
            letter if letter.is_whitespace() && !is_quoted => return text.split_at(at),
            _ => {}
        }
    }
    (text, "")
}

fn filter(part: &str, known: &[(&'static str, &[&str])]) -> Option<(&'static str, String)> {
    let (name, value) = part.split_once([':', '：'])?;
    let (name, _) = known.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    let value = value.trim_matches('"').trim();
    (!value.is_empty()).then(|| (*name, value.to_owned()))
}

/// Completions of the last word of a search, each the whole search: names of filters, or their values.
#[must_use]
pub fn completions(q: &str, known: &[(&'static str, &[&str])]) -> Vec<String> {
    let begin = q
        .rfind(char::is_whitespace)
        .map_or(0, |at| at + slice_text(q, at..).chars().next().map_or(1, char::len_utf8));
    let (before, word) = q.split_at(begin);
    let word = word.to_lowercase();
    let values = known.iter().flat_map(|(name, values)| {
        let name_only = (values.is_empty()).then(|| format!("{name}:"));
        values.iter().map(move |value| format!("{name}:{value}")).chain(name_only)
    });
    let fitting = values.filter(|filter| filter.starts_with(&word) && *filter != word);
    fitting.map(|filter| format!("{before}{filter}")).collect()
}

#[cfg(test)]
mod tests {
    use crate::State;
    use crate::tasks::search_filters::*;

    #[test]
    fn filters_are_taken_out_of_the_text() {
        let found = split("  state:failed owner:me \"high tide\" due:today  north sea", &OF_TASKS);
        assert_eq!(
            found.filters,
            [("state", "failed".to_owned()), ("owner", "me".to_owned()), ("due", "today".to_owned())]
        );
        assert_eq!(found.text, "\"high tide\" north sea");
        assert_eq!(split("tag:\"two words\" x", &OF_ARTICLES).get("tag"), Some("two words"));
        assert_eq!(split("State：Failed", &OF_TASKS).get("state"), Some("Failed"));
        assert_eq!(split("state:failed state:missed", &OF_TASKS).get("state"), Some("missed"));
    }

    #[test]
    fn what_is_no_filter_stays_text() {
        for text in
            ["", "10:30", "http://example.org", "state:", "\"state:failed\"", "tag:a", "state: failed"]
        {
            let found = split(text, &OF_TASKS);
            assert_eq!((found.filters.len(), found.text.as_str()), (0, text), "{text}");
        }
        assert_eq!(split("\"open quote state:failed", &OF_TASKS).filters, []);
    }

    #[test]
    fn a_word_that_is_not_known_is_refused_with_those_that_are() {
        let found = split("state:failed", &OF_TASKS);
        assert_eq!(found.word::<State>("state", State::NAMES), Ok(Some(State::Failed)));
        assert_eq!(found.word::<State>("kind", State::NAMES), Ok(None));
        let wrong = split("state:broken", &OF_TASKS).word::<State>("state", State::NAMES).unwrap_err();
        assert_eq!(wrong.field(), Some("q"));
    }

    #[test]
    fn the_last_word_is_completed() {
        assert_eq!(completions("tide st", &OF_TASKS)[0], "tide state:scheduled");
        assert_eq!(completions("state:f", &OF_TASKS), ["state:failed"]);
        assert_eq!(completions("t", &OF_ARTICLES), ["tag:"]);
        assert_eq!(completions("潮汐　ow", &OF_ARTICLES), ["潮汐　owner:me"]);
        assert_eq!(completions("xyz", &OF_TASKS), Vec::<String>::new());
        assert_eq!(completions("", &OF_ARTICLES).len(), 6);
    }
}
