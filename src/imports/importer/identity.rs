//! Finds the article of a file by its path, regardless of Unicode form and, if unambiguous, of
//! case.

use std::collections::{HashMap, HashSet};
use unicode_normalization::UnicodeNormalization as _;

/// Index of the paths of imported articles.
#[derive(Debug, Default)]
pub struct PathIndex {
    /// Index in the list of known paths, by path in NFC.
    by_path: HashMap<String, usize>,
    /// Index in the list of known paths, by lower-case path; `None`: several paths differ only in
    /// case.
    by_lower_case: HashMap<String, Option<usize>>,
    /// Lower-case paths of files that differ only in case.
    ambiguous: HashSet<String>,
}

impl PathIndex {
    /// Builds the index of `known` paths. `files`: paths of the current files.
    pub fn new<'p>(known: &[&str], files: impl Iterator<Item = &'p str>) -> Self {
        let mut index = Self::default();
        for (place, path) in known.iter().enumerate() {
            let path: String = path.nfc().collect();
            index
                .by_lower_case
                .entry(lower_case(&path))
                .and_modify(|other| *other = None)
                .or_insert(Some(place));
            index.by_path.entry(path).or_insert(place);
        }
        let mut seen = HashSet::new();
        for path in files {
            if !seen.insert(lower_case(path)) {
                index.ambiguous.insert(lower_case(path));
            }
        }
        index
    }

    /// Returns the index of a file's path in the list of known paths; `None`: it is new.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<usize> {
        let path: String = path.nfc().collect();
        if let Some(place) = self.by_path.get(&path) {
            return Some(*place);
        }
        let lower_case = lower_case(&path);
        if self.ambiguous.contains(&lower_case) {
            None
        } else {
            self.by_lower_case.get(&lower_case).copied().flatten()
        }
    }
}

fn lower_case(path: &str) -> String {
    path.nfc().flat_map(char::to_lowercase).nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_in_any_form_and_in_any_case_that_is_the_only_one() {
        let known = ["caf\u{e9}/One.md", "u\u{308}ber.md", "Two.md", "A.md", "a.md"];
        let find = |files: &[&str], path: &str| PathIndex::new(&known, files.iter().copied()).find(path);
        assert_eq!(find(&[], "cafe\u{301}/One.md"), Some(0));
        assert_eq!(find(&[], "\u{fc}ber.md"), Some(1));
        assert_eq!(find(&["CAF\u{c9}/one.md"], "CAFE\u{301}/one.md"), Some(0));
        assert_eq!(find(&["two.md"], "two.md"), Some(2));
        assert_eq!(find(&["Two.md", "two.md"], "two.md"), None, "two files differ by case");
        assert_eq!((find(&[], "A.md"), find(&[], "a.md")), (Some(3), Some(4)));
        assert_eq!(find(&[], "new.md"), None);
    }
}
