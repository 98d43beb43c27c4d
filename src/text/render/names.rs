//! Names of headings in addresses, by GitHub's rule, and which names a text may use.

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

/// Longest name that a text may give to a place in it, in bytes.
const NAME_BYTES: usize = 200;
/// What the names of the page itself begin with; no name within a text does.
pub const OWN: &str = "page.";

/// Writes headings one level lower, each with a name of its own: the only `h1` is the page's title.
pub struct Headings(Mutex<Taken>);

#[derive(Default)]
struct Taken {
    names: HashSet<String>,
    /// The number to try next behind a name.
    next: HashMap<String, u32>,
}

impl Headings {
    /// `names` are in use already.
    pub fn new(names: HashSet<String>) -> Self {
        Self(Mutex::new(Taken { names, next: HashMap::new() }))
    }

    fn take(&self, content: &str) -> String {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let stem = name(content);
        if taken.names.insert(stem.clone()) {
            return stem;
        }
        let mut number = taken.next.get(&stem).copied().unwrap_or(1);
        let mut named = format!("{stem}-{number}");
        while !taken.names.insert(named.clone()) {
            number += 1;
            named = format!("{stem}-{number}");
        }
        taken.next.insert(stem, number + 1);
        named
    }
}

/// The name of a heading: lower case, letters, digits, hyphens and underscores, a hyphen for each blank.
fn name(content: &str) -> String {
    let mut name = String::with_capacity(content.len());
    for letter in content.trim().chars().flat_map(char::to_lowercase) {
        match letter {
            ' ' => name.push('-'),
            '-' | '_' => name.push(letter),
            _ if letter.is_alphanumeric() || is_combining_mark(letter) => name.push(letter),
            _ => {}
        }
    }
    name.truncate(name.floor_char_boundary(NAME_BYTES));
    if name.is_empty() { "section".to_owned() } else { name }
}

/// Whether a text may call a place in it so.
pub fn is_usable(name: &str) -> bool {
    let is_letter =
        |letter: char| !letter.is_whitespace() && !letter.is_control() && !"\"<>&'".contains(letter);
    !name.is_empty() && name.len() <= NAME_BYTES && name.chars().all(is_letter) && !name.starts_with(OWN)
}

impl HeadingAdapter for Headings {
    fn enter(&self, out: &mut dyn fmt::Write, heading: &HeadingMeta, _: Option<Sourcepos>) -> fmt::Result {
        write!(out, "<h{} id=\"{}\">", level(heading), self.take(&heading.content))
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
    fn names_follow_githubs_rule() {
        let headings = Headings::new(HashSet::from(["fn-1".to_owned()]));
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
            assert_eq!(headings.take(content), expected, "{content}");
        }
    }
}
