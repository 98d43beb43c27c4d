//! The search in help.

use super::phrase::Phrase;

/// What was searched for: words that all must occur, in either language.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Search {
    words: Vec<String>,
}

impl Search {
    /// Reads what was typed; nothing finds everything.
    pub fn new(typed: &str) -> Self {
        Self { words: typed.split_whitespace().map(str::to_lowercase).collect() }
    }

    /// Whether all words occur in these texts.
    pub fn finds(&self, phrases: &[Phrase]) -> bool {
        let occurs = |word: &String| {
            phrases
                .iter()
                .any(|phrase| [phrase.en, phrase.zh].iter().any(|text| text.to_lowercase().contains(word)))
        };
        self.words.iter().all(occurs)
    }
}

#[cfg(test)]
mod tests {
    use super::{Phrase, Search};

    #[test]
    fn a_search_finds_texts_with_all_its_words_in_either_language() {
        let texts = [Phrase::new("Posting slot", "发布时段"), Phrase::new("A usual time", "常用时间")];
        for (typed, is_found) in
            [("", true), ("SLOT", true), ("usual posting", true), ("时段", true), ("slot release", false)]
        {
            assert_eq!(Search::new(typed).finds(&texts), is_found, "{typed}");
        }
    }
}
