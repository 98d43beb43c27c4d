//! Which article a file is: by its path, whatever a file system did to its form or its case.

use std::collections::{HashMap, HashSet};
use unicode_normalization::UnicodeNormalization as _;

/// Paths of the articles that came from files, and of the files that are there now.
#[derive(Debug, Default)]
pub struct Identities {
    /// Place in the list of known paths, by the composed path.
    composed: HashMap<String, usize>,
    /// The same by the path without case; `None`: several differ by case only.
    folded: HashMap<String, Option<usize>>,
    /// Paths of files that differ by case only.
    doubled: HashSet<String>,
}

impl Identities {
    /// Of the known paths and of the files that are there, both as they are.
    pub fn new<'p>(known: &[&str], files: impl Iterator<Item = &'p str>) -> Self {
        let mut identities = Self::default();
        for (place, path) in known.iter().enumerate() {
            let path: String = path.nfc().collect();
            identities.folded.entry(folded(&path)).and_modify(|other| *other = None).or_insert(Some(place));
            identities.composed.entry(path).or_insert(place);
        }
        let mut seen = HashSet::new();
        for path in files {
            if !seen.insert(folded(path)) {
                identities.doubled.insert(folded(path));
            }
        }
        identities
    }

    /// The place of a file's path in the list of known paths; `None`: it is a new one.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<usize> {
        let path: String = path.nfc().collect();
        if let Some(place) = self.composed.get(&path) {
            return Some(*place);
        }
        let folded = folded(&path);
        if self.doubled.contains(&folded) { None } else { self.folded.get(&folded).copied().flatten() }
    }
}

fn folded(path: &str) -> String {
    path.nfc().flat_map(char::to_lowercase).nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_in_any_form_and_in_any_case_that_is_the_only_one() {
        let known = ["caf\u{e9}/One.md", "u\u{308}ber.md", "Two.md", "A.md", "a.md"];
        let find = |files: &[&str], path: &str| Identities::new(&known, files.iter().copied()).find(path);
        assert_eq!(find(&[], "cafe\u{301}/One.md"), Some(0));
        assert_eq!(find(&[], "\u{fc}ber.md"), Some(1));
        assert_eq!(find(&["CAF\u{c9}/one.md"], "CAFE\u{301}/one.md"), Some(0));
        assert_eq!(find(&["two.md"], "two.md"), Some(2));
        assert_eq!(find(&["Two.md", "two.md"], "two.md"), None, "two files differ by case");
        assert_eq!((find(&[], "A.md"), find(&[], "a.md")), (Some(3), Some(4)));
        assert_eq!(find(&[], "new.md"), None);
    }
}
