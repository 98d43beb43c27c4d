//! Ids of headings, derived by GitHub's rule, and which ids a text may use.

use comrak::{
    adapters::{HeadingAdapter, HeadingMeta},
    nodes::Sourcepos,
};
use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::{Mutex, PoisonError},
};
use unicode_normalization::char::is_combining_mark;

/// Maximum length of an id in a text, bytes.
const MAX_ID_BYTES: usize = 200;
/// Prefix of the ids of the page itself. Ids in a text must not begin with it.
pub const PAGE_ID_PREFIX: &str = "page.";

/// Writes headings one level lower, each with a unique id: the only `h1` is the page's title.
pub struct HeadingIds(Mutex<UsedIds>);

#[derive(Default)]
struct UsedIds {
    ids: HashSet<String>,
    /// Next number to append to an id.
    next: HashMap<String, u32>,
}

impl HeadingIds {
    /// Returns an adapter; `ids` are already used.
    pub fn new(ids: HashSet<String>) -> Self {
        Self(Mutex::new(UsedIds { ids, next: HashMap::new() }))
    }

    fn unique_id(&self, content: &str) -> String {
        let mut used = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let stem = id(content);
        if used.ids.insert(stem.clone()) {
            return stem;
        }
        let mut number = used.next.get(&stem).copied().unwrap_or(1);
        let mut named = format!("{stem}-{number}");
        while !used.ids.insert(named.clone()) {
            number += 1;
            named = format!("{stem}-{number}");
        }
        used.next.insert(stem, number + 1);
        named
    }
}

/// Derives an id from a heading: lower case, letters, digits, hyphens and underscores, a hyphen for
/// each space.
fn id(content: &str) -> String {
    let mut name = String::with_capacity(content.len());
    for letter in content.trim().chars().flat_map(char::to_lowercase) {
        match letter {
            ' ' => name.push('-'),
            '-' | '_' => name.push(letter),
            _ if letter.is_alphanumeric() || is_combining_mark(letter) => name.push(letter),
            _ => {}
        }
    }
    name.truncate(name.floor_char_boundary(MAX_ID_BYTES));
    if name.is_empty() { "section".to_owned() } else { name }
}

/// Whether a text may use this id.
pub fn is_valid_id(name: &str) -> bool {
    let is_letter =
        |letter: char| !letter.is_whitespace() && !letter.is_control() && !"\"<>&'".contains(letter);
    !name.is_empty()
        && name.len() <= MAX_ID_BYTES
        && name.chars().all(is_letter)
        && !name.starts_with(PAGE_ID_PREFIX)
}

impl HeadingAdapter for HeadingIds {
    fn enter(&self, out: &mut dyn fmt::Write, heading: &HeadingMeta, _: Option<Sourcepos>) -> fmt::Result {
        write!(out, "<h{} id=\"{}\">", level(heading), self.unique_id(&heading.content))
    }

    fn exit(&self, out: &mut dyn fmt::Write, heading: &HeadingMeta) -> fmt::Result {
        writeln!(out, "</h{}>", level(heading))
    }
}

fn level(heading: &HeadingMeta) -> u8 {
    heading.level.saturating_add(1).min(6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_follow_githubs_rule() {
        let headings = HeadingIds::new(HashSet::from(["fn-1".to_owned()]));
        for (content, expected) in [
            ("Getting started", "getting-started"),
            ("Getting started", "getting-started-1"),
            ("Getting started-1", "getting-started-1-1"),
            ("Getting started", "getting-started-2"),
            ("安装", "安装"),
            ("What's new in v2.0?", "whats-new-in-v20"),
            ("a  b_c", "a--b_c"),
            ("ÉCOLE", "école"),
            ("Fn 1", "fn-1-1"),
            ("!?", "section"),
        ] {
            assert_eq!(headings.unique_id(content), expected, "{content}");
        }
    }
}
